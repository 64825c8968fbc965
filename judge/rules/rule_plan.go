package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// The rules of this file say who may change the plan, and what else the commit may change with it.

// runPlan asks what the plan says of moves, or of an ACT; the guards of package plan ask the question.
func runPlan(p *pass) {
	if p.OfCommit {
		if p.rule.ID == scopeReduced {
			p.reportDropped()
		}
		runGuard(p)
		return
	}
	runActGuard(p)
}

// scopeReduced is the id of the rule that says what a plan loses.
const scopeReduced = "scope_reduced"

// reportDropped reports ticked boxes of plans in Markdown that are gone, or have other words.
func (p *pass) reportDropped() {
	for _, d := range p.Dropped {
		f := report.Finding{
			Path: d.File, Line: d.Line, Column: 1, EndLine: d.Line, Unit: d.File + "/" + d.ID, Item: d.Text,
			Message: fmt.Sprintf("The ticked box of %s was removed: «%s».", d.ID, short(d.Text)),
			Hint:    "put it back, or explain its removal in the message",
		}
		if d.Now != "" {
			f.Message = fmt.Sprintf("The ticked box of %s was reworded to «%s», from «%s».", d.ID,
				short(d.Now), short(d.Text))
			f.Hint = "restore its words, or untick it"
		}
		p.report(f)
	}
}

// PlanNotAlone is the id of the rule below, for whoever asks about its findings.
const PlanNotAlone = "plan_not_alone"

// runPlanNotAlone asks whether an ADAPT alone changes the plan, and nothing else.
func runPlanNotAlone(p *pass) {
	defer p.comparing(len(p.findings))
	act, adapt := p.kinds()
	switch {
	case p.picked() || adapt && (act || p.Message.Joined):
	case adapt:
		p.adaptOfOthers()
	case act && !p.Message.Joined:
		p.actOfPlan()
	default:
		p.planOutsideAdapt()
	}
}

// gatherAlone looks at what changes beside the plan.
func (f *facts) gatherAlone(ctx context.Context) (err error) {
	act, adapt := f.kinds()
	switch {
	case f.picked() || act && !f.Message.Joined || adapt && (act || f.Message.Joined):
	case adapt:
		f.others, err = f.besidePlan(ctx)
	case len(f.change.moves) > 0:
		f.alone, err = f.changesPlanAlone(ctx)
	}
	return err
}

func (p *pass) planOutsideAdapt() {
	c := &p.change
	if !c.altered || len(c.moves) == 0 || c.undone {
		return
	}
	f := report.Finding{
		Path: p.Policy.Plan, Line: 1, Column: 1, EndLine: 1,
		Message: "This commit changes the plan but is not an ADAPT",
		Hint:    quoted(plan.InWords(c.moves)) + "; commit the plan alone, as «ADAPT: <task>»",
	}
	status := slices.ContainsFunc(c.moves, func(m plan.Move) bool { return m.Kind == plan.StatusMoved })
	if !status && !c.gone && p.alone && len(p.Message.Reverts) == 0 {
		p.severity = report.Warning
		f.Message += "; it counts as an ADAPT of the root"
	}
	if len(p.Message.Reverts) > 0 {
		f.Hint = quoted(plan.InWords(c.moves)) +
			"; a revert must undo exactly what the reverted commit did to the plan, or leave the plan alone"
	}
	p.report(f)
}

// changesPlanAlone reports a commit that changes nothing but the plan. A squash or
// a merge brings with it what others did.
func (f *facts) changesPlanAlone(ctx context.Context) (bool, error) {
	if f.Message.Joined {
		return true, nil
	}
	if merged, err := f.Source.Merged(ctx); err != nil || len(merged) > 0 {
		return true, err
	}
	paths, err := f.Source.Changed(ctx)
	return !slices.ContainsFunc(paths, func(path string) bool { return path != f.Policy.Plan }), err
}

func (p *pass) actOfPlan() {
	c := &p.change
	if !c.altered || len(c.moves) == 0 {
		return
	}
	p.report(report.Finding{
		Path: p.Policy.Plan, Line: 1, Column: 1, EndLine: 1,
		Message: "This ACT changes the plan, and an ACT must not",
		Hint:    quoted(plan.InWords(c.moves)) + "; remove the plan from this commit, and change it afterwards in an ADAPT",
	})
}

// besidePlan are the files that an ADAPT changes and that are none of the plan's; none where no plan was before it.
func (f *facts) besidePlan(ctx context.Context) (others []string, err error) {
	if before, err := f.Source.PlanBefore(ctx); err != nil || before == nil {
		return nil, err
	}
	paths, err := f.Source.Changed(ctx)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if path == f.Policy.Plan || strings.HasPrefix(path, f.amendments()) {
			continue
		}
		_, _, altered, err := f.altered(ctx, path)
		if err != nil {
			return nil, err
		}
		if altered {
			others = append(others, path)
		}
	}
	return others, nil
}

func (p *pass) adaptOfOthers() {
	if len(p.others) == 0 {
		return
	}
	more := ""
	if n := len(p.others) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	p.report(report.Finding{
		Path: p.others[0], Line: 1, Column: 1, EndLine: 1,
		Message: fmt.Sprintf("This ADAPT changes %s%s, and an ADAPT may change only the plan", p.others[0], more),
		Hint:    "commit the other files first, in an ACT or with «For: <task>», and the plan alone afterwards",
	})
}
