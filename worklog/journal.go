package worklog

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
	"time"

	"github.com/acta-git/acta/localstate"
)

// journal is a log: see the package's comment.
type journal struct {
	path string
	// mended makes the line that says of a repair; nil where the log keeps no such lines.
	mended func(Tear) entry
	// wait bounds the wait for another writer; 0 is lockWait.
	wait time.Duration
	// alive is asked under the lock, before a line is added; nil where the log is never taken away.
	alive func() error
}

// link is what every line begins with: the SHA-256 of the whole line before, its
// line break left out, in hex; "" in the first.
type link struct {
	Prev string `json:"prev"`
}

// entry is a line that is to be written.
type entry interface {
	// after is the line as it follows another.
	after(link) any
}

// Tear is a last line that a crash left unfinished, and that an append has moved
// out of the log.
type Tear struct {
	// Bytes is how much of the line there was.
	Bytes int
	// Kept is the file in which it is kept.
	Kept string
	// Counted: the line had been whole once, and was cut; the log then counts as broken.
	Counted bool
}

// String says what happened, for who reads warnings.
func (t *Tear) String() string {
	if t.Counted {
		return fmt.Sprintf("the last line of the log had been whole, and was cut (%d bytes are left, kept in %s); run `acta audit verify`", t.Bytes, t.Kept)
	}
	return fmt.Sprintf("the last line of the log was torn (%d bytes); it is kept in %s", t.Bytes, t.Kept)
}

// append adds a line for each of the entries under a lock that other processes
// heed. The folder is made when it is missing. Killed at any instant it leaves a log
// that the next append mends: what it left of a line goes to a file of its own,
// which the Tear names, and nothing else is lost.
func (j journal) append(ctx context.Context, entries ...entry) (tear *Tear, err error) {
	return j.appendMade(ctx, func() ([]entry, error) { return entries, nil })
}

// appendMade is append of entries that are made under the lock.
func (j journal) appendMade(ctx context.Context, made func() ([]entry, error)) (tear *Tear, err error) {
	if err := os.MkdirAll(filepath.Dir(j.path), 0o777); err != nil {
		return nil, err
	}
	unlock, err := localstate.Lock(ctx, j.path, cmp.Or(j.wait, localstate.LockWait))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if j.alive != nil {
		if err := j.alive(); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	end, err := j.end(f)
	if err != nil {
		return nil, err
	}
	entries, err := made()
	if err != nil {
		return nil, err
	}
	if end.torn > 0 {
		if tear, err = j.setAside(f, end); err != nil {
			return nil, err
		}
		if j.mended != nil {
			entries = append([]entry{j.mended(*tear)}, entries...)
		}
	}
	return tear, j.write(f, end.head, entries)
}

// write adds the lines behind h, and then says so in the head file: a log may
// hold more than its head knows, never less.
func (j journal) write(f *os.File, h head, entries []entry) error {
	var lines bytes.Buffer
	from, isFirst := h.Size, h == head{}
	for _, e := range entries {
		line, err := localstate.Line(e.after(link{h.Last}))
		if err != nil {
			return err
		}
		lines.Write(line)
		h = head{Count: h.Count + 1, Size: h.Size + int64(len(line)), Last: hashLine(line[:len(line)-1])}
	}
	if isFirst { // so that lines without a head file are never what a crash left
		if err := j.writeHead(head{}); err != nil {
			return err
		}
	}
	if _, err := f.WriteAt(lines.Bytes(), from); err != nil {
		return errors.Join(err, f.Truncate(from))
	}
	return j.writeHead(h)
}

// setAside moves a torn line to the end of a file beside the log.
func (j journal) setAside(f *os.File, end end) (*Tear, error) {
	torn := make([]byte, end.torn, end.torn+1)
	if _, err := f.ReadAt(torn, end.Size); err != nil {
		return nil, err
	}
	tear := &Tear{Bytes: len(torn), Kept: j.path + ".torn", Counted: end.counted}
	aside, err := os.OpenFile(tear.Kept, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	_, err = aside.Write(append(torn, '\n'))
	if err := errors.Join(err, aside.Close()); err != nil {
		return nil, err
	}
	return tear, f.Truncate(end.Size)
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
func (j journal) each(use func(line []byte) error) error {
	data, err := os.ReadFile(j.path)
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
			return fmt.Errorf("%s:%d: %s", j.path, n, fault.Reason)
		}
		if err := use(line); err != nil {
			return fmt.Errorf("%s:%d: %w", j.path, n, err)
		}
		data, last = rest, hashLine(line)
	}
}
