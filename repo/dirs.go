package repo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Dirs are the git directory of the work tree here, and the one that all work
// trees of the repository share, symlinks resolved. They are read from the layout of
// the files (gitrepository-layout(5)), so that a record can be kept where git is
// slow or missing; git is asked where the layout is not plain.
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
		g, err := r.Geometry(ctx)
		if err != nil {
			return "", "", err
		}
		gitDir, commonDir = g.GitDir, g.CommonDir
	}
	if gitDir, err = filepath.EvalSymlinks(gitDir); err != nil {
		return "", "", err
	}
	commonDir, err = filepath.EvalSymlinks(commonDir)
	return gitDir, commonDir, err
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
	g, err := r.Geometry(ctx)
	if err != nil || g.Top == "" {
		return "", err
	}
	return filepath.EvalSymlinks(g.Top)
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
	data, err := os.ReadFile(file)
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
	to, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
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
