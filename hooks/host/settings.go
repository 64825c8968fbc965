package host

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/acta-git/acta/repo/state"
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

// isCall reports whether a command line, or a value that has one, has the command, with any options after it.
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
	case isCall(string(list.raw(s.text)), command):
	case s.text[list.from] != '[':
		s.err = fmt.Errorf("hooks.%s is not a list; acta adds its hook only to a list", e.event)
	default:
		s.insert(list, "", e.entry)
	}
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

// Setting is a file of a work tree for a host.
type Setting struct {
	// Path is from the top of the work tree.
	Path string
	// Content names acta's part in it.
	Content string
	Part
	// Hint says what the user must do after it is written, in a sentence; "" for nothing.
	Hint string
}

// Part is acta's part of a file. The rest of the file stays unchanged; before is empty for a new file, and the result
// is empty if nothing is left.
type Part interface {
	// Add adds the part, Remove removes it.
	Add(before []byte) ([]byte, error)
	Remove(before []byte) ([]byte, error)
}

// Parts select further parts of Settings.
type Parts struct {
	// MCP adds acta's MCP server.
	MCP bool
	// Guard makes the host also call acta before a tool runs.
	Guard bool
}

// Settings are the files that let a host work with acta: its hooks, its agents' instructions, and the selected parts.
func Settings(h Host, with Parts) []Setting {
	hooks := h.hooks(with.Guard)
	all := []Setting{hooks, h.instructions()}
	switch server := h.servers(); {
	case !with.MCP:
	case server.Path == hooks.Path:
		all[0].Content, all[0].Part = "hooks and MCP server", parts{hooks.Part, server.Part}
	default:
		all = append(all, server)
	}
	return all
}

// parts are several parts of one file.
type parts []Part

func (all parts) Add(text []byte) ([]byte, error)    { return all.edit(text, Part.Add) }
func (all parts) Remove(text []byte) ([]byte, error) { return all.edit(text, Part.Remove) }

func (all parts) edit(text []byte, change func(Part, []byte) ([]byte, error)) (_ []byte, err error) {
	for _, p := range all {
		if text, err = change(p, text); err != nil {
			return nil, err
		}
	}
	return text, nil
}

const mcpServer = "MCP server"

func jsonServers(path string) Setting {
	return Setting{Path: path, Content: mcpServer, Part: jsonServer{key: "mcpServers", server: struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}{"acta", []string{"mcp"}}}}
}

// jsonServer is acta's MCP server in a JSON file: under a key, beside other servers.
type jsonServer struct {
	key    string
	server any
	// schema is the $schema that the host itself would add, "" for none: a new file has it, so that the host does not
	// change it.
	schema string
}

const schemaKey = "$schema"

func tomlServers(path string) Setting {
	return Setting{Path: path, Content: mcpServer, Part: tomlServer{block{
		begin: "# acta:begin", end: "# acta:end", body: "[mcp_servers.acta]\ncommand = \"acta\"\nargs = [\"mcp\"]\n",
	}}}
}

type tomlServer struct{ block }

func (t tomlServer) Add(before []byte) ([]byte, error) {
	switch rest := t.removeFrom(before); {
	case regexp.MustCompile(`(?m)^\s*\[\s*mcp_servers\s*\.\s*["']?acta["']?\s*\]`).Match(rest):
		return before, nil // written by hand
	case regexp.MustCompile(`(?m)^\s*mcp_servers\s*[=.]`).Match(rest):
		return nil, errors.New("it has mcp_servers in another form than tables, to which acta cannot add one: " +
			"add acta by hand (docs/agents.md), or use --no-mcp")
	}
	return t.block.Add(before)
}

func (j jsonServer) Add(before []byte) ([]byte, error) {
	s := readSettings(before)
	if j.schema != "" && len(bytes.TrimSpace(before)) == 0 {
		s.addMember(nil, schemaKey, j.schema)
	}
	s.addMember(nil, j.key, struct{}{})
	s.addMember([]string{j.key}, "acta", j.server)
	return s.result(before)
}

func (j jsonServer) Remove(before []byte) ([]byte, error) {
	return removeOurs(before, schemaKey, func(path []string, _ []byte) bool {
		return len(path) == 2 && path[0] == j.key && path[1] == "acta"
	})
}

//go:embed instructions.md
var instructionsText string

// instructionsIn is a file of instructions; head is its beginning if it contains nothing else.
func instructionsIn(path, head string) Setting {
	return Setting{Path: path, Content: "instructions", Part: block{
		begin: "<!-- acta:begin -->", end: "<!-- acta:end -->", body: instructionsText, head: head,
	}}
}

// Configured are the hosts that call acta in a work tree, by their files.
func Configured(top string) (all []Host) {
	for _, h := range Hosts() {
		data, err := state.ReadFileIn(top, h.hooks(false).Path, state.MaxFile)
		if err == nil && bytes.Contains(data, []byte(hookCommand(h))) {
			all = append(all, h)
		}
	}
	return all
}

// HostSharing is another host that calls acta in a work tree and uses the same file; nil for none.
func HostSharing(top string, h Host, path string) Host {
	for _, other := range Configured(top) {
		takes := func(s Setting) bool { return s.Path == path }
		if other != h && slices.ContainsFunc(Settings(other, Parts{MCP: true}), takes) {
			return other
		}
	}
	return nil
}

// HooksOffReason says why no git hook runs for the commits of a host's agent, "" if they run.
func HooksOffReason(h Host) string {
	if off, ok := h.(interface{ withoutHooks() string }); ok {
		return h.Name() + " " + off.withoutHooks()
	}
	return ""
}
