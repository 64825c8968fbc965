package hosts

// claude is Claude Code.
type claude struct{}

func (claude) id() string     { return "claude" }
func (claude) module() string { return "@anthropic-ai/claude-code@2.1.330" }

func (claude) files(run) map[string]string { return nil }

func (claude) command(r run, prompt string, resume bool) (words, env []string) {
	words = []string{
		"node", r.bin("@anthropic-ai/claude-code/cli-wrapper.cjs"), "-p", prompt,
		"--permission-mode", "acceptEdits", "--allowedTools", "Bash Write Edit",
	}
	if resume {
		words = append(words, "--continue")
	}
	return words, []string{
		"ANTHROPIC_BASE_URL=" + r.url, "ANTHROPIC_API_KEY=sk-none", "IS_SANDBOX=1", "DISABLE_AUTOUPDATER=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "CLAUDE_CODE_ENABLE_TODO_TOOLS=1",
	}
}

func (claude) step(a action) Step {
	switch {
	case a.shell != "":
		return Step{Tool: "Bash", Input: map[string]any{"command": a.shell, "description": "a command"}}
	case a.write != "":
		return Step{Tool: "Write", Input: map[string]any{"file_path": a.write, "content": a.content}}
	case a.read != "":
		return Step{Tool: "Read", Input: map[string]any{"file_path": a.read}}
	case a.edit != "":
		return Step{Tool: "Edit", Input: map[string]any{
			"file_path": a.edit, "old_string": a.old, "new_string": a.content,
		}}
	case len(a.todos) > 0:
		return Step{Tool: "TaskCreate", Input: map[string]any{"subject": a.todos[0], "description": a.todos[0]}}
	}
	return Step{Say: a.say}
}
