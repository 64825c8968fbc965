package hooks

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/acta-git/acta/repo/state"
)

const (
	// savedDir is the folder of the hooks that were there before acta. They keep their names, since some hooks read
	// their own name.
	savedDir = "before-acta"
	// legacy is the suffix with which the pre-commit framework renames an existing hook, which it then runs first.
	legacy = ".legacy"
	// lefthookOld is the suffix with which lefthook renames an existing hook, which it then does not run.
	lefthookOld = ".old"
)

// Action is a step that was done, or is left to the user.
type Action struct {
	Path, Note string
}

type folder string

func (d folder) path(name string) string      { return filepath.Join(string(d), name) }
func (d folder) savedPath(name string) string { return filepath.Join(string(d), savedDir, name) }

// ourScript is acta's script of a hook: at its name, or where the pre-commit framework has moved it; "" for none.
func (d folder) ourScript(name string) (string, error) {
	for _, path := range []string{d.path(name), d.path(name) + legacy} {
		ours, err := isOurs(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if ours {
			return path, nil
		}
	}
	return "", nil
}

// ourScripts are all paths of acta's script of a hook, including the one to which lefthook moves it.
func (d folder) ourScripts(name string) ([]string, error) {
	path, err := d.ourScript(name)
	if err != nil {
		return nil, err
	}
	var all []string
	if path != "" {
		all = []string{path}
	}
	if moved, _ := isOurs(d.path(name) + lefthookOld); moved {
		all = append(all, d.path(name)+lefthookOld)
	}
	return all, nil
}

func (d folder) hasOurs() bool {
	return slices.ContainsFunc(Points(), func(p Point) bool {
		all, err := d.ourScripts(p.Name)
		return err == nil && all != nil
	})
}

// install writes scripts; other hooks are saved, and will run first. If one script cannot be placed, the new ones are
// removed again.
func (d folder) install(scripts []script) (done []Action, err error) {
	if err := os.MkdirAll(string(d), 0o777); err != nil {
		return nil, err
	}
	defer d.lock()()
	if err := d.removeStrays(); err != nil {
		return nil, err
	}
	_, errKept := os.Lstat(d.path(savedDir))
	var added []string // the hooks at which acta had no script
	for _, s := range scripts {
		actions, isNew, errPlace := d.place(s)
		if isNew {
			added = append(added, s.Name)
		}
		if done, err = append(done, actions...), errPlace; err != nil {
			break
		}
	}
	if err == nil {
		err = d.linkSiblings()
	}
	if err != nil {
		return nil, errors.Join(err, d.undo(added, errKept != nil), d.removeStrays())
	}
	return done, nil
}

// place writes a script by a rename, after it has saved the hook that is there; isNew: acta had no script there.
func (d folder) place(s script) (done []Action, isNew bool, err error) {
	text, err := s.text()
	if err != nil {
		return nil, false, err
	}
	path, err := d.ourScript(s.Name)
	if err != nil {
		return nil, false, err
	}
	if old, err := state.ReadFile(path); err == nil && string(old) == text && isExecutable(path) {
		return []Action{{path, "installed already"}}, false, nil
	}
	if isNew = path == ""; isNew {
		path = d.path(s.Name)
		if _, err := os.Lstat(path); err == nil && s.SavedHook != savedBeside {
			return nil, true, fmt.Errorf("acta did not write %s; move it away and install again", path)
		} else if err == nil {
			if err := d.save(s.Name, path); err != nil {
				return nil, true, err
			}
			done = []Action{{d.savedPath(s.Name), "kept the hook that was here; it runs first"}}
		}
	}
	f, err := os.CreateTemp(string(d), "."+s.Name)
	if err != nil {
		return nil, isNew, err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close(), os.Chmod(f.Name(), 0o755)); err == nil {
		err = os.Rename(f.Name(), path)
	}
	return append(done, Action{path, "installed"}), isNew, err
}

// undo removes new scripts, and with isNew the folder of saved hooks.
func (d folder) undo(added []string, isNew bool) (err error) {
	for _, name := range added {
		if ours, _ := isOurs(d.path(name)); ours || d.isHalfDone(name) {
			_, failed := d.restore(name, d.path(name))
			err = errors.Join(err, failed)
		}
	}
	if isNew {
		err = errors.Join(err, d.unlinkSiblings())
	}
	return err
}

// save gives a hook a second name in savedDir; the script then takes the first one. So there is a hook at every moment.
func (d folder) save(name, from string) error {
	if d.isSavedCopy(name) {
		return nil // an earlier installation was killed in between
	}
	if _, err := os.Lstat(d.savedPath(name)); err == nil {
		return fmt.Errorf("acta did not write %s, and an earlier installation left %s; merge the two by hand, "+
			"remove one, and install again", from, d.savedPath(name))
	}
	if err := os.MkdirAll(filepath.Dir(d.savedPath(name)), 0o777); err != nil {
		return err
	}
	if target, err := os.Readlink(from); err == nil {
		return os.Symlink(cmp.Or(linkFromSaved(from), target), d.savedPath(name))
	}
	if os.Link(from, d.savedPath(name)) == nil {
		return nil
	}
	return os.Rename(from, d.savedPath(name)) // a file system without hard links
}

func (d folder) isSavedCopy(name string) bool {
	at, errAt := os.Lstat(d.path(name))
	kept, errKept := os.Lstat(d.savedPath(name))
	if errAt != nil || errKept != nil {
		return false
	}
	to, _ := os.Readlink(d.path(name))
	toKept, err := os.Readlink(d.savedPath(name))
	return os.SameFile(at, kept) || err == nil && toKept == cmp.Or(linkFromSaved(d.path(name)), to)
}

// linkSiblings links the files beside the hooks into savedDir, for saved hooks that need them: husky's old hooks need
// husky.sh, the pre-commit framework's the hook that it found.
func (d folder) linkSiblings() error {
	if _, err := os.Stat(d.path(savedDir)); err != nil {
		return nil
	}
	entries, err := os.ReadDir(string(d))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if _, point := pointNamed(name); point || name == savedDir || strings.HasSuffix(name, ".sample") {
			continue
		}
		if ours, err := isOurs(d.path(name)); err != nil || ours {
			continue
		}
		if err := os.Symlink(sibling(name), d.savedPath(name)); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

func sibling(name string) string { return filepath.Join("..", name) }

// uninstall removes acta's scripts, restores the saved hooks, and adds to what was done.
func (d folder) uninstall(done []Action) ([]Action, error) {
	defer d.lock()()
	if err := d.removeStrays(); err != nil {
		return done, err
	}
	for _, p := range Points() {
		all, err := d.ourScripts(p.Name)
		if err != nil {
			return done, err
		}
		if all == nil && d.isHalfDone(p.Name) {
			all = []string{d.path(p.Name)}
		}
		if all == nil {
			if _, err := os.Lstat(d.path(p.Name)); err == nil {
				done = append(done, Action{d.path(p.Name), "left alone: acta did not write it"})
			}
		}
		for _, path := range all {
			action, err := d.restore(p.Name, path)
			if err != nil {
				return done, err
			}
			done = append(done, action)
		}
	}
	if err := d.unlinkSiblings(); err != nil {
		return done, err
	}
	if info, err := os.Lstat(string(d)); err != nil || !info.IsDir() {
		return done, nil // a linked folder belongs to somebody else
	}
	if entries, err := os.ReadDir(string(d)); err == nil && len(entries) == 0 {
		return append(done, Action{string(d), "removed: it was empty"}), os.Remove(string(d))
	}
	return done, nil
}

func (d folder) restore(name, path string) (Action, error) {
	kept := d.savedPath(name)
	if _, err := os.Lstat(kept); err != nil {
		return Action{path, "removed"}, os.Remove(path)
	}
	if path != d.path(name) && isPreCommit(kept) {
		// The framework was installed again since, and its newer hook is in place.
		return Action{path, "removed"}, errors.Join(os.Remove(kept), os.Remove(path))
	}
	if path == d.path(name) && d.isSavedCopy(name) {
		return Action{path, "put back as it was"}, os.Remove(kept)
	}
	return Action{path, "put back as it was"}, moveBack(kept, path)
}

func (d folder) unlinkSiblings() error {
	entries, err := os.ReadDir(d.path(savedDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	left := 0
	for _, e := range entries {
		if to, err := os.Readlink(d.savedPath(e.Name())); err != nil || to != sibling(e.Name()) {
			left++
			continue
		}
		if err := os.Remove(d.savedPath(e.Name())); err != nil {
			return err
		}
	}
	if left > 0 {
		return nil // the hook of a script that somebody replaced
	}
	return os.Remove(d.path(savedDir))
}

// linkFromSaved is the target of a relative link as seen from savedDir; "" for other files, and for links to another
// hook, which must name that hook as it was.
func linkFromSaved(from string) string {
	target, err := os.Readlink(from)
	if _, point := pointNamed(target); err != nil || filepath.IsAbs(target) || point {
		return ""
	}
	return filepath.Join("..", target)
}

// moveBack undoes save, replacing the file at to.
func moveBack(from, to string) error {
	target, err := os.Readlink(from)
	up := ".." + string(filepath.Separator)
	if err != nil || !strings.HasPrefix(target, up) {
		return os.Rename(from, to)
	}
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Symlink(strings.TrimPrefix(target, up), to); err != nil {
		return err
	}
	return os.Remove(from)
}

// isHalfDone reports whether an installation was killed between two steps: a hook is saved, and nothing runs it.
func (d folder) isHalfDone(name string) bool {
	if _, err := os.Lstat(d.savedPath(name)); err != nil {
		return false
	}
	if _, err := os.Lstat(d.path(name)); errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return d.isSavedCopy(name)
}

func isOurs(path string) (bool, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return false, nil // acta writes no links
	}
	data, err := state.ReadFile(path)
	return hasMarker(data), err
}

// hasMarker reports whether the second line, after #!/bin/sh, begins with the marker.
func hasMarker(data []byte) bool {
	_, rest, _ := bytes.Cut(data, []byte("\n"))
	return bytes.HasPrefix(rest, []byte(marker))
}

func isPreCommit(path string) bool { return contains(path, "hook-impl") }

// contains reports whether a file can be read and has a text in it.
func contains(path, text string) bool {
	data, err := state.ReadFile(path)
	return err == nil && bytes.Contains(data, []byte(text))
}

// isExecutable reports whether git would run a file. Windows has no executable bit: git runs every file.
func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

func scripts(binary string, source hookSource, sets ...Set) []script {
	var out []script
	for _, p := range Points() {
		if slices.Contains(sets, p.Set) {
			out = append(out, script{Point: p, SavedHook: source, Binary: binary})
		}
	}
	return out
}
