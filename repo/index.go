package repo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/repo/state"
)

// IsPartialCommit reports, inside a hook, whether `git commit` was given paths: git then commits an index of its own,
// next-index-<process>.lock (git's builtin/commit.c, prepare_index).
func (r *Repo) IsPartialCommit() bool {
	return strings.HasPrefix(filepath.Base(r.lookup("GIT_INDEX_FILE")), "next-index-")
}

// IndexTree is the tree that `git commit` would make of the index now. In a hook, GIT_INDEX_FILE names the index of the
// commit, which with `commit -a` or `commit PATH` is not the user's. It works on a copy, so it neither waits for
// another git's index.lock nor changes the user's index; it writes the trees that a commit would write, and may run in
// parallel with reads. ErrUnmerged if the index has conflicts.
func (r *Repo) IndexTree(ctx context.Context) (ID, error) {
	// If the index is not newer than a file in it, git would read that file through the repository's filters as it
	// writes (git's racy-git.txt).
	index, remove, err := r.copyIndex(ctx, time.Unix(math.MaxInt32, 0))
	if err != nil {
		return "", err
	}
	defer remove()
	return r.writeTree(ctx, "GIT_INDEX_FILE="+index)
}

// writeTree writes a copy of the index as a tree.
func (r *Repo) writeTree(ctx context.Context, env ...string) (ID, error) {
	// With a split index git would leave the shared half of the copy in the git directory.
	cmd := r.command(ctx, "-c", "core.splitIndex=false", "write-tree")
	cmd.Env = append(cmd.Env, env...)
	out, err := r.output(ctx, cmd)
	if errors.Is(err, ErrUnmerged) {
		return "", r.unmergedError(ctx)
	}
	if err != nil {
		return "", err
	}
	return parseID(strings.TrimSpace(string(out)))
}

// unmergedError names the paths with conflicts; write-tree itself names only some.
func (r *Repo) unmergedError(ctx context.Context) error {
	out, err := r.git(ctx, "ls-files", "-z", "--unmerged", "--full-name", "--", ":(top)")
	if err != nil {
		return err
	}
	var paths []string
	for _, stage := range splitNUL(string(out)) {
		_, path, _ := strings.Cut(stage, "\t")
		paths = append(paths, path)
	}
	return fmt.Errorf("%w in %s: resolve them and run git add, then try again", ErrUnmerged,
		strings.Join(slices.Compact(paths), ", "))
}

// indexFile is the index. git reads a relative GIT_INDEX_FILE from the top.
func (r *Repo) indexFile(ctx context.Context) (string, error) {
	gitDir, errDir := r.gitDir(ctx)
	index := cmp.Or(r.lookup("GIT_INDEX_FILE"), filepath.Join(gitDir, "index"))
	if filepath.IsAbs(index) {
		return index, errDir
	}
	top, errTop := r.Top(ctx)
	return filepath.Join(top, index), cmp.Or(errDir, errTop)
}

// copyIndex copies the index, if there is one, into a folder of its own. at is the copy's time; zero keeps the index's.
func (r *Repo) copyIndex(ctx context.Context, at time.Time) (index string, remove func(), err error) {
	from, err := r.indexFile(ctx)
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "acta-index-")
	if err != nil {
		return "", nil, fmt.Errorf("cannot copy the index: %w", err)
	}
	index = filepath.Join(dir, "index")
	info, err := os.Stat(from)
	if err == nil {
		if at.IsZero() {
			at = info.ModTime()
		}
		err = errors.Join(CopyFile(index, from), os.Chtimes(index, at, at))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, errors.Join(fmt.Errorf("cannot copy the index: %w", err), os.RemoveAll(dir))
	}
	return index, func() { _ = os.RemoveAll(dir) }, nil
}

// CopyFile copies a regular file to a new one.
func CopyFile(to, from string) error {
	in, err := state.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
