package repo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// WorkState are the trees that a work tree would be committed as.
type WorkState struct {
	// All has every file that git does not ignore, Tracked those alone that git tracks already. They are equal where
	// nothing new lies there.
	All, Tracked ID
}

// maxNew is the largest new file that is looked at, in bytes: what is larger is seldom source, and takes long to read.
const maxNew = 8 << 20

// WorkState writes the work tree down as trees, as `git add` and `git write-tree` would, but that no filter is run. The
// user's index stays as it is; the objects are those that a commit of the same files would write, and git collects
// them where none is made. ErrUnmerged where the index holds conflicts.
func (r *Repo) WorkState(ctx context.Context) (s WorkState, err error) {
	err = r.onCopy(ctx, func(at *Repo, _ Layout) (err error) {
		if s.Tracked, err = at.treeWith(ctx, "--modified", "--deleted"); err == nil {
			s.All, err = at.treeWith(ctx, "--others")
		}
		return err
	})
	return s, err
}

// treeWith brings the index up to some of the work tree's files and writes it.
func (r *Repo) treeWith(ctx context.Context, which ...string) (ID, error) {
	small := func(path string) bool {
		info, err := os.Lstat(filepath.Join(r.dir, filepath.FromSlash(path)))
		return err != nil || info.Size() <= maxNew
	}
	if err := r.add(ctx, small, which...); err != nil {
		return "", err
	}
	return r.writeTree(ctx, r.command(ctx, "-c", "core.splitIndex=false", "write-tree"))
}

// copyAsOld copies an index, and when it was written: by that git tells which files it must look into, since they may
// have changed in the same moment.
func copyAsOld(to, from string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	return errors.Join(copyFile(to, from), os.Chtimes(to, info.ModTime(), info.ModTime()))
}

// Uncommitted is a file of the work tree that is not as HEAD has it.
type Uncommitted struct {
	// Path is from the top of the work tree, with forward slashes.
	Path string
	// IsNew: HEAD does not have it.
	IsNew bool
}

// Uncommitted lists what differs between HEAD and the work tree, ignored files left out. It takes no lock, so that it
// is in nobody's way, runs no filter, and asks nothing of submodules.
func (r *Repo) Uncommitted(ctx context.Context) ([]Uncommitted, error) {
	plain, err := r.withoutFilters(ctx)
	if err != nil {
		return nil, err
	}
	cmd := r.command(ctx, "status", "--porcelain", "-z", "--untracked-files=all",
		"--no-renames", "--ignore-submodules=all")
	cmd.Env = append(cmd.Env, plain...)
	out, err := r.output(ctx, cmd)
	if err != nil {
		return nil, r.noWorkTree(err)
	}
	var all []Uncommitted
	for _, line := range split(string(out)) {
		if len(line) < 4 {
			continue
		}
		state := line[:2]
		all = append(all, Uncommitted{Path: line[3:], IsNew: state == "??" || strings.HasPrefix(state, "A")})
	}
	return all, nil
}
