package ledger

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/report"
)

// scratch is a repository of a test's own.
type scratch struct {
	*testing.T
	dir string
	// at is the time of the next commit.
	at time.Time
}

func newScratch(t *testing.T) *scratch {
	t.Helper()
	s := &scratch{t, filepath.Join(t.TempDir(), "r"), noon}
	if err := os.Mkdir(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	s.git("init", "-q", "-b", "main", "--template=")
	return s
}

func (s *scratch) clone() *scratch {
	c := &scratch{s.T, filepath.Join(s.TempDir(), "clone"), noon}
	s.git("clone", "-q", ".", c.dir)
	return c
}

func (s *scratch) env() []string {
	date := fmt.Sprintf("%d +0000", s.at.Unix())
	return repotest.Env(s.dir, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
}

func (s *scratch) git(args ...string) string {
	s.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = s.dir, s.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// act commits an ACT of a unit that adds a function, or says so.
func (s *scratch) act(unit, file, content, evidence string) {
	s.Helper()
	if content != "" {
		if err := os.WriteFile(filepath.Join(s.dir, file), []byte(content), 0o666); err != nil {
			s.Fatal(err)
		}
		s.git("add", ".")
	}
	s.git("commit", "-q", "--allow-empty", "-m", fmt.Sprintf("ACT: %s work\n\nDone: Work on %s | %s\nActor: executor-%s\n", unit, unit, evidence, unit[1:]))
}

// warnFunc is a Warner that is no more than its method.
type warnFunc func(message string)

func (f warnFunc) Warn(message string) { f(message) }

func (s *scratch) store() *Repositories {
	return &Repositories{Dirs: []string{s.dir}, Env: s.env(), Warn: warnFunc(func(w string) { s.Log(w) })}
}

// scores are everybody's of five days.
func (s *scratch) scores(store Store) map[string][]Score {
	s.Helper()
	q := Query{Now: noon.AddDate(0, 0, 3), PastDays: 4}
	total, board, err := store.Leaderboard(context.Background(), q)
	if err != nil {
		s.Fatal(err)
	}
	all, err := store.Days(context.Background(), q)
	if err != nil || !reflect.DeepEqual(all, total) {
		s.Fatalf("%+v of all together, and on the leaderboard %+v %v", all, total, err)
	}
	out := map[string][]Score{"": all}
	for _, b := range board {
		out[b[0].Actor] = b
	}
	return out
}

func function(n int) string {
	return fmt.Sprintf("def work_%d(a, b):\n    if a > b:\n        return a - %d\n    return b * a\n", n, n)
}

// Two clones that get the same commits and votes in any order, by fetches, have the same scores; logs of their own come on top.
func TestTheSameRefsGiveTheSameScores(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 2))
		s := newScratch(t)
		s.git("commit", "-q", "--allow-empty", "-m", "Base")
		clones := []*scratch{s.clone(), s.clone()}
		var stores []*Repositories
		for _, c := range clones {
			stores = append(stores, c.store())
		}
		for n := range 8 {
			s.at = noon.Add(time.Duration(n/3) * 20 * time.Hour) // several in one second
			file := fmt.Sprintf("f%d.py", n)
			switch random.IntN(4) {
			case 0: // what is there already
				s.act(fmt.Sprintf("T%d", n%3), file, function(0), file+":1-4")
			case 1: // what is not there
				s.act(fmt.Sprintf("T%d", n%3), file, "", file+":1-4")
			default:
				s.act(fmt.Sprintf("T%d", n%3), file, function(n), file+":1-4")
			}
			for i, c := range clones {
				if random.IntN(2) == 0 {
					c.git("pull", "-q", "--ff-only")
					v := Vote{Word: []string{Up, Down}[random.IntN(2)], At: s.at, Voter: "Ada", Commit: "HEAD"}
					if _, err := stores[i].AddFeedback(ctx, v); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		const notes = "refs/notes/acta-feedback"
		order := random.Perm(2)
		for _, i := range append(order, order[0]) {
			c, other := clones[i], clones[1-i]
			c.git("pull", "-q", "--ff-only")
			if other.git("for-each-ref", notes) == "" {
				continue
			}
			c.git("fetch", "-q", other.dir, "+"+notes+":refs/notes/theirs")
			c.git("notes", "--ref=acta-feedback", "merge", "-q", "-s", "cat_sort_uniq", "refs/notes/theirs")
		}
		one, other := clones[0].scores(stores[0]), clones[1].scores(stores[1])
		if !reflect.DeepEqual(one, other) || len(one) < 2 {
			t.Fatalf("seed %d:\n%s\n%s", seed, shown(one), shown(other))
		}
		third := s.clone()
		third.git("fetch", "-q", clones[0].dir, "+"+notes+":"+notes)
		if got := third.scores(third.store()); clones[0].git("for-each-ref", notes) != "" && !reflect.DeepEqual(got, one) {
			t.Fatalf("seed %d: a third clone\n%s\n%s", seed, shown(got), shown(one))
		}
	}
}

func shown(all map[string][]Score) string {
	var b strings.Builder
	for actor, scores := range all {
		for _, s := range scores {
			if s.Score != nil {
				fmt.Fprintf(&b, "%q %d %+v\n", actor, *s.Score, s)
			}
		}
	}
	return b.String()
}

// Of commits of one second the first is paid, and whoever cites the same after it is not.
func TestTheFirstOfOneSecondIsPaid(t *testing.T) {
	s := newScratch(t)
	s.act("T1", "f.py", function(1), "f.py:1-4")
	for n := range 8 {
		s.git("commit", "-q", "--allow-empty", "-m", fmt.Sprintf("ACT: T1 again\n\nDone: Work on T1 | f.py:1-4\nActor: later-%d\n", n))
	}
	for actor, scores := range s.scores(s.store()) {
		want := 0
		if actor == "" || actor == "executor-1" {
			want = 10
		}
		if got := *scores[1].Score; got != want {
			t.Errorf("%q has %d, want %d", actor, got, want)
		}
	}
}

// A lie is its author's, whomever it names, but for that of an agent of which other claims of the author hold.
func TestALieUnderAnothersNameIsTheAuthors(t *testing.T) {
	s := newScratch(t)
	if err := os.WriteFile(filepath.Join(s.dir, "kept.py"), []byte(function(0)), 0o644); err != nil {
		t.Fatal(err)
	}
	s.git("add", "kept.py")
	s.git("commit", "-q", "--author", "Ada <ada@people.invalid>", "-m", "Base")
	lie := func(author, actor string) {
		message := fmt.Sprintf("ACT: T1 work\n\nDone: Work for %s | -kept.py\nActor: %s\n", actor, actor)
		s.git("commit", "-q", "--allow-empty", "--author", author, "-m", message)
	}
	lie("Bob <bob@people.invalid>", "ada")
	lie("Bob <bob@people.invalid>", "executor-7")
	lie("Bob <bob@people.invalid>", "executor-8")
	lie("Bob <bob@people.invalid>", "Eve")
	lie("Eve <eve@people.invalid>", "Eve")
	s.act("T2", "f.py", function(1), "f.py:1-4")
	s.git("commit", "-q", "--amend", "--author", "Bob <bob@people.invalid>", "-m", "ACT: T2 work\n\nDone: Work on T2 | f.py:1-4\nActor: executor-8\n")
	got := map[string]int{}
	for actor, scores := range s.scores(s.store()) {
		got[actor] = *scores[1].Score
	}
	lost := got["Eve"]
	if want := map[string]int{"": 5*lost + 10, "Bob": 3 * lost, "executor-8": lost + 10, "Eve": lost}; lost >= 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("the scores are %v, want %v", got, want)
	}
}

// manyActs has more ACTs than are judged on every use.
func manyActs(t *testing.T) *scratch {
	s := newScratch(t)
	for n := range spotChecks + 8 {
		s.act(fmt.Sprintf("T%d", n%5), fmt.Sprintf("f%d.py", n), function(n), fmt.Sprintf("f%d.py:1-4", n))
	}
	return s
}

// The cache changes no score: not the second time, not after more commits, not when the branch is rewritten.
func TestTheCacheChangesNothing(t *testing.T) {
	s := manyActs(t)
	store := s.store()
	cold := s.scores(store)
	file := filepath.Join(s.dir, ".git", "acta", "cache", "score")
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if sum := cold[""][1]; *sum.Score != 10*(spotChecks+8) {
		t.Fatalf("%s", shown(cold))
	}
	if warm := s.scores(store); !reflect.DeepEqual(warm, cold) {
		t.Errorf("again:\n%s\nwas\n%s", shown(warm), shown(cold))
	}
	if again, _ := os.ReadFile(file); !slices.Equal(again, kept) {
		t.Error("the cache was written although there was nothing new")
	}
	s.act("T1", "g.py", function(1000), "g.py:1-4")
	if more := s.scores(store); *more[""][1].Score != *cold[""][1].Score+10 {
		t.Errorf("after one more:\n%s", shown(more))
	}
	s.git("reset", "-q", "--hard", "HEAD~5")
	if less := s.scores(store); *less[""][1].Score != *cold[""][1].Score-40 {
		t.Errorf("after fewer:\n%s", shown(less))
	}
}

// A cache that somebody edited is no better score: neither one with a wrong checksum, nor one that was written anew.
func TestAnEditedCacheGivesNoBetterScore(t *testing.T) {
	s := manyActs(t)
	s.act("T1", "none.py", "", "none.py:1-4")
	store := s.store()
	var said []string
	store.Warn = warnFunc(func(w string) { said = append(said, w) })
	honest := s.scores(store)
	c := cacheAt(filepath.Join(s.dir, ".git"), report.Release)
	data, err := os.ReadFile(c.Path())
	if err != nil {
		t.Fatal(err)
	}
	var known commitsByID
	for i := range data {
		if i%97 != 0 {
			continue
		}
		broken := slices.Clone(data)
		broken[i] ^= 1
		if err := os.WriteFile(c.Path(), broken, 0o666); err != nil {
			t.Fatal(err)
		}
		if c.Read(&known) {
			t.Fatalf("byte %d was changed, and it does not show", i)
		}
	}
	if got := s.scores(store); !reflect.DeepEqual(got, honest) || len(said) > 0 {
		t.Errorf("broken: %s\n%q", shown(got), said)
	}
	if !c.Read(&known) {
		t.Fatal("nothing is kept")
	}
	for _, a := range known {
		for i := range a.Claims {
			a.Claims[i].IsOptional = !a.Claims[i].IsOptional
		}
	}
	if err := c.Write(t.Context(), known); err != nil {
		t.Fatal(err)
	}
	if got := s.scores(store); !reflect.DeepEqual(got, honest) || len(said) == 0 || !strings.Contains(said[0], "discarded") {
		t.Errorf("written anew: %s\n%q", shown(got), said)
	}
	// Another release judges for itself.
	if cacheAt(filepath.Join(s.dir, ".git"), "0.2.0").Read(&known) {
		t.Error("a cache of another release counts")
	}
}

// What has no ACT, no commit or no repository has no score, or says why.
func TestNothingThere(t *testing.T) {
	s := newScratch(t)
	if got := s.scores(s.store()); len(got) != 1 || got[""][4].Score != nil {
		t.Errorf("unborn: %s", shown(got))
	}
	s.git("commit", "-q", "--allow-empty", "-m", "Base")
	if got := s.scores(s.store()); len(got) != 1 || got[""][4].Score != nil {
		t.Errorf("no ACT: %s", shown(got))
	}
	store := &Repositories{Dirs: []string{t.TempDir()}, Env: s.env()}
	if _, err := store.Days(context.Background(), Query{Now: noon}); err == nil {
		t.Error("there is a score without a repository")
	}
	if _, err := s.store().Days(context.Background(), Query{Now: noon, Ref: "nothing"}); err == nil {
		t.Error("there is a score of a branch that is not there")
	}
	if _, err := s.store().AddFeedback(context.Background(), Vote{Word: Up, At: noon, Voter: "Ada"}); err == nil {
		t.Error("feedback goes to nobody")
	}
}

// Whoever writes notes can write any vote: it counts where its voter is no agent and not the actor, and claims of the actor count.
func TestWhichVotesCount(t *testing.T) {
	agents := &policy.Policy{Agents: []string{"executor-01"}}
	rows := []Row{{Actor: "executor-02"}}
	for v, want := range map[Vote]bool{
		{Voter: "boss", Actor: "executor-02", Commit: "c1"}:         true,
		{Voter: "boss", Actor: "executor-02"}:                       true,
		{Voter: "boss", Actor: "rival", Commit: "c1"}:               false,
		{Voter: "executor-01", Actor: "executor-02", Commit: "c1"}:  false,
		{Voter: "Executor-02 ", Actor: "executor-02", Commit: "c1"}: false,
	} {
		if v.isCounted(agents, rows) != want {
			t.Errorf("%+v counts: %v", v, !want)
		}
	}
}
