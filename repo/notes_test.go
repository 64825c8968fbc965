package repo

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

const feedback = "refs/notes/acta-feedback"

// Lines that several add at a time are all there, and git reads them as it reads its own notes.
func TestAddNoteLosesNoLine(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	id := s.commit("Base", "a.txt", "1")
	if notes, err := s.open().Notes(ctx, feedback); err != nil || len(notes) != 0 {
		t.Fatalf("%v, %v", notes, err)
	}
	const writers, each = 3, 4
	var all sync.WaitGroup
	for w := range writers {
		r := s.open()
		all.Go(func() {
			for i := range each {
				err := r.AddNote(ctx, NoteLine{Ref: feedback, On: id, Line: fmt.Sprintf("%d-%d", w, i), Name: "a <b>", When: time.Unix(1, 0), Message: "Feedback\n"})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	notes, err := s.open().Notes(ctx, feedback)
	if got := string(notes[id]); err != nil || strings.Count(got, "\n") != writers*each || !strings.HasPrefix(got, "0-0\n0-1\n") {
		t.Errorf("%q, %v", got, err)
	}
	if shown := s.git("notes", "--ref=acta-feedback", "show", string(id)); strings.TrimSpace(shown) != strings.TrimSpace(string(notes[id])) {
		t.Errorf("git shows %q", shown)
	}
}

func TestAddNoteTellsWhyItCannot(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.commit("Base", "a.txt", "1")
	n := NoteLine{Ref: feedback, On: ID(strings.Repeat("1", 40)), Line: "x", When: time.Unix(1, 0)}
	if err := s.open().AddNote(context.Background(), n); err == nil {
		t.Error("a note stands on what is not there")
	}
}

func TestDefaultBranch(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	s.commit("Base", "a.txt", "1")
	is := func(s *scratch, want string) {
		t.Helper()
		if got, err := s.open().DefaultBranch(ctx); err != nil || got != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	s.git("branch", "-M", "trunk")
	is(s, "HEAD")
	clone := s.clone()
	is(clone, "refs/heads/trunk")
	clone.git("checkout", "-q", "-b", "work")
	is(clone, "refs/heads/trunk")
	clone.git("branch", "-D", "trunk")
	is(clone, "refs/remotes/origin/trunk")
	s.git("config", "init.defaultBranch", "dev")
	s.git("branch", "main")
	is(s, "refs/heads/main")
	s.git("branch", "dev")
	is(s, "refs/heads/dev")
}
