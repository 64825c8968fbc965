package parser

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/parser/excerpt"
	"github.com/acta-git/acta/report"
)

// Kind is the kind of a commit, or of one part of a squash.
type Kind string

const (
	// None makes no claims: any commit without a title of ours.
	None Kind = ""
	// Act reports work on an atomic unit.
	Act Kind = "ACT"
	// Adapt changes the plan.
	Adapt Kind = "ADAPT"
	// For marks work in progress on a unit; it claims nothing.
	For Kind = "FOR"
	// PlanBox claims a box of a plan in Markdown; no message says so, the commit's change does.
	PlanBox Kind = "BOX"
)

// Limits of input, far above what people and agents write. git has none.
const (
	// MaxMessage is how many bytes of a message are read, inclusive: 1 MiB.
	// A longer one is read up to there, and Invalid says so.
	MaxMessage = excerpt.MaxBytes
	// maxReportFile is the largest report file, inclusive: 1 MiB.
	maxReportFile = 1 << 20
	// maxClaims is how many claims one message or report file may make. More are
	// not read: Invalid says so, or the file is an error.
	maxClaims = 10_000
	// maxParts is how many titles of a joined message are read; GitHub and
	// GitLab list a few hundred commits at most. Invalid says so when there are more.
	maxParts = 1_000
	// maxEvidence is how many places an evidence list may have. The rest is one Evidence with Err set.
	maxEvidence = 1_000
)

// Text is one value of a message, unfolded and trimmed, and its place. The span covers the raw bytes, folds included.
type Text struct {
	Value string
	Span  report.Span
}

// Trailer is one trailer of the trailer block, as git reads it: Value is
// unfolded and trimmed, Key as written.
type Trailer struct {
	Key, Value Text
}

// Message is a commit message, read.
type Message struct {
	// Subject is the first line of the first paragraph, common indentation removed.
	Subject Text
	// Trailers is the trailer block as git reads it, in order, duplicates kept.
	Trailers []Trailer
	// Parts holds the claims: one Part for a plain message (of Kind None without claims), one for each title of a squash.
	// They are in the order of the commits, oldest first; the log of git merge --squash has the reverse order.
	Parts []*Part
	// IsSquash reports several ACT or ADAPT titles in one message, or at least one in the log of git merge --squash, or
	// behind a bullet and above a report. A subject that only repeats a later title counts, but is not a Part.
	IsSquash bool
	// Reverts holds the commit ids of every «This reverts commit X», if the subject is git's of a revert, or begins with
	// «revert» in any case.
	Reverts []Text
	// CherryPickedFrom holds the ids of every «(cherry picked from commit X)».
	CherryPickedFrom []Text
	// IsAutosquash reports a fixup!, squash! or amend! subject: such a commit claims nothing itself, and its Part is of
	// Kind For or None.
	IsAutosquash bool
	// Invalid says why the message could not be read whole. What could be read is read all the same.
	Invalid []Defect

	text  string
	lines []line
}

// String is the message, as far as it was read, byte for byte.
func (m *Message) String() string { return m.text }

// Has reports whether a part of the message is of one of the kinds.
func (m *Message) Has(kinds ...Kind) bool { return len(m.Of(kinds...)) > 0 }

// Of are the parts of the kinds, in order.
func (m *Message) Of(kinds ...Kind) []*Part {
	return slices.DeleteFunc(slices.Clone(m.Parts), func(p *Part) bool { return !slices.Contains(kinds, p.Kind) })
}

// Evidence lists the evidence of the message, part by part, in the order of the
// claims; malformed evidence is among it.
func (m *Message) Evidence() []Evidence {
	var out []Evidence
	for _, p := range m.Parts {
		for _, c := range p.Claims {
			out = append(out, c.Evidence...)
		}
	}
	return out
}

// Defect is why a message is not read to its end, and where: a NUL byte, or a limit.
type Defect struct {
	Message string
	Span    report.Span
	// HasTitle: an unread line looks like the title of an ACT or ADAPT.
	HasTitle bool
}

// Part is one ACT, ADAPT or For: its title and its report. A Part of Kind None claims nothing: of its Report only
// Outcome, Actor, Session, Reason, Tier, Waivers and Weakenings are kept.
type Part struct {
	Kind    Kind
	Unit    Text
	Summary Text
	// Conflict is set when titles and trailers name different units or kinds,
	// or a title names none: rule unit_conflict.
	Conflict *Conflict
	Report
	// UnreadLines lists the lines that look like a report but are not read as one. For a Part of Kind None it holds a
	// subject that almost is a title.
	UnreadLines []UnreadLine

	unclaimed []Claim
}

// Unclaimed is the report of a Part of Kind None; only boxes that its commit ticks use it.
func (p *Part) Unclaimed() []Claim { return p.unclaimed }

// Conflict is two contradicting statements of kind and unit, as written («ACT: T01», «Act: T02»). Second is zero if a
// title names no unit. Units are compared with case, and an id matches the key that ends in it.
type Conflict struct {
	First, Second Text
}

// UnreadLine is a line that looks like a report but cannot be read as one.
type UnreadLine struct {
	// Line is the line itself.
	Line Text
	// Reason is one of the Unread… constants.
	Reason UnreadReason
	// Obstacle is the line that keeps it from being read: the prose line that
	// opens its paragraph, the scissors line, the comment itself, the title without a blank line after it.
	Obstacle Text
}

// UnreadReason says why a line that looks like a report is not read as one.
type UnreadReason string

const (
	unreadInProse  UnreadReason = "prose"    // its paragraph opens with a line that is no report key
	UnreadScissors UnreadReason = "scissors" // it is under a scissors line
	UnreadComment  UnreadReason = "comment"  // it is in a comment line
	UnreadTitle    UnreadReason = "title"    // no blank line parts it from the title
	// a bullet, quote, emphasis or other mark is before the key, or it is the row of a table
	UnreadDecorated UnreadReason = "markup"
	UnreadNUL       UnreadReason = "nul" // it is after a NUL byte, where git stops reading
	// it is a subject that almost is a title, above a report that so belongs to no unit
	UnreadNoTitle UnreadReason = "no_title"
)

// Status is the status of a claim's item.
type Status string

// The statuses of an item: with evidence, left out for a reason, and not done yet.
const (
	Done    Status = "done"
	Skipped Status = "skipped"
	Pending Status = "pending"
)

// Claim is one checklist item as the commit reports it.
type Claim struct {
	Item   Text
	Status Status
	// Evidence is the list that Done cites, in order; a malformed place has Err set.
	Evidence []Evidence
	// EvidenceText is the evidence list as written; its Value is "" without one.
	EvidenceText Text
	// Reason is why the item is skipped.
	Reason Text
	// Source says in which form it was reported.
	Source Source
	// HasBar reports a « | » between item and the rest. A task-list line
	// without one counts only if it names a registered item.
	HasBar bool
	// LacksBar: EvidenceText follows the item without a « | », and is not read as evidence.
	LacksBar bool
}

// Source is the form in which a claim was reported.
type Source string

const (
	FromTrailer  Source = "trailer"   // Done:, Skipped:, Pending:
	FromTaskList Source = "task_list" // - [x] item | evidence
	FromFile     Source = "file"      // a file that Report: names
)

// Report is everything that a part reports, all forms together, in the order written.
type Report struct {
	Claims []Claim
	// Files are the paths that Report: names; ParseReport reads their content.
	Files []Text
	// The last value of each; zero without one.
	Outcome, Actor, Session, Reason, Tier Text
	Runs                                  []ClaimedRun
	Waivers                               []Waiver
	Weakenings, Acceptances               []Excuse
	Observations                          []Observation
	Reopen                                []Text
	Replan                                []Pair // slice | blocker task
	Reassess                              []Pair // milestone | completed slice
}

// Waiver is «Waive: <rule> | <place> | <reason>». Err is its error.
type Waiver struct {
	Rule, Place, Reason Text
	Err                 string
}

// Excuse is «Weakened: <test or path> | <reason>», for a weakened test or gate, or «Accepted: <item> | <reason>», for
// an item that a task is complete without. Err says what is malformed.
type Excuse struct {
	Subject, Reason Text
	Err             string
}

// Observation is «Observation: <perspective> | <fact>».
type Observation struct {
	Perspective, Fact Text
}

// Perspectives are the known perspectives of observations.
func Perspectives() []string { return []string{"build", "requirements", "integration", "quality"} }

// IsValid reports whether an observation has a fact and a known perspective.
func (o Observation) IsValid() bool {
	return o.Fact.Value != "" && slices.Contains(Perspectives(), strings.ToLower(o.Perspective.Value))
}

// Pair is a value of two fields, «left | right».
type Pair struct {
	First, Second Text
}

// Evidence is one cited place:
//
//	<path>:<line>[-<end>][#<symbol>]   lines, both ends included, from 1
//	-<path>[:<line>[-<end>]]           removed lines, or a removed file
//	<path>                             what has no lines
//
// A path may be in double quotes, and must be if it has a comma, or a colon before a digit.
type Evidence struct {
	// Text is the evidence as written.
	Text Text
	// Path is repository-relative with forward slashes.
	Path string
	// Start and End are lines; both 0 for a bare path.
	Start, End int
	// Symbol is the anchor after '#', "" without one.
	Symbol string
	// IsRemoved reports the leading '-'.
	IsRemoved bool
	// Err is the error of a malformed place, "" for a well-formed one; Hint is the corrected evidence, if there is one.
	Err, Hint string
	// Note says how it departs from the form, if its meaning is clear.
	Note string
}
