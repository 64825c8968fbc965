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
)

// State is what a log looks like, read whole.
type State struct {
	// Path is the log's file.
	Path string
	// Lines is the number of whole lines.
	Lines int
	// Fault is the first thing that was done to the log, nil where nothing was.
	Fault *Fault
	// Torn is the length of what a crash left of a last line, in bytes; the next append moves it out of the log.
	Torn int
}

// Fault is what is wrong with a log.
type Fault struct {
	// Line is where it shows, from 1; 0 where it shows at no line.
	Line int
	// Reason says what is wrong, for who reads it.
	Reason string
}

// verify reads the log and its head file. check is asked of every line, "" for
// nothing wrong; nil asks nothing. A log that is not there is one without lines.
func (c Chain) verify(check func(line []byte) string) (State, error) {
	s, _, err := c.readVerified(func() {}, check)
	return s, err
}

// verifyWait bounds the wait for a writer, where a log looks broken.
const verifyWait = 2 * time.Second

// readVerified is verify, with all that the log's file holds: what is read is what was verified. A log that a writer
// begins or mends looks broken until it is done, so that one that does is read again under its lock; begin is called
// before each reading.
func (c Chain) readVerified(begin func(), check func(line []byte) string) (s State, whole []byte, err error) {
	begin()
	s, whole, err = c.readOnce(check)
	if err != nil || s.Fault == nil {
		return s, whole, err
	}
	unlock, errLock := state.Lock(context.Background(), c.Path, verifyWait)
	if errLock != nil { // of who may only read, say
		return s, whole, nil
	}
	defer func() { err = errors.Join(err, unlock()) }()
	begin()
	return c.readOnce(check)
}

func (c Chain) readOnce(check func(line []byte) string) (s State, whole []byte, err error) {
	s.Path = c.Path
	// The head first: a line that another process adds meanwhile is one that it does not know yet.
	h, errHead := c.readHead()
	if errHead != nil && !errors.Is(errHead, errNoHead) {
		return s, nil, errHead
	}
	whole, err = state.ReadFile(c.Path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return s, nil, err
	}
	data, last := whole, ""
	for s.Fault == nil {
		line, rest, ended := bytes.Cut(data, []byte{'\n'})
		if !ended {
			if s.Fault = s.heldAgainst(h, errHead); s.Fault == nil {
				s.Torn = len(line)
			}
			break
		}
		s.Lines++
		s.Fault = follows(s.Lines, line, last)
		if s.Fault == nil && check != nil {
			if wrong := check(line); wrong != "" {
				s.Fault = &Fault{s.Lines, wrong}
			}
		}
		data, last = rest, hashLine(line)
		if s.Fault == nil && errHead == nil && s.Lines == h.Count && last != h.Last {
			s.Fault = &Fault{s.Lines, "the line was edited: it is not the one that the head file names"}
		}
	}
	return s, whole, nil
}

// follows reports a line that does not follow from the one before it, whose hash is last.
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

// heldAgainst compares the whole lines that there are with those that the head file counts. It is written after them,
// so that one which it counts was whole, and what is left of it is no crash's.
func (s State) heldAgainst(h head, err error) *Fault {
	switch {
	case err != nil && s.Lines > 0:
		return &Fault{0, fmt.Sprintf("%v beside the log, so that an end that was cut off would not show", err)}
	case s.Lines >= h.Count:
		return nil
	}
	return &Fault{s.Lines + 1,
		fmt.Sprintf("the end was cut off: the head file counts %d lines, and %d are there whole", h.Count, s.Lines)}
}
