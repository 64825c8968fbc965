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

// judged is a commit of a range with what was found of it, and what settling must know of it. Where it could not be
// judged its outcome is empty.
type judged struct {
	outcome
	Commit string
	// Reports are the units of its ACTs that report something.
	Reports []string
	// Reverts are the commits that it says it takes back, and that are taken back at the end of the range.
	Reverts []string
	// Accepted says how the base's policy accepts it; "" where it does not.
	Accepted string
	// Failed says why it could not be judged; "" where it was.
	Failed string
	// Cut says what could not be known because history is cut; "" where nothing was.
	Cut string
}

// judged is the outcome of a commit that is there, as the report has it.
func (o *outcome) judged(accepted []policy.Accepted) *judged {
	j := &judged{outcome: *o, Commit: string(o.id)}
	for i := range j.Findings {
		j.Findings[i].Commit = j.Commit
	}
	for i := range j.Verdicts {
		j.Verdicts[i].Commit = j.Commit
	}
	for i := range j.testChanges() {
		j.Tests.Changes[i].Commit = j.Commit
	}
	j.Cut = o.cutWarning()
	for i, p := range o.message.Parts {
		// A cherry-pick completes nothing.
		if p.Kind == parser.Act &&
			!o.reverted[i] && p.Unit.Value != "" && len(p.Claims)+len(p.Files) > 0 && len(o.message.CherryPicked) == 0 {
			j.Reports = append(j.Reports, p.Unit.Value)
		}
	}
	if a := acceptance(o.id, accepted); a != nil {
		j.Accepted = "accepted by the policy: " + a.Reason
	}
	return j
}

// testChanges are the places where the commit asks less of tests and gates.
func (j *judged) testChanges() []report.TestChange {
	if j.Tests == nil {
		return nil
	}
	return j.Tests.Changes
}

// settle says what the rest of a range makes of mistakes that have landed
// (docs/format.md). The claim findings of a commit become notes where a later
// ACT of the same unit has no errors, where a later commit takes it back, or
// where the base's policy accepts it. They are still shown, and still counted against
// the score. What guards the integrity of the record is settled by a revert alone, or as forward says.
//
// The commits are in the order of the range, parents before children.
func settle(commits []*judged) {
	undone := map[string]string{}
	var clean []cleanAct
	for _, j := range slices.Backward(commits) {
		by, reverted := undone[j.Commit]
		if !reverted {
			for _, id := range j.Reverts {
				undone[id] = j.Commit
			}
		}
		switch {
		case j.Accepted != "":
			noteAll(j.Findings, "", j.Accepted)
		case reverted:
			for i := range j.Findings {
				if f := &j.Findings[i]; f.Severity > report.Note {
					note(f, fmt.Sprintf("reverted by %.12s", by))
				}
			}
		default:
			for i := range j.Findings {
				noteLatest(&j.Findings[i], clean)
			}
		}
		if !reverted {
			clean = append(clean, j.cleanActs()...)
		}
	}
}

// settleAtEnd settles mistakes by what the end of the range holds, whatever messages say: the commits that one says it
// reverts are so where nothing of them stands, and a claim that did not hold is none where it holds, or is gone.
func settleAtEnd(ctx context.Context, end *End, commits []*judged) error {
	for i, j := range commits {
		if j.message == nil {
			continue
		}
		names := Reverting(j.message)
		for _, o := range commits[:i] {
			if names == nil || o.message == nil || !names(o.Commit, o.message) {
				continue
			}
			took, err := end.TookBack(ctx, o.Commit)
			if err != nil {
				return err
			}
			if took {
				j.Reverts = append(j.Reverts, o.Commit)
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
func (j *judged) settleClaim(ctx context.Context, end *End, k int) error {
	v := &j.Verdicts[k]
	why := ""
	for n := range j.Findings {
		f := &j.Findings[n]
		if v.Status != string(parser.Done) || f.Severity != report.Error || !outweighed(f) ||
			f.Item != v.Item || f.Unit != v.Unit {
			continue
		}
		var err error
		if why == "" {
			why, err = end.Settles(ctx, j.Commit, v, j.Kinds[k])
		}
		if err != nil || why == "" {
			return err
		}
		note(f, why)
	}
	return nil
}

// cleanAct is an ACT without errors.
type cleanAct struct{ unit, commit string }

// cleanActs are the units of a commit's ACTs that have no error.
func (j *judged) cleanActs() []cleanAct {
	var clean []cleanAct
	for _, unit := range j.Reports {
		failed := slices.ContainsFunc(j.Findings, func(f report.Finding) bool {
			return f.Severity == report.Error && (f.Unit == "" || parser.SameUnit(f.Unit, unit))
		})
		if !failed {
			clean = append(clean, cleanAct{unit, j.Commit})
		}
	}
	return clean
}

// noteLatest makes a claim finding a note that names the latest of later ACTs of its unit, where there is one.
func noteLatest(f *report.Finding, later []cleanAct) {
	if f.Unit == "" || !outweighed(f) {
		return
	}
	if i := slices.IndexFunc(later, func(c cleanAct) bool { return parser.SameUnit(f.Unit, c.unit) }); i >= 0 {
		note(f, fmt.Sprintf("superseded by %.12s", later[i].commit))
	}
}

// noteAll makes the claim findings about a unit, "" for all, notes that say why.
func noteAll(findings []report.Finding, unit, why string) {
	for i := range findings {
		f := &findings[i]
		if outweighed(f) && (unit == "" || parser.SameUnit(f.Unit, unit)) {
			note(f, why)
		}
	}
}

// outweighed reports a finding that what came later may outweigh: it is about a claim, and no note yet.
func outweighed(f *report.Finding) bool {
	return f.Severity > report.Note && (rules.Waivable(f.Rule) || f.Rule == rules.UnitConflict)
}

func note(f *report.Finding, why string) {
	f.Severity = report.Note
	if f.Hint == "" {
		f.Hint = why
	} else {
		f.Hint = why + "; " + f.Hint
	}
}

// acceptance is the policy's acceptance of a commit, nil without one.
func acceptance(id repo.ID, accepted []policy.Accepted) *policy.Accepted {
	i := slices.IndexFunc(accepted, func(a policy.Accepted) bool { return a.Commit == string(id) })
	if i < 0 {
		return nil
	}
	return &accepted[i]
}
