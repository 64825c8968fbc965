package host

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/acta-git/acta/record/worklog"
)

// copilot is GitHub Copilot CLI. Named as Claude Code names them, its events hand over payloads that are much like
// those of Claude Code, whose own configuration it reads, too.
type copilot struct{ claudeAnswers }

// ID is that of --agent.
func (copilot) ID() string { return "copilot" }

// Name is what people call it.
func (copilot) Name() string { return "GitHub Copilot CLI" }

func (h copilot) hooks(guard bool) Setting {
	events := called(guard, "PreToolUse", "Bash|Write|Edit",
		"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd")
	return plainHooks(h, ".github/hooks/acta.json", "command", events)
}

func (copilot) instructions() Setting { return instructionsIn(".github/copilot-instructions.md", "") }
func (copilot) servers() Setting      { return jsonServers(".mcp.json") }

// copilotWrites is how long Copilot gathers what it writes to its transcript: seen were up to 100 ms (1.0.102).
const copilotWrites = 300 * time.Millisecond

// copilotContext gives the model a text.
type copilotContext struct {
	Context string `json:"additionalContext"`
}

// context is taken when a session begins, and not with a prompt.
func (copilot) context(event, line string) (Answer, bool) {
	return jsonAnswer(copilotContext{line}), event == "SessionStart"
}
func (copilot) refuse(_, text string) Answer { return jsonAnswer(copilotContext{text}) }

func (copilot) read(p payload) event {
	e := claudeEvent(p, copilotUse)
	if e.kind == stopping {
		e.saidWithin = copilotWrites
	}
	return e
}

func copilotUse(p payload) *toolUse {
	in := p.object("tool_input")
	switch p.text("tool_name") {
	case "Bash":
		return copilotRun(in, p.object("tool_result").text("text_result_for_llm"))
	case "Write":
		return wrote(worklog.Write, in.text("path")).changed(replacement{"", in.text("file_text")})
	case "Edit":
		return wrote(worklog.Edit, in.text("path")).changed(replacement{in.text("old_str"), in.text("new_str")})
	case "Task", "Agent":
		kind := in.text("agent_type")
		return subAgentUse(worklog.Completed, in.text("description", "name"), kind, in.text("prompt")).by(kind)
	}
	return nil
}

// copilotRun is the run of a command. What it came to stands in the last line that the model gets; one that runs on
// has another.
func copilotRun(in payload, said string) *toolUse {
	last := said[strings.LastIndexByte(said, '\n')+1:]
	const ended = `^<(?:shellId: \S+ completed with exit code|exited with exit code) (\d{1,9})>$`
	m := regexp.MustCompile(ended).FindStringSubmatch(last)
	if m == nil {
		if in.text("mode") == "async" || in.flag("async") {
			return (&toolUse{action: worklog.Bash, status: worklog.Initiated, about: in.text("command")}).orNil()
		}
		return ranWith(in.text("command"), nil)
	}
	code, _ := strconv.Atoi(m[1])
	return ranWith(in.text("command"), &code)
}

// isCopilots reports whether a payload of an event that is named as Claude Code names it comes from Copilot, which runs
// hooks that are configured for Claude Code as well as its own.
func isCopilots(p payload) bool {
	if p.has("tool_result") || p.has("stop_reason") || p.has("initial_prompt") {
		return true
	}
	return p.text("timestamp") != "" && !p.has("transcript_path")
}

// lastMessage is what the model said last, behind the last one of the person; "" where it used a tool after that.
func (copilot) lastMessage(transcript []byte) (said string) {
	for entry := range entries(transcript, "") {
		data := entry.object("data")
		switch entry.text("type") {
		case "user.message", "tool.execution_start":
			said = ""
		case "assistant.message":
			said = data.text("content")
		}
	}
	return said
}
