package ledger

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
)

// markFunc is a Marker that is no more than its method.
type markFunc func(dir string) string

func (f markFunc) Mark(dir string) string { return f(dir) }

// marked makes a store remember; its marks are asked of git and of the sizes of the logs.
func (s *scratch) marked(store *Repositories) *Repositories {
	store.Memory = NewMemory(markFunc(func(string) string {
		mark := s.git("rev-parse", "HEAD") + s.git("for-each-ref")
		logs, err := filepath.Glob(filepath.Join(s.dir, ".git", "acta", "*-log.jsonl"))
		if err != nil {
			s.Fatal(err)
		}
		for _, log := range logs {
			info, err := os.Stat(log)
			if err != nil {
				s.Fatal(err)
			}
			mark += fmt.Sprint(log, info.Size())
		}
		return mark
	}))
	return store
}

// Who remembers says what they say who read everything anew, whatever happens in between.
func TestAMemoryChangesNoScore(t *testing.T) {
	ctx := context.Background()
	s := newScratch(t)
	s.act("T1", "f.py", function(1), "f.py:1-4")
	store := s.marked(s.store())
	vote := func(on *Repositories, v Vote) func() {
		return func() {
			v.At, v.Voter = noon, "Ada"
			effect, err := on.AddFeedback(ctx, v)
			if err != nil {
				t.Fatal(err)
			}
			days, err := s.store().Days(ctx, Query{Actor: effect.Score.Actor, Now: noon})
			if err != nil || !reflect.DeepEqual(days[0], effect.Score) {
				t.Errorf("the vote said %+v, and it is %+v %v", effect.Score, days, err)
			}
		}
	}
	steps := []struct {
		name string
		do   func()
	}{
		{"nothing", func() {}},
		{"an ACT", func() { s.act("T2", "g.py", function(2), "g.py:1-4") }},
		{"a vote", vote(store, Vote{IsUp: true, Actor: "executor-1"})},
		{"a vote on the last ACT", vote(store, Vote{})},
		{"a vote on a commit", vote(store, Vote{IsUp: true, Commit: "HEAD~1"})},
		{"a vote of another process", vote(s.store(), Vote{IsUp: true, Actor: "executor-2"})},
		{"a note of another process", vote(s.store(), Vote{Commit: "HEAD"})},
		{"notes that are gone", func() { s.git("update-ref", "-d", feedbackRef) }},
		{"a lie", func() { s.act("T3", "h.py", "", "h.py:1-4") }},
		{"a branch that goes back", func() { s.git("reset", "-q", "--hard", "HEAD~2") }},
		{"a policy", func() {
			if err := os.WriteFile(filepath.Join(s.dir, ".acta.yaml"), []byte("score: {timezone: Asia/Tokyo}\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			s.git("add", ".")
			s.git("commit", "-q", "-m", "Keep Tokyo's days")
		}},
	}
	for _, step := range steps {
		step.do()
		anew := s.scores(s.store())
		for range 2 {
			if got := s.scores(store); !reflect.DeepEqual(got, anew) {
				t.Errorf("%s:\n%s\nanew\n%s", step.name, shown(got), shown(anew))
			}
		}
	}
}

// Many who ask at once wait for one replay.
func TestOneReplayForAll(t *testing.T) {
	made := 0
	m := NewMemory(markFunc(func(string) string { return "a" }))
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := m.replay([]string{"d"}, Query{}, func() (*replayResult, error) { made++; return &replayResult{}, nil }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if made != 1 {
		t.Errorf("it was made %d times", made)
	}
	if _, err := m.replay([]string{"d"}, Query{Ref: "other"}, func() (*replayResult, error) { made++; return &replayResult{isIncomplete: true}, nil }); err != nil {
		t.Error(err)
	}
	if made != 2 {
		t.Errorf("of another branch: it was made %d times", made)
	}
	if _, err := m.replay([]string{"d"}, Query{Ref: "other"}, func() (*replayResult, error) { made++; return &replayResult{}, nil }); err != nil || made != 3 {
		t.Errorf("what left something out was kept: made %d times, %v", made, err)
	}
}
