package agent

import (
	"bytes"
	_ "embed"
	"errors"
	"regexp"
)

// Setting is a file of a work tree that is written for a host.
type Setting struct {
	// Path is from the top of the work tree.
	Path string
	// What says what of acta's is in it.
	What string
	// Add adds acta's part, Remove takes it away. The rest of the file stays as it is; before is empty where there is
	// none, and so is what they return where nothing is left.
	Add, Remove func(before []byte) ([]byte, error)
}

// Settings are the files that let a host work with acta: its hooks, the instructions that its agents read, and
// where mcp is set the file of the project in which it looks for MCP servers.
func Settings(h Host, mcp bool) []Setting {
	hooks := Setting{
		SettingsPath(h), "hooks",
		func(before []byte) ([]byte, error) { return AddHooks(h, before) },
		func(before []byte) ([]byte, error) { return removeHooks(h, before) },
	}
	all := []Setting{hooks, instructions(h)}
	switch server := serverOf(h); {
	case !mcp:
	case server.Path == hooks.Path:
		all[0] = Setting{hooks.Path, "hooks and MCP server", both(hooks.Add, server.Add), both(hooks.Remove, server.Remove)}
	default:
		all = append(all, server)
	}
	return all
}

func both(one, other func([]byte) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(before []byte) ([]byte, error) {
		after, err := one(before)
		if err != nil {
			return nil, err
		}
		return other(after)
	}
}

// serverOf is where a host looks for the MCP servers of a project.
func serverOf(h Host) Setting {
	path := map[Host]string{Claude: ".mcp.json", Codex: ".codex/config.toml", Gemini: ".gemini/settings.json", Cursor: ".cursor/mcp.json"}[h]
	if h != Codex {
		return Setting{path, "MCP server", addServer, removeServer}
	}
	b := block{begin: "# acta:begin", end: "# acta:end", body: "[mcp_servers.acta]\ncommand = \"acta\"\nargs = [\"mcp\"]\n"}
	add := func(before []byte) ([]byte, error) {
		switch rest := b.without(before); {
		case regexp.MustCompile(`(?m)^\s*\[\s*mcp_servers\s*\.\s*["']?acta["']?\s*\]`).Match(rest):
			return before, nil // somebody has written it by hand
		case regexp.MustCompile(`(?m)^\s*mcp_servers\s*[=.]`).Match(rest):
			return nil, errors.New("it has mcp_servers in another form than tables, to which acta cannot add one: " +
				"add acta by hand (docs/mcp.md), or use --no-mcp")
		}
		return b.in(before), nil
	}
	return Setting{path, "MCP server", add, b.removed}
}

// server is how hosts start acta's MCP server.
type server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

func addServer(before []byte) ([]byte, error) {
	s, err := readSettings(before)
	if err != nil {
		return nil, err
	}
	if err := s.addMember(nil, "mcpServers", struct{}{}); err != nil {
		return nil, err
	}
	if err := s.addMember([]string{"mcpServers"}, "acta", server{"acta", []string{"mcp"}}); err != nil {
		return nil, err
	}
	return s.orAsIt(before), nil
}

func removeServer(before []byte) ([]byte, error) {
	if len(bytes.TrimSpace(before)) == 0 {
		return before, nil
	}
	s, err := readSettings(before)
	if err != nil {
		return nil, err
	}
	if err := s.remove(func(path []string, _ []byte) bool {
		return len(path) == 2 && path[0] == "mcpServers" && path[1] == "acta"
	}); err != nil {
		return nil, err
	}
	return s.orNothing(before), nil
}

//go:embed instructions.md
var instructionsText string

// cursorHead lets Cursor hand a file of rules to every agent.
const cursorHead = "---\ndescription: how a task is closed here\nalwaysApply: true\n---\n"

// instructions are what an agent of a host reads before it works.
func instructions(h Host) Setting {
	path := map[Host]string{Claude: "CLAUDE.md", Codex: "AGENTS.md", Gemini: "GEMINI.md", Cursor: ".cursor/rules/acta.mdc"}[h]
	b := block{begin: "<!-- acta:begin -->", end: "<!-- acta:end -->", body: instructionsText}
	if h == Cursor {
		b.head = cursorHead
	}
	return Setting{path, "instructions", func(before []byte) ([]byte, error) { return b.in(before), nil }, b.removed}
}
