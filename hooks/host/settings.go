package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// hookEvent is an event that a host is to call acta for.
type hookEvent struct {
	event string
	// matcher says for which tools, "" for all or where there are none. After whatever tool a branch may have moved, so
	// that only what asks before a tool names some.
	matcher string
}

// called are the events that a host is to call acta for: those that are named, and with guard the one before a tool
// runs, for the tools that matcher names.
func called(guard bool, before, matcher string, names ...string) (all []hookEvent) {
	for _, name := range names {
		all = append(all, hookEvent{event: name})
	}
	if guard {
		all = append(all, hookEvent{before, matcher})
	}
	return all
}

// hookEntry is what stands in the list of an event.
type hookEntry struct {
	event string
	entry any
}

// jsonHooks is a configuration of hooks in JSON, with a list of entries for each event under "hooks".
type jsonHooks struct {
	// command is what the entries call; options may stand behind it.
	command string
	entries []hookEntry
	// version: the host wants "version": 1 beside the hooks.
	version bool
}

// Add adds the hooks; before is empty where there is no configuration. All else stays as it is, byte for byte. An
// event for which the host calls acta already is left alone. What is no JSON is an error: a comment would be lost.
func (j jsonHooks) Add(before []byte) ([]byte, error) {
	s, err := readSettings(before)
	if err != nil {
		return nil, err
	}
	if j.version {
		if err := s.addMember(nil, "version", 1); err != nil {
			return nil, err
		}
	}
	for _, e := range j.entries {
		if err := s.addHook(e, j.command); err != nil {
			return nil, err
		}
	}
	return s.orAsIt(before), nil
}

// Remove takes away what Add adds, whatever options the command was given.
func (j jsonHooks) Remove(before []byte) ([]byte, error) {
	wanted := ""
	if j.version {
		wanted = "version"
	}
	isOurs := func(c handler) bool { return isCall(c.Command, j.command) }
	return withoutOurs(before, wanted, func(path []string, raw []byte) bool {
		var v struct {
			handler
			Hooks []handler `json:"hooks"`
		}
		if len(path) < 3 || path[0] != "hooks" || json.Unmarshal(raw, &v) != nil {
			return false
		}
		return isOurs(v.handler) || len(v.Hooks) > 0 &&
			!slices.ContainsFunc(v.Hooks, func(c handler) bool { return !isOurs(c) })
	})
}

// isCall reports whether a command line calls acta as command does, with whatever options behind it.
func isCall(line, command string) bool {
	return strings.Contains(line, strings.TrimPrefix(command, "acta "))
}

// addHook adds one event.
func (s *settings) addHook(e hookEntry, command string) error {
	list, err := s.find("hooks", e.event)
	switch {
	case err != nil:
		return err
	case list == nil:
		if err := s.addMember(nil, "hooks", struct{}{}); err != nil {
			return err
		}
		return s.addMember([]string{"hooks"}, e.event, []any{e.entry})
	case calls(list.raw(s.text), command):
		return nil
	case s.text[list.from] != '[':
		return fmt.Errorf("hooks.%s is not a list; acta adds its hook only to a list", e.event)
	}
	s.insert(list, "", e.entry)
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
		return fmt.Errorf("line %d, column %d: %w; acta adds only to plain JSON, because comments would be lost: "+
			"remove them, or add the hooks by hand (docs/agents.md)", line, column, err)
	case err != nil:
		return err
	}
	if _, ok := v.(map[string]any); !ok {
		return errors.New("it is no JSON object")
	}
	return nil
}
