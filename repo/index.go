package repo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
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

// HookTree is the tree that git is about to commit, inside a hook. GIT_INDEX_FILE names the index of the commit, which
// with `commit -a` or `commit PATH` is not the user's. It needs no other process, and may run in parallel with reads.
// ErrUnmerged if the index has conflicts.
func (r *Repo) HookTree(ctx context.Context) (ID, error) {
	return r.writeTree(ctx, r.command(ctx, "write-tree"))
}

func (r *Repo) writeTree(ctx context.Context, cmd *exec.Cmd) (ID, error) {
	out, err := r.output(ctx, cmd)
	if failed, ok := errors.AsType[*commandError](err); ok && errors.Is(err, ErrUnmerged) {
		return "", unmergedError(conflicts(failed.stderr))
	}
	if err != nil {
		return "", err
	}
	return parseID(strings.TrimSpace(string(out)))
}

// conflicts lists the paths in write-tree's complaint, a line «<path>: unmerged (<id>)» each stage.
func conflicts(stderr string) (paths []string) {
	for line := range strings.SplitSeq(stderr, "\n") {
		path, _, ok := strings.Cut(line, ": unmerged (")
		path = strings.TrimPrefix(path, "error: ")
		if ok {
			paths = append(paths, path)
		}
	}
	return paths
}

func unmergedError(paths []string) error {
	return fmt.Errorf("%w in %s: resolve them and run git add, then try again", ErrUnmerged,
		strings.Join(slices.Compact(paths), ", "))
}

// IndexChanges are the paths that differ between HEAD and the index that HookTree writes, sorted; all paths of the
// index if HEAD has no commit yet. Nothing is written; paths of `git add --intent-to-add` are left out. It may run in
// parallel with HookTree. ErrUnmerged if the index has conflicts.
func (r *Repo) IndexChanges(ctx context.Context) ([]Change, error) {
	changes, err := r.indexChanges(ctx, "HEAD")
	if err != nil {
		if _, unborn := r.Head(ctx); errors.Is(unborn, ErrUnborn) {
			g, err := r.Layout(ctx)
			if err != nil {
				return nil, err
			}
			return r.indexChanges(ctx, string(g.EmptyTree()))
		}
	}
	return changes, err
}

func (r *Repo) indexChanges(ctx context.Context, tree string) ([]Change, error) {
	out, err := r.git(ctx, "diff-index", "--cached", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff",
		"--ignore-submodules=none", "--ita-invisible-in-index", tree, "--")
	if err != nil {
		return nil, err
	}
	changes, err := parseChanges(string(out))
	var unmerged []string
	for _, c := range changes {
		if c.Status == 'U' {
			unmerged = append(unmerged, c.Path)
		}
	}
	if unmerged != nil {
		return nil, unmergedError(unmerged)
	}
	return changes, err
}

// IndexTree is the tree that `git commit` would make of the index now. It works on a copy, so it neither waits for
// another git's index.lock nor changes the user's index; it writes the trees that a commit would write. ErrUnmerged if
// the index has conflicts.
func (r *Repo) IndexTree(ctx context.Context) (ID, error) {
	g, err := r.Layout(ctx)
	if err != nil {
		return "", err
	}
	// If the index is not newer than a file in it, git would read that file through the repository's filters as it
	// writes (git's racy-git.txt).
	index, remove, err := g.copyIndex(time.Unix(math.MaxInt32, 0))
	if err != nil {
		return "", err
	}
	defer remove()
	// With a split index git would leave the shared half of the copy in the git directory.
	cmd := r.command(ctx, "-c", "core.splitIndex=false", "write-tree")
	cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+index)
	return r.writeTree(ctx, cmd)
}

// copyIndex copies the index, if there is one, into a folder of its own. at is the copy's time; zero keeps the index's.
func (g Layout) copyIndex(at time.Time) (index string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "acta-index-")
	if err != nil {
		return "", nil, fmt.Errorf("cannot copy the index: %w", err)
	}
	index = filepath.Join(dir, "index")
	info, err := os.Stat(g.index)
	if err == nil {
		if at.IsZero() {
			at = info.ModTime()
		}
		err = errors.Join(copyFile(index, g.index), os.Chtimes(index, at, at))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, errors.Join(fmt.Errorf("cannot copy the index: %w", err), os.RemoveAll(dir))
	}
	return index, func() { _ = os.RemoveAll(dir) }, nil
}

func copyFile(to, from string) error {
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
