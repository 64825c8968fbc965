package hosts

import (
	"runtime"
	"strconv"
	"strings"
)

// opencode is OpenCode.
type opencode struct{}

func (opencode) id() string     { return "opencode" }
func (opencode) module() string { return "opencode-ai@1.18.33" }

func (opencode) files(r run) map[string]string {
	return map[string]string{".config/opencode/opencode.json": settings(`{
  "model": "standin/stand-in",
  "small_model": "standin/stand-in",
  "autoupdate": false,
  "share": "disabled",
  "provider": {
    "standin": {
      "npm": "@ai-sdk/openai-compatible",
      "options": {"baseURL": "%s/v1", "apiKey": "none"},
      "models": {"stand-in": {"name": "stand-in"}}
    }
  }
}
`, r.url)}
}

func (opencode) command(r run, prompt string, resume bool) (words, env []string) {
	machine := runtime.GOOS + "-" + strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	words = []string{r.bin("opencode-" + machine + "/bin/opencode"), "run", "--auto"}
	if resume {
		words = append(words, "--continue")
	}
	return append(words, prompt), []string{
		"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
		"OPENCODE_DISABLE_DEFAULT_PLUGINS=1", "OPENCODE_DISABLE_SHARE=1",
	}
}

func (opencode) step(a action) Step {
	switch {
	case a.shell != "":
		return Step{Tool: "bash", Input: map[string]any{"command": a.shell, "description": "a command"}}
	case a.write != "":
		return Step{Tool: "write", Input: map[string]any{"filePath": a.write, "content": a.content}}
	case a.read != "":
		return Step{Tool: "read", Input: map[string]any{"filePath": a.read}}
	case a.edit != "":
		return Step{Tool: "edit", Input: map[string]any{
			"filePath": a.edit, "oldString": a.old, "newString": a.content,
		}}
	case len(a.todos) > 0:
		todos := statuses(a.todos, func(i int, text, status string) map[string]any {
			return map[string]any{"id": strconv.Itoa(i + 1), "content": text, "status": status, "priority": "medium"}
		})
		return Step{Tool: "todowrite", Input: map[string]any{"todos": todos}}
	}
	return Step{Say: a.say}
}
