package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/repo/state"
)

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
