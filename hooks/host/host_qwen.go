package host

import "github.com/acta-git/acta/record/worklog"

// qwen is Qwen Code: its tools are much like those of Gemini CLI, its origin, its events like those of Claude Code.
type qwen struct{ claudeAnswers }

func (qwen) ID() string   { return "qwen" }
func (qwen) Name() string { return "Qwen Code" }

func (h qwen) hooks(guard bool) Setting {
	events := hookEvents(guard, "PreToolUse", "run_shell_command|write_file|edit",
		"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd")
	const milliseconds = hookSeconds * 1000
	return groupedHooks(h, ".qwen/settings.json", milliseconds, events)
}

func (qwen) instructions() Setting { return instructionsIn("QWEN.md", "") }
func (qwen) servers() Setting      { return jsonServers(".qwen/settings.json") }

func (qwen) emptyAnswer() reply { return jsonAnswer(hookOutput{}) }

func (qwen) read(p payload) event {
	e := claudeEvent(p, qwenUse)
	if e.kind == promptEvent && !isQwenPrompt(p) {
		return event{}
	}
	if e.use != nil && p.has("error") && p.text("tool_name") == "run_shell_command" && !p.flag("is_interrupt") {
		e.use.exitCode, _ = geminiEnd(p.parts("error")) // the reason of a failure ends with it
	}
	return e
}

// isQwenPrompt reports whether a person wrote the prompt: Qwen Code sends the event with every request to its model,
// with an empty prompt or with a hook's reason. Only a person's prompt has submitted_prompt (0.24); older versions,
// which have no prompt_id either, do not distinguish them.
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
		return fileUse(worklog.Write, in.text("file_path")).withChange(replacement{old, in.text("content")})
	case "edit":
		return fileUse(worklog.Edit, in.text("file_path")).withChange(in.edit())
	case "todo_write":
		return listUse(in, "todos", out.object("returnDisplay"))
	case "task", "agent":
		return subAgentUse(worklog.Completed, in.text("subagent_type"), in.text("description"), in.text("prompt"))
	}
	return nil
}
