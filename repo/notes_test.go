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
				err := r.AddNote(ctx, NoteLine{Ref: feedback, Commit: id, Line: fmt.Sprintf("%d-%d", w, i), Name: "a <b>", When: time.Unix(1, 0), Message: "Feedback\n"})
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

// A note is found however many folders git has spread the notes over, and without it there is none.
func TestNoteIsFoundInItsFolder(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	id := s.commit("Base", "a.txt", "1")
	name := string(id)
	for _, path := range []string{name, name[:2] + "/" + name[2:], name[:2] + "/" + name[2:4] + "/" + name[4:]} {
		s.git("checkout", "-q", "--orphan", "notes")
		s.git("rm", "-rfq", "--ignore-unmatch", ".")
		notes := s.commit("Notes", path, "spread\n")
		note, err := s.open().Note(ctx, string(notes), id)
		if err != nil || string(note) != "spread\n" {
			t.Errorf("%s: %q, %v", path, note, err)
		}
		if note, err := s.open().Note(ctx, string(notes), notes); err != nil || note != nil {
			t.Errorf("%s: another commit has %q, %v", path, note, err)
		}
		s.git("checkout", "-q", "-f", string(id))
		s.git("branch", "-q", "-D", "notes")
	}
	if note, err := s.open().Note(ctx, "refs/notes/none", id); err != nil || note != nil {
		t.Errorf("no notes hold %q, %v", note, err)
	}
	if _, err := s.open().Note(ctx, "HEAD", "no id"); err == nil {
		t.Error("a note stands on no id")
	}
	s.git("checkout", "-q", "--orphan", "notes")
	notes := s.commit("Notes", name, strings.Repeat("x", maxNote+1))
	if _, err := s.open().Note(ctx, string(notes), id); err == nil || !strings.Contains(err.Error(), "at most 1048576 are read") {
		t.Errorf("a large note: %v", err)
	}
}

// A line that is there stays as it is, and several are added as several.
func TestAddNoteAddsLinesOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newScratch(t)
	id := s.commit("Base", "a.txt", "1")
	for _, lines := range []string{"c\na\n", "b", "a\nc\n"} {
		if err := s.open().AddNote(ctx, NoteLine{Ref: feedback, Commit: id, Line: lines, When: time.Unix(1, 0), Message: "x\n"}); err != nil {
			t.Fatal(err)
		}
	}
	if note, err := s.open().Note(ctx, feedback, id); err != nil || string(note) != "a\nb\nc\n" {
		t.Errorf("%q, %v", note, err)
	}
}

func TestAddNoteTellsWhyItCannot(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.commit("Base", "a.txt", "1")
	n := NoteLine{Ref: feedback, Commit: ID(strings.Repeat("1", 40)), Line: "x", When: time.Unix(1, 0)}
	if err := s.open().AddNote(context.Background(), n); err == nil {
		t.Error("a note stands on what is not there")
	}
	n.Commit, n.Line = s.commit("Next", "a.txt", "2"), strings.Repeat("x", maxNote)
	if err := s.open().AddNote(context.Background(), n); err == nil || !strings.Contains(err.Error(), "would be 1048577 bytes") {
		t.Errorf("a note that nobody reads: %v", err)
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
