package judge

import (
	"strings"
	"testing"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/report"
)

func TestThereIsNoVerdictOverWhatWasNotJudged(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "note", "1")
	l := LandedRange{Base: g.ID(), Head: "main"}
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
	r := g.Open()
	for name, c := range map[string]struct {
		landed LandedRange
		result Result
		want   string
	}{
		"a commit that is not":   {l, Result{Report: report.Report{Undecided: []string{"no blob"}}}, "could not be judged"},
		"a range of no commits":  {LandedRange{Base: "main", Head: "main"}, Result{}, "has no commits"},
		"a head that is nowhere": {LandedRange{Base: l.Base, Head: "nowhere"}, Result{}, "nowhere"},
	} {
		if _, err := c.landed.Verdict(t.Context(), r, &c.result, repotest.When); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// The list of commits is a set: who walks them in another order has the same one.
func TestTheListOfCommitsHasNoOrder(t *testing.T) {
	if listDigest([]repo.ID{"a", "b"}) != listDigest([]repo.ID{"b", "a"}) || listDigest([]repo.ID{"a"}) == listDigest([]repo.ID{"ab"}) {
		t.Error("a list of commits is told by something else than its commits")
	}
}
