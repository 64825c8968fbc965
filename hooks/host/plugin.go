package host

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
)

// PluginFile is a file of a plugin, by its path in the plugin's folder.
type PluginFile struct {
	Path string
	Data []byte
}

type pluginHost interface {
	Host
	// plugin returns the manifests of a release by path; hooks, servers and skill are the paths of the rest, "" if a
	// manifest has it, or the host does not accept it.
	plugin(release string) (manifests map[string]any, hooks, servers, skill string)
}

const pluginDescription = "Holds agents to what they say they did: a task is closed by a commit that shows it."

func (claude) plugin(release string) (map[string]any, string, string, string) {
	author := map[string]string{"name": "The Acta authors"}
	return map[string]any{
		".claude-plugin/plugin.json": map[string]any{
			"name": "acta", "version": release, "description": pluginDescription, "author": author,
		},
		".claude-plugin/marketplace.json": map[string]any{
			"name": "acta", "owner": author, "metadata": map[string]string{"description": pluginDescription},
			"plugins": []any{map[string]string{"name": "acta", "source": "./", "description": pluginDescription}},
		},
	}, "hooks/hooks.json", ".mcp.json", "skills/close-task/SKILL.md"
}

func (gemini) plugin(release string) (map[string]any, string, string, string) {
	return map[string]any{"gemini-extension.json": map[string]any{
		"name": "acta", "version": release, "description": pluginDescription, "contextFileName": "GEMINI.md",
		"mcpServers": map[string]any{"acta": map[string]any{"command": "acta", "args": []string{"mcp"}}},
	}}, "hooks/hooks.json", "", "GEMINI.md"
}

func (codex) plugin(string) (map[string]any, string, string, string) {
	return nil, "hooks.json", "", "skills/close-task/SKILL.md"
}

func (opencode) plugin(release string) (map[string]any, string, string, string) {
	return map[string]any{"package.json": map[string]any{
		"name": "acta-opencode", "version": release, "description": pluginDescription, "type": "module", "main": "acta.js",
	}}, "acta.js", "", ""
}

// PluginHosts lists the hosts that accept acta as a plugin: «claude, codex, gemini or opencode».
func PluginHosts() string { return idsOf(func(h Host) bool { _, ok := h.(pluginHost); return ok }) }

// Plugin is acta as a plugin of a host, for a release; hooks, instructions and MCP server are those of Settings. The
// error says that the host accepts no plugin.
func Plugin(h Host, release string) ([]PluginFile, error) {
	p, ok := h.(pluginHost)
	if !ok {
		return nil, fmt.Errorf("%s takes no plugin; one of %s does", h.Name(), PluginHosts())
	}
	manifests, hooks, servers, skill := p.plugin(release)
	var files []PluginFile
	for _, name := range slices.Sorted(maps.Keys(manifests)) {
		data, _ := json.MarshalIndent(manifests[name], "", "  ") // cannot fail for texts
		files = append(files, PluginFile{name, append(data, '\n')})
	}
	for _, part := range []Setting{{Path: hooks, Part: h.hooks(false).Part}, {Path: servers, Part: h.servers().Part}} {
		if part.Path == "" {
			continue
		}
		data, err := part.Add(nil)
		if err != nil {
			return nil, err
		}
		files = append(files, PluginFile{part.Path, data})
	}
	if skill != "" {
		files = append(files, PluginFile{skill, skillText(path.Base(skill) == "SKILL.md")})
	}
	return files, nil
}

func skillText(withHead bool) []byte {
	if !withHead {
		return []byte(instructionsText)
	}
	return []byte("---\nname: close-task\ndescription: Close a task of the plan honestly, by a commit that shows its " +
		"work. Use it before a commit that says that a task is done, or ticks a box of a plan.\n---\n\n" + instructionsText)
}
