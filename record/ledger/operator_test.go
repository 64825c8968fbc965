package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/repo"
)

// operator is that of a repository whose HEAD has a policy.
func (s *scratch) operator(policy string) *Operator {
	s.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, ".acta.yaml"), []byte(policy), 0o666); err != nil {
		s.Fatal(err)
	}
	s.git("add", ".")
	s.git("commit", "-q", "-m", "Policy")
	r, err := repo.Open(s.Context(), s.dir, repo.Options{Env: s.env()})
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = r.Close() })
	return &Operator{Repo: r, State: filepath.Join(s.dir, ".git"), Env: s.env(), HasAgreed: true, Now: noon}
}

// lockdown is the score of an actor that is one.
func lockdown(actor string) Score {
	points := -45
	return Score{Actor: actor, Date: "2026-01-26", Score: &points, Target: 50, Floor: 50, Penalty: score.Lockdown.String(), Reward: "none", Interval: 8}
}

// noting is a policy that tells by a program, which notes what it got.
const noting = "score: {notify: {run: [sh, -c, 'test ! -e fail || { echo no such mailbox; exit 3; }; " +
	`{ echo "$ACTA_ACTOR $ACTA_SCORE/$ACTA_TARGET"; cat; } >>told']}}` + "\n"

// has holds what was noted since.
func (s *scratch) has(want ...string) {
	s.Helper()
	told := filepath.Join(s.dir, "told")
	data, _ := os.ReadFile(told) // it is there once something was told
	if got := string(data); got != strings.Join(want, "") {
		s.Errorf("it got\n%s\nwant\n%s", got, strings.Join(want, ""))
	}
	_ = os.Remove(told)
}

// message is what the program notes of an actor's lockdown.
func message(t *testing.T, actor string) string {
	t.Helper()
	data, err := json.Marshal(lockdown(actor))
	if err != nil {
		t.Fatal(err)
	}
	return actor + " -45/50\n" + string(data) + "\n"
}

// must tells, and fails where telling does.
func (o *Operator) must(t *testing.T, s Score) bool {
	t.Helper()
	told, err := o.Notify(t.Context(), s)
	if err != nil {
		t.Error(err)
	}
	return told
}

func TestAnOperatorIsToldOnce(t *testing.T) {
	s := newScratch(t)
	o := s.operator(noting)
	fine, none, escalated := lockdown("a"), lockdown("a"), lockdown("a")
	fine.Penalty, none.Score, escalated.Penalty = "none", nil, score.Escalated.String()
	for _, s := range []Score{fine, none, escalated} {
		if o.must(t, s) {
			t.Errorf("told of %+v", s)
		}
	}
	s.has()
	for _, actor := range []string{"a", "a", "", "a", ""} {
		o.must(t, lockdown(actor))
	}
	s.has(message(t, "a"), message(t, ""))
	// The next day is another one.
	next := lockdown("a")
	next.Date = "2026-01-27"
	if !o.must(t, next) || o.must(t, next) {
		t.Error("not told once on the next day")
	}
}

func TestOfManyAtOnceOneTells(t *testing.T) {
	s := newScratch(t)
	o := s.operator(noting)
	var all sync.WaitGroup
	var told atomic.Int32
	for range 8 {
		all.Go(func() {
			r, err := repo.Open(t.Context(), s.dir, repo.Options{Env: s.env()})
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Close()
			one := *o
			one.Repo = r
			if one.must(t, lockdown("a")) {
				told.Add(1)
			}
		})
	}
	all.Wait()
	if told.Load() != 1 {
		t.Errorf("%d told", told.Load())
	}
	s.has(message(t, "a"))
}

func TestWhatFailedIsTriedAgain(t *testing.T) {
	s := newScratch(t)
	o := s.operator(noting)
	fail := filepath.Join(s.dir, "fail")
	if err := os.WriteFile(fail, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if told, err := o.Notify(t.Context(), lockdown("a")); told || err == nil || err.Error() != "sh ended with exit status 3: no such mailbox" {
			t.Errorf("told is %v: %v", told, err)
		}
	}
	if err := os.Remove(fail); err != nil {
		t.Fatal(err)
	}
	if !o.must(t, lockdown("a")) || o.must(t, lockdown("a")) {
		t.Error("not told once in the end")
	}
	s.has(message(t, "a"))
}

// Whoever ends without a word is waited for as long as telling may take, and no longer.
func TestAnotherTellsWhereOneDied(t *testing.T) {
	s := newScratch(t)
	o := s.operator("score: {notify: {run: ['true'], timeout: 20s}}\n")
	path := filepath.Join(o.State, "acta", noticeFile)
	for _, c := range []struct {
		state string
		told  bool
	}{
		{`{"day": "2026-01-26", "actors": [{"actor": "a", "told": false, "until": "2026-01-26T12:00:25Z"}]}`, false},
		{`{"day": "2026-01-26", "actors": [{"actor": "a", "told": false, "until": "2026-01-26T12:00:00Z"}]}`, true},
		{`{"day": "2026-01-26", "actors": [{"actor": "a", "told": false, "until": "2026-01-26T13:00:00Z"}]}`, true},
		{`{"day": "2026-01-26", "actors": [{"actor": "b", "told": true}]}`, true},
		{`{"day": "2026-01-25", "actors": [{"actor": "a", "told": true}]}`, true},
		{`{"day": "2026-01-26", "actors": [null]}`, true},
		{`{"day`, true},
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.state), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := o.must(t, lockdown("a")); got != c.told {
			t.Errorf("%s: told is %v", c.state, got)
		}
	}
}

func TestAProgramThatDoesNotTell(t *testing.T) {
	s := newScratch(t)
	for policy, want := range map[string]string{
		"{run: [sleep, '300'], timeout: 50ms}": "sleep was ended: it took longer than 50ms",
		"{run: [./no-such-program]}":           "./no-such-program cannot be started: ",
		"{run: [sh, -c, 'exit 4']}":            "sh ended with exit status 4",
	} {
		if _, err := s.operator("score: {notify: "+policy+"}\n").Notify(t.Context(), lockdown("a")); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", policy, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	o := s.operator(noting)
	stop()
	if err := o.run(ctx, lockdown("a"), &policy.Policy{Notify: &policy.Verifier{Run: []string{"true"}}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if !o.must(t, lockdown("a")) {
		t.Error("an interrupted call keeps the next one from telling")
	}
}
