package repo

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/acta-git/acta/repo/state"
)

// Dirs are the git directory of this work tree and the one that all work trees share, symlinks resolved. They are read
// from the layout of the files (gitrepository-layout(5)), so that acta can record where git is slow or missing; if the
// layout is unusual, git is asked. An *OutsideLinkError if a link leads acta's folder elsewhere.
func (r *Repo) Dirs(ctx context.Context) (gitDir, commonDir string, err error) {
	gitDir = r.findGitDir()
	if gitDir != "" {
		commonDir = r.lookup("GIT_COMMON_DIR")
		if commonDir != "" {
			commonDir = r.absolute(commonDir)
		} else {
			commonDir = commonDirOf(gitDir)
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
	return gitDir, commonDir, checkStateLinks(commonDir)
}

// Top is the top folder of this work tree, symlinks resolved, read from the layout like Dirs; "" if there is no work
// tree.
func (r *Repo) Top(ctx context.Context) (string, error) {
	if r.lookup("GIT_DIR") == "" && r.lookup("GIT_WORK_TREE") == "" {
		for dir := range upwards(r.absolute(".")) {
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

// RelativeToTop is a file's path relative to the top, with forward slashes. A relative name starts in folder, "" for
// the top. isInside is false if the file lies elsewhere, or in .git.
func (r *Repo) RelativeToTop(ctx context.Context, folder, file string) (at string, isInside bool, err error) {
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

// withoutLinks resolves the links in a path's existing folders; the file may be missing.
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

// findGitDir is GIT_DIR, or the nearest .git or the directory that it names; "" if the layout is unusual.
func (r *Repo) findGitDir() string {
	if gitDir := r.lookup("GIT_DIR"); gitDir != "" {
		return gitDirOrEmpty(r.absolute(gitDir))
	}
	for dir := range upwards(r.absolute(".")) {
		git := filepath.Join(dir, ".git")
		info, err := os.Stat(git)
		switch {
		case err == nil && info.IsDir():
			return gitDirOrEmpty(git)
		case err == nil:
			return gitDirOrEmpty(namedPath(git, "gitdir: "))
		case !os.IsNotExist(err):
			return ""
		}
		if gitDirOrEmpty(dir) != "" { // perhaps inside a git directory
			return ""
		}
	}
	return ""
}

// upwards yields an absolute folder and those above it; nothing for "".
func upwards(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for below := ""; dir != below && yield(dir); below, dir = dir, filepath.Dir(dir) {
		}
	}
}

// namedPath is the path that a file of git names after a prefix, relative to the file's folder; "" if there is none.
func namedPath(file, prefix string) string {
	data, err := state.ReadFile(file)
	to, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), prefix)
	switch {
	case err != nil || !ok || to == "":
		return ""
	case filepath.IsAbs(to):
		return filepath.Clean(to)
	}
	return filepath.Join(filepath.Dir(file), to)
}

// gitDirOrEmpty is dir if it may be a git directory, else "".
func gitDirOrEmpty(dir string) string {
	if dir == "" {
		return ""
	}
	if info, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil || info.IsDir() {
		return ""
	}
	return dir
}

// commonDirOf is the common git directory of a work tree's one; "" if it cannot be read.
func commonDirOf(gitDir string) string {
	file := filepath.Join(gitDir, "commondir")
	if _, err := os.Stat(file); os.IsNotExist(err) {
		return gitDir
	}
	return namedPath(file, "")
}

// CommonDir is the git directory that the repository's work trees share, read like Dirs.
func (r *Repo) CommonDir(ctx context.Context) (string, error) {
	_, dir, err := r.Dirs(ctx)
	return dir, err
}

// isShallow reports whether parts of history were not fetched; see ErrShallow. git knows it by a file
// (gitrepository-layout(5)), another one while a push from a shallow clone is received.
func (r *Repo) isShallow(ctx context.Context) (bool, error) {
	_, dir, err := r.Dirs(ctx)
	if err != nil {
		return false, err
	}
	_, err = os.Stat(r.absolute(cmp.Or(r.lookup("GIT_SHALLOW_FILE"), filepath.Join(dir, "shallow"))))
	return err == nil, nil
}

// absolute makes a path absolute, relative to the repository's folder; "" if that fails.
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
