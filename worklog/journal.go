package worklog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// journal is a file of JSON objects, a line each, to which lines are only ever
// added. Each line carries the hash of the one before it, so that a line that was
// changed or taken out shows, short of a rewrite of all that follow.
type journal struct{ path string }

// link is what every line begins with: the SHA-256 of the line before, in hex, ""
// in the first.
type link struct {
	Previous string `json:"previous"`
}

const (
	// lockWait bounds how long a hook waits for another writer, which holds the lock for about a millisecond.
	lockWait = 2 * time.Second
	// lockRetry is the time between two attempts.
	lockRetry = 5 * time.Millisecond
)

// append adds a line for each of the entries, all of them or none, under a lock
// that other processes heed. The folder is made when it is missing.
func (j journal) append(ctx context.Context, entries ...entry) (err error) {
	if err := os.MkdirAll(filepath.Dir(j.path), 0o777); err != nil {
		return err
	}
	unlock, err := j.lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	f, err := os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	last, end, err := lastLine(f)
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	for _, e := range entries {
		line, err := json.Marshal(e.after(link{hashLine(last)}))
		if err != nil {
			return err
		}
		lines.Write(append(line, '\n'))
		last = line
	}
	// What a crash left of a line is overwritten.
	if _, err := f.WriteAt(lines.Bytes(), end); err != nil {
		return errors.Join(err, f.Truncate(end))
	}
	return f.Truncate(end + int64(lines.Len()))
}

// entry is a line that is to be written.
type entry interface {
	// after is the line as it follows another.
	after(link) any
}

func (j journal) lock(ctx context.Context) (unlock func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock := flock.New(j.path + ".lock")
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return nil, fmt.Errorf("%s is locked by another process: %w", j.path, err)
	}
	return lock.Unlock, nil
}

func hashLine(line []byte) string {
	if line == nil {
		return ""
	}
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// tailSize is how much of the end of a journal is looked at first, in bytes.
const tailSize = 4 << 10

// lastLine is the last whole line, nil where there is none, and where the next one goes.
func lastLine(f *os.File) (line []byte, end int64, err error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, err
	}
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
	var last []byte
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		if !whole {
			return nil
		}
		var l link
		if err := json.Unmarshal(line, &l); err != nil {
			return fmt.Errorf("%s:%d: %w", j.path, n, err)
		}
		if l.Previous != hashLine(last) {
			return fmt.Errorf("%s:%d: the line does not follow from the one before it: the file was edited", j.path, n)
		}
		if err := use(line); err != nil {
			return fmt.Errorf("%s:%d: %w", j.path, n, err)
		}
		data, last = rest, line
	}
}
