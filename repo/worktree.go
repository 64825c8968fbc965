package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/repo/state"
)

// Listing is what git has to do with in a folder of a work tree.
type Listing struct {
	// Paths are relative to the folder, with forward slashes, sorted by byte: what
	// is tracked, and what is neither tracked nor ignored. Links, submodules and
	// files that are gone from the work tree are among them.
	Paths []string
	// Complaints are what git could not look into, a line each.
	Complaints []string
}

// WorkFiles lists the files of the directory that the Repo was opened with, and
// of the folders below it. What lies in a submodule or in another repository is
// left out. ErrNotRepository where the directory lies in no work tree.
func (r *Repo) WorkFiles(ctx context.Context) (Listing, error) {
	return r.workFiles(ctx, "--cached", "--others")
}

func (r *Repo) workFiles(ctx context.Context, which ...string) (Listing, error) {
	cmd := r.command(ctx, append([]string{"ls-files", "-z", "--exclude-standard"}, which...)...)
	complaints := &head{}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, complaints
	if err := r.run(cmd); err != nil {
		return Listing{}, r.noWorkTree(r.failure(ctx, cmd, err, complaints.String()))
	}
	l := Listing{Paths: split(out.String())}
	slices.Sort(l.Paths)
	l.Paths = slices.Compact(l.Paths)
	for line := range strings.Lines(complaints.String()) {
		l.Complaints = append(l.Complaints, strings.TrimSpace(strings.TrimPrefix(line, "warning: ")))
	}
	return l, nil
}

// WorkFile reads a file of the work tree, whose path counts from its top, and follows no link that leads out of it.
func (r *Repo) WorkFile(ctx context.Context, path string, limit int64) ([]byte, error) {
	top, err := r.Top(ctx)
	if err != nil {
		return nil, err
	}
	return state.ReadFileIn(top, path, limit)
}

// noWorkTree is err, or ErrNotRepository where git has no part in a directory: it
// lies in a git directory, or there is no git, and nothing that looks like a repository.
func (r *Repo) noWorkTree(err error) error {
	failed := (*commandError)(nil)
	switch {
	case errors.As(err, &failed) && strings.Contains(failed.stderr, "must be run in a work tree"):
		return fmt.Errorf("%w: %s lies in no work tree", ErrNotRepository, r.dir)
	case errors.Is(err, exec.ErrNotFound) && !r.looksLikeRepository():
		return fmt.Errorf("%w: %w", ErrNotRepository, err)
	}
	return err
}

// split cuts text that ends each of its strings with NUL.
func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
}

// WorkChanges are the paths that differ between a tree, or the tree of a commit,
// and the work tree, renames followed, sorted by path. What is not tracked counts
// where it is not ignored. Of what differs from the index only paths that keep
// accepts are looked at. The user's index stays as it is; git collects the objects that are written.
func (r *Repo) WorkChanges(ctx context.Context, base ID, keep func(path string) bool) (changes []Change, err error) {
	err = r.onCopy(ctx, func(at *Repo, g Layout) error {
		if base == "" {
			base = g.EmptyTree()
		}
		if err := at.add(ctx, keep, "--modified", "--deleted", "--others"); err != nil {
			return err
		}
		// A tree would be none where paths that are not asked about are in conflict.
		args := slices.Concat([]string{"-c", "core.attributesFile=" + os.DevNull, "diff-index", "--cached"}, compared[:],
			[]string{"-M50%", "-l1000", string(base), "--"})
		out, err := at.git(ctx, args...)
		if err != nil {
			return r.cutOff(ctx, err, base)
		}
		changes, err = parseChanges(string(out))
		return err
	})
	return changes, err
}

// onCopy lets do work at the top of the work tree with a copy of the index, and without filters.
func (r *Repo) onCopy(ctx context.Context, do func(at *Repo, g Layout) error) error {
	g, err := r.Layout(ctx)
	if err != nil {
		return err
	}
	if g.Top == "" {
		return fmt.Errorf("%w: %s lies in no work tree", ErrNotRepository, r.dir)
	}
	dir, err := os.MkdirTemp("", "acta-index-")
	if err != nil {
		return fmt.Errorf("cannot copy the index: %w", err)
	}
	defer os.RemoveAll(dir)
	index := filepath.Join(dir, "index")
	if err := copyAsOld(index, g.index); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("cannot copy the index: %w", err)
	}
	plain, err := r.withoutFilters(ctx)
	if err != nil {
		return err
	}
	return do(&Repo{dir: g.Top, env: append(slices.Concat(r.env, plain),
		"GIT_DIR="+g.GitDir, "GIT_WORK_TREE="+g.Top, "GIT_INDEX_FILE="+index)}, g)
}

// add brings the index up to what stands in the work tree: those files of which git ls-files says so, and keep.
func (r *Repo) add(ctx context.Context, keep func(path string) bool, which ...string) error {
	l, err := r.workFiles(ctx, which...)
	if err != nil {
		return err
	}
	if len(l.Complaints) > 0 {
		return fmt.Errorf("git cannot list the work tree: %s", l.Complaints[0])
	}
	paths := slices.DeleteFunc(l.Paths, func(p string) bool { return strings.HasSuffix(p, "/") || !keep(p) })
	if len(paths) == 0 {
		return nil
	}
	cmd := r.command(ctx, "-c", "core.splitIndex=false", "-c", "core.safecrlf=false", "update-index", "-z", "--add",
		"--remove", "--replace", "--stdin")
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	_, err = r.output(ctx, cmd)
	return err
}
