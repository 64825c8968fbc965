package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// SettingsPath is where a host reads the configuration of its hooks, from the top of the repository.
func SettingsPath(h Host) string {
	return map[Host]string{
		Claude: ".claude/settings.json", Codex: ".codex/hooks.json",
		Gemini: ".gemini/settings.json", Cursor: ".cursor/hooks.json",
	}[h]
}

// hookEvent is an event that a host is to call acta for.
type hookEvent struct {
	event string
	// matcher says for which tools, "" for all or where there are none.
	matcher string
}

// hookEvents are those that readEvent reads, in the order in which they are configured. What two events tell is asked
// of one.
func hookEvents(h Host) []hookEvent {
	switch h {
	case Claude:
		const tools = "Bash|Write|Edit|MultiEdit|NotebookEdit|Task|Agent"
		return []hookEvent{
			{"SessionStart", ""}, {"UserPromptSubmit", ""}, {"PostToolUse", tools + "|TodoWrite|TaskCreate|TaskUpdate"},
			{"PostToolUseFailure", tools}, {"Stop", ""}, {"SessionEnd", ""},
		}
	case Codex:
		return []hookEvent{
			{"SessionStart", ""}, {"UserPromptSubmit", ""}, {"PostToolUse", "Bash|shell|shell_command|exec_command|local_shell|apply_patch|update_plan"},
			{"SubagentStop", ""}, {"Stop", ""},
		}
	case Gemini:
		return []hookEvent{
			{"SessionStart", ""}, {"BeforeAgent", ""},
			{"AfterTool", "run_shell_command|write_file|replace|write_todos|delegate_to_agent|invoke_agent|codebase_investigator"},
			{"AfterAgent", ""}, {"SessionEnd", ""},
		}
	case Cursor:
		return []hookEvent{
			{"sessionStart", ""}, {"beforeSubmitPrompt", ""}, {"postToolUse", "Shell|TodoWrite"}, {"postToolUseFailure", "Shell"},
			{"afterFileEdit", ""}, {"subagentStop", ""}, {"sessionEnd", ""},
		}
	}
	return nil
}

// hookSeconds is how long a host waits for a hook at most, in seconds: a little longer than a hook takes at most.
const hookSeconds = 10

// command is what a host is to call.
func (h Host) command() string { return "acta agent hook --host " + string(h) }

// entry is what is added to the list of an event: for most hosts a matcher with its commands, for Cursor the command
// itself.
func (h Host) entry(e hookEvent) any {
	type handler struct {
		Type    string `json:"type,omitempty"`
		Command string `json:"command"`
		Matcher string `json:"matcher,omitempty"`
		Timeout int    `json:"timeout"`
	}
	type group struct {
		Matcher string    `json:"matcher,omitempty"`
		Hooks   []handler `json:"hooks"`
	}
	run := handler{Type: "command", Command: h.command(), Timeout: hookSeconds}
	switch h {
	case Cursor:
		run.Type, run.Matcher = "", e.matcher
		return run
	case Gemini:
		run.Timeout = hookSeconds * 1000 // which counts milliseconds
	}
	return group{e.matcher, []handler{run}}
}

// AddHooks adds acta's hooks to the configuration of a host; before is empty where there is none. All
// else stays as it is, byte for byte. An event for which the host calls acta already is left alone.
// What is no JSON is an error: a comment would be lost.
func AddHooks(h Host, before []byte) ([]byte, error) {
	s, err := readSettings(before)
	if err != nil {
		return nil, err
	}
	if h == Cursor {
		if err := s.addMember(nil, "version", 1); err != nil {
			return nil, err
		}
	}
	for _, e := range hookEvents(h) {
		if err := s.addHook(h, e); err != nil {
			return nil, err
		}
	}
	return s.orAsIt(before), nil
}

// removeHooks takes away what AddHooks adds, whatever options the command was given.
func removeHooks(h Host, before []byte) ([]byte, error) {
	if len(bytes.TrimSpace(before)) == 0 {
		return before, nil
	}
	s, err := readSettings(before)
	if err != nil {
		return nil, err
	}
	type handler struct {
		Command string `json:"command"`
	}
	isOurs := func(c handler) bool { return isCall(c.Command, h.command()) }
	err = s.remove(func(path []string, raw []byte) bool {
		var v struct {
			handler
			Hooks []handler `json:"hooks"`
		}
		if len(path) < 3 || path[0] != "hooks" || json.Unmarshal(raw, &v) != nil {
			return false
		}
		return isOurs(v.handler) || len(v.Hooks) > 0 && !slices.ContainsFunc(v.Hooks, func(c handler) bool { return !isOurs(c) })
	})
	if err != nil {
		return nil, err
	}
	if h == Cursor {
		var v map[string]any
		if json.Unmarshal(s.text, &v) == nil && len(v) == 1 && v["version"] == 1.0 {
			return nil, nil
		}
	}
	return s.orNothing(before), nil
}

// isCall reports whether a command line calls acta as command does, with whatever options behind it.
func isCall(line, command string) bool {
	return strings.Contains(line, strings.TrimPrefix(command, "acta "))
}

// addHook adds one event.
func (s *settings) addHook(h Host, e hookEvent) error {
	list, err := s.find("hooks", e.event)
	switch {
	case err != nil:
		return err
	case list == nil:
		if err := s.addMember(nil, "hooks", struct{}{}); err != nil {
			return err
		}
		return s.addMember([]string{"hooks"}, e.event, []any{h.entry(e)})
	case calls(list.raw(s.text), h.command()):
		return nil
	case s.text[list.from] != '[':
		return fmt.Errorf("hooks.%s is no list; acta adds its hook to a list alone", e.event)
	}
	s.insert(list, "", h.entry(e))
	return nil
}

// calls reports whether a value names a command anywhere, with whatever options behind it.
func calls(raw []byte, command string) bool {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return false
	}
	var in func(any) bool
	in = func(v any) bool {
		switch v := v.(type) {
		case []any:
			return slices.ContainsFunc(v, in)
		case map[string]any:
			if c, ok := v["command"].(string); ok && isCall(c, command) {
				return true
			}
			return in(v["hooks"])
		}
		return false
	}
	return in(v)
}

// isJSON says where a text is no JSON object.
func isJSON(text []byte) error {
	var v any
	err := json.Unmarshal(text, &v)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		before := text[:min(max(int(syntax.Offset)-1, 0), len(text))]
		line := 1 + bytes.Count(before, []byte("\n"))
		column := len(before) - bytes.LastIndexByte(before, '\n')
		return fmt.Errorf("line %d, column %d: %w; acta adds to plain JSON alone, since comments would be lost: take them out, or add the hooks by hand (docs/agents.md)", line, column, err)
	case err != nil:
		return err
	}
	if _, ok := v.(map[string]any); !ok {
		return errors.New("it is no JSON object")
	}
	return nil
}
