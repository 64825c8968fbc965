package repo

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
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
	return s.repo.prefetchBlobs(ctx, ids, maxBytes)
}

// prefetchBlobs is Prefetch for the ids of contents; "" and duplicates are skipped.
func (r *Repo) prefetchBlobs(ctx context.Context, ids []ID, maxBytes int64) error {
	seen := map[ID]bool{"": true}
	ids = slices.DeleteFunc(slices.Clone(ids), func(id ID) bool {
		before := seen[id]
		seen[id] = true
		return before
	})
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

// descend follows all paths level by level. It returns the ids of the files and symlinks in the order of paths, "" for
// other paths.
func (r *Repo) descend(ctx context.Context, root ID, paths []string) ([]ID, error) {
	found := make([]ID, len(paths))
	level := map[ID][]walk{}
	for i, path := range paths {
		level[root] = append(level[root], walk{i, path})
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
	return found, nil
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

// object reads an object that must be there: a missing one is ErrDamaged.
func (r *Repo) object(ctx context.Context, kind plumbing.ObjectType, id ID) ([]byte, error) {
	got, err := r.objects.read(ctx, string(id), kind)
	if err != nil {
		return nil, missingError(id, err)
	}
	if got.kind != kind {
		return nil, fmt.Errorf("%w: %s is a %s, expected a %s", ErrDamaged, id, got.kind, kind)
	}
	return got.content, nil
}

// missingError makes ErrDamaged of errAbsent: another object names this one, so it must exist.
func missingError(id ID, err error) error {
	if errors.Is(err, errAbsent) {
		return fmt.Errorf("%w: object %s is missing; git fsck lists all missing objects", ErrDamaged, id)
	}
	return err
}

// commitBody is a commit with a zero tree and no parents, for go-git, which decodes names of SHA-1 only.
type commitBody struct {
	plumbing.MemoryObject
	rest []byte
}

// Hash is zero: go-git's own would hash the content.
func (s *commitBody) Hash() plumbing.Hash       { return plumbing.ZeroHash }
func (s *commitBody) Type() plumbing.ObjectType { return plumbing.CommitObject }

// Reader reads the commit with the zero tree.
func (s *commitBody) Reader() (io.ReadCloser, error) {
	tree := strings.NewReader("tree " + plumbing.ZeroHash.String() + "\n")
	return io.NopCloser(io.MultiReader(tree, bytes.NewReader(s.rest))), nil
}

// treeAndParents reads the first headers of a commit; rest is all that follows them.
func treeAndParents(commit []byte) (tree ID, parents []ID, rest []byte, err error) {
	for rest = commit; ; {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		key, name, _ := strings.Cut(string(line), " ")
		if first := len(rest) == len(commit); first != (key == "tree") || !first && key != "parent" {
			break
		}
		id, err := parseID(name)
		if err != nil {
			return "", nil, nil, err
		}
		if key == "tree" {
			tree = id
		} else {
			parents = append(parents, id)
		}
		rest = after
	}
	if tree == "" {
		return "", nil, nil, errors.New("its first line names no tree")
	}
	return tree, parents, rest, nil
}

// tree is a decoded tree. Its entries share the memory of one string.
type tree []treeEntry

// treeEntry is one entry; its object's id is in bytes, not in hex.
type treeEntry struct {
	name, id string
	mode     string
}

// shortEntry is the size of a short entry without its object's id: mode, space, eight letters, NUL.
const shortEntry = 6 + 1 + 8 + 1

// decodeTree reads the content of a tree: for each entry its mode in octal, a space, its name, a NUL, and its object's
// id in bytes, as long as the tree's own id.
func decodeTree(id ID, content []byte) (tree, error) {
	size := len(id) / 2
	entries := make(tree, 0, len(content)/(size+shortEntry))
	for rest := string(content); rest != ""; {
		mode, after, ok := strings.Cut(rest, " ")
		name, ids, ends := strings.Cut(after, "\x00")
		bits, err := strconv.ParseUint(mode, 8, 32)
		if !ok || !ends || err != nil || len(ids) < size {
			return nil, fmt.Errorf("%w: tree %s: entry %d is malformed", ErrDamaged, id, len(entries)+1)
		}
		entries = append(entries, treeEntry{name, ids[:size], canonicalMode(uint32(bits))})
		rest = ids[size:]
	}
	return entries, nil
}

// canonicalMode is the mode to which git maps a stored one (canon_mode); old trees hold other modes.
func canonicalMode(mode uint32) string {
	switch kind := mode & 0o170000; {
	case kind == 0o100000 && mode&0o100 != 0:
		return executable
	case kind == 0o100000:
		return plainFile
	case kind == 0o120000:
		return symlink
	case kind == 0o040000:
		return folder
	}
	return submodule
}

func (e *treeEntry) objectID() ID { return ID(hex.EncodeToString([]byte(e.id))) }

func (e *treeEntry) entry() Entry {
	if e == nil {
		return Entry{}
	}
	return Entry{Mode: e.mode, ID: e.objectID()}
}
