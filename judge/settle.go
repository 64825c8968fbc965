package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// commitResult is the outcome of a commit of a range, and what settling needs. If the commit could not be judged, the
// outcome is empty.
type commitResult struct {
	outcome
	commit string
	// reportedUnits are the units of its ACTs that report something.
	reportedUnits []string
	// revertedIDs are the commits that it says it takes back, and that are taken back at the end of the range.
	revertedIDs []string
	// failure says why it could not be judged; "" where it was.
	failure string
	// cutReason says what cut history keeps unknown; "" for nothing.
	cutReason string
}

// result is the outcome of a commit that is there, as the report has it.
func (o *outcome) result(accepted []policy.AcceptedCommit) *commitResult {
	j := &commitResult{outcome: *o, commit: string(o.id)}
	for i := range j.Findings {
		j.Findings[i].Commit = j.commit
		accept(&j.Findings[i], accepted)
	}
	for i := range j.Verdicts {
		j.Verdicts[i].Commit = j.commit
	}
	for i := range changesOf(j.Tests) {
		j.Tests.Changes[i].Commit = j.commit
	}
	j.cutReason = o.cutWarning()
	for i, p := range o.message.Parts {
		// A cherry-pick completes nothing.
		if p.Kind == parser.Act &&
			!o.revertedParts[i] && p.Unit.Value != "" && len(p.Claims)+len(p.Files) > 0 && len(o.message.CherryPickedFrom) == 0 {
			j.reportedUnits = append(j.reportedUnits, p.Unit.Value)
		}
	}
	return j
}

func changesOf(t *report.Tests) []report.TestChange {
	if t == nil {
		return nil
	}
	return t.Changes
}

// settle says what the rest of a range makes of mistakes that have landed
// (docs/format.md). The claim findings of a commit become notes where a later
// ACT of the same unit has no errors, or where a later commit takes it back. They are still shown, and still counted
// against the score. Other findings are settled by a revert alone, or as settleForward says.
//
// The commits are in the order of the range, parents before children.
func settle(commits []*commitResult) {
	undone := map[string]string{}
	var clean []cleanAct
	for _, j := range slices.Backward(commits) {
		by, reverted := undone[j.commit]
		if !reverted {
			for _, id := range j.revertedIDs {
				undone[id] = j.commit
			}
		}
		for i := range j.Findings {
			f := &j.Findings[i]
			superseding := slices.IndexFunc(clean, func(c cleanAct) bool { return parser.SameUnit(f.Unit, c.unit) })
			switch {
			case reverted && f.Severity > report.Note:
				makeNote(f, fmt.Sprintf("reverted by %.12s", by))
			case superseding >= 0 && isSettleable(f):
				makeNote(f, fmt.Sprintf("superseded by %.12s", clean[superseding].commit))
			}
		}
		if !reverted {
			clean = append(clean, j.cleanActs()...)
		}
	}
}

// settleAtEnd settles findings by the code at the end of the range: a commit counts as reverted if none of it remains,
// and a refuted claim is settled if it holds now or its code is gone.
func settleAtEnd(ctx context.Context, end *RangeEnd, commits []*commitResult) error {
	for i, j := range commits {
		if j.message == nil {
			continue
		}
		isNamed := RevertMatcher(j.message)
		for _, o := range commits[:i] {
			if isNamed == nil || o.message == nil || !isNamed(o.commit, o.message) {
				continue
			}
			isTakenBack, err := end.IsTakenBack(ctx, o.commit)
			if err != nil {
				return err
			}
			if isTakenBack {
				j.revertedIDs = append(j.revertedIDs, o.commit)
			}
		}
	}
	settle(commits)
	for _, j := range commits[:max(len(commits)-1, 0)] {
		for k := range j.Verdicts {
			if err := j.settleClaim(ctx, end, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// settleClaim makes notes of the errors of a claim that are none at the end of the range.
func (j *commitResult) settleClaim(ctx context.Context, end *RangeEnd, k int) error {
	v := &j.Verdicts[k]
	why := ""
	for n := range j.Findings {
		f := &j.Findings[n]
		if v.Status != string(parser.Done) || f.Severity != report.Error || !isSettleable(f) ||
			f.Item != v.Item || f.Unit != v.Unit {
			continue
		}
		var err error
		if why == "" {
			why, err = end.SettleReason(ctx, j.commit, v)
		}
		if err != nil || why == "" {
			return err
		}
		makeNote(f, why)
	}
	return nil
}

type cleanAct struct{ unit, commit string }

// cleanActs are the units of a commit's ACTs that have no error.
func (j *commitResult) cleanActs() []cleanAct {
	var clean []cleanAct
	for _, unit := range j.reportedUnits {
		failed := slices.ContainsFunc(j.Findings, func(f report.Finding) bool {
			return f.Severity == report.Error && (f.Unit == "" || parser.SameUnit(f.Unit, unit))
		})
		if !failed {
			clean = append(clean, cleanAct{unit, j.commit})
		}
	}
	return clean
}

// makeNotes makes the claim findings about a unit, "" for all, notes that say why.
func makeNotes(findings []report.Finding, unit, why string) {
	for i := range findings {
		f := &findings[i]
		if isSettleable(f) && (unit == "" || parser.SameUnit(f.Unit, unit)) {
			makeNote(f, why)
		}
	}
}

// isSettleable reports whether a later ACT may settle a finding: it is about a claim, and not a note yet.
func isSettleable(f *report.Finding) bool {
	return f.Severity > report.Note && rules.IsAboutClaims(f.Rule)
}

func makeNote(f *report.Finding, why string) {
	f.Severity = report.Note
	if f.Hint == "" {
		f.Hint = why
	} else {
		f.Hint = why + "; " + f.Hint
	}
}

// accept makes a finding a note if the policy accepts its commit, and would let it be waived.
func accept(f *report.Finding, accepted []policy.AcceptedCommit) {
	for _, a := range accepted {
		if a.Commit == f.Commit && f.Severity > report.Note && (rules.IsWaivable(f.Rule) || f.Rule == rules.UnitConflict) {
			makeNote(f, "accepted by the policy: "+a.Reason)
		}
	}
}

// settleForward notes findings of the record's integrity that a later ADAPT, or the end of the range, settles. For each
// remaining error it says what settles it without rewriting history.
func settleForward(ctx context.Context, r *repo.Repo, head string, commits []*commitResult) {
	isFixed := fixedAtEnd(ctx, r, head, commits)
	var later []*commitResult // ADAPTs without errors, the newest first
	for _, j := range slices.Backward(commits) {
		clean := true
		for i := range j.Findings {
			f := &j.Findings[i]
			if f.Severity != report.Error {
				continue
			}
			if isFixed(f) {
				makeNote(f, "mended since")
			} else if k := slices.IndexFunc(later, func(a *commitResult) bool { return a.adaptSettles(f, j) }); k >= 0 {
				makeNote(f, fmt.Sprintf("settled by the ADAPT %.12s", later[k].commit))
			} else {
				clean, f.Hint = false, rules.JoinHints(f.Hint, "if it has landed, "+remedy(f))
			}
		}
		if clean && j.plan != nil {
			later = append(later, j)
		}
	}
}

// fixedAtEnd returns a function that reports whether the file that a finding is about is correct again at the end.
func fixedAtEnd(ctx context.Context, r *repo.Repo, head string, commits []*commitResult) func(f *report.Finding) bool {
	firstBad := map[string]string{} // of each file of intent the first commit that is wrong
	for _, j := range commits {
		for i := range j.Findings {
			if f := &j.Findings[i]; f.Rule == rules.IntentModified && firstBad[f.Path] == "" {
				firstBad[f.Path] = j.commit
			}
		}
	}
	return func(f *report.Finding) bool {
		switch f.Rule {
		case plan.RuleInvalid:
			_, data, err := snapshot.At(r, head).PlanFile(ctx)
			if err == nil && data != nil {
				_, err = plan.Read(data)
			}
			return err == nil
		case rules.PolicyInvalid:
			_, err := snapshot.At(r, head).Policy(ctx)
			return err == nil
		case plan.RuleScopeReduced:
			return isScopeRestored(ctx, r, head, f)
		case rules.IntentModified:
			before, err1 := entryAt(ctx, r, firstBad[f.Path]+"^", f.Path)
			after, err2 := entryAt(ctx, r, head, f.Path)
			return err1 == nil && err2 == nil && before == after
		}
		return false
	}
}

// isScopeRestored reports whether the plan at the end requires of the finding's unit what it required before.
func isScopeRestored(ctx context.Context, r *repo.Repo, head string, f *report.Finding) bool {
	c, err := r.Commit(ctx, f.Commit)
	path, after, errAfter := snapshot.At(r, head).Plan(ctx)
	if cmp.Or(err, errAfter) != nil || after == nil || path != f.Path || f.Item != "" {
		return false
	}
	for _, parent := range c.Parents {
		_, before, errBefore := snapshot.At(r, string(parent)).Plan(ctx)
		found, err := plan.Check(ctx, plan.Change{Before: before, After: after})
		if cmp.Or(errBefore, err) != nil || slices.ContainsFunc(found, func(v *plan.Violation) bool {
			return v.Rule == f.Rule && v.Unit == f.Unit
		}) {
			return false
		}
	}
	return true
}

func entryAt(ctx context.Context, r *repo.Repo, commit, path string) (evidence.Entry, error) {
	c, err := r.Commit(ctx, commit)
	if err != nil {
		return evidence.Entry{}, err
	}
	return snapshot.Tree(r, c.Tree).Stat(ctx, path)
}

// adaptSettles reports whether an ADAPT settles a finding of an earlier commit. The next ADAPT of the task, or of one
// above it, settles an order. Reopening the task, or accepting its items, settles a status. Raising a threshold settles
// it.
func (j *commitResult) adaptSettles(f *report.Finding, earlier *commitResult) bool {
	n := j.plan.Find(f.Unit)
	if n == nil || f.Unit == "" {
		return false
	}
	return slices.ContainsFunc(j.message.Parts, func(p *parser.Part) bool {
		isOfTask := p.Kind == parser.Adapt && parser.SameUnit(p.Unit.Value, n.Key)
		isReopened := slices.ContainsFunc(p.Reopen, func(t parser.Text) bool { return isWithin(n, rules.UnitOf(t)) })
		switch f.Rule {
		case plan.RuleActNotAllowed, plan.RuleUnitUnknown:
			return p.Kind == parser.Adapt && isWithin(n, p.Unit.Value) || isReopened
		case plan.RuleMoveIllegal:
			return (isOfTask || isReopened) && (isOpen(n) || len(rules.AcceptancesOf(p)) > 0)
		case plan.RuleThreshold:
			before := earlier.plan.Find(f.Unit)
			return isOfTask && before != nil && n.FailureThreshold > before.FailureThreshold
		}
		return false
	})
}

// isWithin reports whether a name is that of a task, or of one above it.
func isWithin(n *plan.Node, name string) bool {
	for ; n != nil; n = n.Parent {
		if parser.SameUnit(name, n.Key) {
			return true
		}
	}
	return false
}

// isOpen reports whether neither a task nor one above it is complete.
func isOpen(n *plan.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Status == plan.Complete {
			return false
		}
	}
	return true
}

func remedy(f *report.Finding) string {
	revert := fmt.Sprintf("git revert %.12s settles it", f.Commit)
	switch {
	case f.Rule == rules.PolicyInvalid || f.Rule == plan.RuleInvalid:
		return "a later commit that fixes the file settles it"
	case f.Rule == rules.IntentModified:
		return "a later commit that restores the file settles it"
	case f.Rule == plan.RuleScopeReduced && f.Item == "":
		return "an ADAPT that brings it back settles it"
	case f.Unit == "":
		return revert
	case f.Rule == plan.RuleActNotAllowed && strings.Contains(f.Hint, "ADAPT"):
		return "that ADAPT settles it"
	case f.Rule == plan.RuleActNotAllowed || f.Rule == plan.RuleUnitUnknown:
		return fmt.Sprintf("a later «ADAPT: %s» settles it", f.Unit)
	case f.Rule == plan.RuleMoveIllegal:
		return fmt.Sprintf("an ADAPT with «Reopen: %s» settles it, and so does: git revert %.12s", f.Unit, f.Commit)
	case f.Rule == plan.RuleThreshold:
		return fmt.Sprintf("an «ADAPT: %s» that raises it settles it", f.Unit)
	case isSettleable(f):
		return fmt.Sprintf("a later «ACT: %s» that holds settles it", f.Unit)
	}
	return revert
}
