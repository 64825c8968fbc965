package heartbeat

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo/state"
)

// Path is where the file lies, at the top of the work tree.
const Path = "HEARTBEAT.md"

// ErrNoFile is a work tree without the file.
var ErrNoFile = errors.New("there is no " +
	Path + " at the top of the work tree; begin one with the line «## Tasks» and, below it, - [ ] id | description | " +
	"required | verify: hint")

// Read reads the file of a work tree, as it stands there.
func Read(top string) (*parser.Heartbeat, error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	f, err := state.OpenIn(root, Path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNoFile
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, parser.MaxHeartbeat+1)) // what is longer is not read, and said
	if err != nil {
		return nil, err
	}
	return parser.ParseHeartbeat(data), nil
}

// fingerprint is the SHA-256 of a file, in hex.
func fingerprint(h *parser.Heartbeat) string {
	sum := sha256.Sum256([]byte(h.String()))
	return hex.EncodeToString(sum[:])
}

// required reports whether a task must be done. An actor whose score has fallen far has no optional tasks.
func required(t *parser.Task, allRequired bool) bool { return allRequired || !t.Optional }

// Next is the task to do: of those whose box is open the first that is required,
// else the first; nil where every box is checked.
func Next(h *parser.Heartbeat, allRequired bool) *parser.Task {
	open := func(t parser.Task) bool { return !t.Checked }
	i := slices.IndexFunc(h.Tasks, func(t parser.Task) bool { return open(t) && required(&t, allRequired) })
	if i < 0 {
		i = slices.IndexFunc(h.Tasks, open)
	}
	if i < 0 {
		return nil
	}
	return &h.Tasks[i]
}
