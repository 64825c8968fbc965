package host

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/acta-git/acta/record/worklog"
)

// gemini is Gemini CLI. After an exit code 2 its model gets the reason in the place of what the tool gave back, so that
// it is told in JSON.
type gemini struct{ claudeAnswers }

// ID is that of --agent.
func (gemini) ID() string { return "gemini" }

// Name is what people call it.
func (gemini) Name() string { return "Gemini CLI" }

func (h gemini) hooks(guard bool) Setting {
	events := called(guard, "BeforeTool", "run_shell_command|write_file|replace",
		"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd")
	const milliseconds = hookSeconds * 1000
	return groupedHooks(h, ".gemini/settings.json", milliseconds, events)
}

func (gemini) instructions() Setting { return instructionsIn("GEMINI.md", "") }
func (gemini) servers() Setting      { return jsonServers(".gemini/settings.json") }

func (gemini) silent() Answer { return jsonAnswer(hookOutput{}) }
func (gemini) veto(_, reason string) Answer {
	return jsonAnswer(hookOutput{Decision: "deny", Reason: reason})
}

// withoutHooks is so of every command of its shell (0.61).
func (gemini) withoutHooks() string {
	return "starts commands with an empty core.hooksPath: no git hook runs for its agent's commits, and only its " +
		"own hook reports refused ones"
}

var geminiEvents = map[string]eventKind{
	"SessionStart": begun, "SessionEnd": ended, "BeforeAgent": prompted, "BeforeTool": usingTool, "AfterTool": usedTool,
	"AfterAgent": stopping,
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
		u = wrote(worklog.Write, in.text("file_path", "absolute_path")).changed(replacement{"", in.text("content")})
	case "replace", "edit":
		u = wrote(worklog.Edit, in.text("file_path", "absolute_path")).changed(in.edit())
	case "write_todos":
		u = listUse(in, "todos", out.object("returnDisplay"))
	case "delegate_to_agent", "invoke_agent", "codebase_investigator":
		kind := cmp.Or(in.text("agent_name"), p.text("tool_name"))
		u = subAgentUse(worklog.Completed, in.text("description", "objective", "prompt"), kind).by(kind)
	}
	if out.has("error") {
		return u.failed()
	}
	return u
}

// geminiRun is the run of a command. What did not end well is told by the same event: by lines at the end of
// what the model gets. A run without them is recorded without a code, since not every version tells a 0.
func geminiRun(in, out payload) *toolUse {
	command, said := in.text("command"), out.parts("llmContent")
	background := strings.HasPrefix(said, "Command moved to background") ||
		strings.HasPrefix(said, "Command is running in background")
	if in.flag("is_background") || background {
		return (&toolUse{action: worklog.Bash, status: worklog.Initiated, about: command}).orNil()
	}
	code, killed := geminiEnd(said)
	u := ranWith(command, code)
	cancelled := strings.HasPrefix(said, "Command was cancelled") ||
		strings.HasPrefix(said, "Command was automatically cancelled")
	if code == nil && (killed || cancelled || out.has("error")) {
		return u.failed()
	}
	return u
}

// geminiEnd is how a run ended, in what the model gets of it: a line «Exit Code: 1» behind the output, or
// «Signal: 9», with nothing but the shell's other lines after it. code is nil for none. The versions that mark what was
// printed as untrusted name every code but 0.
func geminiEnd(said string) (code *int, killed bool) {
	said, isMarked := strings.CutSuffix(strings.TrimRight(said, "\n"), "\n</untrusted_context>")
	isMarked = isMarked && strings.HasPrefix(said, "<untrusted_context>\nOutput: ")
	lines := strings.Split(said, "\n")
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
			return &n, killed
		case m[1] == "Signal":
			killed = m[2] != "(none)" && m[2] != "null"
		case m[1] == "Process Group PGID":
			ended = true
		}
	}
	if isMarked && ended && !killed {
		return new(int), false
	}
	return nil, killed
}
