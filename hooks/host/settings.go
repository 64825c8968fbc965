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

// hookEvent is an event for which a host calls acta. matcher selects tools, "" for all: after any tool a branch may
// have moved, so only the event before a tool has one.
type hookEvent struct{ name, matcher string }

// hookEvents are the events for which a host calls acta: the named ones, and with guard the one before a tool runs, for
// the tools of matcher.
func hookEvents(guard bool, before, matcher string, names ...string) (all []hookEvent) {
	for _, name := range names {
		all = append(all, hookEvent{name: name})
	}
	if guard {
		all = append(all, hookEvent{before, matcher})
	}
	return all
}

// jsonPart is acta's part of a JSON file: members of its objects, and entries of its lists.
type jsonPart []jsonValue

// jsonValue is a member with its path of keys.
type jsonValue struct {
	path  []string
	value any
	// command is that of a hook, to which users may add options: the value is then an entry of the list there. "" is any
	// other member.
	command string
	// isHead: the host requires it, or adds it itself; a file with nothing else is removed.
	isHead bool
	// onlyInNew: only a new file gets it.
	onlyInNew bool
}

// Add adds the values; before is empty for a new file. Everything else stays, byte for byte. A member that is there,
// and an event for which the host already calls acta, is skipped. Invalid JSON is an error: comments would be lost.
func (j jsonPart) Add(before []byte) ([]byte, error) {
	s := readSettings(before)
	for _, v := range j {
		if !v.onlyInNew || len(bytes.TrimSpace(before)) == 0 {
			s.add(v)
		}
	}
	return s.result(before)
}

// isAt reports whether the member is at a path, or an entry there is a hook with its command.
func (v jsonValue) isAt(path []string, raw []byte) bool {
	if v.command == "" {
		return !v.isHead && slices.Equal(path, v.path)
	}
	var entry struct {
		handler
		Hooks []handler `json:"hooks"`
	}
	if len(path) < 3 || path[0] != v.path[0] || json.Unmarshal(raw, &entry) != nil {
		return false
	}
	isOther := func(h handler) bool { return !isCall(h.Command, v.command) }
	return !isOther(entry.handler) || len(entry.Hooks) > 0 && !slices.ContainsFunc(entry.Hooks, isOther)
}

// isCall reports whether a command line, or a value that has one, has the command, with any options after it.
func isCall(line, command string) bool {
	return strings.Contains(line, strings.TrimPrefix(command, "acta "))
}

// isJSON is an error that locates invalid JSON, or says that it is no object.
func isJSON(text []byte) error {
	var v any
	err := json.Unmarshal(text, &v)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok { // the only error
		before := text[:min(max(int(syntax.Offset)-1, 0), len(text))]
		line := 1 + bytes.Count(before, []byte("\n"))
		column := len(before) - bytes.LastIndexByte(before, '\n')
		return fmt.Errorf("line %d, column %d: %w; acta adds only to plain JSON, because comments would be lost: "+
			"remove them, or add the hooks by hand (docs/agents.md)", line, column, err)
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
		// Both are JSON: a host with two formats has two files.
		all[0].Content, all[0].Part = "hooks and MCP server", append(hooks.Part.(jsonPart), server.Part.(jsonPart)...)
	default:
		all = append(all, server)
	}
	return all
}

const mcpServer = "MCP server"

func jsonServers(path string) Setting {
	return jsonServer(path, "mcpServers", struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}{"acta", []string{"mcp"}})
}

// jsonServer is acta's MCP server in a JSON file: under a key, beside other servers.
func jsonServer(path, key string, server any, head ...jsonValue) Setting {
	part := append(jsonPart(head), jsonValue{path: []string{key, "acta"}, value: server})
	return Setting{Path: path, Content: mcpServer, Part: part}
}

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
