package policy

import (
	"strings"
	"testing"
)

const requires = "results: {junit: [a.xml], coverage: [c.info], require: {test: ran, code: executed}}\n"

const completes = "verifiers: {a: {run: [x]}, b: {run: [y]}}\ncomplete: {verifier: a}\n"

func TestWeakerListsWhatIsNotAskedForAnyMore(t *testing.T) {
	paths := []string{"src/auth/login.py", "src/a.py", "src/b.py", ".acta.yaml", "README.md"}
	for _, c := range []struct{ before, after, want string }{
		{"", "require: agents\n", ""},
		{"require: all\n", "require: agents\n", "require: all to agents"},
		{"require: agents\n", "", "require: agents to none"},
		{"require: agents\nactors: {agents: [a, b]}\n", "require: agents\nactors: {agents: [b, c]}\n", "actors.agents no longer has a"},
		{"require: agents\nactors: {agents: [a]}\n", "require: all\n", ""},
		{"require: all\n", "require: all\nactors: {exempt: [bot]}\n", "actors.exempt has bot"},
		{"", "actors: {exempt: [bot]}\n", ""},
		{"default_tier: STRICT\n", "default_tier: LIGHT\n", "default_tier: STRICT to LIGHT"},
		{"", "tiers: [{tier: STRICT, paths: ['src/**']}]\n", ""},
		{"tiers: [{tier: STRICT, paths: ['src/**']}]\n", "", "the tier of src/x and 3 more: STRICT to STANDARD"},
		{"", "tiers: [{tier: EXEMPT, paths: [.acta.yaml]}]\n", "the tier of .acta.yaml and 1 more: STANDARD to EXEMPT"},
		{"", "tiers: [{tier: EXEMPT, paths: ['vendor/**']}]\n", "the tier of vendor/x: STANDARD to EXEMPT"},
		{"", "tiers: [{tier: LIGHT, max_lines: 10}]\n", "the tier of any file and 5 more: STANDARD to LIGHT"},
		{"tiers: [{tier: LIGHT, max_lines: 10}]\n", "tiers: [{tier: LIGHT, max_lines: 5}]\n", ""},
		{"tiers: [{tier: LIGHT, max_lines: 10, max_files: 1}]\n", "tiers: [{tier: LIGHT, max_lines: 10, max_files: 3}]\n", "the tier of any file and 6 more: STANDARD to LIGHT"},
		{"tiers: [{tier: STRICT, paths: ['src/**']}, {tier: EXEMPT, paths: ['**/*.py']}]\n",
			"tiers: [{tier: EXEMPT, paths: ['**/*.py']}, {tier: STRICT, paths: ['src/**']}]\n", "the tier of src/auth/login.py and 2 more: STRICT to EXEMPT"},
		{"", "waivable: [tight, loose]\n", "waivable has tight, loose"},
		{"waivable: [tight]\n", "", ""},
		{"", "accepted: [{commit: 3f2c3f2c3f2c3f2c3f2c3f2c3f2c3f2c3f2c3f2c, reason: old}]\n", "accepted has 3f2c3f2c3f2c"},
		{"", "evidence: {max_lines: 4000}\n", "evidence.max_lines: 400 to 4000"},
		{"evidence: {max_lines: 4000}\n", "", ""},
		{completes, "", "complete.verifier: a to none"},
		{completes, strings.Replace(completes, "verifier: a", "verifier: b", 1), "complete.verifier: a to b"},
		{completes, strings.Replace(completes, "[x]", "['true']", 1), `the verifier a, which completing needs, runs ["true"], not ["x"]`},
		{completes, strings.Replace(completes, "[y]", "['true']", 1), ""},
		{"", completes, ""},
		{requires, "", "results.require.test: ran to none; results.require.code: executed to none; " +
			"results.junit no longer has a.xml; results.coverage no longer has c.info"},
		{"results: {junit: [a.xml]}\n", "", ""},
		{"", requires, ""},
	} {
		before, after := mustRead(t, c.before), mustRead(t, c.after)
		if got := strings.Join(before.Loosenings(&after, paths), "; "); got != c.want {
			t.Errorf("from %q to %q: %q, want %q", c.before, c.after, got, c.want)
		}
		if before.HasSameTiers(&after) && strings.Contains(c.want, "tier") {
			t.Errorf("from %q to %q the tiers are the same", c.before, c.after)
		}
	}
}
