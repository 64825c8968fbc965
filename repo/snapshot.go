package repo

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// Snapshot reads one tree on demand. Entry returns ErrNotFound for a path that is not in the tree; a missing object is
// ErrDamaged.
type Snapshot struct {
	repo *Repo
	tree ID

	mu    sync.Mutex
	paths []string // nil until Paths is called
}

// Snapshot is the snapshot of a tree, "" for the empty one. Nothing is read yet.
func (r *Repo) Snapshot(tree ID) *Snapshot { return &Snapshot{repo: r, tree: tree} }

// Modes as git spells them.
const (
	folder     = "040000"
	plainFile  = "100644"
	executable = "100755"
	symlink    = "120000"
	submodule  = "160000"
)

// Entry is the entry at a path: from the root, with forward slashes, byte for byte; "" is the root folder. A path below
// a file, a symlink or a submodule is ErrNotFound.
func (s *Snapshot) Entry(ctx context.Context, path string) (Entry, error) {
	tree := s.tree
	if path == "" {
		_, err := s.repo.readTree(ctx, tree)
		return Entry{Mode: folder, ID: tree}, err
	}
	for rest := path; ; {
		name, below, deeper := strings.Cut(rest, "/")
		t, err := s.repo.readTree(ctx, tree)
		if err != nil {
			return Entry{}, fmt.Errorf("%s: %w", path, err)
		}
		e := t.find(name)
		switch {
		case e == nil, deeper && e.mode != folder:
			return Entry{}, fmt.Errorf("%w: %s", ErrNotFound, path)
		case !deeper:
			return e.entry(), nil
		}
		tree, rest = e.objectID(), below
	}
}

func (t tree) find(name string) *treeEntry {
	for i := range t {
		if t[i].name == name {
			return &t[i]
		}
	}
	return nil
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

func (r *Repo) readTree(ctx context.Context, id ID) (tree, error) {
	if id == "" {
		return nil, nil
	}
	if err := id.check(); err != nil {
		return nil, err
	}
	if t, ok := r.trees.get(id); ok {
		return t, nil
	}
	content, err := r.object(ctx, plumbing.TreeObject, id)
	if err != nil {
		return nil, err
	}
	return r.cacheTree(id, content)
}

func (r *Repo) cacheTree(id ID, content []byte) (tree, error) {
	t, err := decodeTree(id, content)
	if err == nil {
		r.trees.put(id, t, len(t)+1)
	}
	return t, err
}

// Size is the size of a blob in bytes, without reading it.
func (s *Snapshot) Size(ctx context.Context, id ID) (int64, error) {
	if err := id.check(); err != nil {
		return 0, err
	}
	if size, ok := s.repo.sizes.get(id); ok {
		return size, nil
	}
	got, err := s.repo.objects.stat(ctx, string(id))
	return got.size, missingError(id, err)
}

// Blob is the content of a file, or the target of a symlink; the caller owns it. Check Size first where the content may
// be large.
func (s *Snapshot) Blob(ctx context.Context, id ID) ([]byte, error) {
	if err := id.check(); err != nil {
		return nil, err
	}
	if content, ok := s.repo.blobs.get(id); ok {
		return bytes.Clone(content), nil
	}
	return s.repo.object(ctx, plumbing.BlobObject, id)
}

// Paths lists every file and symlink, sorted by byte, without submodules and folders. The list is shared: do not change
// it.
func (s *Snapshot) Paths(ctx context.Context) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.paths != nil {
		return s.paths, nil
	}
	if s.tree == "" {
		return []string{}, nil
	}
	if err := s.tree.check(); err != nil {
		return nil, err
	}
	out, err := s.repo.git(ctx, "ls-tree", "-r", "-z", "--full-tree", string(s.tree), "--")
	if err != nil {
		return nil, err
	}
	paths := []string{}
	for line := range bytes.SplitSeq(out, []byte{0}) {
		meta, path, ok := bytes.Cut(line, []byte{'\t'})
		if ok && !bytes.HasPrefix(meta, []byte(submodule)) {
			paths = append(paths, string(path))
		}
	}
	slices.Sort(paths)
	s.paths = paths
	return paths, nil
}
