package repo

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

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

func (e *treeEntry) entryAt(path string) Entry {
	if e == nil {
		return Entry{}
	}
	return Entry{Path: path, Mode: e.mode, ID: e.objectID()}
}
