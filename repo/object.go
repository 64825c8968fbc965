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
		return nil, missing(id, err)
	}
	if got.kind != kind {
		return nil, fmt.Errorf("%w: %s is a %s, expected a %s", ErrDamaged, id, got.kind, kind)
	}
	return got.content, nil
}

// missing tells of an object that another one names, or the caller has from one.
func missing(id ID, err error) error {
	if errors.Is(err, errAbsent) {
		return fmt.Errorf("%w: object %s is missing; git fsck tells what else is", ErrDamaged, id)
	}
	return err
}

// signed is what a commit says behind its tree and its parents, for go-git, which knows the names of objects by SHA-1
// alone: a tree of that kind stands before it.
type signed struct {
	plumbing.MemoryObject
	rest []byte
}

// Hash is none: go-git's own would compute the name of the content.
func (s *signed) Hash() plumbing.Hash       { return plumbing.ZeroHash }
func (s *signed) Type() plumbing.ObjectType { return plumbing.CommitObject }

// Reader reads the commit as go-git is to see it.
func (s *signed) Reader() (io.ReadCloser, error) {
	tree := strings.NewReader("tree " + plumbing.ZeroHash.String() + "\n")
	return io.NopCloser(io.MultiReader(tree, bytes.NewReader(s.rest))), nil
}

// linksOf are the tree and the parents of a commit, its first headers, and what follows them.
func linksOf(commit []byte) (tree ID, parents []ID, rest []byte, err error) {
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

// tree is a decoded tree. Its entries are stretches of one text, so that a large one takes little memory.
type tree []treeEntry

// treeEntry is an entry as a tree holds it: the name of its object is in bytes, not in hex.
type treeEntry struct {
	name, id string
	mode     string
}

// shortEntry is what a short entry takes beside its object's name: a mode, a blank, eight letters and a NUL.
const shortEntry = 6 + 1 + 8 + 1

// decodeTree reads the content of a tree (git-hash-object(1) calls it «tree»): for each entry its mode in octal, a
// blank, its name, a NUL, and the bytes of its object's name, which are as many as those of the tree's own.
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
		entries = append(entries, treeEntry{name, ids[:size], canonical(uint32(bits))})
		rest = ids[size:]
	}
	return entries, nil
}

// canonical is the mode that git takes one for (canon_mode), as it spells it: old trees hold others.
func canonical(mode uint32) string {
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

// object is the name of the entry's object in hex.
func (e *treeEntry) object() ID { return ID(hex.EncodeToString([]byte(e.id))) }

// at is the entry in the words of this package, at its path.
func (e *treeEntry) at(path string) Entry { return Entry{Path: path, Mode: e.mode, ID: e.object()} }
