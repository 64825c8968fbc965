package repo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// WorkState are the trees that committing a work tree would make.
type WorkState struct {
	// All has every file that git does not ignore, Tracked only tracked files. They are equal if there are no new
	// files.
	All, Tracked ID
}

// maxNew bounds a new file, in bytes: larger ones are seldom source, and slow to read.
const maxNew = 8 << 20

// WorkState writes the work tree as trees, as `git add` and `git write-tree` do, but without filters. The user's index
// stays unchanged; the objects are those that a commit would write, and git collects unused ones. ErrUnmerged if the
// index has conflicts.
func (r *Repo) WorkState(ctx context.Context) (s WorkState, err error) {
	err = r.withIndexCopy(ctx, func(at *Repo, _ Layout) (err error) {
		if s.Tracked, err = at.writeTreeWith(ctx, "--modified", "--deleted"); err == nil {
			s.All, err = at.writeTreeWith(ctx, "--others")
		}
		return err
	})
	return s, err
}

// writeTreeWith updates the index from the work tree's files that these options select, and writes it.
func (r *Repo) writeTreeWith(ctx context.Context, options ...string) (ID, error) {
	small := func(path string) bool {
		info, err := os.Lstat(filepath.Join(r.dir, filepath.FromSlash(path)))
		return err != nil || info.Size() <= maxNew
	}
	if err := r.updateIndex(ctx, small, options...); err != nil {
		return "", err
	}
	return r.writeTree(ctx, r.command(ctx, "-c", "core.splitIndex=false", "write-tree"))
}

// UncommittedFile is a file of the work tree that differs from HEAD.
type UncommittedFile struct {
	// Path is relative to the top of the work tree, with forward slashes.
	Path string
	// IsNew: HEAD does not have it.
	IsNew bool
}

// UncommittedFiles lists the differences between HEAD and the work tree, without ignored files. It takes no lock, runs
// no filter, and does not look into submodules.
func (r *Repo) UncommittedFiles(ctx context.Context) ([]UncommittedFile, error) {
	plain, err := r.noFilterEnv(ctx)
	if err != nil {
		return nil, err
	}
	cmd := r.command(ctx, "status", "--porcelain", "-z", "--untracked-files=all",
		"--no-renames", "--ignore-submodules=all")
	cmd.Env = append(cmd.Env, plain...)
	out, err := r.output(ctx, cmd)
	if err != nil {
		return nil, r.noWorkTreeError(err)
	}
	var all []UncommittedFile
	for _, line := range splitNUL(string(out)) {
		if len(line) < 4 {
			continue
		}
		state := line[:2]
		all = append(all, UncommittedFile{Path: line[3:], IsNew: state == "??" || strings.HasPrefix(state, "A")})
	}
	return all, nil
}
