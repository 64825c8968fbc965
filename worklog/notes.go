package worklog

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/journal"
	"github.com/acta-git/acta/repo"
)

// NotesRef is where checkpoints are summed up on ACT commits: `git log --notes=acta-worklog` shows them.
const NotesRef = "refs/notes/acta-worklog"

// KeyNotes is the configuration that asks for them with every ACT.
const KeyNotes = "acta.worklogNotes"

// ErrNoAct is a session that has no ACT whose notes could sum it up.
var ErrNoAct = errors.New("the session has no ACT yet")

// Note sums up, in the notes of the session's last ACT, the checkpoints since the ACT before it. What the notes said
// of it is replaced.
func (r *Recorder) Note(ctx context.Context, now time.Time) error {
	s, _, err := r.Session()
	if err != nil {
		return err
	}
	rewritten, err := journal.Rewrites(filepath.Dir(filepath.Dir(r.dir)))
	if err != nil {
		rewritten = nil // the commit may be one that was not
	}
	commit, text := s.note()
	if commit == "" {
		return fmt.Errorf("%w: %s", ErrNoAct, s.ID)
	}
	if to := rewritten[commit]; to != "" {
		commit = to
	}
	return r.Repo.WriteNote(ctx, repo.Note{Ref: NotesRef, On: repo.ID(commit), Name: r.author(), When: now, Text: text})
}

// note is the last ACT of a session, "" for none, and what its notes say.
func (s *Session) note() (commit, text string) {
	act, from := -1, 0
	for i := range s.Entries {
		if s.Entries[i].Action != ActDone {
			continue
		}
		if act >= 0 && s.Entries[i].Details.Commit != s.Entries[act].Details.Commit {
			from = act + 1
		}
		act = i
	}
	if act < 0 {
		return "", ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Worklog %s (%s): %s\n", s.ID, s.Tier, diag.OneLine(s.Task))
	checkpoints := s.checkpoints()
	n := 0
	for i := range s.Entries {
		if s.Entries[i].Action != Check {
			continue
		}
		c := checkpoints[n]
		n++
		if i < from {
			continue
		}
		fmt.Fprintf(&b, "%s\n", diag.OneLine(c.line()))
		for _, d := range c.Deviations {
			fmt.Fprintf(&b, "    %s\n", diag.OneLine(d))
		}
	}
	return s.Entries[act].Details.Commit, b.String()
}
