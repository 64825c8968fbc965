package judge

import (
	"errors"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

// brought are the commits of a range, as a ref gets them.
func brought(t *testing.T, r *repo.Repo, base, head string) []repo.ID {
	t.Helper()
	ids, err := r.Range(t.Context(), base, head)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func TestAPushIsJudgedByThePolicyOfItsBase(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Strict\n", policy.Path, "version: 1\n")
	strict := g.ID()
	g.Commit("Loose\n", policy.Path, "version: 1\nrules: {"+missing+": off}\n")
	loose := g.ID()
	g.Commit(act("T01", "add f", "b.py:1-3"), "a.py", code)
	r := g.Open()
	push, commits := NewHistory(r, nil), brought(t, r, loose, "main")
	for base, want := range map[string]int{strict: 1, loose: 0, "": 1} {
		result, err := push.JudgeUpdate(t.Context(), Update{Commits: commits, Base: repo.ID(base), Range: "x"})
		if err != nil || result.Code() != want || result.Commits != 1 || result.Range != "x" {
			t.Errorf("the policy of %.12s: %+v, %v", base, result, err)
		}
	}
	if result, err := push.JudgeUpdate(t.Context(), Update{Range: "x"}); err != nil ||
		result.Commits != 0 || result.Code() != 0 {
		t.Errorf("a ref that gets nothing: %+v, %v", result, err)
	}
}

// What one ref made notes of is judged anew for the next, and git is asked once for both.
func TestACommitThatTwoRefsBringIsJudgedOnce(t *testing.T) {
	g := repotest.Counted(t)
	g.Commit("Base\n", "note", "1")
	base := g.ID()
	g.Commit(act("T01", "add f", "b.py:1-3"), "a.py", code)
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code+"# f\n")
	r := g.Open()
	push, commits := NewHistory(r, nil), brought(t, r, base, "main")
	first, err := push.JudgeUpdate(t.Context(), Update{Commits: commits, Base: repo.ID(base)})
	if err != nil || found(first.Findings) != "note "+missing+" T01\n" {
		t.Fatalf("%+v, %v", first, err)
	}
	before := len(g.Processes())
	second, err := push.JudgeUpdate(t.Context(), Update{Commits: commits[:1], Base: repo.ID(base)})
	if err != nil || found(second.Findings) != "error "+missing+" T01\n" {
		t.Errorf("%+v, %v", second, err)
	}
	if after := len(g.Processes()); after != before {
		t.Errorf("%d git processes more", after-before)
	}
}

func TestAPushFollowsEarlierClaimsWhereItIsAsked(t *testing.T) {
	g := repotest.New(t)
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
	base := repo.ID(g.ID())
	g.Commit("Simplify\n", "a.py", empty)
	r := g.Open()
	commits := brought(t, r, string(base), "main")
	for follow, want := range map[bool]bool{true: true, false: false} {
		result, err := NewHistory(r, nil).JudgeUpdate(t.Context(), Update{Commits: commits, Base: base, Before: base, FollowClaims: follow})
		if err != nil || strings.Contains(found(result.Findings), "evidence_regressed T01") != want {
			t.Errorf("follow %v: %s%v", follow, found(result.Findings), err)
		}
	}
}

func TestAPushWithoutAUsablePolicy(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Policy\n", policy.Path, "version: 9\n")
	base := repo.ID(g.ID())
	g.Commit("Work\n", "note", "1")
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
	r := g.Open()
	commits := brought(t, r, string(base), "main")
	var config *policy.ConfigError
	if _, err := NewHistory(r, nil).JudgeUpdate(t.Context(), Update{Commits: commits, Base: base}); !errors.As(err, &config) {
		t.Errorf("a claim: %v", err)
	}
	result, err := NewHistory(r, nil).JudgeUpdate(t.Context(), Update{Commits: commits[:1], Base: base})
	if err != nil || result.Code() != 0 || len(result.Warnings) != 1 {
		t.Errorf("what claims nothing: %+v, %v", result, err)
	}
	gone := repo.ID(strings.Repeat("1", 40))
	result, err = NewHistory(r, nil).JudgeUpdate(t.Context(), Update{Commits: commits[:1], Base: gone})
	if err != nil || len(result.Warnings) != 1 || !strings.Contains(
		result.Warnings[0], "the policy of 111111111111 cannot be read",
	) {
		t.Errorf("a base that is not here: %+v, %v", result, err)
	}
}
