package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/repo/state"
)

// Listing is a folder of a work tree as git lists it.
type Listing struct {
	// Paths are relative to the folder, with forward slashes, sorted by byte: tracked files, and untracked ones that
	// are not ignored. Links, submodules and deleted files are among them.
	Paths []string
	// Complaints are git's warnings about unreadable folders, a line each.
	Complaints []string
}

// WorkFiles lists the files in and below the directory with which the Repo was opened, without those of submodules and
// nested repositories. ErrNotRepository outside a work tree.
func (r *Repo) WorkFiles(ctx context.Context) (Listing, error) {
	return r.workFiles(ctx, "--cached", "--others")
}

func (r *Repo) workFiles(ctx context.Context, options ...string) (Listing, error) {
	cmd := r.command(ctx, append([]string{"ls-files", "-z", "--exclude-standard"}, options...)...)
	complaints := &headBuffer{}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, complaints
	if err := r.run(cmd); err != nil {
		return Listing{}, r.noWorkTreeError(r.failure(ctx, cmd, err, complaints.String()))
	}
	l := Listing{Paths: splitNUL(out.String())}
	slices.Sort(l.Paths)
	l.Paths = slices.Compact(l.Paths)
	for line := range strings.Lines(complaints.String()) {
		l.Complaints = append(l.Complaints, strings.TrimSpace(strings.TrimPrefix(line, "warning: ")))
	}
	return l, nil
}

// WorkFile reads a file of the work tree, at a path relative to its top, and follows no link out of it.
func (r *Repo) WorkFile(ctx context.Context, path string, limit int64) ([]byte, error) {
	top, err := r.Top(ctx)
	if err != nil {
		return nil, err
	}
	return state.ReadFileIn(top, path, limit)
}

// noWorkTreeError makes err ErrNotRepository if the directory lies in a git directory, or if git is missing and nothing
// here looks like a repository.
func (r *Repo) noWorkTreeError(err error) error {
	failed := (*commandError)(nil)
	switch {
	case errors.As(err, &failed) && strings.Contains(failed.stderr, "must be run in a work tree"):
		return fmt.Errorf("%w: %s lies in no work tree", ErrNotRepository, r.dir)
	case errors.Is(err, exec.ErrNotFound) && !r.looksLikeRepository():
		return fmt.Errorf("%w: %w", ErrNotRepository, err)
	}
	return err
}

func splitNUL(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
}

// WorkChanges are the paths that differ between a tree (or a commit's tree) and the work tree, with renames, sorted by
// path; untracked files count unless ignored. Of the paths that differ from the index only those that keep accepts are
// examined. The user's index stays unchanged; git collects the objects that are written.
func (r *Repo) WorkChanges(ctx context.Context, base ID, keep func(path string) bool) (changes []Change, err error) {
	err = r.withIndexCopy(ctx, func(at *Repo, g Layout) error {
		if base == "" {
			base = g.EmptyTree()
		}
		if err := at.updateIndex(ctx, keep, "--modified", "--deleted", "--others"); err != nil {
			return err
		}
		// write-tree would fail on conflicts in paths that keep does not accept.
		args := slices.Concat([]string{"-c", "core.attributesFile=" + os.DevNull, "diff-index", "--cached"}, diffArgs[:],
			[]string{"-M50%", "-l1000", string(base), "--"})
		out, err := at.git(ctx, args...)
		if err != nil {
			return r.explainDamage(ctx, err, base)
		}
		changes, err = parseChanges(string(out))
		return err
	})
	return changes, err
}

// withIndexCopy calls do at the top of the work tree with a copy of the index, and without filters.
func (r *Repo) withIndexCopy(ctx context.Context, do func(at *Repo, g Layout) error) error {
	g, err := r.Layout(ctx)
	if err != nil {
		return err
	}
	if g.Top == "" {
		return fmt.Errorf("%w: %s lies in no work tree", ErrNotRepository, r.dir)
	}
	// The copy keeps its time: git compares it with the files' times to find those that may have changed since.
	index, remove, err := g.copyIndex(time.Time{})
	if err != nil {
		return err
	}
	defer remove()
	plain, err := r.noFilterEnv(ctx)
	if err != nil {
		return err
	}
	return do(&Repo{dir: g.Top, env: append(slices.Concat(r.env, plain),
		"GIT_DIR="+g.GitDir, "GIT_WORK_TREE="+g.Top, "GIT_INDEX_FILE="+index)}, g)
}

// updateIndex updates the index from the work tree's files that git ls-files lists with these options and keep accepts.
func (r *Repo) updateIndex(ctx context.Context, keep func(path string) bool, options ...string) error {
	l, err := r.workFiles(ctx, options...)
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
