package repo

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Prefetch reads ahead what Entry, Size and Blob will return for these paths, in few round trips to git: one for each
// level of folders, one for all sizes, and one for the contents of at most maxBytes bytes each. The three then answer
// without git.
//
// It skips paths that do not exist or lead through a file, a symlink or a submodule, and missing or corrupt objects:
// Entry, Size and Blob report those. Contents beyond the cache's limit (32 MiB, in the order of paths) are read later.
// Its errors would fail every read: ctx is done, there is no repository, git is missing.
func (s *Snapshot) Prefetch(ctx context.Context, paths []string, maxBytes int64) error {
	if len(paths) == 0 {
		return nil
	}
	// The root shows whether the repository or just an object is unreadable.
	if _, err := s.repo.readTree(ctx, s.tree); err != nil {
		if errors.Is(err, ErrDamaged) {
			return nil
		}
		return err
	}
	ids, err := s.repo.descend(ctx, s.tree, paths)
	if err != nil {
		return err
	}
	return s.repo.PrefetchBlobs(ctx, ids, maxBytes)
}

// PrefetchBlobs is Prefetch for the ids of contents.
func (r *Repo) PrefetchBlobs(ctx context.Context, ids []ID, maxBytes int64) error {
	ids = distinct(slices.Clone(ids))
	var names []string
	for _, id := range ids {
		if _, ok := r.sizes.get(id); !ok {
			names = append(names, string(id))
		}
	}
	infos, err := r.objects.prefetch(ctx, query{verb: info, names: names})
	for _, a := range infos {
		if a.err == nil {
			r.sizes.put(ID(a.name), a.size, 1)
		}
	}
	if err != nil {
		return err
	}
	var cost int
	for range 2 { // again if makeRoom emptied the cache
		left := int64(r.blobs.limit)
		names, cost = nil, 0
		for _, id := range ids {
			size, ok := r.sizes.get(id)
			if !ok || size > min(maxBytes, left) {
				continue
			}
			left -= size
			if _, there := r.blobs.get(id); !there {
				names, cost = append(names, string(id)), cost+int(size)
			}
		}
		r.blobs.makeRoom(cost)
	}
	// Blob reports objects of another kind.
	blobs, err := r.objects.prefetch(ctx,
		query{verb: contents, names: names, kind: plumbing.BlobObject, maxSize: int64(r.blobs.limit)})
	for _, a := range blobs {
		if a.content != nil {
			r.blobs.put(ID(a.name), a.content, len(a.content))
		}
	}
	return err
}

type walk struct {
	path int
	rest string
}

// descend follows all paths level by level. It returns the ids of the files and symlinks, without duplicates, in the
// order of paths.
func (r *Repo) descend(ctx context.Context, root ID, paths []string) ([]ID, error) {
	found := make([]ID, len(paths))
	level := map[ID][]walk{}
	seen := map[string]bool{}
	for i, path := range paths {
		if !seen[path] {
			seen[path] = true
			level[root] = append(level[root], walk{i, path})
		}
	}
	for len(level) > 0 {
		below := map[ID][]walk{}
		err := r.readTrees(ctx, slices.Sorted(maps.Keys(level)), func(id ID, t tree) {
			for _, w := range level[id] {
				name, rest, deeper := strings.Cut(w.rest, "/")
				switch e := t.find(name); {
				case e == nil:
				case deeper && e.mode == folder:
					id := e.objectID()
					below[id] = append(below[id], walk{w.path, rest})
				case !deeper && e.mode != folder && e.mode != submodule:
					found[w.path] = e.objectID()
				}
			}
		})
		if err != nil {
			return nil, err
		}
		level = below
	}
	return distinct(found), nil
}

func distinct(ids []ID) []ID {
	seen := map[ID]bool{"": true}
	return slices.DeleteFunc(ids, func(id ID) bool {
		before := seen[id]
		seen[id] = true
		return before
	})
}

// readTrees visits the readable trees of these ids, in no fixed order; one query reads those that are not cached.
func (r *Repo) readTrees(ctx context.Context, ids []ID, visit func(ID, tree)) error {
	var names []string
	for _, id := range ids {
		if t, ok := r.trees.get(id); ok {
			visit(id, t)
		} else {
			names = append(names, string(id))
		}
	}
	trees, err := r.objects.prefetch(ctx, query{verb: contents, names: names, kind: plumbing.TreeObject})
	for _, a := range trees {
		if a.err != nil || a.kind != plumbing.TreeObject {
			continue
		}
		if t, err := r.cacheTree(ID(a.name), a.content); err == nil {
			visit(ID(a.name), t)
		}
	}
	return err
}
