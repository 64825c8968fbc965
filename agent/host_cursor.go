package agent

import (
	"cmp"

	"github.com/acta-git/acta/worklog"
)

// cursorEvent reads a payload of Cursor's hooks (its hooks reference). Its conversation is the session.
func cursorEvent(p payload) event {
	e := event{session: p.text("conversation_id", "session_id"), dir: p.text("cwd")}
	if roots, ok := p["workspace_roots"].([]any); ok && len(roots) > 0 && e.dir == "" {
		e.dir, _ = roots[0].(string)
	}
	switch p.text("hook_event_name") {
	case "sessionStart":
		e.kind = begun
	case "sessionEnd":
		e.kind = ended
	case "beforeSubmitPrompt":
		e.kind, e.prompt = prompted, p.text("prompt")
	case "afterFileEdit":
		e.kind, e.use = usedTool, wrote(worklog.Edit, p.text("file_path")).changed(p.edits("edits")...)
	case "afterShellExecution":
		e.kind, e.use = usedTool, ranWith(p.text("command"), p.number("exit_code", "exitCode"))
	case "postToolUse":
		e.kind, e.use = usedTool, cursorUse(p)
	case "postToolUseFailure":
		e.kind, e.use = usedTool, cursorFailure(p)
	case "subagentStop":
		e.kind, e.use = usedTool, subAgentUse(worklog.Completed, p.text("task", "description"), p.text("subagent_type")).by(p.text("subagent_type"))
		if s := p.text("status"); s != "" && s != "completed" {
			e.use = e.use.failed()
		}
	}
	return e
}

// cursorUse is a use of a tool that Cursor tells of in general. Edits and sub-agents have events of their own.
func cursorUse(p payload) *toolUse {
	in, out := p.object("tool_input"), p.object("tool_output")
	switch p.text("tool_name") {
	case "Shell", "Bash":
		return ranWith(in.text("command"), out.number("exitCode", "exit_code"))
	case "TodoWrite":
		if list, ok := todosIn(in, "todos"); ok {
			t := &todoUse{whole: !in.flag("merge"), intended: list}
			t.there, t.answered = todosIn(out, "todos")
			return t.use()
		}
	}
	return nil
}

// cursorFailure is a use of a tool that failed; its code is told only sometimes.
func cursorFailure(p payload) *toolUse {
	u := cursorUse(p).failed()
	if u != nil && u.action == worklog.Bash && !p.flag("is_interrupt") {
		u.exitCode = cmp.Or(p.object("tool_output").number("exitCode", "exit_code"), claudeCode(p.text("error_message")))
	}
	return u
}
