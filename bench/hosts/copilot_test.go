package hosts

// copilot is GitHub Copilot CLI.
type copilot struct{}

func (copilot) id() string     { return "copilot" }
func (copilot) module() string { return "@github/copilot@1.0.102" }

func (copilot) files(run) map[string]string { return nil }

func (copilot) command(r run, prompt string, resume bool) (words, env []string) {
	words = []string{
		"node", r.bin("@github/copilot/npm-loader.js"), "-p", prompt,
		"--allow-all-tools", "--allow-all-paths",
	}
	if resume {
		words = append(words, "--continue")
	}
	return words, []string{
		"COPILOT_PROVIDER_BASE_URL=" + r.url + "/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_API_KEY=none",
		"COPILOT_MODEL=gpt-4.1", "COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false",
		"GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true",
	}
}

func (copilot) step(a action) Step {
	switch {
	case a.shell != "":
		return Step{Tool: "bash", Input: map[string]any{
			"command": a.shell, "description": "a command", "sessionId": "main", "async": false,
		}}
	case a.write != "":
		return Step{Tool: "create", Input: map[string]any{"path": a.write, "file_text": a.content}}
	case a.read != "":
		return Step{Tool: "view", Input: map[string]any{"path": a.read}}
	case a.edit != "":
		return Step{Tool: "edit", Input: map[string]any{"path": a.edit, "old_str": a.old, "new_str": a.content}}
	case len(a.todos) > 0:
		return Step{Tool: "update_todo", Input: map[string]any{"todos": "- [x] " + a.todos[0]}}
	}
	return Step{Say: a.say}
}
