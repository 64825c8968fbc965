package policy

import (
	"strings"
	"testing"
)

// A commit is an agent's by one sign, the first that holds.
func TestByWhichSignACommitIsAnAgents(t *testing.T) {
	p := mustRead(t, "require: agents\nactors: {agents: ['executor-*'], exempt: [release-bot]}\n")
	person := []string{"Ada", "ada@example.org"}
	for _, c := range []struct {
		a    Authorship
		want string
	}{
		{Authorship{Names: person}, ""},
		{Authorship{Names: []string{"", "executor-1"}}, "actors.agents of the policy matches «executor-1»"},
		{Authorship{Names: append(person, "Claude", "noreply@anthropic.com")}, "noreply@anthropic.com is the address of Claude"},
		{Authorship{Names: append(person, "Copilot", "223556219+Copilot@users.noreply.github.com")}, "is the address of GitHub Copilot"},
		// A name alone is a person's, too, and so is another account of that name.
		{Authorship{Names: append(person, "Claude", "claude@example.org", "Devin", "Copilot", "1+Copilot@users.noreply.github.com")}, ""},
		{Authorship{Names: append(person, "dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com")}, ""},
		// A reviewer's suggestion that a person has committed is that person's, as GitHub writes it.
		{Authorship{Names: append(person, "gemini-code-assist[bot]", "176961590+gemini-code-assist[bot]@users.noreply.github.com")}, ""},
		{Authorship{Names: append(person, "Copilot", "175728472+Copilot@users.noreply.github.com")}, ""},
		{Authorship{Names: []string{"Ada (aider)", "ada@example.org"}}, "«Ada (aider)» has the form of Aider's author names"},
		{Authorship{Names: []string{"aider", "Ada(aider)", "(aider) Ada"}}, ""},
		{Authorship{Names: append(person, "OpenCode", "opencode-agent[bot]@users.noreply.github.com")}, "is the address of OpenCode"},
		{Authorship{Names: person, Checkpoint: "a3b2c4d5e6f7"}, "Entire-Checkpoint names the recorded session a3b2c4d5e6f7"},
		{Authorship{Names: person, Session: "20261123-1"}, "made in the session 20261123-1"},
		// Who is exempt is exempt.
		{Authorship{Names: []string{"release-bot", "noreply@anthropic.com"}, Checkpoint: "x"}, ""},
	} {
		required, sign := p.Requires(c.a)
		if required != (c.want != "") || !strings.Contains(sign, c.want) || c.want == "" && sign != "" {
			t.Errorf("%+v: %v by %q; want %q", c.a, required, sign, c.want)
		}
	}
	for _, require := range []string{"none", "all"} {
		q := mustRead(t, "require: "+require+"\n")
		if required, sign := q.Requires(Authorship{Names: person}); required != (require == "all") || sign != "" {
			t.Errorf("require %s: %v by %q", require, required, sign)
		}
	}
}

// Each address is there once, and is no pattern.
func TestAddressesOfAgents(t *testing.T) {
	seen := map[string]bool{}
	for address, agent := range addresses() {
		if seen[address] || address != strings.ToLower(address) || !strings.Contains(address, "@") || agent == "" {
			t.Errorf("%q of %q", address, agent)
		}
		seen[address] = true
	}
	if len(seen) < 10 {
		t.Errorf("%d addresses", len(seen))
	}
}
