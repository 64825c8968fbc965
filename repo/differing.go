package repo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// ChangedPaths lists the paths that differ between two trees, sorted, as Changes does without options. It reads only
// folders that differ and starts no process, so it is cheap to call for many commits.
func (r *Repo) ChangedPaths(ctx context.Context, before, after ID) ([]string, error) {
	var paths []string
	add := func(path string, _, _ Entry) { paths = append(paths, path) }
	if err := r.visitChanges(ctx, "", rootEntry(before), rootEntry(after), add); err != nil {
		return nil, err
	}
	slices.Sort(paths)
	return paths, nil
}

// hasDeletions reports whether a file of the first tree is missing from the second.
func (r *Repo) hasDeletions(ctx context.Context, before, after ID) (deleted bool, err error) {
	err = r.visitChanges(ctx, "", rootEntry(before), rootEntry(after), func(_ string, was, is Entry) {
		deleted = deleted || was.isFile() && !is.isFile()
	})
	return deleted, err
}

func (e Entry) isFile() bool { return e.ID != "" && e.Mode != folder }

func rootEntry(tree ID) Entry { return Entry{Mode: folder, ID: tree} }

// visitChanges visits the paths that differ between two entries of one path; an entry without an ID is missing.
func (r *Repo) visitChanges(ctx context.Context, path string, a, b Entry, visit func(path string, a, b Entry)) error {
	if a.ID == b.ID && (a.Mode == b.Mode || a.ID == "") {
		return nil
	}
	if a.isFile() || b.isFile() {
		visit(path, a, b)
	}
	old, err := r.children(ctx, path, a)
	if err != nil {
		return err
	}
	now, err := r.children(ctx, path, b)
	if err != nil {
		return err
	}
	for len(old) > 0 || len(now) > 0 {
		var was, is *treeEntry
		order := compareEntries(old, now)
		if order <= 0 {
			was, old = &old[0], old[1:]
		}
		if order >= 0 {
			is, now = &now[0], now[1:]
		}
		if order == 0 && *was == *is {
			continue // most entries; compared before any id is spelled in hex
		}
		below := join(path, cmp.Or(is, was).name)
		if err := r.visitChanges(ctx, below, was.entryAt(below), is.entryAt(below), visit); err != nil {
			return err
		}
	}
	return nil
}

// compareEntries compares the first entries of two trees in the order of trees: by the bytes of their names, a folder's
// name as if it ended with a slash (git's base_name_compare). An empty list comes last.
func compareEntries(a, b tree) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(b), len(a))
	}
	x, y := &a[0], &b[0]
	n := min(len(x.name), len(y.name))
	return cmp.Or(strings.Compare(x.name[:n], y.name[:n]), cmp.Compare(x.byteAt(n), y.byteAt(n)))
}

// byteAt is a byte of the name by which an entry is sorted, 0 after its end.
func (e *treeEntry) byteAt(i int) byte {
	switch {
	case i < len(e.name):
		return e.name[i]
	case i == len(e.name) && e.mode == folder:
		return '/'
	}
	return 0
}

// children are the entries of a folder; nil for anything else.
func (r *Repo) children(ctx context.Context, path string, e Entry) (tree, error) {
	if e.Mode != folder || e.ID == "" {
		return nil, nil
	}
	t, err := r.readTree(ctx, e.ID)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}
