package repo

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing/object"
)

// Differing lists the paths that differ between two trees, sorted: those of
// Changes without options. It reads only the folders that differ and starts no
// process, so it is the one to ask commit after commit. "" is EmptyTree.
func (r *Repo) Differing(ctx context.Context, before, after ID) ([]string, error) {
	var paths []string
	if err := r.differ(ctx, "", entryOf(before), entryOf(after), &paths); err != nil {
		return nil, err
	}
	slices.Sort(paths)
	return paths, nil
}

func entryOf(tree ID) Entry {
	if tree == EmptyTree {
		tree = ""
	}
	return Entry{Mode: folder, ID: tree}
}

// differ adds the paths that differ below two entries of one path; an entry without an ID is none.
func (r *Repo) differ(ctx context.Context, path string, a, b Entry, paths *[]string) error {
	if a.ID == b.ID && (a.Mode == b.Mode || a.ID == "") {
		return nil
	}
	if a.Mode != folder && a.ID != "" || b.Mode != folder && b.ID != "" {
		*paths = append(*paths, path)
	}
	old, err := r.children(ctx, path, a)
	if err != nil {
		return err
	}
	now, err := r.children(ctx, path, b)
	if err != nil {
		return err
	}
	for name, e := range now {
		was := old[name]
		delete(old, name)
		if was != nil && was.Hash == e.Hash && was.Mode == e.Mode {
			continue // most entries, told apart without being spelled
		}
		if err := r.differ(ctx, join(path, name), spell(path, was), spell(path, e), paths); err != nil {
			return err
		}
	}
	for name, e := range old {
		if err := r.differ(ctx, join(path, name), spell(path, e), Entry{}, paths); err != nil {
			return err
		}
	}
	return nil
}

// children are the entries of a folder by name; none of what is no folder.
func (r *Repo) children(ctx context.Context, path string, e Entry) (map[string]*object.TreeEntry, error) {
	if e.Mode != folder || e.ID == "" {
		return nil, nil
	}
	t, err := r.treeOf(ctx, e.ID)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	all := make(map[string]*object.TreeEntry, len(t.Entries))
	for i := range t.Entries {
		all[t.Entries[i].Name] = &t.Entries[i]
	}
	return all, nil
}

// spell is entry for one that may not be there.
func spell(dir string, e *object.TreeEntry) Entry {
	if e == nil {
		return Entry{}
	}
	return entry(dir, e)
}

// entry is go-git's tree entry in the words of this package.
func entry(dir string, e *object.TreeEntry) Entry {
	return Entry{Path: join(dir, e.Name), Mode: fmt.Sprintf("%06o", uint32(e.Mode)), ID: ID(e.Hash.String())}
}
