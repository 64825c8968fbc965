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

var cursorEvents = map[string]eventKind{
	"sessionStart": sessionBegin, "sessionEnd": sessionEnd, "beforeSubmitPrompt": promptEvent, "preToolUse": toolBegin,
	"postToolUse": toolEnd, "postToolUseFailure": toolEnd, "afterFileEdit": toolEnd, "subagentStop": toolEnd,
}

// read reads a payload of Cursor's hooks (its hooks reference). Its conversation is the session.
func (cursor) read(p payload) event {
	e := eventOf(p, cursorEvents, cursorUse)
	e.session = p.text("conversation_id", "session_id")
	if roots, ok := p["workspace_roots"].([]any); ok && len(roots) > 0 && e.dir == "" {
		e.dir, _ = roots[0].(string)
	}
	return e
}

// cursorUse is a tool use. Edits and subagents have events of their own.
func cursorUse(p payload) *toolUse {
	in, out := p.object("tool_input"), p.object("tool_output")
	switch event, tool := p.text("hook_event_name"), p.text("tool_name"); {
	case event == "afterFileEdit":
		return fileUse(worklog.Edit, p.text("file_path")).withChange(p.edits("edits")...)
	case event == "subagentStop":
		u := subAgentUse(worklog.Completed, p.text("subagent_type"), p.text("task", "description"), "")
		if s := p.text("status"); s != "" && s != "completed" {
			return u.asFailed()
		}
		return u
	case event == "preToolUse" && tool == "Write":
		return fileUse(worklog.Write, in.text("file_path", "path"))
	case tool == "Shell" || tool == "Bash":
		return shellUse(in.text("command"), out.number("exitCode", "exit_code"))
	case tool == "TodoWrite":
		if list := todosIn(in, "todos"); list != nil {
			return (&todoUse{isWhole: !in.flag("merge"), intended: list, actual: todosIn(out, "todos")}).use()
		}
	}
	return nil
}
