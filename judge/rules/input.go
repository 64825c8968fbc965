package rules

import (
	"fmt"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
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
	var reported []plan.Item
	for _, c := range claims {
		reported = append(reported, plan.Item{Text: c.Item.Value})
	}
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
