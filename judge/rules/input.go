package rules

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
	"github.com/bmatcuk/doublestar/v4"
)

// Input is everything that the rules may know about one part of a commit, or about the whole commit.
type Input struct {
	// IsWholeCommit runs the rules about the commit instead of those about a part. Part then holds the message's waivers
	// and tier, and is empty without a message.
	IsWholeCommit bool
	// SkipAdvice skips the rules that only warn about the commit.
	SkipAdvice bool
	Message    *parser.Message
	Part       *parser.Part
	// Claims is the whole report, all forms together; see Collect.
	Claims []Claim
	// FileErrors are the report files that could not be read.
	FileErrors []FileError
	// Registered is the unit's checklist in the plan before the commit, if it has one.
	Registered []plan.Item
	// HasTicks: the commit ticks boxes of plans in Markdown, which shows its tasks.
	HasTicks bool
	// DroppedBoxes are the ticked boxes of plans in Markdown that the commit takes away; said of the commit alone.
	DroppedBoxes []DroppedBox
	// Judge judges evidence against the commit's snapshot.
	Judge *evidence.Judge
	// Plans keeps the plans that were read.
	Plans *plan.Cache
	// Policy is the base's; Tier is the commit's.
	Policy *policy.Policy
	Tier   policy.Tier
	// Authors are the Actor, and the names and addresses of author and co-authors.
	Authors []string
	// Session is the session in which the commit is about to be made, as its environment names it.
	Session string
	// IsMerge reports more than one parent.
	IsMerge bool

	// Source answers the gatherers of this commit.
	Source Source
	// HasRuns: there is a record of runs for the commit.
	HasRuns bool
	// Results are reports of tests and coverage of the snapshot; nil without any, or where the commit has landed.
	Results *Results
	// Range is the commit's range; nil for a single commit.
	Range RangeContext
}

// isCherryPick reports a cherry-pick, which answers to rules about evidence only.
func (in *Input) isCherryPick() bool { return len(in.Message.CherryPickedFrom) > 0 }

// RevertedCommit is a reverted commit. Before is nil for a root commit. IsUnknown: a shallow clone cut it off.
type RevertedCommit struct {
	Before    *evidence.Tree
	After     evidence.Tree
	IsUnknown bool
}

// Claim is one claim and its report file, "" for the message.
type Claim struct {
	parser.Claim
	File string
	// Box describes the place of the box that makes the claim; "" for a claim of a report.
	Box string
	// UnclearReason says why a box has no evidence, which makes it unclear. UnclearBoxes are the unclear boxes of its
	// file, if this claim reports them all.
	UnclearReason string
	UnclearBoxes  []string
}

// DroppedBox is a ticked box that is gone, or has other words.
type DroppedBox struct {
	File, ID, Text string
	// NewText is its new text, "" if the box is gone; Line is where.
	NewText string
	Line    int
}

// FileError is a report file that could not be read. Line is 0 where the file as a whole is meant.
type FileError struct {
	parser.ReportError
	// At is the Report: value that names it.
	At parser.Text
	// Hint says what to do; "" if the message does.
	Hint string
}

type registry struct {
	items []plan.Item
	names plan.ItemNames
}

func newRegistry(items []plan.Item) registry { return registry{items, plan.NameItems(items)} }

func (r registry) find(item string) *plan.Item {
	if n := r.names.Find(item); n >= 0 {
		return &r.items[n]
	}
	return nil
}

func (r registry) key(item string) string {
	if i := r.find(item); i != nil {
		item = i.Text
	}
	return plan.ItemText(item)
}

// Collect returns the claims that count: all that are given, but task-list
// lines without « | » only where they name a registered item; the same item
// twice with the same content counts once.
func Collect(claims []Claim, registered []plan.Item) []Claim {
	registry := newRegistry(registered)
	var out []Claim
	seen := map[string]bool{}
	for _, c := range claims {
		item, key := registry.find(c.Item.Value), plan.ItemKey(c.Item.Value)
		if item != nil {
			key = plan.ItemText(item.Text)
		}
		text := content(c, key)
		if seen[text] || c.Source == parser.FromTaskList && !c.HasBar && item == nil {
			continue
		}
		seen[text] = true
		out = append(out, c)
	}
	return out
}

// AddUnfinished adds to the claims of a part that is blocked the registered items that it leaves out.
func AddUnfinished(part *parser.Part, claims []Claim, registered []plan.Item) []Claim {
	if BlockReason(part) == "" {
		return claims
	}
	reported := report.Map(claims, func(c Claim) plan.Item { return plan.Item{Text: c.Item.Value} })
	for _, i := range registered {
		if !plan.CoversChecklist(reported, []plan.Item{i}) {
			at := parser.Text{Value: i.Text, Span: part.Outcome.Span}
			claims = append(claims, Claim{Claim: parser.Claim{Item: at, Status: parser.Pending, Source: parser.FromTrailer}})
		}
	}
	return claims
}

// content is equal for two equal claims of an item. Anchors do not count, since the hook adds them only to some.
func content(c Claim, key string) string {
	fields := []string{key, string(c.Status)}
	if c.Status != parser.Done {
		fields = append(fields, strings.Join(strings.Fields(c.Reason.Value), " "))
	}
	for _, e := range c.Evidence {
		if e.Err != "" {
			fields = append(fields, e.Text.Value)
			continue
		}
		fields = append(fields, fmt.Sprintf("%v:%s:%d-%d", e.IsRemoved, e.Path, e.Start, e.End))
	}
	return strings.Join(fields, "\x00")
}

// Place is a word of a plan that may name a file, a folder or a pattern of files.
type Place struct {
	Text string
	// IsSure: it is certainly a place: src/auth.py, docs/, src/**/*.go. «and/or» and «user.check» may be none.
	IsSure bool
}

// knownFiles are names of files without an extension.
var knownFiles = [...]string{"Makefile", "Dockerfile", "README", "CHANGELOG", "LICENSE", "CONTRIBUTING"}

// NamedPlaces are the places that a unit names, and the units below it, in their
// descriptions and items.
func NamedPlaces(u *plan.Unit) []Place {
	all := placesIn(u.Description)
	for _, i := range u.Checklist {
		all = append(all, placesIn(i.Text)...)
	}
	for _, c := range u.Children {
		if c.Status != plan.Complete {
			all = append(all, NamedPlaces(c)...)
		}
	}
	return all
}

func placesIn(text string) []Place {
	var all []Place
	for _, word := range strings.FieldsFunc(text, isSeparator) {
		word = strings.TrimPrefix(strings.TrimRight(word, ".:!?"), "./")
		word, _, _ = strings.Cut(word, "#") // src/auth.py#login
		word, _, _ = strings.Cut(word, ":") // src/auth.py:12-40
		if strings.Trim(word, "./*-") == "" {
			continue
		}
		all = append(all, Place{word, isSure(word)})
	}
	return all
}

// isSeparator reports whether a character separates words and is never part of a place.
func isSeparator(r rune) bool { return strings.ContainsRune(" \t\r\n`'\"«»“”‘’,;()<>|=", r) }

func isSure(word string) bool {
	switch {
	case slices.Contains(knownFiles[:], word), strings.HasSuffix(word, "/"):
		return true
	case strings.Contains(word, "*"):
		return strings.ContainsAny(word, "./")
	case strings.HasPrefix(path.Base(word), ".") && !strings.Contains(path.Base(word)[1:], "/"):
		return len(word) > 2 // .gitignore
	case strings.Contains(word, "/") && path.Ext(word) != "":
		return true
	}
	return slices.ContainsFunc(parser.Names(word), func(n parser.Name) bool {
		return n.IsFile && n.IsSure && n.Text == word
	})
}

// Contains reports whether a file is the place or lies in it. A place may leave out
// the folders above it: auth.py is src/auth.py too, and docs/ is pkg/docs/.
func (p Place) Contains(file string) bool {
	name := strings.Trim(p.Text, "/")
	if strings.Contains(name, "*") {
		return p.IsSure && (matchesPattern(name, file) || matchesPattern("**/"+name, file))
	}
	in := "/" + file
	isFolder := strings.Contains(p.Text, "/")
	return strings.HasSuffix(in, "/"+name) && !strings.HasSuffix(p.Text, "/") ||
		isFolder && strings.Contains(in, "/"+name+"/")
}

func matchesPattern(pattern, file string) bool {
	ok, err := doublestar.Match(pattern, file)
	return err == nil && ok
}

// Source answers questions about one commit. Facts that a shallow clone cut off are left out.
type Source interface {
	// Changed lists the paths that the commit changes.
	Changed(ctx context.Context) ([]string, error)
	// Merged are the snapshots of a merge's further parents; none for another commit.
	Merged(ctx context.Context) ([]evidence.Tree, error)
	// Tests says how the commit changes tests and gates; nil if it does not. A merge answers for its own changes.
	Tests(ctx context.Context) (*weaker.Account, error)
	// RevertedCommits are the snapshots before and after each commit that the message reverts, if they are here.
	RevertedCommits(ctx context.Context) ([]RevertedCommit, error)
	// PathTier is the tier of one path in the commit.
	PathTier(ctx context.Context, path string) (policy.Tier, error)
	// PlanPath is the plan's path in the policy after the commit.
	PlanPath(ctx context.Context) (string, error)
	// AddsNoStub reports whether it is known in advance that no file gets a stub; false says nothing.
	AddsNoStub(ctx context.Context) (bool, error)

	// PlanBefore is the plan before the commit; nil if it is missing or unreadable.
	PlanBefore(ctx context.Context) (*plan.Index, error)
	// LastPlanChange is the snapshot of the last earlier commit that changed the plan; nil if unknown.
	LastPlanChange(ctx context.Context) (*evidence.Tree, error)
	// LastAct is the last ACT of a unit, by its key: in this message, else in the history.
	LastAct(ctx context.Context, key string) (plan.Act, error)
	// EarlierCitation is the earlier claim of another unit that cites the same lines, saying the same; nil without one.
	EarlierCitation(ctx context.Context, e parser.Evidence) (*Citation, error)
	// HasAncestor reports whether a commit has another one in its history.
	HasAncestor(ctx context.Context, commit, earlier string) bool

	// Owner is the owner of a unit; nil if it has none, or the commit has landed.
	Owner(ctx context.Context, unit string) (*Owner, error)
	// Runs are the commands that were run for the commit before it was made, in their order.
	Runs(ctx context.Context) ([]RecordedRun, error)
	// Proofs are those of the commit's tree, or of the end of its range, in order.
	Proofs(ctx context.Context) ([]report.Proof, error)
	// CompareRun reports whether the commit's tree differs from a run's, and lists the files that differ, if known.
	CompareRun(ctx context.Context, run *RecordedRun) (other bool, paths []string, err error)
}

// rangePlan reads the plan at both ends of a range.
type rangePlan interface {
	// PlanPath is the plan's path in the policy after the range.
	PlanPath(ctx context.Context) (string, error)
	// PlanBefore is the plan before the range; nil if there never was one.
	PlanBefore(ctx context.Context) (*plan.Index, error)
	// LastAct is the last ACT of a unit, by its key, in the history up to the end of the range.
	LastAct(ctx context.Context, key string) (plan.Act, error)
}
