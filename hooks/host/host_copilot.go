package host

import (
	"strings"
	"time"

	"github.com/acta-git/acta/record/worklog"
)

// copilot is GitHub Copilot CLI. With Claude Code's names its events have payloads much like Claude Code's, whose
// configuration it also reads.
type copilot struct{ claudeAnswers }

func (copilot) ID() string   { return "copilot" }
func (copilot) Name() string { return "GitHub Copilot CLI" }

func (h copilot) hooks(guard bool) Setting {
	events := hookEvents(guard, "PreToolUse", "Bash|Write|Edit",
		"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd")
	return plainHooks(h, ".github/hooks/acta.json", "command", events)
}

func (copilot) instructions() Setting { return instructionsIn(".github/copilot-instructions.md", "") }
func (copilot) servers() Setting      { return jsonServers(".mcp.json") }

// copilotWrites is how long Copilot buffers its transcript: up to 100 ms were seen (1.0.102).
const copilotWrites = 300 * time.Millisecond

func copilotContext(text string) reply {
	return jsonAnswer(map[string]string{"additionalContext": text})
}

// context is accepted when a session begins, but not with a prompt.
func (copilot) context(event, line string) (reply, bool) {
	return copilotContext(line), event == "SessionStart"
}
func (copilot) refuse(_, text string) reply { return copilotContext(text) }

func (copilot) read(p payload) event {
	e := claudeEvent(p, copilotUse)
	if e.kind == stopEvent {
		e.messageDelay = copilotWrites
	}
	return e
}

func copilotUse(p payload) *toolUse {
	in := p.object("tool_input")
	switch p.text("tool_name") {
	case "Bash":
		return copilotRun(in, p.object("tool_result").text("text_result_for_llm"))
	case "Write":
		return fileUse(worklog.Write, in.text("path")).withChange(replacement{"", in.text("file_text")})
	case "Edit":
		return fileUse(worklog.Edit, in.text("path")).withChange(replacement{in.text("old_str"), in.text("new_str")})
	case "Task", "Agent":
		return subAgentUse(worklog.Completed, in.text("agent_type"), in.text("description", "name"), in.text("prompt"))
	}
	return nil
}

// copilotRun is the run of a command. The last line of the model's text has its exit code, unless it still runs.
func copilotRun(in payload, output string) *toolUse {
	last := output[strings.LastIndexByte(output, '\n')+1:]
	code := exitCodeIn(last, `^<(?:shellId: \S+ completed with exit code|exited with exit code) (\d{1,9})>$`)
	if code == nil && (in.text("mode") == "async" || in.flag("async")) {
		return startedUse(in.text("command"))
	}
	return shellUse(in.text("command"), code)
}

// isFromCopilot reports whether a payload with Claude Code's event name comes from Copilot, which also runs hooks that
// are configured for Claude Code.
func isFromCopilot(p payload) bool {
	if p.has("tool_result") || p.has("stop_reason") || p.has("initial_prompt") {
		return true
	}
	return p.text("timestamp") != "" && !p.has("transcript_path")
}

// lastMessage is the model's last message after the person's last one; "" if it used a tool after it.
func (copilot) lastMessage(transcript []byte) (message string) {
	for entry := range entries(transcript, "") {
		data := entry.object("data")
		switch entry.text("type") {
		case "user.message", "tool.execution_start":
			message = ""
		case "assistant.message":
			message = data.text("content")
		}
	}
	return message
}
