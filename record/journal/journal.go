// Package journal keeps the chained logs of a repository's local state: events, audit entries, verdicts on tasks,
// votes, and which commits were rewritten into which. Entries go in; the lines of a log come out, with the place where
// it was changed by hand. It fails open: a caller that cannot write warns, and the work goes on.
//
// A log is a file of JSON objects, one a line, to which lines are only ever added. Each line carries the hash of the
// line before. A head file beside the log names the last line. So it shows if a line was edited, removed or moved, or
// if the end was cut off. It does not show if somebody rewrites log and head together.
//
// It knows nothing of what the entries mean, and must never import a package that writes them.
package journal

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/acta-git/acta/repo/state"
)

// Chain is a log of lines of any kind: see the package's comment.
type Chain struct {
	Path string
	// Wait bounds the wait for another writer; 0 is state.LockWait.
	Wait time.Duration
	// Alive are files of which one is there as long as the log is not taken away; none where it never is.
	Alive []string
}

// ErrTakenAway is a log that was taken away: what is added to it would be read by nobody.
var ErrTakenAway = errors.New("the log was taken away")

// isTakenAway is asked under the lock.
func (c Chain) isTakenAway() bool {
	isThere := func(file string) bool {
		_, err := os.Lstat(file)
		return !errors.Is(err, os.ErrNotExist)
	}
	return len(c.Alive) > 0 && !slices.ContainsFunc(c.Alive, isThere)
}

// link is what every line begins with: the SHA-256 of the whole line before, its
// line break left out, in hex; "" in the first.
type link struct {
	Prev string `json:"prev"`
}

// linked is a value, an object with a key at least, as the line that follows one with this hash.
func linked(prev string, value any) ([]byte, error) {
	line, err := state.JSONLine(value)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(`{"prev":"`+prev+`",`), line[1:]), nil
}

// Repair is a last line that a crash left unfinished, and that an append has moved
// out of the log.
type Repair struct {
	// Bytes is how much of the line there was.
	Bytes int
	// Kept is the file in which it is kept.
	Kept string
	// Counted: the line had been whole once, and was cut; the log then counts as broken.
	Counted bool
}

// String says what happened, for who reads warnings.
func (t *Repair) String() string {
	if t.Counted {
		return fmt.Sprintf("the last line of the log was whole before and is cut now (its %d bytes are kept in %s); "+
			"run `acta audit verify`", t.Bytes, t.Kept)
	}
	return fmt.Sprintf("the last line of the log was torn (%d bytes); it is kept in %s", t.Bytes, t.Kept)
}

// Append adds lines under a lock that other processes
// heed. The folder is made when it is missing. Killed at any instant it leaves a log
// that the next append mends: what it left of a line goes to a file of its own,
// which the Repair names, and nothing else is lost.
func (c Chain) Append(ctx context.Context, lines ...any) (repair *Repair, err error) {
	return c.AppendMade(ctx, func(*Repair) ([]any, error) { return lines, nil })
}

// AppendMade is Append of lines that are made under the lock, by who is told what was mended first, nil for nothing. A
// log that was taken away is ErrTakenAway.
func (c Chain) AppendMade(ctx context.Context, made func(*Repair) ([]any, error)) (repair *Repair, err error) {
	if err := os.MkdirAll(filepath.Dir(c.Path), 0o777); err != nil {
		return nil, err
	}
	unlock, err := state.Lock(ctx, c.Path, cmp.Or(c.Wait, state.LockWait))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if c.isTakenAway() {
		return nil, ErrTakenAway
	}
	f, err := state.OpenFile(c.Path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	end, err := c.end(f)
	if err != nil {
		return nil, err
	}
	if end.torn > 0 {
		if repair, err = c.setAside(f, end); err != nil {
			return nil, err
		}
	}
	values, err := made(repair)
	if err != nil {
		return repair, err
	}
	return repair, c.write(f, end.head, values)
}

// write adds the lines behind h, and then says so in the head file: a log may
// hold more than its head knows, never less.
func (c Chain) write(f *os.File, h head, values []any) error {
	var lines bytes.Buffer
	from, isFirst := h.Size, h == head{}
	for _, v := range values {
		line, err := linked(h.Last, v)
		if err != nil {
			return err
		}
		lines.Write(line)
		h = head{Count: h.Count + 1, Size: h.Size + int64(len(line)), Last: hashLine(line[:len(line)-1])}
	}
	if isFirst { // so that lines without a head file are never what a crash left
		if err := c.writeHead(head{}); err != nil {
			return err
		}
	}
	if _, err := f.WriteAt(lines.Bytes(), from); err != nil {
		return errors.Join(err, f.Truncate(from))
	}
	return c.writeHead(h)
}

// setAside moves a torn line to the end of a file beside the log.
func (c Chain) setAside(f *os.File, end end) (*Repair, error) {
	torn := make([]byte, end.torn, end.torn+1)
	if _, err := f.ReadAt(torn, end.Size); err != nil {
		return nil, err
	}
	repair := &Repair{Bytes: len(torn), Kept: c.Path + ".torn", Counted: end.counted}
	aside, err := state.OpenFile(repair.Kept, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	_, err = aside.Write(append(torn, '\n'))
	if err := errors.Join(err, aside.Close()); err != nil {
		return nil, err
	}
	return repair, f.Truncate(end.Size)
}

func hashLine(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// tailSize is how much of the end of a log is looked at first, in bytes.
const tailSize = 4 << 10

// lastLine is the last whole line of the first size bytes, nil where there is
// none, and where the next one goes.
func lastLine(f *os.File, size int64) (line []byte, end int64, err error) {
	for length := int64(tailSize); ; length *= 2 {
		start := max(size-length, 0)
		tail := make([]byte, size-start)
		if _, err := f.ReadAt(tail, start); err != nil && !errors.Is(err, io.EOF) {
			return nil, 0, err
		}
		i := bytes.LastIndexByte(tail, '\n')
		before := bytes.LastIndexByte(tail[:max(i, 0)], '\n')
		switch {
		case i < 0 && start == 0:
			return nil, 0, nil
		case i >= 0 && (before >= 0 || start == 0):
			return tail[before+1 : i], start + int64(i) + 1, nil
		}
	}
}

// each calls use with every whole line. A line that does not follow from the one
// before is an error that says which one it is.
func (c Chain) each(use func(line []byte) error) error {
	data, err := state.ReadFile(c.Path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	last := ""
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		if !whole {
			return nil
		}
		if fault := follows(n, line, last); fault != nil {
			return fmt.Errorf("%s:%d: %s", c.Path, n, fault.Reason)
		}
		if err := use(line); err != nil {
			return fmt.Errorf("%s:%d: %w", c.Path, n, err)
		}
		data, last = rest, hashLine(line)
	}
}
