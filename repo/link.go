package repo

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// OutsideLinkError means that a symbolic link in the path leads out of the folder.
type OutsideLinkError struct {
	// Path is relative to the folder, and Link is the part of it that is the link; both with forward slashes.
	Path, Link string
	To         string
}

// Error says where the link leads, and what to do.
func (e *OutsideLinkError) Error() string {
	return fmt.Sprintf(
		"acta writes nothing to %s: %s is a symbolic link to %s, and acta follows only relative links that stay inside; "+
			"remove the link, and put a file or folder in its place", e.Path, e.Link, e.To)
}

// CheckInside returns an *OutsideLinkError if a symbolic link leads the path out of the folder. Call it before anything
// is written: git stores links, so a clone may bring one that leads anywhere. A relative link that stays in the folder
// is followed; a missing path is inside.
func CheckInside(dir, path string) error {
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
		return &OutsideLinkError{Path: path, Link: filepath.ToSlash(name[:i]), To: cmp.Or(to, written)}
	}
	return refused
}

// checkStateLinks is CheckInside for acta's folder in a git directory and for everything in it, two folders deep.
func checkStateLinks(commonDir string) error {
	const state, folders = "acta", 2
	if info, err := os.Lstat(filepath.Join(commonDir, state)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if err := CheckInside(commonDir, state); err != nil {
			return fmt.Errorf("%s: %w", commonDir, err)
		}
	}
	return checkLinks(commonDir, state, folders)
}

// checkLinks is CheckInside for the links in a folder and in so many levels below it.
func checkLinks(commonDir, folder string, folders int) error {
	if folders == 0 {
		return nil
	}
	entries, _ := os.ReadDir(filepath.Join(commonDir, folder)) // an unreadable folder is reported when it is used
	for _, e := range entries {
		path, isLink := folder+"/"+e.Name(), e.Type()&fs.ModeSymlink != 0
		if isLink {
			if err := CheckInside(commonDir, path); err != nil {
				return fmt.Errorf("%s: %w", commonDir, err)
			}
		}
		if isLink || e.IsDir() {
			if err := checkLinks(commonDir, path, folders-1); err != nil {
				return err
			}
		}
	}
	return nil
}
