package repo

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/repo/state"
)

// Dirs are the git directory of the work tree here, and the one that all work
// trees of the repository share, symlinks resolved. They are read from the layout of
// the files (gitrepository-layout(5)), so that a record can be kept where git is
// slow or missing; git is asked where the layout is not plain. Where a link leads acta's
// folder elsewhere, that is a *LeavesError.
func (r *Repo) Dirs(ctx context.Context) (gitDir, commonDir string, err error) {
	gitDir = r.gitDirHere()
	if gitDir != "" {
		commonDir = r.lookup("GIT_COMMON_DIR")
		if commonDir != "" {
			commonDir = r.absolute(commonDir)
		} else {
			commonDir = commonOf(gitDir)
		}
	}
	if commonDir == "" {
		g, err := r.Layout(ctx)
		if err != nil {
			return "", "", err
		}
		gitDir, commonDir = g.GitDir, g.CommonDir
	}
	if gitDir, err = filepath.EvalSymlinks(gitDir); err != nil {
		return "", "", err
	}
	if commonDir, err = filepath.EvalSymlinks(commonDir); err != nil {
		return "", "", err
	}
	return gitDir, commonDir, stateStays(commonDir)
}

// Top is the top folder of the work tree here, symlinks resolved, read from the layout as
// Dirs reads it; "" where there is no work tree.
func (r *Repo) Top(ctx context.Context) (string, error) {
	if r.lookup("GIT_DIR") == "" && r.lookup("GIT_WORK_TREE") == "" {
		for dir, up := r.absolute("."), ""; dir != up; dir, up = filepath.Dir(dir), dir {
			if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
				return filepath.EvalSymlinks(dir)
			}
		}
	}
	g, err := r.Layout(ctx)
	if err != nil || g.Top == "" {
		return "", err
	}
	return filepath.EvalSymlinks(g.Top)
}

// FromTop is a file of the work tree as the repository calls it: relative to the top, with forward slashes. A relative
// name begins in a folder, "" for the top. inside is false where the file lies elsewhere, or is git's own.
func (r *Repo) FromTop(ctx context.Context, folder, file string) (at string, inside bool, err error) {
	top, err := r.Top(ctx)
	if err != nil || top == "" || file == "" {
		return "", false, err
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(cmp.Or(folder, top), filepath.FromSlash(file))
	}
	if file, err = filepath.Abs(file); err != nil {
		return "", false, err
	}
	rel, err := filepath.Rel(top, withoutLinks(file))
	if err != nil || !filepath.IsLocal(rel) || rel == "." || rel == ".git" ||
		strings.HasPrefix(rel, ".git"+string(filepath.Separator)) {
		return "", false, nil
	}
	return filepath.ToSlash(rel), true, nil
}

// withoutLinks is a path without links in its folders, as far as they are there: the file may be gone.
func withoutLinks(path string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	switch {
	case err == nil:
		return filepath.Join(dir, filepath.Base(path))
	case errors.Is(err, fs.ErrNotExist) && filepath.Dir(path) != path:
		return filepath.Join(withoutLinks(filepath.Dir(path)), filepath.Base(path))
	}
	return path
}

// gitDirHere is GIT_DIR, or what the nearest .git is or names; "" where that is not plain.
func (r *Repo) gitDirHere() string {
	if given := r.lookup("GIT_DIR"); given != "" {
		return hasHead(r.absolute(given))
	}
	dir := r.absolute(".")
	for dir != "" {
		git := filepath.Join(dir, ".git")
		info, err := os.Stat(git)
		switch {
		case err == nil && info.IsDir():
			return hasHead(git)
		case err == nil:
			return hasHead(linked(git))
		case !os.IsNotExist(err):
			return ""
		}
		up := filepath.Dir(dir)
		if up == dir || hasHead(dir) != "" { // perhaps inside a git directory
			return ""
		}
		dir = up
	}
	return ""
}

// linked is what a .git file names.
func linked(file string) string {
	data, err := state.ReadFile(file)
	to, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), "gitdir: ")
	switch {
	case err != nil || !ok:
		return ""
	case filepath.IsAbs(to):
		return filepath.Clean(to)
	}
	return filepath.Join(filepath.Dir(file), to)
}

// hasHead is the folder where it may be a git directory, and "" where it is none.
func hasHead(dir string) string {
	if dir == "" {
		return ""
	}
	if info, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil || info.IsDir() {
		return ""
	}
	return dir
}

// commonOf is the git directory that a work tree's one belongs to; "" where that cannot be read.
func commonOf(gitDir string) string {
	to, err := state.ReadFile(filepath.Join(gitDir, "commondir"))
	if os.IsNotExist(err) {
		return gitDir
	}
	name := strings.TrimRight(string(to), "\r\n")
	switch {
	case err != nil || name == "":
		return ""
	case filepath.IsAbs(name):
		return filepath.Clean(name)
	}
	return filepath.Join(gitDir, name)
}

// CommonDir is the git directory that the repository's work trees share. In a hook,
// which git calls at the top of the work tree, it is read from the layout of the
// files (gitrepository-layout(5)); elsewhere git is asked, once. Where a link leads
// acta's folder in it elsewhere, that is a *LeavesError.
func (r *Repo) CommonDir(ctx context.Context) (string, error) {
	if r.lookup("GIT_DIR") != "" || r.lookup("GIT_INDEX_FILE") != "" {
		_, dir, err := r.Dirs(ctx)
		return dir, err
	}
	g, err := r.Layout(ctx)
	if err != nil {
		return "", err
	}
	return g.CommonDir, stateStays(g.CommonDir)
}

// absolute is a path that may be relative to the repository's folder; "" where it cannot be known.
func (r *Repo) absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	return abs
}
