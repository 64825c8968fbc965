package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

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
		case rules.IntentModified:
			before, err1 := entryAt(ctx, r, firstBad[f.Path]+"^", f.Path)
			after, err2 := entryAt(ctx, r, head, f.Path)
			return err1 == nil && err2 == nil && before == after
		}
		return false
	}
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
	return slices.ContainsFunc(j.message.Parts, func(p parser.Part) bool {
		isOfTask := p.Kind == parser.Adapt && parser.SameUnit(p.Unit.Value, n.Key)
		isReopened := slices.ContainsFunc(p.Reopen, func(t parser.Text) bool { return isWithin(n, rules.UnitOf(t)) })
		switch f.Rule {
		case plan.RuleActNotAllowed, plan.RuleUnitUnknown:
			return p.Kind == parser.Adapt && isWithin(n, p.Unit.Value) || isReopened
		case plan.RuleMoveIllegal:
			return (isOfTask || isReopened) && (isOpen(n) || len(rules.AcceptancesOf(&p)) > 0)
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
