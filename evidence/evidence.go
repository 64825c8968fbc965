package evidence

import (
	"context"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// EntryKind is what stands at a path of a Tree. The zero value means that nothing does.
type EntryKind uint8

const (
	// Missing: nothing stands at the path.
	Missing EntryKind = iota
	// File is a regular file, executable or not.
	File
	// Folder holds other entries, and has no content of its own.
	Folder
	// Symlink has the path that it points to as its content. It is never followed.
	Symlink
	// Submodule names a commit of another repository, which is not read.
	Submodule
)

// Entry is one path of a Tree.
type Entry struct {
	Path string
	Kind EntryKind
	// ID names the content: equal ids, equal bytes. It keys the parse cache.
	ID string
	// Mode is git's file mode, octal digits as in ls-tree ("100644"); a change of it is a change.
	Mode string
}

// Files reads the files of one snapshot.
type Files interface {
	// Stat tells what stands at a path; nothing there is Entry{Kind: Missing} and no error.
	Stat(ctx context.Context, path string) (Entry, error)
	// Size is the byte length of an entry's content, without reading it.
	Size(ctx context.Context, e Entry) (int64, error)
	// Read returns an entry's content: a file's bytes, a symlink's target.
	Read(ctx context.Context, e Entry) ([]byte, error)
	// Paths lists every file of the snapshot. Only hints ask for it.
	Paths(ctx context.Context) ([]string, error)
	// Renamed returns the path that a file of this snapshot had in an earlier one, where it was renamed since;
	// "" where it was not, or where nothing is known of renames.
	Renamed(ctx context.Context, earlier *Tree, path string) (string, error)
}

// Tree is one snapshot.
type Tree struct {
	Files
	// Name tells this snapshot from others to Renamed.
	Name string
	// Cache keeps outlines; nil keeps none.
	Cache *Cache
}

// Claim is one cited place and what it is cited for.
type Claim struct {
	Evidence parser.Evidence
	// Item is the text of the checklist item.
	Item string
	// Kind is the item's kind; the zero value is KindCode.
	Kind Kind
}

// Kind is the kind of a checklist item: what counts as its substance.
type Kind string

const (
	// KindCode: code that does something.
	KindCode Kind = "code"
	// KindText: comments and prose count as well.
	KindText Kind = "text"
	// KindTest: a test that does not run shows nothing.
	KindTest Kind = "test"
	// KindRemoval: the cited lines, or the file, are gone.
	KindRemoval Kind = "removal"
	// kindAsset: a file without lines to cite, such as an image.
	kindAsset Kind = "asset"
)

// Limits bound what is read. The zero value of a field means its default.
type Limits struct {
	// MaxLines is the widest span that is judged without evidence_too_wide; default 400 (docs/policy.md).
	MaxLines int
	// MaxFileBytes is the largest file that is parsed; default 2,097,152 (docs/policy.md).
	MaxFileBytes int64
}

// Code says what is wrong with, or worth knowing of, one cited place. Each is the
// rule id of docs/rules.md that reports it.
type Code string

const (
	// codeFormatInvalid: the text is no evidence that could be looked up.
	codeFormatInvalid Code = "checklist_evidence_format_invalid"
	// codeFileNotFound: no file stands at the cited path.
	codeFileNotFound Code = "checklist_evidence_file_not_found"
	// codeOutOfRange: the file has fewer lines than are cited.
	codeOutOfRange Code = "checklist_evidence_line_out_of_range"
	// EmptyImpl: the cited lines hold nothing that does anything.
	EmptyImpl Code = "checklist_evidence_empty_impl"
	// codeNotRemoved: what is said to be gone is still there.
	codeNotRemoved Code = "evidence_not_removed"
	// codePartialStub: beside working code the cited lines hold a stub.
	codePartialStub Code = "evidence_partial_stub"
	// Uncertain: whether the lines do anything cannot be told; the message says why.
	Uncertain Code = "evidence_unclear"
	// codeTooWide: more lines are cited than Limits.MaxLines.
	codeTooWide Code = "evidence_too_wide"
	// codeSyntaxError: a syntax error touches the cited lines.
	codeSyntaxError Code = "evidence_syntax_error"
	// codeMoved: the cited symbol stands at other lines than those cited.
	codeMoved Code = "evidence_moved"
	// codeUnrelated: what the item names is not there.
	codeUnrelated Code = "evidence_item_unrelated"
	// codeNotInDiff: the work did not touch the cited lines.
	codeNotInDiff Code = "evidence_not_in_diff"
)

// Problem is one thing found at a cited place. Path, Line and EndLine are where
// it stands in the snapshot; Line is 0 where it is about the path as a whole.
type Problem struct {
	Code          Code
	Path          string
	Line, EndLine int
	Message, Hint string
	// Corrects reports that Hint is evidence to cite instead, and nothing else.
	Corrects bool
	// Cause is the problem of the same place that makes it unclear; "" where there is none. A rule of its own reports that
	// one.
	Cause Code
	// Note: it is worth knowing, and no fault.
	Note bool
	// Compares: the problem compares the snapshot with Base, so that another Base might not have it.
	Compares bool
}

// Result is the judgement of one cited place.
type Result struct {
	Verdict report.Verdict
	// Contradiction: a stub body stands at the cited lines.
	Contradiction bool
	// Reason says in a few words why the verdict is not Verified; "" when it is.
	Reason   string
	Problems []Problem
	// Outside: the lines lie outside of the unit's change; Cut: as far as history that a shallow clone has tells.
	Outside, Cut bool
	// Aside says why a place that holds shows no code that is new, where the item asks for that; "" where it may.
	Aside string
	// First and Last are the cited lines without the blank ones at their edges; 0 where they were not looked at.
	First, Last int
	// Shows says of each name of Claim.Item whether the lines define it, lie in it or use it. Nil where nothing was looked
	// at.
	Shows []bool
	// Anchor is the symbol of the one definition that holds the whole span, "" where none does.
	Anchor string
	// Unused are private functions of what holds that the rest of their file does not name; see Judge.Unreferenced.
	Unused []UnusedFunction
}

// WorkTree reads files that may hold what is not staged.
type WorkTree interface {
	// WorkFile reads a file of at most limit bytes; fs.ErrNotExist where there is no such file.
	WorkFile(ctx context.Context, path string, limit int64) ([]byte, error)
}

// Change is what a commit, or several, change.
type Change interface {
	// Changed lists the paths that differ.
	Changed(ctx context.Context) ([]string, error)
}

// Judge judges claims against one snapshot. It is safe for use by one goroutine.
type Judge struct {
	Tree Tree
	// Base is the snapshot before the commit, for removals and bare paths; nil where there is none (a root commit).
	Base *Tree
	// Work is the work tree that the commit is made from; nil: there is none.
	Work WorkTree
	// Partial: the commit takes only the paths that `git commit` names, whatever else is staged.
	Partial bool
	// Past are the earlier commits of the claims' unit; nil where there are none.
	Past   EarlierCommits
	Limits Limits
	// Change is that of the commit; nil: it is not known.
	Change Change
	// Prose remembers of Change whether it is one of comments and prose; nil: that is not asked.
	Prose *Prose
	// Landed: the commit is there already, so that its lines may have shifted since they were cited.
	Landed bool
	// Brief leaves out hints that take a search of the whole tree.
	Brief bool
	// Cache holds parsed blobs; share one over the commits of a run. nil: none.
	Cache *Cache
}
