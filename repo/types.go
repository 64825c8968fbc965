package repo

import (
	"errors"
	"fmt"
	"time"

	"github.com/acta-git/acta/parser/excerpt"
)

// ID is the full lower-case hex name of an object: 40 digits where a repository names its objects by SHA-1, 64 where
// by SHA-256. Where a tree is asked for, "" is the one without entries.
type ID string

var (
	// ErrNotFound: no such object or revision.
	ErrNotFound = errors.New("not found")
	// ErrUnborn: HEAD names a branch without commits.
	ErrUnborn = errors.New("HEAD has no commit yet")
	// ErrShallow: the range leaves what a shallow clone holds; the error that wraps it says how to fetch more.
	ErrShallow = errors.New("history is cut by a shallow clone")
	// ErrPartial: a partial clone left an object out, and acta fetches nothing by itself: a remote may be any program.
	ErrPartial = errors.New(
		"a partial clone left out what is needed; to fetch the rest, run: git fetch --refetch --no-filter")
	// ErrNotRepository: there is no git repository here.
	ErrNotRepository = errors.New("not a git repository")
	// ErrDamaged: something that must be there is missing or cannot be read: an
	// object that another one names, a ref, HEAD. It is never ErrNotFound.
	ErrDamaged = errors.New("the repository is damaged")
	// ErrUnmerged: the index holds conflicts, so there is no tree to commit.
	ErrUnmerged = errors.New("the index has unresolved conflicts")
)

// IsAbsent reports that a revision is not here: nothing has its name, or a shallow clone left it out.
func IsAbsent(err error) bool { return errors.Is(err, ErrNotFound) || errors.Is(err, ErrShallow) }

// Commit is a stored commit.
type Commit struct {
	ID        ID
	Tree      ID
	Parents   []ID // in order; none for a root commit
	Author    Signature
	Committer Signature
	// Message is the stored bytes, not re-encoded, no more than excerpt.MaxBytes of them; Beyond is what follows.
	Message []byte
	Beyond  excerpt.Rest
	// Encoding is the commit's encoding header, "" for UTF-8.
	Encoding string
}

// Signature is a name, an address and a time of a commit.
type Signature struct {
	Name, Email string
	When        time.Time
}

// Entry is one path of a tree.
type Entry struct {
	Path string
	// Mode is git's: 100644, 100755, 120000 (symlink), 160000 (submodule), 040000 (folder).
	Mode string
	ID   ID
}

// Change is one path that differs between two trees. A rename is a deletion and
// an addition unless renames were asked for; then OldPath names where it came from.
type Change struct {
	Path, OldPath string
	Status        byte // A, C, D, M, R, T as git diff-tree prints it
	// "" on the side where nothing stands.
	OldMode, NewMode string
	OldID, NewID     ID
	// Added and Deleted count lines, a submodule as the one line of its commit; -1
	// for a binary file. Set only where counts were asked for.
	Added, Deleted int
}

// The lengths of an object's name in hex digits: by SHA-1 and by SHA-256 (git-hash-function-transition).
const (
	sha1Digits   = 40
	sha256Digits = 64
)

// parseID reads an object name that git printed.
func parseID(s string) (ID, error) {
	if !IsID(s) {
		return "", fmt.Errorf("git printed %q instead of an object name", s)
	}
	return ID(s), nil
}

// IsID reports whether a text is the full name of an object.
func IsID(s string) bool { return (len(s) == sha1Digits || len(s) == sha256Digits) && isHex(s) }

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// check refuses what is no object name, so that nothing else ever reaches git's command line in its place.
func (id ID) check() error {
	if !IsID(string(id)) {
		return fmt.Errorf("%q is not an object name: 40 or 64 lower-case hex digits are", string(id))
	}
	return nil
}

// emptyTree is the name of the tree without entries, which git knows in every repository, in the format of another
// name.
func emptyTree(like ID) ID {
	if len(like) == sha256Digits {
		return "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
	}
	return "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
}

// EmptyTree is the name of the tree without entries, which git knows without having it.
func (g Layout) EmptyTree() ID {
	if g.ObjectFormat == "sha256" {
		return emptyTree(ID(make([]byte, sha256Digits)))
	}
	return emptyTree("")
}
