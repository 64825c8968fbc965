package hosts

import (
	"strings"
)

// codex is Codex CLI.
type codex struct{}

func (codex) id() string     { return "codex" }
func (codex) module() string { return "@openai/codex@0.169.0" }

func (codex) files(r run) map[string]string {
	return map[string]string{".codex/config.toml": settings(`model = "gpt-5.1-codex"
model_provider = "standin"
[features]
hooks = true
[model_providers.standin]
name = "standin"
base_url = "%s/v1"
env_key = "STANDIN_KEY"
wire_api = "responses"
[projects."%s"]
trust_level = "trusted"
`, r.url, r.top)}
}

func (codex) command(r run, prompt string, resume bool) (words, env []string) {
	words = []string{"node", r.bin("@openai/codex/bin/codex.js"), "exec"}
	if resume {
		words = append(words, "resume", "--last")
	}
	words = append(words, "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox", prompt)
	return words, []string{"STANDIN_KEY=none"}
}

func (codex) step(a action) Step {
	switch {
	case a.shell != "":
		return Step{Tool: "exec_command", Input: map[string]any{"cmd": a.shell}}
	case a.write != "":
		return codexPatch("*** Add File: " + a.write + "\n" + prefixed("+", a.content))
	case a.read != "":
		return Step{Tool: "exec_command", Input: map[string]any{"cmd": "cat " + a.read}}
	case a.edit != "":
		return codexPatch("*** Update File: " + a.edit + "\n@@\n" + prefixed("-", a.old) + prefixed("+", a.content))
	case len(a.todos) > 0:
		plan := statuses(a.todos, func(_ int, text, status string) map[string]any {
			return map[string]any{"step": text, "status": status}
		})
		return Step{Tool: "update_plan", Input: map[string]any{"plan": plan}}
	}
	return Step{Say: a.say}
}

// codexPatch hands a patch to apply_patch in a shell, as models of Codex do.
func codexPatch(body string) Step {
	return Step{Tool: "exec_command", Input: map[string]any{
		"cmd": "apply_patch <<'EOF'\n*** Begin Patch\n" + body + "*** End Patch\nEOF",
	}}
}

// prefixed is a text with something before each of its lines.
func prefixed(with, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(with + line)
	}
	return b.String()
}
