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
	// keptDir is the folder beside the hooks where hooks are kept that were there
	// before. They keep their names, since some find out from it which hook they are.
	keptDir = "before-acta"
	// legacy is what the pre-commit framework appends to the name of a hook that it
	// finds, which it then runs first.
	legacy = ".legacy"
	// lefthookOld is what lefthook appends to the name of a hook that it finds, and then does not run.
	lefthookOld = ".old"
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

// all are the places where acta's script of a hook is, that to which lefthook has moved it included.
func (d folder) all(name string) ([]string, error) {
	path, err := d.ours(name)
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

// hasOurs reports whether there is a hook of acta's.
func (d folder) hasOurs() bool {
	return slices.ContainsFunc(Points(), func(p Point) bool {
		all, err := d.all(p.Name)
		return err == nil && all != nil
	})
}

// install writes scripts; a hook that is not acta's is kept and will run first. All of them are written before one is
// put in its place, by a rename; where one cannot be, those before it are taken out again.
func (d folder) install(scripts []script) (done []Action, err error) {
	if err := os.MkdirAll(string(d), 0o777); err != nil {
		return nil, err
	}
	defer d.lock()()
	if err := d.removeStrays(); err != nil {
		return nil, err
	}
	_, errKept := os.Lstat(d.path(keptDir))
	all := make([]placed, len(scripts))
	defer func() {
		if err == nil {
			return
		}
		for _, p := range all {
			err = errors.Join(err, d.undo(p))
		}
		if errKept != nil {
			err = errors.Join(err, d.unlinkSiblings())
		}
		err, done = errors.Join(err, d.removeStrays()), nil
	}()
	for i, s := range scripts {
		if all[i], err = d.write(s); err != nil {
			return nil, err
		}
	}
	for i := range all {
		actions, err := d.place(&all[i])
		if err != nil {
			return nil, err
		}
		done = append(done, actions...)
	}
	return done, d.linkSiblings()
}

// placed is a script and where it goes.
type placed struct {
	script
	path string
	// written is the file that is renamed to path, "" where acta's script is there as it should be.
	written string
	// fresh: acta had no script there. kept and in: the hook that was there is kept, the script is in its place.
	fresh, kept, in bool
}

// write writes a script beside its place.
func (d folder) write(s script) (p placed, err error) {
	text, err := s.text()
	if err != nil {
		return p, err
	}
	p.script = s
	if p.path, err = d.ours(s.Name); err != nil {
		return p, err
	}
	if p.path == "" {
		p.path, p.fresh = d.path(s.Name), true
	}
	if old, err := state.ReadFile(p.path); err == nil && string(old) == text && isExecutable(p.path) {
		return p, nil
	}
	f, err := os.CreateTemp(string(d), "."+s.Name)
	if err != nil {
		return p, err
	}
	p.written = f.Name()
	_, err = f.WriteString(text)
	return p, errors.Join(err, f.Sync(), f.Close(), os.Chmod(p.written, 0o755))
}

// place puts a script in its place.
func (d folder) place(p *placed) (done []Action, err error) {
	if p.written == "" {
		return []Action{{p.path, "installed already"}}, nil
	}
	if _, err := os.Lstat(p.path); err == nil && p.fresh {
		if p.Kept != keptBeside {
			return nil, fmt.Errorf("acta did not write %s; move it away and install again", p.path)
		}
		if err := d.keep(p.Name, p.path); err != nil {
			return nil, err
		}
		p.kept, done = true, []Action{{d.kept(p.Name), "kept the hook that was here; it runs first"}}
	}
	if err := os.Rename(p.written, p.path); err != nil {
		return nil, err
	}
	p.in = true
	return append(done, Action{p.path, "installed"}), nil
}

// undo takes a script out again.
func (d folder) undo(p placed) error {
	if !p.fresh || !p.kept && !p.in {
		return nil
	}
	_, err := d.restore(p.Name, p.path)
	return err
}

// keep gives a hook a second name in keptDir; the script then takes its first one. So there is a hook at every moment.
func (d folder) keep(name, from string) error {
	if d.keptAsIt(name) {
		return nil // an installation was killed in between
	}
	if _, err := os.Lstat(d.kept(name)); err == nil {
		return fmt.Errorf("acta did not write %s, and an earlier installation left %s; merge the two by hand, "+
			"remove one, and install again", from, d.kept(name))
	}
	if err := os.MkdirAll(filepath.Dir(d.kept(name)), 0o777); err != nil {
		return err
	}
	if target, err := os.Readlink(from); err == nil {
		return os.Symlink(cmp.Or(deeper(from), target), d.kept(name))
	}
	if os.Link(from, d.kept(name)) == nil {
		return nil
	}
	return os.Rename(from, d.kept(name)) // a disk without such names
}

// keptAsIt reports whether the hook at a name is the one that is kept.
func (d folder) keptAsIt(name string) bool {
	at, errAt := os.Lstat(d.path(name))
	kept, errKept := os.Lstat(d.kept(name))
	if errAt != nil || errKept != nil {
		return false
	}
	to, _ := os.Readlink(d.path(name))
	toKept, err := os.Readlink(d.kept(name))
	return os.SameFile(at, kept) || err == nil && toKept == cmp.Or(deeper(d.path(name)), to)
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

// uninstall takes acta's scripts out and puts back what was kept.
func (d folder) uninstall() ([]Action, error) {
	defer d.lock()()
	if err := d.removeStrays(); err != nil {
		return nil, err
	}
	var done []Action
	for _, p := range Points() {
		all, err := d.all(p.Name)
		if err != nil {
			return done, err
		}
		if all == nil && d.halfDone(p.Name) {
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
		return done, nil // a link to a folder is somebody's
	}
	if entries, err := os.ReadDir(string(d)); err == nil && len(entries) == 0 {
		return append(done, Action{string(d), "removed: it was empty"}), os.Remove(string(d))
	}
	return done, nil
}

func (d folder) restore(name, path string) (Action, error) {
	kept := d.kept(name)
	if _, err := os.Lstat(kept); err != nil {
		return Action{path, "removed"}, os.Remove(path)
	}
	if path != d.path(name) && isPreCommit(kept) {
		// The framework has been installed again since, and its newer hook is in place.
		return Action{path, "removed"}, errors.Join(os.Remove(kept), os.Remove(path))
	}
	if path == d.path(name) && d.keptAsIt(name) {
		return Action{path, "put back as it was"}, os.Remove(kept)
	}
	return Action{path, "put back as it was"}, moveBack(kept, path)
}

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

// halfDone reports whether an installation or its opposite was killed between two steps: a hook is kept, and nothing
// runs it.
func (d folder) halfDone(name string) bool {
	if _, err := os.Lstat(d.kept(name)); err != nil {
		return false
	}
	if _, err := os.Lstat(d.path(name)); errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return d.keptAsIt(name)
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
