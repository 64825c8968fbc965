package worklog

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/history"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/snapshot"
)

// What a claim of an ADAPT asks of the plan, and what the plan says of it.
const (
	isOpen     = "open" // pending or in progress
	isRecorded = "recorded"
)

// VerifyAdapt holds the changes of status that an ADAPT claims against the plan of the tree that it committed, as
// VerifyTodos does with todos: its title («is complete»), its trailers Reopen, Replan and Reassess, and the statuses
// that it moved. Where the tree has no plan, and where the ADAPT claims nothing, there is nothing to verify.
func (r *Recorder) VerifyAdapt(ctx context.Context, now time.Time, d history.Landed) (Verified, error) {
	if d.Part.Kind != parser.Adapt || !r.WantsVerification() {
		return Verified{}, nil
	}
	_, root, err := snapshot.At(r.Repo, string(d.Commit.ID)).Plan(ctx)
	if err != nil || root == nil {
		return Verified{}, err
	}
	change := TodoChange{
		About: "ADAPT: " + d.Part.Unit.Value, Intended: claimedStatuses(d.Part),
		Remedy: "the plan as it is committed says otherwise; amend the ADAPT, or make another that does what this one " +
			"says, and tell the person",
	}
	change.Moved = changesOf(d.Moved)
	for _, m := range d.Moved {
		if !slices.ContainsFunc(change.Intended, func(t Todo) bool { return parser.SameUnit(t.ID, m.Key) }) {
			change.Intended = append(change.Intended, Todo{ID: m.Key, Status: m.To})
		}
	}
	change.Read = func(ctx context.Context, _ int) ([]Todo, bool, error) {
		_, root, err := snapshot.At(r.Repo, string(d.Commit.ID)).Plan(ctx)
		if err != nil || root == nil {
			return nil, false, err
		}
		return statusesIn(root, change.Intended), true, nil
	}
	return r.VerifyTodos(ctx, now, change)
}

// claimedStatuses is what an ADAPT says became of units. A title in other words than these claims nothing.
func claimedStatuses(p *parser.Part) []Todo {
	var all []Todo
	if regexp.MustCompile(`(?i)^(?:(?:is|are|now|marked|mark|it|as)\s+)*(?:complete` +
		`|completed)[.!]?$`).MatchString(strings.TrimSpace(p.Summary.Value)) {
		all = append(all, Todo{ID: p.Unit.Value, Status: plan.Complete})
	}
	for _, u := range p.Reopen {
		all = append(all, Todo{ID: u.Value, Status: isOpen})
	}
	for _, pair := range p.Replan {
		all = append(all, Todo{ID: recordOf("replan", pair.Left.Value, pair.Right.Value), Status: isRecorded})
	}
	for _, pair := range p.Reassess {
		all = append(all, Todo{ID: recordOf("reassessment", pair.Left.Value, pair.Right.Value), Status: isRecorded})
	}
	return all
}

func recordOf(kind, of, with string) string { return of + ": " + kind + " after " + with }

// statusesIn is what a plan says of what was claimed.
func statusesIn(root *plan.Unit, claimed []Todo) []Todo {
	var there []Todo
	x := plan.NewIndex(root)
	for _, c := range claimed {
		n := x.Find(c.ID)
		switch {
		case c.Status == isRecorded:
			if slices.Contains(recordsIn(x), c.ID) {
				there = append(there, c)
			}
		case n == nil: // missing
		case c.Status == isOpen && n.Status != plan.Complete:
			there = append(there, c)
		default:
			there = append(there, Todo{ID: c.ID, Status: n.Status})
		}
	}
	return there
}

// recordsIn are the replans and assessments of a plan, under every name that an ADAPT may give them.
func recordsIn(x *plan.Index) []string {
	var all []string
	names := func(id string) []string {
		if n := x.Find(id); n != nil {
			return []string{n.ID, n.Key}
		}
		return []string{id}
	}
	add := func(kind string, n *plan.Node, with string) {
		for _, a := range names(n.ID) {
			for _, b := range names(with) {
				all = append(all, recordOf(kind, a, b))
			}
		}
	}
	for _, n := range x.Nodes {
		for _, p := range n.Replans {
			add("replan", n, p.With)
		}
		for _, a := range n.Assessments {
			add("reassessment", n, a.With)
		}
	}
	return all
}
