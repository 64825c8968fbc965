package hosts

import (
	"strconv"
)

// qwen is Qwen Code.
type qwen struct{}

func (qwen) id() string     { return "qwen" }
func (qwen) module() string { return "@qwen-code/qwen-code@0.24.4" }

func (qwen) files(run) map[string]string {
	return map[string]string{".qwen/settings.json": `{
  "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": false}},
  "general": {"disableAutoUpdate": true, "enableAutoUpdate": false},
  "memory": {"enableManagedAutoMemory": false, "enableManagedAutoDream": false},
  "tools": {"todoWrite": {"enabled": true}},
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false}
}
`}
}

func (qwen) command(r run, prompt string, resume bool) (words, env []string) {
	words = []string{
		"node", r.bin("@qwen-code/qwen-code/cli.js"), "-p", prompt, "--approval-mode", "yolo", "-m", "stand-in",
	}
	if resume {
		words = append(words, "--continue")
	}
	return words, []string{"OPENAI_BASE_URL=" + r.url + "/v1", "OPENAI_API_KEY=none", "OPENAI_MODEL=stand-in"}
}

func (qwen) step(a action) Step {
	switch {
	case a.shell != "":
		return Step{Tool: "run_shell_command", Input: map[string]any{
			"command": a.shell, "description": "a command", "is_background": false,
		}}
	case a.write != "":
		return Step{Tool: "write_file", Input: map[string]any{"file_path": a.write, "content": a.content}}
	case a.read != "":
		return Step{Tool: "read_file", Input: map[string]any{"file_path": a.read}}
	case a.edit != "":
		return Step{Tool: "edit", Input: map[string]any{
			"file_path": a.edit, "old_string": a.old, "new_string": a.content,
		}}
	case len(a.todos) > 0:
		todos := statuses(a.todos, func(i int, text, status string) map[string]any {
			return map[string]any{"id": strconv.Itoa(i + 1), "content": text, "status": status}
		})
		return Step{Tool: "todo_write", Input: map[string]any{"todos": todos}}
	}
	return Step{Say: a.say}
}
