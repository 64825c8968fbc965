package hosts

// gemini is Gemini CLI.
type gemini struct{}

func (gemini) id() string     { return "gemini" }
func (gemini) module() string { return "@google/gemini-cli@0.61.0" }

func (gemini) files(run) map[string]string {
	return map[string]string{".gemini/settings.json": `{
  "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
  "general": {"disableAutoUpdate": true, "enableAutoUpdate": false},
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false}
}
`}
}

func (gemini) command(r run, prompt string, resume bool) (words, env []string) {
	words = []string{
		"node", r.bin("@google/gemini-cli/bundle/gemini.js"), "-p", prompt, "--approval-mode", "yolo", "-m", "gemini-2.5-pro",
	}
	if resume {
		words = append(words, "--resume", "latest")
	}
	// By itself it starts a second process, with more memory.
	return words, []string{"GOOGLE_GEMINI_BASE_URL=" + r.url, "GEMINI_API_KEY=none", "GEMINI_CLI_NO_RELAUNCH=true"}
}

func (gemini) step(a action) Step {
	switch {
	case a.shell != "":
		return Step{Tool: "run_shell_command", Input: map[string]any{
			"command": a.shell, "description": "a command",
		}}
	case a.write != "":
		return Step{Tool: "write_file", Input: map[string]any{"file_path": a.write, "content": a.content}}
	case a.read != "":
		return Step{Tool: "read_file", Input: map[string]any{"file_path": a.read}}
	case a.edit != "":
		return Step{Tool: "replace", Input: map[string]any{
			"file_path": a.edit, "instruction": "mend it", "old_string": a.old, "new_string": a.content,
		}}
	case len(a.todos) > 0:
		todos := statuses(a.todos, func(_ int, text, status string) map[string]any {
			return map[string]any{"description": text, "status": status}
		})
		return Step{Tool: "write_todos", Input: map[string]any{"todos": todos}}
	}
	return Step{Say: a.say}
}
