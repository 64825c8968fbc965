package repo

import (
	"context"
	"os"
	"path/filepath"
)

// CommonDir is the git directory that the repository's work trees share. In a hook,
// which git calls at the top of the work tree, it is read from the layout of the
// files (gitrepository-layout(5)); elsewhere git is asked, once. Where a link leads
// acta's folder in it elsewhere, that is a *LeavesError.
func (r *Repo) CommonDir(ctx context.Context) (string, error) {
	if r.lookup("GIT_DIR") != "" || r.lookup("GIT_INDEX_FILE") != "" {
		if dir := r.commonDirHere(); dir != "" {
			return dir, stateStays(dir)
		}
	}
	g, err := r.Geometry(ctx)
	if err != nil {
		return "", err
	}
	return g.CommonDir, stateStays(g.CommonDir)
}

// commonDirHere is "" where the layout is not plain.
func (r *Repo) commonDirHere() string {
	if dir := r.lookup("GIT_COMMON_DIR"); dir != "" {
		return r.absolute(dir)
	}
	git := r.lookup("GIT_DIR")
	if git == "" {
		git = ".git"
	}
	git = r.absolute(git)
	if info, err := os.Stat(filepath.Join(git, "HEAD")); git == "" || err != nil || info.IsDir() {
		return ""
	}
	return commonOf(git)
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
