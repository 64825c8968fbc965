package rules

import (
	"bytes"
	"context"
	"errors"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// facts are all facts about a commit: the input, the verdicts, and gathered facts.
type facts struct {
	*Input
	registry      registry
	claims        []*judgedClaim
	rules         []*Rule         // the rules that may run
	checkedClaims []*checkedClaim // claims compared with test and coverage reports
	checkedRuns   []*checkedRun   // claimed runs that the record knows

	weaknesses                            // tests and gates that ask for less
	stubs                 []placedStub    // added in changed files
	nextPolicy            nextPolicy      // after the commit, if it changes
	planFile              planFile        // the form of a plan that the commit changes
	change                planChange      // of the plan
	changesOnlyPlan       bool            // there are no other changes
	otherFiles            []string        // changes beside the plan
	actViolation          *plan.Violation // of a guard that refuses the ACT
	unit                  *plan.Node      // of the part, in the plan before or after
	hasPlan               bool            // there is a plan before the commit
	outsideFiles          []string        // changed files that are in no unit's scope
	lastAct               plan.Act        // that an ADAPT follows
	intent                changedIntent   // of the requests
	missingIntent         missingIntent   // requests that a complete plan lacks
	ownedUnits            []ownedUnit     // that are worked on
	citations             map[citedPlace]*Citation
	unreferencedFunctions []unreferencedFunction
	proofs                []report.Proof // runs of the tests without the claimed code
	ownWorkPath           string         // a change of a merge's or revert's own
}

type gatherer[G any] func(G)

// gather runs those gatherers of a rule that have not run yet.
func gather[G any](into G, q *inquiry, all []*gatherer[G], gathered map[*gatherer[G]]bool) error {
	for _, g := range all {
		if !gathered[g] && q.Err == nil {
			gathered[g] = true
			(*g)(into)
		}
	}
	return q.Err
}

// gathering gathers the facts of a commit, rangeGathering those of a range.
type gathering struct {
	*facts
	*inquiry
}

type rangeGathering struct {
	*rangeFacts
	*inquiry
}

// inquiry asks for what gatherers need. It keeps the first error; after that its answers are empty.
type inquiry struct{ evidence.Reads }

func newInquiry(ctx context.Context) *inquiry { return &inquiry{evidence.Reads{Ctx: ctx}} }

func answer[T any](q *inquiry, find func(context.Context) (T, error)) T {
	return evidence.ReadOf(&q.Reads, func() (T, error) { return find(q.Ctx) })
}

func (q *inquiry) read(v version) []byte {
	return answer(q, func(ctx context.Context) ([]byte, error) { return v.tree.Read(ctx, v.Entry) })
}

// PlanAt reads the plan at a path of a snapshot, from the cache if it has it; nil if it is missing or malformed.
func PlanAt(
	ctx context.Context, tree *evidence.Tree, path string, cache *plan.Cache,
) (x *plan.Index, malformed plan.Errors, err error) {
	if tree == nil {
		return nil, nil, nil
	}
	entry, err := tree.Stat(ctx, path)
	if err != nil || entry.Kind != evidence.File {
		return nil, nil, err
	}
	x, err = cache.Parse(entry.ID, func() ([]byte, error) { return tree.Read(ctx, entry) })
	if errors.As(err, &malformed) {
		err = nil
	}
	return x, malformed, err
}

func (q *inquiry) planAt(tree *evidence.Tree, path string, cache *plan.Cache) *plan.Index {
	x, _, err := PlanAt(q.Ctx, tree, path, cache)
	q.Note(err)
	return x
}

func (f *gathering) changed() []string       { return answer(f.inquiry, f.Source.Changed) }
func (f *gathering) merged() []evidence.Tree { return answer(f.inquiry, f.Source.Merged) }
func (f *gathering) planBefore() *plan.Index { return answer(f.inquiry, f.Source.PlanBefore) }
func (f *gathering) nextPlanPath() string    { return answer(f.inquiry, f.Source.PlanPath) }

func (f *gathering) pathTier(path string) policy.Tier {
	return answer(f.inquiry, func(ctx context.Context) (policy.Tier, error) { return f.Source.PathTier(ctx, path) })
}

// gatherOwnWork finds the first path at which a merge or revert that names no task has changes of its own: a line that
// no parent and no reverted version has, or the loss of a line that all have.
func (f *gathering) gatherOwnWork() {
	lacksTask, _ := f.lacksTask()
	if !lacksTask || !f.IsMerge && f.Message.Reverts == nil || f.Judge.Base == nil {
		return
	}
	parents := append([]evidence.Tree{*f.Judge.Base}, f.merged()...)
	for _, r := range answer(f.inquiry, f.Source.RevertedCommits) {
		if r.IsUnknown {
			return
		}
		if r.Before != nil {
			parents = append(parents, *r.Before)
		}
	}
	for _, path := range f.changed() {
		if path == f.Policy.Plan {
			continue // it has guards of its own
		}
		if _, after, isAltered := f.ownChange(path); isAltered && f.hasOwnLine(after, parents) {
			f.ownWorkPath = path
			return
		}
	}
}

// hasOwnLine reports whether a merged file has a line that no parent has, or lacks one that all have.
func (f *gathering) hasOwnLine(after evidence.Entry, parents []evidence.Tree) bool {
	lines, isReadable := f.lines(version{&f.Judge.Tree, after})
	if !isReadable {
		return false
	}
	kept := map[string]bool{}
	removals := map[string]int{} // how many parents have a line that is not there any more
	for i := range parents {
		origin, err := evidence.Origin(f.Ctx, &parents[i], &f.Judge.Tree, after.Path)
		f.Note(err)
		before, isReadable := f.lines(version{&parents[i], origin})
		if !isReadable {
			return false
		}
		for line := range before {
			if lines[line] {
				kept[line] = true
			} else if removals[line]++; removals[line] == len(parents) {
				return true
			}
		}
	}
	return len(kept) < len(lines)
}

// lines are the lines of a version that say something, without the white space around them.
func (f *gathering) lines(v version) (found map[string]bool, isReadable bool) {
	s, isReadable := f.source(v)
	found = map[string]bool{}
	for line := range bytes.Lines(s.Bytes) {
		if line = bytes.TrimSpace(line); len(line) > 2 {
			found[string(line)] = true
		}
	}
	return found, isReadable
}
