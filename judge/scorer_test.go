package judge_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/report"
)

func score(t *testing.T, g *repotest.Repository, rev string) *judge.ScoredCommit {
	t.Helper()
	id := g.ID()
	if rev != "main" {
		id = g.Git("rev-parse", rev)
	}
	c, err := judge.NewHistory(g.Open(), nil).Score(t.Context(), repo.ID(id))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// counted writes claims as «actor unit item verdict», one a line.
func counted(c *judge.ScoredCommit) string {
	var b strings.Builder
	for _, claim := range c.Claims {
		fmt.Fprintf(&b, "%s %s %s %s\n", claim.Actor, claim.Unit, claim.Item, claim.Verdict)
	}
	return b.String()
}

func TestWhichClaimsAreCounted(t *testing.T) {
	for name, c := range map[string]struct {
		message string
		want    string
	}{
		"no ACT":                  {"ADAPT: T01 it works\n", ""},
		"verified, by its author": {"ACT: T01\n\nDone: add f | a.py:1-3\n", "Ada T01 add f verified\n"},
		"by the actor that it says": {"ACT: T01\n\nDone: add f | a.py:1-3\nActor: executor-01\n",
			"executor-01 T01 add f verified\n"},
		"skipped items are none": {"ACT: T01\n\nDone: add f | a.py:1-3\nSkipped: add g | nobody has asked for it yet\n",
			"Ada T01 add f verified\n"},
		"nor are pending ones": {"ACT: T01\n\nDone: add f | a.py:1-3\nPending: add g\n", "Ada T01 add f verified\n"},
		"nor what names what is not there": {
			"ACT: T01\n\nDone: add f | a.py:1-3\nDone: add g | missing.py:1-2\nDone: add h | a.py:1-99\n", "Ada T01 add f verified\n"},
		"what is not written as it should be does not": {"ACT: T01\n\nDone: add f | a.py:1-3\nDone: add g\n",
			"Ada T01 add f verified\n"},
		"an item that fails twice counts once, the worst": {
			"ACT: T01\n\nDone: add f | e.py:1-2\nDone: Add F | missing.py:1-2\n", "Ada T01 add f not_verified\n"},
		"a title that the message takes back is none": {
			"Squashed\n\nACT: T01 one\n\nDone: add f | a.py:1-3\n\nRevert \"ACT: T01 one\"\n\nACT: T02 two\n\nDone: add g | b.py:1-3\n", "Ada T02 add g verified\n"},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Base\n", "note", "1")
			g.Commit(c.message, "a.py", code, "b.py", other, "e.py", empty)
			if got := counted(score(t, g, "main")); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func TestACommitSaysWhatItWasPickedFrom(t *testing.T) {
	from := strings.Repeat("1", 40)
	g := repotest.New(t)
	g.Commit(act("T01", "add f", "a.py:1-3")+"\n(cherry picked from commit "+from+")\n", "a.py", code)
	c := score(t, g, "main")
	if !slices.Equal(c.CherryPickedFrom, []string{from}) ||
		c.Author != "Ada" || c.Commit != g.ID() {
		t.Errorf("%+v", c)
	}
}

// What claims cite is identified by its content: the same function claimed again, elsewhere, has the same key.
func TestTheSameCodeHasTheSameKey(t *testing.T) {
	g := repotest.New(t)
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
	g.Commit(act("T02", "add f again", "b.py:2-4"), "b.py", "# moved\n"+code)
	g.Commit(act("T03", "add g", "c.py:1-3"), "c.py", other)
	h := judge.NewHistory(g.Open(), nil)
	var keys []string
	for _, rev := range []string{"main~2", "main~1", "main"} {
		c, err := h.Score(t.Context(), repo.ID(g.Git("rev-parse", rev)))
		if err != nil || len(c.Claims) != 1 || len(c.Claims[0].Keys) != 1 || c.Claims[0].Verdict != report.Verified {
			t.Fatalf("%s: %+v, %v", rev, c, err)
		}
		keys = append(keys, c.Claims[0].Keys[0])
	}
	if keys[0] != keys[1] || keys[0] == keys[2] {
		t.Errorf("keys %v; want those of the same function, and only those, to be equal", keys)
	}
}

// A commit answers to the policy before it, so that none loosens its own judge.
func TestACommitIsScoredUnderThePolicyBeforeIt(t *testing.T) {
	g := repotest.New(t)
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code, policy.Path, "version: 1\nacta: \">=99\"\n")
	g.Commit(act("T02", "add g", "b.py:1-3"), "b.py", other, policy.Path, "version: 1\n")
	g.Commit(act("T03", "add h", "c.py:1-3"), "c.py", code)
	g.ID()
	h := judge.NewHistory(g.Open(), nil)
	for rev, usable := range map[string]bool{"main~2": true, "main~1": false, "main": true} {
		c, err := h.Score(t.Context(), repo.ID(g.Git("rev-parse", rev)))
		var config *policy.ConfigError
		if usable && (err != nil || c.Claims[0].Verdict != report.Verified) || !usable && !errors.As(err, &config) {
			t.Errorf("%s: %+v, %v", rev, c, err)
		}
	}
}

func TestATermsPolicyThatCannotBeUsedIsAnError(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "note", "1")
	base := g.ID()
	g.Commit("Policy\n", policy.Path, "version: 1\nsince: "+base+"\nscore: {timezone: Europe/Zurich}\n")
	g.Commit("Later\n", policy.Path, "version: 1\nacta: \">=99\"\n")
	r := g.Open()
	read := func(rev string) (*judge.ScoreTerms, error) {
		c, err := r.Commit(t.Context(), rev)
		if err != nil {
			t.Fatal(err)
		}
		return judge.ReadScoreTerms(t.Context(), r, c)
	}
	if terms, err := read("main~1"); err != nil ||
		terms.Zone.String() != "Europe/Zurich" || len(terms.Excluded) != 0 || terms.Policy.Since != base {
		t.Errorf("%+v, %v", terms, err)
	}
	if _, err := read("main"); err == nil || !strings.Contains(err.Error(), "requires acta >=99") {
		t.Errorf("%v", err)
	}
}

// A shallow clone may begin at the policy's since: there is nothing before it to leave out.
func TestScoresBeginWhereAShallowCloneDoes(t *testing.T) {
	g := repotest.New(t)
	g.Commit("One\n", "a", "1")
	g.Commit("ACT: T01 Two\n", "a", "2")
	since := g.ID()
	g.Commit("Policy\n", ".acta.yaml", "since: "+since+"\n")
	tip := repo.ID(g.ID())
	for name, r := range map[string]*repo.Repo{"shallow": g.Shallow(2), "whole": g.Open()} {
		c, err := r.Commit(t.Context(), string(tip))
		if err != nil {
			t.Fatal(err)
		}
		terms, err := judge.ReadScoreTerms(t.Context(), r, c)
		if err != nil || (len(terms.Excluded) == 0) != (name == "shallow") {
			t.Fatalf("%s: %v, %v", name, terms, err)
		}
		ids, _, err := judge.ClaimingCommits(t.Context(), r, tip, terms.Excluded, terms.Policy)
		if err != nil || len(ids) != 1 || string(ids[0]) != since {
			t.Errorf("%s: %v, %v", name, ids, err)
		}
	}
}
