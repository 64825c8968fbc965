// Package evidence decides whether the cited lines hold what a claim says. Claims and source bytes go in, verdicts come
// out. It reads sources with tree-sitter, as the only package; each language is one folder in lang. It opens no file
// and knows no git: a Tree carries the readers.
package evidence

import (
	"context"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// EntryKind is the kind of an entry. The zero value means that nothing exists.
type EntryKind uint8

const (
	Missing   EntryKind = iota // the path does not exist
	File                       // a regular file, executable or not
	Folder                     // it holds other entries
	Symlink                    // its content is its target
	Submodule                  // a commit of another repository, which is not read
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
	// Stat returns the entry at a path; Entry{Kind: Missing} and no error if there is none.
	Stat(ctx context.Context, path string) (Entry, error)
	// Size is the byte length of an entry's content, without reading it.
	Size(ctx context.Context, e Entry) (int64, error)
	// Read returns an entry's content: a file's bytes, a symlink's target.
	Read(ctx context.Context, e Entry) ([]byte, error)
	// Paths lists every file of the snapshot. Only hints ask for it.
	Paths(ctx context.Context) ([]string, error)
	// Renamed returns the earlier path of a file that was renamed since; "" if it was not, or if that is unknown.
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

// Claim is a cited place and the item that cites it.
type Claim struct {
	Evidence parser.Evidence
	// Item is the text of the checklist item.
	Item string
	// Kind is the item's kind; the zero value is KindCode.
	Kind Kind
	// HasOthers: other evidence is cited for the item, too.
	HasOthers bool
}

// Kind is the kind of a checklist item, which decides what counts as substance.
type Kind string

const (
	KindCode    Kind = "code"    // code that does something
	KindText    Kind = "text"    // comments and prose count as well
	KindTest    Kind = "test"    // a test that must run
	KindRemoval Kind = "removal" // the cited lines, or the file, are gone
	kindAsset   Kind = "asset"   // a file without lines to cite, such as an image
)

// Limits bound what is read. The zero value of a field means its default.
type Limits struct {
	// MaxLines is the widest span without evidence_too_wide; default 400 (docs/policy.md).
	MaxLines int
	// MaxFileBytes is the largest file that is parsed; default 2,097,152 (docs/policy.md).
	MaxFileBytes int64
}

// Code is the kind of a problem, or note, at a cited place: the id of its rule in docs/rules.md.
type Code string

const (
	codeFormatInvalid Code = "checklist_evidence_format_invalid"
	codeFileNotFound  Code = "checklist_evidence_file_not_found"
	codeOutOfRange    Code = "checklist_evidence_line_out_of_range"
	// EmptyImpl: the cited lines do nothing.
	EmptyImpl       Code = "checklist_evidence_empty_impl"
	codeNotRemoved  Code = "evidence_not_removed"
	codePartialStub Code = "evidence_partial_stub"
	// Uncertain: it is unclear whether the lines do anything; the message says why.
	Uncertain       Code = "evidence_unclear"
	codeTooWide     Code = "evidence_too_wide"
	codeSyntaxError Code = "evidence_syntax_error"
	codeMoved       Code = "evidence_moved"
	codeUnrelated   Code = "evidence_item_unrelated"
	codeNotInDiff   Code = "evidence_not_in_diff"
)

// Problem is a problem at a cited place. Path, Line and EndLine are in the snapshot; Line is 0 for a whole path.
type Problem struct {
	Code          Code
	Path          string
	Line, EndLine int
	Message, Hint string
	// IsCorrection: Hint is evidence to cite instead.
	IsCorrection bool
	// Cause is the problem that makes the place unclear, which another rule reports; "" if there is none.
	Cause Code
	// IsNote: it is no fault.
	IsNote bool
	// IsRelative: it depends on Base.
	IsRelative bool
}

// Result is the judgement of a cited place.
type Result struct {
	Verdict report.Verdict
	// Contradiction: the cited lines hold a stub.
	Contradiction bool
	// Reason says briefly why the verdict is not Verified; "" if it is.
	Reason   string
	Problems []Problem
	// IsOutside: the lines lie outside the unit's change. IsCut: a shallow clone cuts the history.
	IsOutside, IsCut bool
	// Aside says why a verified place shows no new code though the item asks for it; "" if it may.
	Aside string
	// First and Last are the cited lines without blank edges; 0 if they were not read.
	First, Last int
	// Shows says for each name in Claim.Item whether the lines define it, lie in it or use it; nil if unknown.
	Shows []bool
	// Anchor is the symbol of the definition around the span, "" if there is none.
	Anchor string
	// Unused are private functions in verified lines that the rest of their file does not name; see Unreferenced.
	Unused []UnusedFunction
}

// WorkTree reads files of the work tree, which may be unstaged.
type WorkTree interface {
	// WorkFile reads a file of at most limit bytes; fs.ErrNotExist if there is none.
	WorkFile(ctx context.Context, path string, limit int64) ([]byte, error)
}

// Change is the change of one or several commits.
type Change interface {
	// Changed lists the paths that differ.
	Changed(ctx context.Context) ([]string, error)
}

// Judge judges claims against one snapshot. It is for one goroutine.
type Judge struct {
	Tree Tree
	// Base is the snapshot before the commit; nil for a root commit.
	Base *Tree
	// WorkTree is the work tree of the commit; nil if there is none.
	WorkTree WorkTree
	// IsPartial: the commit takes only the paths that `git commit` names.
	IsPartial bool
	// Earlier are the earlier commits of the claims' unit; nil if there are none.
	Earlier EarlierCommits
	Limits  Limits
	// Change is that of the commit; nil if unknown.
	Change Change
	// Prose caches whether Change has only comments and prose; nil: it does not matter.
	Prose *Prose
	// IsLanded: the commit exists already, and its lines may have shifted since they were cited.
	IsLanded bool
	// IsBrief leaves out hints that need a search of the whole tree.
	IsBrief bool
	// Cache holds parsed blobs for the commits of a run; it may be nil.
	Cache *Cache
}
