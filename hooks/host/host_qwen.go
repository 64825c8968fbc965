package host

import "github.com/acta-git/acta/record/worklog"

// qwen is Qwen Code: its tools are much like those of Gemini CLI, from which it came, its events like those of Claude
// Code.
type qwen struct{ claudeAnswers }

// ID is that of --agent.
func (qwen) ID() string { return "qwen" }

// Name is what people call it.
func (qwen) Name() string { return "Qwen Code" }

func (h qwen) hooks(guard bool) Setting {
	events := called(guard, "PreToolUse", "run_shell_command|write_file|edit",
		"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd")
	const milliseconds = hookSeconds * 1000
	return groupedHooks(h, ".qwen/settings.json", milliseconds, events)
}

func (qwen) instructions() Setting { return instructionsIn("QWEN.md", "") }
func (qwen) servers() Setting      { return jsonServers(".qwen/settings.json") }

func (qwen) silent() Answer { return jsonAnswer(hookOutput{}) }

// read reads a payload of Qwen Code's hooks.
func (qwen) read(p payload) event {
	e := claudeEvent(p, qwenUse)
	switch {
	case e.kind == prompted && !isQwenPrompt(p):
		return event{}
	case p.text("hook_event_name") == "PostToolUseFailure":
		e.use = qwenFailure(p)
	}
	return e
}

// isQwenPrompt reports whether a person asked for something: Qwen Code sends the event with every request to its model,
// with nothing in it, and with the reason for which a hook has held it. Only a person's has submitted_prompt (0.24);
// older versions, which give no prompt_id either, do not tell a reason from what a person asks for.
func isQwenPrompt(p payload) bool {
	return p.text("submitted_prompt") != "" || p.text("prompt") != "" && !p.has("prompt_id")
}

func qwenUse(p payload) *toolUse {
	in, out := p.object("tool_input"), p.object("tool_response")
	switch p.text("tool_name") {
	case "run_shell_command":
		return geminiRun(in, out)
	case "write_file":
		old := out.object("returnDisplay").text("originalContent")
		return wrote(worklog.Write, in.text("file_path")).changed(replacement{old, in.text("content")})
	case "edit":
		return wrote(worklog.Edit, in.text("file_path")).changed(in.edit())
	case "todo_write":
		return listUse(in, "todos", out.object("returnDisplay"))
	case "task", "agent":
		kind := in.text("subagent_type")
		return subAgentUse(worklog.Completed, in.text("description"), kind, in.text("prompt")).by(kind)
	}
	return nil
}

// qwenFailure is a use of a tool that went wrong: what a command came to stands in the reason.
func qwenFailure(p payload) *toolUse {
	if p.text("tool_name") != "run_shell_command" {
		return qwenUse(p).failed()
	}
	u := geminiRun(p.object("tool_input"), payload{"llmContent": p["error"]})
	if u == nil || p.flag("is_interrupt") || u.exitCode == nil {
		return u.failed()
	}
	return u
}
