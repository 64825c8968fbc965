package host

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"

	"golang.org/x/tools/txtar"
)

// PluginFile is a file of a plugin, by its path in the plugin's folder.
type PluginFile struct {
	Path string
	Data []byte
}

//go:embed plugins.txtar
var pluginsText []byte

// PluginHosts lists the hosts that accept acta as a plugin: «claude, codex, gemini or opencode».
func PluginHosts() string {
	return idsOf(func(h Host) bool { return bytes.Contains(pluginsText, []byte("\n-- "+h.ID()+" ")) })
}

// Plugin is acta as a plugin of a host, for a release; hooks, instructions and MCP server are those of Settings. The
// error says that the host accepts no plugin.
func Plugin(h Host, release string) (files []PluginFile, err error) {
	parts := map[string]Part{"{hooks}\n": h.hooks(false).Part, "{servers}\n": h.servers().Part}
	values := strings.NewReplacer("{release}", release, "{skill}\n", instructionsText)
	for _, f := range txtar.Parse(pluginsText).Files {
		path, ok := strings.CutPrefix(f.Name, h.ID()+" ")
		if !ok {
			continue
		}
		data := []byte(values.Replace(string(f.Data)))
		if part := parts[string(f.Data)]; part != nil {
			if data, err = part.Add(nil); err != nil {
				return nil, err
			}
		}
		files = append(files, PluginFile{path, data})
	}
	if files == nil {
		return nil, fmt.Errorf("%s takes no plugin; one of %s does", h.Name(), PluginHosts())
	}
	return files, nil
}
