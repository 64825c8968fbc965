package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// State is the result of verifying a log.
type State struct {
	Path  string
	Lines int
	// Fault is the first sign of manipulation, nil for none.
	Fault *Fault
	// TornBytes is the length of a torn last line; the next append moves it out of the log.
	TornBytes int
}

// Fault is what is wrong with a log.
type Fault struct {
	// Line is where it shows, from 1; 0 for no line.
	Line int
	// Reason says what is wrong, for people.
	Reason string
}

// verifyWait bounds the wait for a writer, if a log looks broken.
const verifyWait = 2 * time.Second

// verify reads the log and its head file, and returns the content too. check returns what is wrong with a line, "" for
// nothing; it may be nil. A missing log has no lines. A log looks broken while a writer starts or repairs it, so it is
// then read again under its lock.
func (c Chain) verify(check func(line []byte) string) (s State, content []byte, err error) {
	s, content, err = c.readOnce(check)
	if err != nil || s.Fault == nil {
		return s, content, err
	}
	unlock, errLock := state.Lock(context.Background(), c.Path, verifyWait)
	if errLock != nil { // without permission to write, say
		return s, content, nil
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return c.readOnce(check)
}

func (c Chain) readOnce(check func(line []byte) string) (s State, content []byte, err error) {
	s.Path = c.Path
	// The head first: another process may add lines meanwhile.
	h, errHead := c.readHead()
	if errHead != nil && !errors.Is(errHead, errNoHead) {
		return s, nil, errHead
	}
	content, err = state.ReadFile(c.Path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return s, nil, err
	}
	last := ""
	for line := range Lines(content) {
		s.Lines++
		s.Fault = follows(s.Lines, line, last)
		if s.Fault == nil && check != nil {
			if wrong := check(line); wrong != "" {
				s.Fault = &Fault{s.Lines, wrong}
			}
		}
		last = hashLine(line)
		if s.Fault == nil && errHead == nil && s.Lines == h.Count && last != h.Last {
			s.Fault = &Fault{s.Lines, "the line was edited: it is not the one that the head file names"}
		}
		if s.Fault != nil {
			return s, content, nil
		}
	}
	if s.Fault = s.checkHead(h, errHead); s.Fault == nil {
		s.TornBytes = len(content) - bytes.LastIndexByte(content, '\n') - 1
	}
	return s, content, nil
}

// follows returns the fault of a line that does not follow from the one before, whose hash is last.
func follows(n int, line []byte, last string) *Fault {
	var l *link
	if err := json.Unmarshal(line, &l); err != nil || l == nil {
		return &Fault{n, "the line was edited: it is not a JSON object"}
	}
	switch {
	case l.Prev == last:
		return nil
	case n == 1:
		return &Fault{n, "the line does not begin the log: lines before it were removed, or it was edited or moved"}
	}
	return &Fault{n, fmt.Sprintf("the line does not follow from line %d: one of the two was edited, "+
		"or lines between them were removed or moved", n-1)}
}

// checkHead compares the number of whole lines with the head file. The head file is written after the lines, so no
// crash can leave fewer.
func (s State) checkHead(h head, err error) *Fault {
	switch {
	case err != nil && s.Lines > 0:
		return &Fault{0, fmt.Sprintf("%v beside the log, so a missing end would not show", err)}
	case s.Lines >= h.Count:
		return nil
	}
	return &Fault{s.Lines + 1,
		fmt.Sprintf("the end was cut off: the head file counts %d lines, and %d are there whole", h.Count, s.Lines)}
}

// Rewrite is a commit that git replaced: amended or rebased.
type Rewrite struct {
	// Command is the command: "amend" or "rebase".
	Command string `json:"by"`
	// Old and New are full commit ids. A squash turns several old ones into the same new one.
	Old  string    `json:"old"`
	New  string    `json:"new"`
	Time time.Time `json:"time"`
}

func rewrites(commonDir string) Chain {
	return Chain{Path: state.Path(commonDir, "rewrites.jsonl")}
}

// AddRewrites records rewritten commits in the local state; commonDir is the git directory that the work trees share.
func AddRewrites(ctx context.Context, commonDir string, all []Rewrite) ([]string, error) {
	entries := report.Map(all, func(r Rewrite) any { return r })
	return rewrites(commonDir).Append(ctx, func() ([]any, error) { return entries, nil })
}

// VerifyRewrites verifies the log of rewritten commits.
func VerifyRewrites(commonDir string) (State, error) {
	s, _, err := rewrites(commonDir).verify(nil)
	return s, err
}

// Rewrites maps every rewritten commit to its latest replacement.
func Rewrites(commonDir string) (map[string]string, error) {
	log := rewrites(commonDir)
	data, err := state.ReadFile(log.Path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	next, n, hash := map[string]string{}, 0, ""
	for line := range Lines(data) {
		n++
		if fault := follows(n, line, hash); fault != nil {
			return nil, fmt.Errorf("%s:%d: %s", log.Path, n, fault.Reason)
		}
		var r Rewrite
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", log.Path, n, err)
		}
		// A commit that is rewritten to itself, or back to an earlier id, ends a chain.
		delete(next, r.New)
		if r.Old != r.New {
			next[r.Old] = r.New
		}
		hash = hashLine(line)
	}
	last := make(map[string]string, len(next))
	for old := range next {
		last[old] = followRewrites(next, old)
	}
	return last, nil
}

// followRewrites follows a chain to its end. A commit's id depends on those of its ancestors, and steps back were left
// out, so there are no cycles; the number of steps is bounded anyway.
func followRewrites(next map[string]string, at string) string {
	for range next {
		to, ok := next[at]
		if !ok {
			break
		}
		at = to
	}
	return at
}
