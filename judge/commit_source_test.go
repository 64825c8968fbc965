package judge_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

func TestWhatAnActOfACommitReports(t *testing.T) {
	g := repotest.New(t)
	g.Commit("ACT: T01 one\n\nDone: add f | a.py:1-3\nActor: ada\n", "a.py", code)
	one := g.ID()
	g.Commit("Squashed\n\nACT: T01 two\n\nDone: add g | a.py:1-3\n\nACT: T01 three\n\nDone: add h | a.py:1-3\n\nADAPT: T02 x\n", "a.py", code+"# 2\n")
	r := g.Open()
	for _, c := range []struct{ rev, unit, want string }{
		{one, "T01", "add f"}, {one, "M01/T01", "add f"}, {one, "T02", ""},
		{"main", "T01", "add h"}, // the last one of a squash
		{"main", "T02", ""},      // an ADAPT reports nothing
	} {
		part, err := judge.ActOf(t.Context(), r, c.rev, c.unit)
		got := ""
		if part != nil {
			got = part.Claims[0].Item.Value
		}
		if err != nil || got != c.want {
			t.Errorf("%s in %.12s: %q, %v, want %q", c.unit, c.rev, got, err, c.want)
		}
	}
	if _, err := judge.ActOf(t.Context(), r, strings.Repeat("1", 40), "T01"); !errors.Is(err, repo.ErrNotFound) {
		t.Errorf("of a commit that is not here: %v", err)
	}
	for rev, want := range map[string]string{one: "ada", "main": "Ada"} { // else the commit's author
		if got, err := judge.ActorOf(t.Context(), r, rev, "T01"); err != nil || got != want {
			t.Errorf("%.12s was made by %q, %v, want %q", rev, got, err, want)
		}
	}
}

func TestThePolicyOfACommitIsItsOwn(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "note", "1")
	none := repo.ID(g.ID())
	g.Commit("Policy\n", policy.Path, "default_tier: STRICT\n")
	strict := repo.ID(g.ID())
	g.Commit("Work\n", "note", "2")
	same := repo.ID(g.ID())
	g.Commit("Break it\n", policy.Path, "rulez: {}\n")
	broken := repo.ID(g.ID())
	h := judge.NewHistory(g.Open(), nil)
	for name, c := range map[string]struct {
		id   repo.ID
		want policy.Tier
	}{"no commit": {"", policy.Standard}, "no policy": {none, policy.Standard}, "its own": {strict,
		policy.Strict}, "as before": {same, policy.Strict}} {
		if p, err := h.PolicyOf(t.Context(), c.id); err != nil || p.DefaultTier != c.want {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	one, err := h.PolicyOf(t.Context(), strict)
	if err != nil {
		t.Fatal(err)
	}
	if two, err := h.PolicyOf(t.Context(), same); err != nil || one != two {
		t.Errorf("a policy that is the same is read twice: %v", err)
	}
	if _, err := h.PolicyOf(t.Context(), broken); err == nil {
		t.Error("a policy that cannot be read is used")
	}
	if _, err := h.PolicyOf(t.Context(), repo.ID(strings.Repeat("1", 40))); !errors.Is(err, repo.ErrNotFound) {
		t.Errorf("of a commit that is not here: %v", err)
	}
}

func TestWhatReachesWhat(t *testing.T) {
	g := repotest.New(t)
	g.Commit("one\n", "note", "1")
	one := g.ID()
	g.Branch("side", one)
	g.Commit("beside\n", "beside", "1")
	side := g.ID()
	g.Branch("main", "")
	g.Commit("two\n", "note", "2")
	two := g.ID()
	p := policy.Default()
	behind := judge.NewHistory(g.Open(), nil).Behind([]repo.ID{repo.ID(two)}, &p)
	for _, c := range []struct {
		commit, earlier string
		want            bool
	}{{two, one, true}, {side, one, true}, {one, two, false}, {side, two, false}, {two, two,
		true}, {strings.Repeat("1", 40), one, false}} {
		if got := behind.HasAncestor(t.Context(), c.commit, c.earlier); got != c.want {
			t.Errorf("%.12s reaches %.12s: %v", c.commit, c.earlier, got)
		}
	}
}

func TestAReportOfClaimsAsksForItsExitCode(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "note", "1")
	base := g.ID()
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
	held := g.ID()
	g.Commit("Simplify\n", "a.py", empty)
	r := g.Open()
	for _, c := range []struct {
		base, head string
		code       int
	}{{base, held, 0}, {base, "main", 1}, {"", held, 0}, {"", "main", 1}, {held, "main", 1}, {held, held, 0}} {
		report, err := judge.NewHistory(r, nil).Claims(t.Context(), c.base, c.head)
		if err != nil || report.Code() != c.code {
			t.Errorf("%.7s..%.7s: %+v, %v, want code %d", c.base, c.head, report, err, c.code)
		}
	}
	if got := (&judge.ClaimsReport{Undecided: []string{"cut"}}).Code(); got != 3 {
		t.Errorf("what could not be followed has code %d", got)
	}
}
