package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/policy"
	"github.com/acta-git/acta/repo"
)

// settle says what the rest of a range makes of mistakes that have landed
// (docs/design.md §2). The claim findings of a commit become notes where a later
// ACT of the same unit has no errors, where a later commit reverts it, or where
// the base's policy accepts it. They are still shown, and still counted against
// the score. What guards the integrity of the record is never settled.
//
// The outcomes are in the order of the range, parents before children.
func settle(outcomes []*outcome, accepted []policy.Accepted) {
	undone := map[repo.ID]repo.ID{}
	var clean []cleanAct
	for _, out := range slices.Backward(outcomes) {
		by, reverted := undone[out.id]
		if !reverted {
			for _, id := range out.message.Reverts {
				undone[repo.ID(strings.ToLower(id.Value))] = out.id
			}
		}
		switch a := acceptance(out.id, accepted); {
		case a != nil:
			out.note("", "accepted by the policy: "+a.Reason)
		case reverted:
			out.note("", fmt.Sprintf("reverted by %.12s", by))
		default:
			for _, c := range clean {
				out.note(c.unit, fmt.Sprintf("superseded by %.12s", c.commit))
			}
		}
		if !reverted {
			clean = append(clean, out.cleanActs()...)
		}
	}
}

// cleanAct is an ACT without errors.
type cleanAct struct {
	unit   string
	commit repo.ID
}

// cleanActs are the units of a commit's ACTs that have no error. A cherry-pick completes nothing.
func (o *outcome) cleanActs() []cleanAct {
	var clean []cleanAct
	for _, p := range o.message.Parts {
		if p.Kind != parser.Act || len(o.message.CherryPicked) > 0 || p.Unit.Value == "" {
			continue
		}
		failed := slices.ContainsFunc(o.findings, func(f diag.Finding) bool {
			return f.Severity == diag.Error && (f.Unit == "" || parser.SameUnit(f.Unit, p.Unit.Value))
		})
		if !failed && len(p.Claims)+len(p.Files) > 0 {
			clean = append(clean, cleanAct{p.Unit.Value, o.id})
		}
	}
	return clean
}

// note makes the claim findings about a unit, "" for all, notes that say why.
func (o *outcome) note(unit, why string) {
	for i := range o.findings {
		f := &o.findings[i]
		if !check.Waivable(f.Rule) || f.Severity <= diag.Note || unit != "" && !parser.SameUnit(f.Unit, unit) {
			continue
		}
		f.Severity = diag.Note
		if f.Hint == "" {
			f.Hint = why
		} else {
			f.Hint = why + "; " + f.Hint
		}
	}
}

// acceptance is the policy's acceptance of a commit, nil without one. It may name the commit by its beginning.
func acceptance(id repo.ID, accepted []policy.Accepted) *policy.Accepted {
	for i := range accepted {
		if a := strings.ToLower(accepted[i].Commit); len(a) >= 7 && strings.HasPrefix(string(id), a) {
			return &accepted[i]
		}
	}
	return nil
}
