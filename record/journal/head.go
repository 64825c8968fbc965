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

// head says how a log ends. It lies in a file beside the log and is written after
// the lines that it counts, whole, by a rename. What stands behind its end in the
// log is of an append that was killed.
type head struct {
	// Count is the number of lines, Size that of their bytes.
	Count int   `json:"count"`
	Size  int64 `json:"size"`
	// Last is the hash of the last line; "" where there is none.
	Last string `json:"last"`
}

// errNoHead is a log without a readable head file.
var errNoHead = errors.New("there is no head file")

func (c Chain) headFile() string { return c.Path + ".head" }

// readHead reads the head file. One that is missing, or does not read as one, is
// an error that wraps errNoHead.
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

// removeStrayHeads removes new head files that were never put in their place: whoever wrote them was killed, since
// the lock of the log is free.
func removeStrayHeads(dir string) error {
	files, err := os.ReadDir(dir) // no pattern, which a folder's name would be part of
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

// end is where the next line of a log goes.
type end struct {
	// head is the head as the log bears it out. Where the two disagree, Last is what the head file says, or "": the
	// next line then does not follow from the one before it in the log, which shows for good what was done to it.
	head
	// torn is the length of what stands behind the last whole line; counted says that the head file counts it as a
	// line, so that no crash of acta's left it.
	torn    int64
	counted bool
}

// end finds out where the next line goes, from the last lines alone, however long the log is.
func (c Chain) end(f *os.File) (end, error) {
	info, err := f.Stat()
	if err != nil {
		return end{}, err
	}
	line, size, err := lastLine(f, info.Size())
	if err != nil {
		return end{}, err
	}
	last := ""
	if line != nil {
		last = hashLine(line)
	}
	e := end{torn: info.Size() - size}
	e.head, err = c.readHead()
	switch {
	case errors.Is(err, errNoHead): // the first line of a log, or one whose head was taken away
	case err != nil:
		return end{}, err
	case size > e.Size:
		more, err := e.linesBehind(f, size)
		if err != nil {
			return end{}, err
		}
		if more > 0 {
			e.head = head{Count: e.Count + more, Last: last}
		}
	default:
		e.counted = size < e.Size && e.torn > 0
	}
	e.Size = size
	return e, nil
}

// linesBehind counts the lines between the end that the head names and the end of
// the log. It is 0 where the log is not the head's up to there.
func (h head) linesBehind(f *os.File, size int64) (int, error) {
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
