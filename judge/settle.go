package judge

import (
	"fmt"
	"slices"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// judged is a commit with what was found of it, and what settling must know of it.
type judged struct {
	Commit       string
	Acts, Adapts int
	// Reports are the units of its ACTs that report something.
	Reports []string
	// Reverts are the commits that it takes back.
	Reverts []string
	// Accepted says how the base's policy accepts it; "" where it does not.
	Accepted string
	// Failed says why it could not be judged; "" where it was.
	Failed string
	// Cut says what could not be known because history is cut; "" where nothing was.
	Cut string

	findings []diag.Finding
	verdicts []diag.ClaimVerdict
	// tests are the places where it asks less of tests and gates.
	tests []diag.TestChange
	// plan is what an ADAPT leaves, nil of another commit; parts is what its message says.
	plan  *plan.Index
	parts []parser.Part
}

// judged is the outcome of a commit that is there, as the report has it.
func (o *outcome) judged(accepted []policy.Accepted) *judged {
	j := &judged{
		Commit: string(o.id), Acts: o.acts, Adapts: o.adapts, findings: o.findings, verdicts: o.verdicts,
		plan: o.plan, parts: o.message.Parts,
	}
	for i := range j.findings {
		j.findings[i].Commit = j.Commit
	}
	for i := range j.verdicts {
		j.verdicts[i].Commit = j.Commit
	}
	if o.tests != nil {
		j.tests = o.tests.Changes
	}
	for i := range j.tests {
		j.tests[i].Commit = j.Commit
	}
	j.Cut = o.cutWarning()
	for i, p := range o.message.Parts {
		// A cherry-pick completes nothing.
		if p.Kind == parser.Act &&
			!o.reverted[i] && p.Unit.Value != "" && len(p.Claims)+len(p.Files) > 0 && len(o.message.CherryPicked) == 0 {
			j.Reports = append(j.Reports, p.Unit.Value)
		}
	}
	j.Reverts = o.takenBack
	if a := acceptance(o.id, accepted); a != nil {
		j.Accepted = "accepted by the policy: " + a.Reason
	}
	return j
}

// settle says what the rest of a range makes of mistakes that have landed
// (docs/format.md). The claim findings of a commit become notes where a later
// ACT of the same unit has no errors, where a later commit takes it back (takenBack), or
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
			noteAll(j.findings, "", j.Accepted)
		case reverted:
			for i := range j.findings {
				if f := &j.findings[i]; f.Severity > diag.Note {
					note(f, fmt.Sprintf("reverted by %.12s", by))
				}
			}
		default:
			for i := range j.findings {
				noteLatest(&j.findings[i], clean)
			}
		}
		if !reverted {
			clean = append(clean, j.cleanActs()...)
		}
	}
}

// cleanAct is an ACT without errors.
type cleanAct struct{ unit, commit string }

// cleanActs are the units of a commit's ACTs that have no error.
func (j *judged) cleanActs() []cleanAct {
	var clean []cleanAct
	for _, unit := range j.Reports {
		failed := slices.ContainsFunc(j.findings, func(f diag.Finding) bool {
			return f.Severity == diag.Error && (f.Unit == "" || parser.SameUnit(f.Unit, unit))
		})
		if !failed {
			clean = append(clean, cleanAct{unit, j.Commit})
		}
	}
	return clean
}

// noteLatest makes a claim finding a note that names the latest of later ACTs of its unit, where there is one.
func noteLatest(f *diag.Finding, later []cleanAct) {
	if f.Unit == "" || !outweighed(f) {
		return
	}
	if i := slices.IndexFunc(later, func(c cleanAct) bool { return parser.SameUnit(f.Unit, c.unit) }); i >= 0 {
		note(f, fmt.Sprintf("superseded by %.12s", later[i].commit))
	}
}

// noteAll makes the claim findings about a unit, "" for all, notes that say why.
func noteAll(findings []diag.Finding, unit, why string) {
	for i := range findings {
		f := &findings[i]
		if outweighed(f) && (unit == "" || parser.SameUnit(f.Unit, unit)) {
			note(f, why)
		}
	}
}

// outweighed reports a finding that what came later may outweigh: it is about a claim, and no note yet.
func outweighed(f *diag.Finding) bool {
	return f.Severity > diag.Note && (check.Waivable(f.Rule) || f.Rule == check.UnitConflict)
}

func note(f *diag.Finding, why string) {
	f.Severity = diag.Note
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
