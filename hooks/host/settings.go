package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

type hookEvent struct {
	event string
	// matcher selects tools, "" for all. After any tool a branch may have moved, so only the event before a tool has
	// one.
	matcher string
	// entry is what the host's configuration says of the event.
	entry any
}

// hookEvents are the events for which a host calls acta: the named ones, and with guard the one before a tool runs, for
// the tools of matcher.
func hookEvents(guard bool, before, matcher string, names ...string) (all []hookEvent) {
	for _, name := range names {
		all = append(all, hookEvent{event: name})
	}
	if guard {
		all = append(all, hookEvent{event: before, matcher: matcher})
	}
	return all
}

// jsonHooks is a JSON configuration with a list of entries for each event under "hooks".
type jsonHooks struct {
	// command is the command of the entries; options may follow it.
	command string
	events  []hookEvent
	// hasVersion: the host requires "version": 1 beside the hooks.
	hasVersion bool
}

// Add adds the hooks; before is empty for a new file. Everything else stays, byte for byte. An event for which the host
// already calls acta is skipped. Invalid JSON is an error: comments would be lost.
func (j jsonHooks) Add(before []byte) ([]byte, error) {
	s := readSettings(before)
	if j.hasVersion {
		s.addMember(nil, "version", 1)
	}
	for _, e := range j.events {
		s.addHook(e, j.command)
	}
	return s.result(before)
}

// Remove removes what Add adds, whatever options the command was given.
func (j jsonHooks) Remove(before []byte) ([]byte, error) {
	wanted := ""
	if j.hasVersion {
		wanted = "version"
	}
	isOurs := func(c handler) bool { return isCall(c.Command, j.command) }
	return removeOurs(before, wanted, func(path []string, raw []byte) bool {
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

// isCall reports whether a command line has the command, with any options after it.
func isCall(line, command string) bool {
	return strings.Contains(line, strings.TrimPrefix(command, "acta "))
}

func (s *settings) addHook(e hookEvent, command string) {
	if s.err != nil {
		return
	}
	switch list := s.find("hooks", e.event); {
	case list == nil:
		s.addMember(nil, "hooks", struct{}{})
		s.addMember([]string{"hooks"}, e.event, []any{e.entry})
	case hasCall(list.raw(s.text), command):
	case s.text[list.from] != '[':
		s.err = fmt.Errorf("hooks.%s is not a list; acta adds its hook only to a list", e.event)
	default:
		s.insert(list, "", e.entry)
	}
}

// hasCall reports whether a value has the command anywhere under "command", with any options after it.
func hasCall(raw []byte, command string) bool {
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
			line, _ := v["command"].(string)
			return isCall(line, command) || in(v["hooks"])
		}
		return false
	}
	return in(v)
}

// isJSON is an error that locates invalid JSON, or says that it is no object.
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
