package judge

import (
	"context"
	"fmt"
	"slices"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
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
	// acceptance says how the base's policy accepts it; "" where it does not.
	acceptance string
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
	j.acceptance = acceptance(o.id, accepted)
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
// ACT of the same unit has no errors, where a later commit takes it back, or
// where the base's policy accepts it. They are still shown, and still counted against
// the score. What guards the integrity of the record is settled by a revert alone, or as forward says.
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
			case j.acceptance != "" && isSettleable(f):
				makeNote(f, j.acceptance)
			case j.acceptance != "":
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

// isSettleable reports whether later commits may settle a finding: it is about a claim, and not a note yet.
func isSettleable(f *report.Finding) bool {
	return f.Severity > report.Note && (rules.IsWaivable(f.Rule) || f.Rule == rules.UnitConflict)
}

func makeNote(f *report.Finding, why string) {
	f.Severity = report.Note
	if f.Hint == "" {
		f.Hint = why
	} else {
		f.Hint = why + "; " + f.Hint
	}
}

// acceptance says how a policy accepts a commit; "" if it does not.
func acceptance(id repo.ID, accepted []policy.AcceptedCommit) string {
	for _, a := range accepted {
		if a.Commit == string(id) {
			return "accepted by the policy: " + a.Reason
		}
	}
	return ""
}
