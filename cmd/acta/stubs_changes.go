package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/repo"
)

// addChanges adds the files that differ between a commit and the work tree, or the index.
func (s *selection) addChanges(ctx context.Context, arguments []argument, o stubsOptions) error {
	g, err := s.repo.Layout(ctx)
	if err == nil && g.Top == "" {
		err = usagef("there is no work tree here: run it in one, without --diff and --staged, or name a folder")
	}
	if err != nil {
		return err
	}
	top, err := filepath.EvalSymlinks(g.Top)
	if err != nil {
		return err
	}
	base, err := s.base(ctx, o.base)
	if err != nil {
		return err
	}
	changes, after, err := s.changes(ctx, base, o.staged)
	if err != nil {
		return err
	}
	generated, err := s.generated(ctx, top, changes)
	if err != nil {
		return err
	}
	for _, a := range arguments {
		in, err := filepath.Rel(top, a.place)
		if err != nil || !filepath.IsLocal(in) {
			return usagef("%s lies outside of the repository at %s", a.given, top)
		}
		in = filepath.ToSlash(in)
		if a.gone {
			if err := s.wasThere(ctx, a, in, base, after); err != nil {
				return err
			}
		}
		for _, c := range changes {
			rest, isBelow := strings.CutPrefix("/"+c.Path, path.Join("/", in))
			if !isBelow || rest != "" && (in != "." && rest[0] != '/' || generated[c.Path]) {
				continue
			}
			f := s.changed(c, after, filepath.Join(top, filepath.FromSlash(c.Path)))
			if f.path = filepath.ToSlash(a.given); rest != "" {
				f.path = path.Join(f.path, rest)
			}
			s.add(f)
		}
	}
	return nil
}

// wasThere refuses a path that is neither in the work tree nor in one of the snapshots.
func (s *selection) wasThere(ctx context.Context, a argument, in string, base repo.ID, after *repo.Snapshot) error {
	_, err := s.repo.Snapshot(base).Entry(ctx, in)
	if errors.Is(err, repo.ErrNotFound) && after != nil {
		_, err = after.Entry(ctx, in)
	}
	if errors.Is(err, repo.ErrNotFound) {
		return usagef("%s: no such file or folder", a.given)
	}
	return err
}

// base is the tree to compare with, that of the commit where HEAD left the one that is given, so
// that what was written there since counts for nothing. Commits without a common
// one are compared directly. Without a commit to compare with it is HEAD, and nothing where HEAD has none.
func (s *selection) base(ctx context.Context, given string) (repo.ID, error) {
	head, err := s.repo.Head(ctx)
	unborn := errors.Is(err, repo.ErrUnborn)
	if err != nil && !unborn {
		return "", err
	}
	if given == "" {
		return head.Tree, nil
	}
	named, err := s.repo.Commit(ctx, given)
	if errors.Is(err, repo.ErrNotFound) {
		return "", usagef("--diff: %w", err)
	}
	if err != nil || unborn {
		return named.Tree, err
	}
	base, err := s.repo.MergeBase(ctx, string(named.ID), string(head.ID))
	if errors.Is(err, repo.ErrNotFound) {
		return named.Tree, nil
	}
	if err != nil {
		return "", err
	}
	left, err := s.repo.Commit(ctx, string(base))
	return left.Tree, err
}

// changes are the files that differ from base, and the snapshot that they are to
// be read from, nil for the work tree.
func (s *selection) changes(ctx context.Context, base repo.ID, staged bool) ([]repo.Change, *repo.Snapshot, error) {
	var changes []repo.Change
	var after *repo.Snapshot
	var err error
	if staged {
		var tree repo.ID
		if tree, err = s.repo.IndexTree(ctx); err != nil {
			return nil, nil, err
		}
		after = s.repo.Snapshot(tree)
		changes, err = s.repo.Changes(ctx, base, tree, repo.DiffOptions{Renames: true})
	} else {
		changes, err = s.repo.WorkChanges(ctx, base, evidence.HasDefinitions)
	}
	changes = slices.DeleteFunc(changes, func(c repo.Change) bool {
		return !strings.HasPrefix(c.NewMode, "100") || !evidence.HasDefinitions(c.Path) ||
			c.OldID == c.NewID && c.OldPath == ""
	})
	slices.SortFunc(changes, func(a, b repo.Change) int { return walkOrder(a.Path, b.Path) })
	return changes, after, err
}

// generated are the paths of the changes that a program wrote.
func (s *selection) generated(ctx context.Context, top string, changes []repo.Change) (map[string]bool, error) {
	here, err := locate(".")
	if err != nil {
		return nil, err
	}
	up, err := filepath.Rel(here, top)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, c := range changes {
		paths = append(paths, path.Join(filepath.ToSlash(up), c.Path))
	}
	found, err := s.repo.Generated(ctx, paths)
	generated := map[string]bool{}
	for i, c := range changes {
		generated[c.Path] = found[paths[i]]
	}
	return generated, err
}

// changed is a file that differs from its version before; after nil means that it is read from the work tree.
func (s *selection) changed(c repo.Change, after *repo.Snapshot, place string) sourceFile {
	f := sourceFile{read: onDisk(c.Path, place)}
	if after != nil {
		f.read = func(ctx context.Context) ([]byte, error) {
			return blob(ctx, after, c.Path, c.NewID)
		}
	}
	f.before = func(ctx context.Context) (evidence.Source, error) {
		was := evidence.Source{Path: cmp.Or(c.OldPath, c.Path)}
		if !strings.HasPrefix(c.OldMode, "100") {
			return was, nil
		}
		var err error
		was.Bytes, err = blob(ctx, s.repo.Snapshot(""), was.Path, c.OldID)
		if err != nil {
			err = fmt.Errorf("before the change: %w", err)
		}
		return was, err
	}
	return f
}

// blob reads a stored file.
func blob(ctx context.Context, from *repo.Snapshot, path string, id repo.ID) ([]byte, error) {
	size, err := from.Size(ctx, id)
	if err != nil {
		return nil, err
	}
	if size > largestRead {
		return nil, tooLarge(path)
	}
	return from.Blob(ctx, id)
}
