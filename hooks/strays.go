package hooks

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gofrs/flock"
)

// isStray reports whether a file is a temporary one of install's: a dot, the name that it would have got, and a
// number.
func isStray(name string) bool {
	base := strings.TrimRight(name, "0123456789")
	if base == name || !strings.HasPrefix(base, ".") {
		return false
	}
	_, point := pointNamed(base[1:])
	return point || slices.Contains(otherHooks[:], base[1:])
}

// removeStrays removes the temporary files that a killed installation has left in the folder, and the links to them in
// keptDir. Whoever calls it holds the lock, or takes away what another is writing.
func (d folder) removeStrays() error {
	for _, dir := range []string{string(d), d.path(keptDir)} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // no folder, no strays; who needs it says what is wrong with it
		}
		for _, e := range entries {
			if !isStray(e.Name()) || e.IsDir() {
				continue
			}
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// lock keeps other installations out of the folder until the function that it returns is called.
// Where a folder cannot be locked nothing does: two at once are rare, and each can be called again.
func (d folder) lock() (unlock func()) {
	if runtime.GOOS == "windows" { // opens no folder
		return func() {}
	}
	l := flock.New(string(d), flock.SetFlag(os.O_RDONLY))
	if err := l.Lock(); err != nil {
		return func() {}
	}
	return func() { _ = l.Unlock() }
}
