package host

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/acta-git/acta/record/worklog"
)

// gemini is Gemini CLI. After exit code 2 the reason would replace the tool's result, so its model is told in JSON.
type gemini struct{ claudeAnswers }

func (gemini) ID() string   { return "gemini" }
func (gemini) Name() string { return "Gemini CLI" }

func (h gemini) hooks(guard bool) Setting {
	events := hookEvents(guard, "BeforeTool", "run_shell_command|write_file|replace",
		"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd")
	const milliseconds = hookSeconds * 1000
	return groupedHooks(h, ".gemini/settings.json", milliseconds, events)
}

func (gemini) instructions() Setting { return instructionsIn("GEMINI.md", "") }
func (gemini) servers() Setting      { return jsonServers(".gemini/settings.json") }

func (gemini) emptyAnswer() reply { return jsonAnswer(hookOutput{}) }
func (gemini) veto(_, reason string) reply {
	return jsonAnswer(hookOutput{Decision: "deny", Reason: reason})
}

// withoutHooks is true of every command of its shell (0.61).
func (gemini) withoutHooks() string {
	return "starts commands with an empty core.hooksPath: no git hook runs for its agent's commits, and only its " +
		"own hook reports refused ones"
}

var geminiEvents = map[string]eventKind{
	"SessionStart": sessionBegin, "SessionEnd": sessionEnd, "BeforeAgent": promptEvent, "BeforeTool": toolBegin,
	"AfterTool": toolEnd, "AfterAgent": stopEvent,
}

// read reads a payload of Gemini CLI's hooks (its docs/hooks/reference.md).
func (gemini) read(p payload) event { return eventOf(p, geminiEvents, geminiUse) }

func geminiUse(p payload) *toolUse {
	in, out := p.object("tool_input"), p.object("tool_response")
	var u *toolUse
	switch p.text("tool_name") {
	case "run_shell_command":
		return geminiRun(in, out)
	case "write_file":
		u = fileUse(worklog.Write, in.text("file_path", "absolute_path")).withChange(replacement{"", in.text("content")})
	case "replace", "edit":
		u = fileUse(worklog.Edit, in.text("file_path", "absolute_path")).withChange(in.edit())
	case "write_todos":
		u = listUse(in, "todos", out.object("returnDisplay"))
	case "delegate_to_agent", "invoke_agent", "codebase_investigator":
		kind := cmp.Or(in.text("agent_name"), p.text("tool_name"))
		u = subAgentUse(worklog.Completed, kind, in.text("description", "objective", "prompt"), "")
	}
	if out.has("error") {
		return u.asFailed()
	}
	return u
}

// geminiRun is the run of a command. Failures come in the same event, as lines at the end of the model's text. A run
// without them has no exit code, since not every version prints a 0.
func geminiRun(in, out payload) *toolUse {
	command, output := in.text("command"), out.parts("llmContent")
	background := strings.HasPrefix(output, "Command moved to background") ||
		strings.HasPrefix(output, "Command is running in background")
	if in.flag("is_background") || background {
		return startedUse(command)
	}
	code, wasKilled := geminiEnd(output)
	u := shellUse(command, code)
	cancelled := strings.HasPrefix(output, "Command was cancelled") ||
		strings.HasPrefix(output, "Command was automatically cancelled")
	if code == nil && (wasKilled || cancelled || out.has("error")) {
		return u.asFailed()
	}
	return u
}

// geminiEnd reads how a run ended from the model's text: a line «Exit Code: 1» after the output, or «Signal: 9»,
// followed only by the shell's other lines. code is nil for none. Versions that mark output as untrusted print every
// code but 0.
func geminiEnd(output string) (code *int, wasKilled bool) {
	output, isMarked := strings.CutSuffix(strings.TrimRight(output, "\n"), "\n</untrusted_context>")
	isMarked = isMarked && strings.HasPrefix(output, "<untrusted_context>\nOutput: ")
	lines := strings.Split(output, "\n")
	ended := false
	for len(lines) > 0 {
		last := lines[len(lines)-1]
		lines = lines[:len(lines)-1]
		m := regexp.MustCompile(`^(Exit Code|Signal|Background PIDs|Process Group PGID): (.*)$`).FindStringSubmatch(last)
		if m == nil {
			break
		}
		switch n, err := strconv.Atoi(m[2]); {
		case m[1] == "Exit Code" && err == nil:
			return &n, wasKilled
		case m[1] == "Signal":
			wasKilled = m[2] != "(none)" && m[2] != "null"
		case m[1] == "Process Group PGID":
			ended = true
		}
	}
	if isMarked && ended && !wasKilled {
		return new(int), false
	}
	return nil, wasKilled
}
