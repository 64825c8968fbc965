package judge

import (
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo/repotest"
)

// A tier rule binds whatever a commit touches or cites, under each name that leads there; what is asked for openly may
// raise a tier and lowers none.
func TestWhatIsTouchedOrCitedSetsTheTier(t *testing.T) {
	const strict = "version: 1\ndefault_tier: EXEMPT\ntiers: [{paths: [pay/**], tier: STRICT}]\n"
	for name, c := range map[string]struct {
		message string
		staged  []string
		strict  bool
	}{
		"a strict file is touched":           {act("T01", "add f", "pay/a.py:1-3, gone.py:1-3"), []string{"pay/a.py", code}, true},
		"another one is":                     {act("T01", "add f", "a.py:1-3, gone.py:1-3"), []string{"a.py", code}, false},
		"a strict file is touched beside it": {act("T01", "add f", "a.py:1-3, gone.py:1-3"), []string{"a.py", code, "pay/b.py", other}, true},
		"a strict file is cited":             {act("T01", "add f", "pay/old.py:1-3, gone.py:1-3"), []string{"a.py", code}, true},
		"the message asks for more":          {"ACT: T01\nTier: STRICT\n\nDone: add f | a.py:1-3, gone.py:1-3\n", []string{"a.py", code}, false},
		"a trailer asks for more":            {"ACT: T01\n\nDone: add f | a.py:1-3, gone.py:1-3\n\nTier: STRICT\n", []string{"a.py", code}, true},
		"a trailer asks for less":            {"ACT: T01\n\nDone: add f | pay/a.py:1-3, gone.py:1-3\n\nTier: LIGHT\n", []string{"pay/a.py", code}, true},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Base\n", policy.Path, strict, "pay/old.py", code)
			g.Stage(c.staged...)
			result, err := judgeStaged(t, g, nil, c.message)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(found(result.Findings), "error "+missing); got != c.strict {
				t.Errorf("strict: %v, found\n%s", got, found(result.Findings))
			}
		})
	}
}
