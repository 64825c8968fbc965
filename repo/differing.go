package repo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// Differing lists the paths that differ between two trees, sorted: those of
// Changes without options. It reads only the folders that differ and starts no
// process, so it is the one to ask commit after commit.
func (r *Repo) Differing(ctx context.Context, before, after ID) ([]string, error) {
	var paths []string
	add := func(path string, _, _ Entry) { paths = append(paths, path) }
	if err := r.differ(ctx, "", entryOf(before), entryOf(after), add); err != nil {
		return nil, err
	}
	slices.Sort(paths)
	return paths, nil
}

// deletes reports whether a file of a tree is none in a later one.
func (r *Repo) deletes(ctx context.Context, before, after ID) (deleted bool, err error) {
	err = r.differ(ctx, "", entryOf(before), entryOf(after), func(_ string, was, is Entry) {
		deleted = deleted || was.isFile() && !is.isFile()
	})
	return deleted, err
}

// isFile reports whether there is something at a path, and no folder.
func (e Entry) isFile() bool { return e.ID != "" && e.Mode != folder }

func entryOf(tree ID) Entry { return Entry{Mode: folder, ID: tree} }

// differ visits the paths that differ below two entries of one path; an entry without an ID is none.
func (r *Repo) differ(ctx context.Context, path string, a, b Entry, visit func(path string, a, b Entry)) error {
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
			continue // most entries, told apart without being spelled
		}
		below := join(path, cmp.Or(is, was).name)
		if err := r.differ(ctx, below, entryAt(below, was), entryAt(below, is), visit); err != nil {
			return err
		}
	}
	return nil
}

// compareEntries tells which of the first entries of two trees comes first, in the order of trees: by the bytes of
// their names, that of a folder as if it ended with a slash (git's base_name_compare). A list without entries comes
// last.
func compareEntries(a, b tree) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(b), len(a))
	}
	x, y := &a[0], &b[0]
	n := min(len(x.name), len(y.name))
	return cmp.Or(strings.Compare(x.name[:n], y.name[:n]), cmp.Compare(x.byteAt(n), y.byteAt(n)))
}

// byteAt is a byte of the name by which an entry is sorted, 0 behind its end.
func (e *treeEntry) byteAt(i int) byte {
	switch {
	case i < len(e.name):
		return e.name[i]
	case i == len(e.name) && e.mode == folder:
		return '/'
	}
	return 0
}

// children are the entries of a folder; none of what is no folder.
func (r *Repo) children(ctx context.Context, path string, e Entry) (tree, error) {
	if e.Mode != folder || e.ID == "" {
		return nil, nil
	}
	t, err := r.treeOf(ctx, e.ID)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// entryAt is treeEntry.at for one that may not be there.
func entryAt(path string, e *treeEntry) Entry {
	if e == nil {
		return Entry{}
	}
	return e.at(path)
}
