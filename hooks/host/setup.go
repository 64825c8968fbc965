package host

import (
	"bytes"
	_ "embed"
	"errors"
	"regexp"
	"slices"

	"github.com/acta-git/acta/repo/state"
)

// Setting is a file of a work tree that is written for a host.
type Setting struct {
	// Path is from the top of the work tree.
	Path string
	// What says what of acta's is in it.
	What string
	Part
	// Hint is what its user has to do once it is written, in a sentence; "" for nothing.
	Hint string
}

// Part is acta's part of a file. The rest of the file stays as it is; before is empty where there is none, and so is
// what is returned where nothing is left.
type Part interface {
	// Add adds the part, Remove takes it away.
	Add(before []byte) ([]byte, error)
	Remove(before []byte) ([]byte, error)
}

// Parts say what Settings hold beside a host's hooks and instructions.
type Parts struct {
	// MCP: acta's MCP server, where the host looks for those of a project.
	MCP bool
	// Guard: the host asks acta before a tool runs, too.
	Guard bool
}

// Settings are the files that let a host work with acta: its hooks, the instructions that its agents read, and what
// else is asked for.
func Settings(h Host, with Parts) []Setting {
	hooks := h.hooks(with.Guard)
	all := []Setting{hooks, h.instructions()}
	switch server := h.servers(); {
	case !with.MCP:
	case server.Path == hooks.Path:
		all[0].What, all[0].Part = "hooks and MCP server", both{hooks.Part, server.Part}
	default:
		all = append(all, server)
	}
	return all
}

// both are two parts of one file.
type both struct{ one, other Part }

// Add adds both.
func (b both) Add(before []byte) ([]byte, error) {
	after, err := b.one.Add(before)
	if err != nil {
		return nil, err
	}
	return b.other.Add(after)
}

// Remove takes both away.
func (b both) Remove(before []byte) ([]byte, error) {
	after, err := b.one.Remove(before)
	if err != nil {
		return nil, err
	}
	return b.other.Remove(after)
}

// mcpServer is what a setting has for acta's MCP server.
const mcpServer = "MCP server"

// jsonServers is a file of MCP servers in JSON, under "mcpServers".
func jsonServers(path string) Setting {
	return Setting{Path: path, What: mcpServer, Part: jsonServer{key: "mcpServers", server: struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}{"acta", []string{"mcp"}}}}
}

// jsonServer is how a file in JSON says that a host starts acta's MCP server: under a key, beside those of others.
type jsonServer struct {
	key    string
	server any
	// schema is what the host itself writes into a file that names none, "" for nothing: a file that is made has it, so
	// that it stays as it was committed.
	schema string
}

// schemaKey is where a file in JSON names its schema.
const schemaKey = "$schema"

// tomlServers is one in TOML, to which acta's table is added.
func tomlServers(path string) Setting {
	return Setting{Path: path, What: mcpServer, Part: tomlServer{block{
		begin: "# acta:begin", end: "# acta:end", body: "[mcp_servers.acta]\ncommand = \"acta\"\nargs = [\"mcp\"]\n",
	}}}
}

// tomlServer is acta's table among those of MCP servers.
type tomlServer struct{ block }

// Add adds the table.
func (t tomlServer) Add(before []byte) ([]byte, error) {
	switch rest := t.without(before); {
	case regexp.MustCompile(`(?m)^\s*\[\s*mcp_servers\s*\.\s*["']?acta["']?\s*\]`).Match(rest):
		return before, nil // somebody has written it by hand
	case regexp.MustCompile(`(?m)^\s*mcp_servers\s*[=.]`).Match(rest):
		return nil, errors.New("it has mcp_servers in another form than tables, to which acta cannot add one: " +
			"add acta by hand (docs/agents.md), or use --no-mcp")
	}
	return t.block.Add(before)
}

// Add adds the server.
func (j jsonServer) Add(before []byte) ([]byte, error) {
	s, err := readSettings(before)
	if err != nil {
		return nil, err
	}
	if j.schema != "" && len(bytes.TrimSpace(before)) == 0 {
		if err := s.addMember(nil, schemaKey, j.schema); err != nil {
			return nil, err
		}
	}
	if err := s.addMember(nil, j.key, struct{}{}); err != nil {
		return nil, err
	}
	if err := s.addMember([]string{j.key}, "acta", j.server); err != nil {
		return nil, err
	}
	return s.orAsIt(before), nil
}

// Remove takes the server away.
func (j jsonServer) Remove(before []byte) ([]byte, error) {
	return withoutOurs(before, schemaKey, func(path []string, _ []byte) bool {
		return len(path) == 2 && path[0] == j.key && path[1] == "acta"
	})
}

//go:embed instructions.md
var instructionsText string

// instructionsIn is a file of instructions; head is what it begins with where nothing else stands in it.
func instructionsIn(path, head string) Setting {
	return Setting{Path: path, What: "instructions", Part: block{
		begin: "<!-- acta:begin -->", end: "<!-- acta:end -->", body: instructionsText, head: head,
	}}
}

// Configured are the hosts that call acta in a work tree, by their files there.
func Configured(top string) (all []Host) {
	for _, h := range Hosts() {
		data, err := state.ReadFileIn(top, h.hooks(false).Path, state.MaxFile)
		if err == nil && bytes.Contains(data, []byte(hookCommand(h))) {
			all = append(all, h)
		}
	}
	return all
}

// HostSharing is another host that calls acta in a work tree and takes acta's part from a file, too; nil for none.
func HostSharing(top string, h Host, path string) Host {
	for _, other := range Configured(top) {
		takes := func(s Setting) bool { return s.Path == path }
		if other != h && slices.ContainsFunc(Settings(other, Parts{MCP: true}), takes) {
			return other
		}
	}
	return nil
}

// WithoutHooks says how it comes that no hook of git's runs for what a host's agent commits, "" where they run.
func WithoutHooks(h Host) string {
	if off, ok := h.(interface{ withoutHooks() string }); ok {
		return h.Name() + " " + off.withoutHooks()
	}
	return ""
}
