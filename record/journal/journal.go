// Package journal keeps the chained logs of a repository's local state: events, audit entries, verdicts on heartbeat
// tasks, votes, and rewritten commits. Entries go in; the lines of a log come out, with the place where somebody
// changed it. It fails open: a caller that cannot write warns, and the work goes on.
//
// A log is a file of JSON objects, one a line, to which lines are only added. Each line carries the hash of the line
// before. A head file beside the log names the last line. So edited, removed or moved lines show, and so does a missing
// end. It does not show if somebody rewrites log and head together.
//
// It knows nothing of the meaning of entries, and must never import a package that writes them.
package journal

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/repo/state"
)

// Chain is a log of JSON lines of any kind: see the package's comment.
type Chain struct {
	Path string
	// Wait bounds the wait for another writer; 0 is state.LockWait.
	Wait time.Duration
	// Markers are files; the log counts as removed when all of them are missing. Without markers it never does.
	Markers []string
}

// ErrRemoved means that the log was removed, so nobody would read an added line.
var ErrRemoved = errors.New("the log was taken away")

// isRemoved must be called under the lock.
func (c Chain) isRemoved() bool {
	isThere := func(file string) bool {
		_, err := os.Lstat(file)
		return !errors.Is(err, os.ErrNotExist)
	}
	return len(c.Markers) > 0 && !slices.ContainsFunc(c.Markers, isThere)
}

// link is the beginning of every line: the SHA-256 of the line before, without its line feed, in hex; "" in the first.
type link struct {
	Prev string `json:"prev"`
}

// linkedLine is the line of a value, an object with at least one key, after a line with this hash.
func linkedLine(prev string, value any) ([]byte, error) {
	line, err := state.JSONLine(value)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(`{"prev":"`+prev+`",`), line[1:]), nil
}

// repair is an unfinished last line that a crash left, and that an append moved out of the log.
type repair struct {
	bytes int
	file  string
	// wasWhole: the head file counts the line as whole; the log then counts as broken.
	wasWhole bool
}

func (t *repair) String() string {
	if t.wasWhole {
		return fmt.Sprintf("the last line of the log was whole before and is truncated now (its %d bytes are in %s); "+
			"run `acta audit verify`", t.bytes, t.file)
	}
	return fmt.Sprintf("the last line of the log was torn (%d bytes); it is now in %s", t.bytes, t.file)
}

// Append adds lines that create makes under a lock that all processes respect. It makes a missing folder. If it is
// killed, it leaves a log that the next append repairs: that moves a torn line to a file of its own, which a warning
// names, even beside an error. Nothing else is lost. A removed log is ErrRemoved.
func (c Chain) Append(ctx context.Context, create func() ([]any, error)) (warnings []string, err error) {
	return c.append(ctx, func(*repair) ([]any, error) { return create() })
}

func (c Chain) append(
	ctx context.Context, create func(*repair) ([]any, error),
) (warnings []string, err error) {
	unlock, err := state.Lock(ctx, c.Path, cmp.Or(c.Wait, state.LockWait))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if c.isRemoved() {
		return nil, ErrRemoved
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
	var torn *repair
	if end.torn > 0 {
		if torn, err = c.moveTorn(f, end); err != nil {
			return nil, err
		}
		warnings = []string{torn.String()}
	}
	values, err := create(torn)
	if err != nil {
		return warnings, err
	}
	return warnings, c.write(f, end.head, values)
}

// write adds the lines after h, and then updates the head file: a log may hold more lines than its head counts, never
// less.
func (c Chain) write(f *os.File, h head, values []any) error {
	var lines bytes.Buffer
	from, isFirst := h.Size, h == head{}
	for _, v := range values {
		line, err := linkedLine(h.Last, v)
		if err != nil {
			return err
		}
		lines.Write(line)
		h = head{Count: h.Count + 1, Size: h.Size + int64(len(line)), Last: hashLine(line[:len(line)-1])}
	}
	if isFirst { // a crash then leaves no lines without a head file
		if err := c.writeHead(head{}); err != nil {
			return err
		}
	}
	if _, err := f.WriteAt(lines.Bytes(), from); err != nil {
		return errors.Join(err, f.Truncate(from))
	}
	return c.writeHead(h)
}

func (c Chain) moveTorn(f *os.File, end logEnd) (*repair, error) {
	torn := make([]byte, end.torn, end.torn+1)
	if _, err := f.ReadAt(torn, end.Size); err != nil {
		return nil, err
	}
	moved := &repair{bytes: len(torn), file: c.Path + ".torn", wasWhole: end.wasWhole}
	aside, err := state.OpenFile(moved.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	_, err = aside.Write(append(torn, '\n'))
	if err := errors.Join(err, aside.Close()); err != nil {
		return nil, err
	}
	return moved, f.Truncate(end.Size)
}

func hashLine(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

const tailSize = 4 << 10

// lastLine is the last whole line of the first size bytes, nil if there is none, and the offset after it.
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

// Lines are the whole lines of a log, without their line feeds.
func Lines(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(data) {
			if text, whole := bytes.CutSuffix(line, []byte{'\n'}); whole && !yield(text) {
				return
			}
		}
	}
}

// head says how a log ends. Its file is replaced by a rename after the lines are written. Lines after that end come
// from an append that was killed.
type head struct {
	// Count is the number of lines, Size that of their bytes.
	Count int   `json:"count"`
	Size  int64 `json:"size"`
	// Last is the hash of the last line; "" for none.
	Last string `json:"last"`
}

var errNoHead = errors.New("there is no head file")

func (c Chain) headFile() string { return c.Path + ".head" }

// readHead reads the head file. If it is missing or unreadable, the error wraps errNoHead.
func (c Chain) readHead() (head, error) {
	var h head
	data, err := state.ReadFile(c.headFile())
	if errors.Is(err, os.ErrNotExist) {
		return h, errNoHead
	}
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(data, &h); err != nil {
		return head{}, fmt.Errorf("%w that can be read: %s: %w", errNoHead, c.headFile(), err)
	}
	return h, nil
}

func (c Chain) writeHead(h head) error {
	data, err := state.JSONLine(h)
	if err != nil {
		return err
	}
	return state.Replace(c.headFile(), data)
}

// removeStrayHeads removes new head files that were never renamed: the lock is free, so their writer was killed.
func removeStrayHeads(dir string) error {
	files, err := os.ReadDir(dir) // no glob: the folder's name could contain its special characters
	for _, file := range files {
		log, stray := strings.CutSuffix(filepath.Join(dir, file.Name()), ".head.new")
		if !stray {
			continue
		}
		if unlock, errLock := state.TryLock(log); errLock == nil && unlock != nil {
			err = errors.Join(err, state.Remove(log+".head.new"), unlock())
		}
	}
	return err
}

type logEnd struct {
	// head is the head that the log confirms. If log and head file disagree, Last is that of the head file, or "": the
	// next line then breaks the chain, which shows the manipulation for good.
	head
	// torn is the length of the bytes after the last whole line; wasWhole: the head file counts them as a line, so no
	// crash left them.
	torn     int64
	wasWhole bool
}

// end finds out where the next line goes, from the last lines alone.
func (c Chain) end(f *os.File) (logEnd, error) {
	info, err := f.Stat()
	if err != nil {
		return logEnd{}, err
	}
	line, size, err := lastLine(f, info.Size())
	if err != nil {
		return logEnd{}, err
	}
	last := ""
	if line != nil {
		last = hashLine(line)
	}
	e := logEnd{torn: info.Size() - size}
	e.head, err = c.readHead()
	switch {
	case errors.Is(err, errNoHead): // the first line of a log, or its head was removed
	case err != nil:
		return logEnd{}, err
	case size > e.Size:
		more, err := e.linesAfter(f, size)
		if err != nil {
			return logEnd{}, err
		}
		if more > 0 {
			e.head = head{Count: e.Count + more, Last: last}
		}
	default:
		e.wasWhole = size < e.Size && e.torn > 0
	}
	e.Size = size
	return e, nil
}

// linesAfter counts the lines between the head's end and the log's end; 0 if the log does not match the head up to
// there.
func (h head) linesAfter(f *os.File, size int64) (int, error) {
	line, at, err := lastLine(f, h.Size)
	if err != nil || at != h.Size || (line != nil && hashLine(line) != h.Last) {
		return 0, err
	}
	behind := make([]byte, size-h.Size)
	if _, err := f.ReadAt(behind, h.Size); err != nil {
		return 0, err
	}
	return bytes.Count(behind, []byte{'\n'}), nil
}
