package ledger

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/acta-git/acta/diag"
)

// marked makes a store remember; its marks are asked of git and of the sizes of the logs.
func (s *scratch) marked(store *Repositories) *Repositories {
	store.Memory = NewMemory(func(string) Fingerprints {
		refs := s.git("rev-parse", "HEAD") + s.git("for-each-ref")
		var work []string
		for line := range strings.Lines(refs) {
			if !strings.Contains(line, "refs/notes/") {
				work = append(work, line)
			}
		}
		logs, err := filepath.Glob(filepath.Join(s.dir, ".git", "acta", "*-log.jsonl"))
		if err != nil {
			s.Fatal(err)
		}
		all := refs
		for _, log := range logs {
			info, err := os.Stat(log)
			if err != nil {
				s.Fatal(err)
			}
			all += fmt.Sprint(log, info.Size())
		}
		sum := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
		return Fingerprints{All: sum(all), Refs: sum(refs), Work: sum(strings.Join(work, ""))}
	})
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
			v.At, v.By = noon, "Ada"
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
		{"a vote", vote(store, Vote{Up: true, Actor: "executor-1"})},
		{"a vote on the last ACT", vote(store, Vote{})},
		{"a vote on a commit", vote(store, Vote{Up: true, Commit: "HEAD~1"})},
		{"a vote of another process", vote(s.store(), Vote{Up: true, Actor: "executor-2"})},
		{"a note of another process", vote(s.store(), Vote{Commit: "HEAD"})},
		{"notes that are gone", func() { s.git("update-ref", "-d", FeedbackRef) }},
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

// A vote about an actor reads nothing of the history, and no answer is made twice: the
// objects may be gone meanwhile.
func TestWhatIsRememberedIsNotReadAgain(t *testing.T) {
	ctx := context.Background()
	s := newScratch(t)
	s.act("T1", "f.py", function(1), "f.py:1-4")
	store := s.marked(s.store())
	state := 0
	store.Memory.Marks = func(string) Fingerprints { state++; return Fingerprints{fmt.Sprint(state), "refs", "work"} } // as if logs changed all the time
	s.scores(store)
	objects := filepath.Join(s.dir, ".git", "objects")
	if err := os.Rename(objects, objects+"-away"); err != nil {
		t.Fatal(err)
	}
	effect, err := store.AddFeedback(ctx, Vote{Up: true, At: noon, By: "Ada", Actor: "executor-1"})
	if err != nil || *effect.Score.Score != 13 {
		t.Fatalf("%+v %v", effect, err)
	}
}

// Many who ask at once wait for one replay.
func TestOneReplayForAll(t *testing.T) {
	made := 0
	m := NewMemory(func(string) Fingerprints { return Fingerprints{"a", "r", "w"} })
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := m.replay([]string{"d"}, Query{}, func() (*replayed, error) { made++; return &replayed{}, nil }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if made != 1 {
		t.Errorf("it was made %d times", made)
	}
	if _, err := m.replay([]string{"d"}, Query{Ref: "other"}, func() (*replayed, error) { made++; return &replayed{doubtful: true}, nil }); err != nil {
		t.Error(err)
	}
	if made != 2 {
		t.Errorf("of another branch: it was made %d times", made)
	}
	if _, err := m.replay([]string{"d"}, Query{Ref: "other"}, func() (*replayed, error) { made++; return &replayed{}, nil }); err != nil || made != 3 {
		t.Errorf("what left something out was kept: made %d times, %v", made, err)
	}
}

// Commits that the process has judged are not held against the cache again, whatever that says meanwhile; a process that begins does it.
func TestJudgedCommitsAreNotCheckedAgain(t *testing.T) {
	s := manyActs(t)
	store := s.marked(s.store())
	var said []string
	store.Warn = func(w string) { said = append(said, w) }
	before := *s.scores(store)[""][1].Score
	c := cacheAt(filepath.Join(s.dir, ".git"), diag.Release)
	var known scoredCommits
	if !c.Read(&known) {
		t.Fatal("nothing is kept")
	}
	for _, a := range known {
		for i := range a.Claims {
			a.Claims[i].Optional = true
		}
	}
	if err := c.Write(t.Context(), known); err != nil {
		t.Fatal(err)
	}
	s.git("commit", "-q", "--allow-empty", "-m", "No ACT") // so that the branch is read again
	if after := *s.scores(store)[""][1].Score; after != before || len(said) > 0 {
		t.Errorf("%d became %d: %q", before, after, said)
	}
	store.Memory = nil
	if after := *s.scores(s.marked(store))[""][1].Score; after != before || len(said) == 0 {
		t.Errorf("a process that begins: %d became %d: %q", before, after, said)
	}
}
