package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Snapshot is one tree, read as it is needed. Only Entry answers ErrNotFound,
// for a path that the tree does not hold; an object that should be there and is
// not is ErrDamaged.
type Snapshot struct {
	repo *Repo
	tree ID

	mu    sync.Mutex
	paths []string // nil until Paths is asked for
}

// Snapshot is the snapshot of a tree; "" is EmptyTree. Nothing is read yet.
func (r *Repo) Snapshot(tree ID) *Snapshot {
	if tree == "" {
		tree = EmptyTree
	}
	return &Snapshot{repo: r, tree: tree}
}

// Modes as git spells them.
const (
	folder    = "040000"
	symlink   = "120000"
	submodule = "160000"
)

// Entry is what stands at a path, as git spells it: from the root, with forward
// slashes, byte for byte. "" is the root folder. A path below a file, a symlink
// or a submodule is ErrNotFound.
func (s *Snapshot) Entry(ctx context.Context, path string) (Entry, error) {
	at := Entry{Mode: folder, ID: s.tree}
	if path == "" {
		_, err := s.repo.treeOf(ctx, s.tree)
		return at, err
	}
	for name := range strings.SplitSeq(path, "/") {
		if at.Mode != folder {
			return Entry{}, fmt.Errorf("%w: %s: %s is %s, not a folder", ErrNotFound, path, at.Path, modeWord(at.Mode))
		}
		t, err := s.repo.treeOf(ctx, at.ID)
		if err != nil {
			return Entry{}, fmt.Errorf("%s: %w", path, err)
		}
		e, ok := find(t, at.Path, name)
		if !ok {
			return Entry{}, fmt.Errorf("%w: %s", ErrNotFound, path)
		}
		at = e
	}
	return at, nil
}

// find looks a name up among the entries themselves: go-git's FindEntry refuses
// names that a tree may hold all the same, and writes to the tree that is shared here.
func find(t *object.Tree, dir, name string) (Entry, bool) {
	for i := range t.Entries {
		if e := &t.Entries[i]; e.Name == name {
			return entry(dir, e), true
		}
	}
	return Entry{}, false
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

func modeWord(mode string) string {
	switch mode {
	case symlink:
		return "a symlink"
	case submodule:
		return "a submodule"
	}
	return "a file"
}

func (r *Repo) treeOf(ctx context.Context, id ID) (*object.Tree, error) {
	h, err := id.hash()
	if err != nil {
		return nil, err
	}
	if t, ok := r.trees.get(h); ok {
		return t, nil
	}
	o, err := objects{ctx, r.objects}.EncodedObject(plumbing.TreeObject, h)
	if err != nil {
		return nil, err
	}
	return r.decodeTree(ctx, id, o)
}

func (r *Repo) decodeTree(ctx context.Context, id ID, o plumbing.EncodedObject) (*object.Tree, error) {
	t, err := object.DecodeTree(objects{ctx, r.objects}, o)
	if errors.Is(err, object.ErrMalformedTree) {
		err = fmt.Errorf("%w: tree %s: %w", ErrDamaged, id, err)
	}
	if err != nil {
		return nil, err
	}
	r.trees.put(o.Hash(), t, len(t.Entries)+1)
	return t, nil
}

// Size is the size of a blob in bytes, without reading it.
func (s *Snapshot) Size(ctx context.Context, id ID) (int64, error) {
	h, err := id.hash()
	if err != nil {
		return 0, err
	}
	if size, ok := s.repo.sizes.get(h); ok {
		return size, nil
	}
	return objects{ctx, s.repo.objects}.EncodedObjectSize(h)
}

// Blob is the content of a file, or the target of a symlink. It is the caller's
// to keep. Ask for the Size first where the content may be large.
func (s *Snapshot) Blob(ctx context.Context, id ID) ([]byte, error) {
	h, err := id.hash()
	if err != nil {
		return nil, err
	}
	if content, ok := s.repo.blobs.get(h); ok {
		return bytes.Clone(content), nil
	}
	o, err := objects{ctx, s.repo.objects}.EncodedObject(plumbing.BlobObject, h)
	if err != nil {
		return nil, err
	}
	return o.(*stored).content, nil
}

// Paths lists every file and symlink, sorted by byte; submodules and folders
// are none. The list is shared: do not change it.
func (s *Snapshot) Paths(ctx context.Context) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.paths != nil {
		return s.paths, nil
	}
	if _, err := s.tree.hash(); err != nil {
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
