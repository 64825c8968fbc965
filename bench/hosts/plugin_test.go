package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/record/worklog"
)

// plugged is a program that takes acta as a plugin.
type plugged interface {
	program
	// plug lets it use the plugin in a folder, for good or by the words that it is started with.
	plug(r run, folder string) (words []string)
}

func (claude) plug(_ run, folder string) []string { return []string{"--plugin-dir", folder} }

// plug puts the extension where `gemini extensions install` copies it to.
func (gemini) plug(r run, folder string) []string {
	return copied(r, folder, ".gemini/extensions/acta")
}

// plug puts hooks and skill where Codex looks for those of its user.
func (codex) plug(r run, folder string) []string { return copied(r, folder, ".codex") }

// plug puts the plugin where OpenCode looks for those of its user.
func (opencode) plug(r run, folder string) []string {
	return copied(r, folder, ".config/opencode/plugins")
}

func copied(r run, folder, into string) []string {
	if err := os.CopyFS(filepath.Join(r.home, into), os.DirFS(folder)); err != nil {
		panic(err)
	}
	return nil
}

// withPlugin is a program that is started with more words.
type withPlugin struct {
	program
	words []string
}

func (p withPlugin) command(r run, prompt string, resume bool) (words, env []string) {
	words, env = p.program.command(r, prompt, resume)
	return append(words, p.words...), env
}

// A plugin from a local folder does what the settings do: a lie that went around git's hooks is told, and honest work
// is not disturbed.
func TestAPluginTellsOfALie(t *testing.T) {
	for _, p := range programs() {
		host, takes := p.(plugged)
		if !takes {
			continue
		}
		t.Run(p.id(), func(t *testing.T) {
			s := newShop(t, p)
			folder := filepath.Join(s.home, "plugin")
			s.beginWith("acta init --plugin " + p.id() + " '" + folder + "' >/dev/null")
			s.program = withPlugin{p, host.plug(s.run, folder)}
			told := s.agent(false,
				action{write: "auth.py", content: stub},
				commit("git commit -q --no-verify -F -", claim),
				action{shell: "git reset -q --hard HEAD~1 && cat >auth.py <<'EOF'\n" + work + "EOF"},
				commit("git commit -q -F -", claim),
				action{say: "All done: the task is complete."},
			)
			if !strings.Contains(told[2], found) {
				t.Errorf("the lie is not told: %.3000q", told[2])
			}
			if got := s.sh("git log -1 --format=%s"); got != "ACT: T01 log in and out" {
				t.Errorf("landed is %q", got)
			}
			s.ended(worklog.Success)
		})
	}
}
