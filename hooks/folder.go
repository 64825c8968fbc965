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

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2/maybe"

	"github.com/acta-git/acta/repo/state"
)

const (
	// keptDir is the folder beside the hooks where hooks are kept that were there
	// before. They keep their names, since some find out from it which hook they are.
	keptDir = "before-acta"
	// legacy is what the pre-commit framework appends to the name of a hook that it
	// finds, which it then runs first.
	legacy = ".legacy"
)

// Action is one thing that was done, or is left to do.
type Action struct {
	Path, Did string
}

// folder is a folder of hooks.
type folder string

func (d folder) path(name string) string { return filepath.Join(string(d), name) }
func (d folder) kept(name string) string { return filepath.Join(string(d), keptDir, name) }

// ours is where acta's script of a hook is: at the hook's name, or where the
// pre-commit framework has moved it. "" when there is none.
func (d folder) ours(name string) (string, error) {
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

// hasOurs reports whether there is a hook of acta's.
func (d folder) hasOurs() bool {
	return slices.ContainsFunc(Points(), func(p Point) bool {
		path, err := d.ours(p.Name)
		return err == nil && path != ""
	})
}

// install writes scripts; a hook that is not acta's is kept and will run first. Where one cannot be kept nothing is
// written.
func (d folder) install(scripts []script) (done []Action, err error) {
	if err := os.MkdirAll(string(d), 0o777); err != nil {
		return nil, err
	}
	defer d.lock()()
	for _, s := range scripts {
		if err := d.mayKeep(s); err != nil {
			return nil, err
		}
	}
	for _, s := range scripts {
		actions, err := d.write(s)
		if done = append(done, actions...); err != nil {
			return done, err
		}
	}
	return done, d.linkSiblings()
}

// foreign reports whether a hook is there that acta did not write, and that is not kept already.
func (d folder) foreign(name string) (bool, error) {
	ours, err := d.ours(name)
	if _, errThere := os.Lstat(d.path(name)); err != nil || ours != "" || errThere != nil {
		return false, err
	}
	return !d.keptAsIt(name), nil
}

// mayKeep refuses a hook that cannot be kept.
func (d folder) mayKeep(s script) error {
	foreign, err := d.foreign(s.Name)
	if err != nil || !foreign {
		return err
	}
	if s.Kept != keptBeside {
		return fmt.Errorf("acta did not write %s; move it away and install again", d.path(s.Name))
	}
	if _, err := os.Lstat(d.kept(s.Name)); err == nil {
		return fmt.Errorf("acta did not write %s, and an earlier installation left %s; merge the two by hand, "+
			"remove one, and install again", d.path(s.Name), d.kept(s.Name))
	}
	return nil
}

// write puts a script in its place, and keeps the hook that is there.
func (d folder) write(s script) (done []Action, err error) {
	text, err := s.text()
	if err != nil {
		return nil, err
	}
	path, err := d.ours(s.Name)
	if err != nil {
		return nil, err
	}
	if path = cmp.Or(path, d.path(s.Name)); isExecutable(path) {
		if old, err := state.ReadFile(path); err == nil && string(old) == text {
			return []Action{{path, "installed already"}}, nil
		}
	}
	if foreign, err := d.foreign(s.Name); err != nil {
		return nil, err
	} else if foreign {
		if err := d.keep(s.Name); err != nil {
			return nil, err
		}
		done = []Action{{d.kept(s.Name), "kept the hook that was here; it runs first"}}
	}
	return append(done, Action{path, "installed"}),
		errors.Join(maybe.WriteFile(path, []byte(text), 0o755), os.Chmod(path, 0o755))
}

// keep moves a hook to keptDir.
func (d folder) keep(name string) error {
	if err := os.MkdirAll(d.path(keptDir), 0o777); err != nil {
		return err
	}
	if target := deeper(d.path(name)); target != "" { // the link that is here goes when the script takes its place
		return os.Symlink(target, d.kept(name))
	}
	return os.Rename(d.path(name), d.kept(name))
}

// keptAsIt reports whether the hook at a name is the one that is kept: an installation or its opposite was killed
// between two steps.
func (d folder) keptAsIt(name string) bool {
	at, errAt := os.Stat(d.path(name))
	kept, errKept := os.Stat(d.kept(name))
	return errAt == nil && errKept == nil && os.SameFile(at, kept)
}

// uninstall takes acta's scripts out and puts back what was kept.
func (d folder) uninstall() (done []Action, err error) {
	defer d.lock()()
	for _, p := range Points() {
		path, err := d.ours(p.Name)
		if err != nil {
			return done, err
		}
		_, errThere := os.Lstat(d.path(p.Name))
		_, errKept := os.Lstat(d.kept(p.Name))
		switch {
		case path != "":
		case errKept == nil && (errThere != nil || d.keptAsIt(p.Name)):
			path = d.path(p.Name)
		case errThere == nil:
			done = append(done, Action{d.path(p.Name), "left alone: acta did not write it"})
			continue
		default:
			continue
		}
		action, err := d.restore(p.Name, path)
		if err != nil {
			return done, err
		}
		done = append(done, action)
	}
	if err := d.unlinkSiblings(); err != nil {
		return done, err
	}
	if info, err := os.Lstat(string(d)); err != nil || !info.IsDir() {
		return done, nil // a link to a folder is somebody's
	}
	if entries, err := os.ReadDir(string(d)); err == nil && len(entries) == 0 {
		return append(done, Action{string(d), "removed: it was empty"}), os.Remove(string(d))
	}
	return done, nil
}

// restore takes the script at a path out, and puts the hook that is kept in its place.
func (d folder) restore(name, path string) (Action, error) {
	kept := d.kept(name)
	if _, err := os.Lstat(kept); err != nil {
		return Action{path, "removed"}, os.Remove(path)
	}
	if path != d.path(name) && isPreCommit(kept) {
		// The framework has been installed again since, and its newer hook is in place.
		return Action{path, "removed"}, errors.Join(os.Remove(kept), os.Remove(path))
	}
	return Action{path, "put back as it was"}, moveBack(kept, path)
}

// linkSiblings makes what lies beside the hooks visible beside the kept ones, for
// those that look there: husky's old hooks for husky.sh, the pre-commit
// framework's for the hook that it found.
func (d folder) linkSiblings() error {
	if _, err := os.Stat(d.path(keptDir)); err != nil {
		return nil
	}
	entries, err := os.ReadDir(string(d))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if _, point := pointNamed(name); point || name == keptDir || strings.HasSuffix(name, ".sample") {
			continue
		}
		if ours, err := isOurs(d.path(name)); err != nil || ours {
			continue
		}
		if err := os.Symlink(sibling(name), d.kept(name)); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

func sibling(name string) string { return filepath.Join("..", name) }

func (d folder) unlinkSiblings() error {
	entries, err := os.ReadDir(d.path(keptDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	left := 0
	for _, e := range entries {
		if to, err := os.Readlink(d.kept(e.Name())); err != nil || to != sibling(e.Name()) {
			left++
			continue
		}
		if err := os.Remove(d.kept(e.Name())); err != nil {
			return err
		}
	}
	if left > 0 {
		return nil // a hook whose script somebody else has replaced
	}
	return os.Remove(d.path(keptDir))
}

// deeper is what a link in a folder of hooks says in keptDir, so that it names the same file:
// "" where from is no relative link, or is one to another hook, which names that hook as it was.
func deeper(from string) string {
	target, err := os.Readlink(from)
	if _, point := pointNamed(target); err != nil || filepath.IsAbs(target) || point {
		return ""
	}
	return filepath.Join("..", target)
}

// moveBack undoes keep, replacing what is at to.
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

func isOurs(path string) (bool, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return false, nil // a link to somewhere is never ours
	}
	data, err := state.ReadFile(path)
	return holdsMarker(data), err
}

// holdsMarker: the marker opens the second line, below #!/bin/sh.
func holdsMarker(data []byte) bool {
	_, rest, _ := bytes.Cut(data, []byte("\n"))
	return bytes.HasPrefix(rest, []byte(marker))
}

// isPreCommit reports whether the pre-commit framework wrote the hook.
func isPreCommit(path string) bool {
	data, err := state.ReadFile(path)
	return err == nil && bytes.Contains(data, []byte("hook-impl"))
}

// isExecutable reports whether git runs a file. Windows has no mode for it: git there runs what is a file.
func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// scripts are the scripts of the points that belong to one of the sets.
func scripts(binary string, kept keeping, sets ...Set) []script {
	var out []script
	for _, p := range Points() {
		if slices.Contains(sets, p.Set) {
			out = append(out, script{Point: p, Kept: kept, PassOn: p.Idle, Binary: binary})
		}
	}
	return out
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
