package repo

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// LeavesError is a path below a folder that a symbolic link leads elsewhere.
type LeavesError struct {
	// Path is what was asked for, relative to the folder, and Link the part of it that is the link; with forward slashes.
	Path, Link string
	// To is where the link leads.
	To string
}

// Error says where the link leads, and what to do.
func (e *LeavesError) Error() string {
	return fmt.Sprintf(
		"acta writes nothing to %s: %s is a symbolic link to %s, and only a relative link that stays inside is followed; "+
			"remove the link, and put a file or folder in its place", e.Path, e.Link, e.To)
}

// CheckStaysIn returns a *LeavesError if a path below a folder leaves it through a symbolic link. Call it before
// anything is written there: git stores a link and not what is behind it, so a clone may bring one that leads anywhere.
// A relative link that stays in the folder is followed, and what does not exist leads nowhere.
func CheckStaysIn(dir, path string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	name := filepath.FromSlash(path)
	_, refused := root.Stat(name)
	if refused == nil || errors.Is(refused, fs.ErrNotExist) {
		return nil
	}
	for i := range len(name) + 1 {
		if i < len(name) && !os.IsPathSeparator(name[i]) {
			continue
		}
		info, err := root.Lstat(name[:i])
		if err != nil {
			break
		}
		if _, err := root.Stat(name[:i]); info.Mode()&fs.ModeSymlink == 0 || err == nil || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		written, _ := root.Readlink(name[:i])
		to, _ := filepath.EvalSymlinks(filepath.Join(dir, name[:i]))
		return &LeavesError{Path: path, Link: filepath.ToSlash(name[:i]), To: cmp.Or(to, written)}
	}
	return refused
}

// stateStays is StaysIn for acta's own folder in a git directory, and for all that lies in it and in its folders:
// nothing of the state lies deeper.
func stateStays(commonDir string) error {
	const state, folders = "acta", 2
	if info, err := os.Lstat(filepath.Join(commonDir, state)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if err := CheckStaysIn(commonDir, state); err != nil {
			return fmt.Errorf("%s: %w", commonDir, err)
		}
	}
	return linksStay(commonDir, state, folders)
}

// linksStay is StaysIn for the links in a folder and in the folders below it, as many deep as are said.
func linksStay(commonDir, folder string, folders int) error {
	if folders == 0 {
		return nil
	}
	entries, _ := os.ReadDir(filepath.Join(commonDir, folder)) // one that cannot be read is for whoever needs it to tell
	for _, e := range entries {
		path, isLink := folder+"/"+e.Name(), e.Type()&fs.ModeSymlink != 0
		if isLink {
			if err := CheckStaysIn(commonDir, path); err != nil {
				return fmt.Errorf("%s: %w", commonDir, err)
			}
		}
		if isLink || e.IsDir() {
			if err := linksStay(commonDir, path, folders-1); err != nil {
				return err
			}
		}
	}
	return nil
}
