package host

import "github.com/acta-git/acta/record/worklog"

type cursor struct{}

func (cursor) ID() string   { return "cursor" }
func (cursor) Name() string { return "Cursor" }

func (h cursor) hooks(guard bool) Setting {
	events := hookEvents(guard, "preToolUse", "Shell|Write",
		"sessionStart", "beforeSubmitPrompt", "postToolUse", "postToolUseFailure",
		"afterFileEdit", "subagentStop", "sessionEnd")
	return plainHooks(h, ".cursor/hooks.json", "", events)
}

// instructions is a file of rules, with a head that makes Cursor give it to every agent.
func (cursor) instructions() Setting {
	return instructionsIn(".cursor/rules/acta.mdc", "---\ndescription: how a task is closed here\nalwaysApply: "+
		"true\n---\n")
}
func (cursor) servers() Setting { return jsonServers(".cursor/mcp.json") }

type cursorOutput struct {
	Context    string `json:"additional_context,omitempty"`
	Permission string `json:"permission,omitempty"`
	ToAgent    string `json:"agent_message,omitempty"`
	ToUser     string `json:"user_message,omitempty"`
}

func (cursor) emptyAnswer() reply { return jsonAnswer(cursorOutput{}) }

// context is accepted when a session begins, but not with a prompt.
func (cursor) context(event, line string) (reply, bool) {
	return jsonAnswer(cursorOutput{Context: line}), event != "beforeSubmitPrompt"
}

// hold is not possible in Cursor.
func (cursor) hold(string) (reply, bool) { return reply{}, false }

func (cursor) refuse(_, text string) reply {
	a := jsonAnswer(cursorOutput{Context: text})
	a.Stderr = text
	return a
}

func (cursor) veto(_, reason string) reply {
	return jsonAnswer(cursorOutput{Permission: "deny", ToAgent: reason, ToUser: reason})
}

// read reads a payload of Cursor's hooks (its hooks reference). Its conversation is the session.
func (cursor) read(p payload) event {
	e := event{session: p.text("conversation_id", "session_id"), dir: p.text("cwd")}
	if roots, ok := p["workspace_roots"].([]any); ok && len(roots) > 0 && e.dir == "" {
		e.dir, _ = roots[0].(string)
	}
	switch p.text("hook_event_name") {
	case "sessionStart":
		e.kind = sessionBegin
	case "sessionEnd":
		e.kind = sessionEnd
	case "beforeSubmitPrompt":
		e.kind, e.prompt = promptEvent, p.text("prompt")
	case "afterFileEdit":
		e.kind, e.use = toolEnd, fileUse(worklog.Edit, p.text("file_path")).withChange(p.edits("edits")...)
	case "preToolUse":
		e.kind, e.use = toolBegin, cursorUse(p)
		if p.text("tool_name") == "Write" { // the change has an event of its own
			in := p.object("tool_input")
			e.use = fileUse(worklog.Write, in.text("file_path", "path"))
		}
	case "postToolUse":
		e.kind, e.use = toolEnd, cursorUse(p)
	case "postToolUseFailure":
		e.kind, e.use = toolEnd, cursorUse(p).asFailed()
		e.use.readExitCode(p)
	case "subagentStop":
		e.kind = toolEnd
		e.use = subAgentUse(worklog.Completed, p.text("subagent_type"), p.text("task", "description"), "")
		if s := p.text("status"); s != "" && s != "completed" {
			e.use = e.use.asFailed()
		}
	}
	return e
}

// cursorUse is a tool use in Cursor's general event. Edits and subagents have events of their own.
func cursorUse(p payload) *toolUse {
	in, out := p.object("tool_input"), p.object("tool_output")
	switch p.text("tool_name") {
	case "Shell", "Bash":
		return shellUse(in.text("command"), out.number("exitCode", "exit_code"))
	case "TodoWrite":
		if list := todosIn(in, "todos"); list != nil {
			return (&todoUse{isWhole: !in.flag("merge"), intended: list, actual: todosIn(out, "todos")}).use()
		}
	}
	return nil
}
