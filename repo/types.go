// Package repo is the only importer of go-git and, with the exceptions that docs/architecture.md names, the only caller
// of git. Names of revisions and paths go in; commits, trees, changes and bytes come out.
//
// One `git cat-file --batch` process serves objects; go-git decodes commits; rev-list, diff-tree and write-tree answer
// the rest. So work trees, split indexes, alternates, quarantines and ref backends work as they do in git. The package
// knows nothing of commit messages, plans or rules, and must never import parser, plan or policy.
package repo

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/acta-git/acta/parser/excerpt"
)

// ID is the full name of an object in lower-case hex: 40 digits with SHA-1, 64 with SHA-256. Where a tree is expected,
// "" is the empty tree.
type ID string

var (
	// ErrNotFound: no such object or revision.
	ErrNotFound = errors.New("not found")
	// ErrUnborn: HEAD names a branch without commits.
	ErrUnborn = errors.New("HEAD has no commit yet")
	// ErrShallow: the range needs commits that a shallow clone lacks; the error that wraps it says how to fetch them.
	ErrShallow = errors.New("history is cut by a shallow clone")
	// ErrPartial: a partial clone lacks an object. acta fetches nothing by itself: a remote may be any program.
	ErrPartial = errors.New(
		"a partial clone lacks a needed object; to fetch the rest, run: git fetch --refetch --no-filter")
	// ErrNotRepository: there is no git repository here.
	ErrNotRepository = errors.New("not a git repository")
	// ErrDamaged: an object that another one names, a ref, or HEAD is missing or unreadable. It is never ErrNotFound.
	ErrDamaged = errors.New("the repository is damaged")
	// ErrUnmerged: the index holds conflicts, so there is no tree to commit.
	ErrUnmerged = errors.New("the index has unresolved conflicts")
)

// IsAbsent reports whether a revision is not here: unknown, or left out by a shallow clone.
func IsAbsent(err error) bool { return errors.Is(err, ErrNotFound) || errors.Is(err, ErrShallow) }

// Commit is a stored commit.
type Commit struct {
	ID        ID
	Tree      ID
	Parents   []ID // in order; none for a root commit
	Author    Signature
	Committer Signature
	// Message is at most excerpt.MaxBytes stored bytes, not re-encoded; MessageRest describes the bytes after them.
	Message     []byte
	MessageRest excerpt.Tail
	// Encoding is the commit's encoding header, "" for UTF-8.
	Encoding string
}

// Signature is a name, an address and a time of a commit.
type Signature struct {
	Name, Email string
	When        time.Time
}

// Entry is what a tree has at a path.
type Entry struct {
	// Mode is git's: 100644, 100755, 120000 (symlink), 160000 (submodule), 040000 (folder).
	Mode string
	ID   ID
}

// Change is one path that differs between two trees. Without rename detection a rename is a deletion and an addition;
// with it, OldPath is the path before.
type Change struct {
	Path, OldPath string
	Status        byte // A, C, D, M, R or T, as git diff-tree prints it
	// "" on the side without an entry.
	OldMode, NewMode string
	OldID, NewID     ID
	// Added and Deleted count lines; a submodule has one line; -1 for a binary file. Set only with DiffOptions.Counts.
	Added, Deleted int
}

// The lengths of an object's name in hex digits: by SHA-1 and by SHA-256 (git-hash-function-transition).
const (
	sha1Digits   = 40
	sha256Digits = 64
)

func parseID(s string) (ID, error) {
	if !IsID(s) {
		return "", fmt.Errorf("git printed %q instead of an object name", s)
	}
	return ID(s), nil
}

// IsID reports whether a text is the full name of an object.
func IsID(s string) bool {
	return (len(s) == sha1Digits || len(s) == sha256Digits) && strings.Trim(s, "0123456789abcdef") == ""
}

// check refuses anything but an object name, so that it is safe on git's command line.
func (id ID) check() error {
	if !IsID(string(id)) {
		return fmt.Errorf("%q is not an object name: 40 or 64 lower-case hex digits are", string(id))
	}
	return nil
}

// emptyTree is the id of the empty tree, which git knows in every repository; like selects the format.
func emptyTree(like ID) ID {
	if len(like) == sha256Digits {
		return "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
	}
	return "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
}

// EmptyTree is the id of the empty tree, which git knows without storing it.
func (g Layout) EmptyTree() ID {
	if g.ObjectFormat == "sha256" {
		return emptyTree(ID(make([]byte, sha256Digits)))
	}
	return emptyTree("")
}
