package rules

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// OutsideScope is the id of the rule below, for whoever asks about its findings.
const OutsideScope = "outside_scope"

func runOutsideScope(ctx context.Context, p *Pass) error {
	defer p.comparing(len(p.findings))
	if !works(p.Part) || p.picked() || p.Merge {
		return nil
	}
	own, err := p.unitOf(ctx, p.Part)
	if err != nil || own == nil || own.Scope() == nil {
		return err
	}
	outside, err := p.outside(ctx)
	if err != nil || len(outside) == 0 {
		return err
	}
	at := p.Part.Unit.Span
	p.report(report.Finding{
		Line: at.Start.Line, Column: at.Start.Column, EndLine: at.End.Line,
		Message: fmt.Sprintf("%s changes %s outside of its paths (%s).", own.Key, report.Enumerate(outside),
			strings.Join(own.Scope(), ", ")),
		Hint: "remove what does not belong to the task, or add it to the task's paths with an ADAPT",
	}, outside...)
	return nil
}

// works reports whether a part of a message says whose work the commit is.
func works(part *parser.Part) bool {
	return (part.Kind == parser.Act || part.Kind == parser.For) && part.Unit.Value != ""
}

// unitOf is the unit of a part in the plan before the commit, or in that after it: a squash brings units with their
// work. nil where neither has it.
func (p *Pass) unitOf(ctx context.Context, part *parser.Part) (*plan.Node, error) {
	before, err := p.PlanBefore(ctx)
	if err != nil {
		return nil, err
	}
	if before != nil {
		if n := before.Find(part.Unit.Value); n != nil {
			return n, nil
		}
	}
	now, err := p.planIn(ctx, &p.Judge.Tree)
	if err != nil || now == nil {
		return nil, err
	}
	return plan.NewIndex(now).Find(part.Unit.Value), nil
}

// outside are the files that the commit changes and that are in the scope of none of its units. A unit without paths,
// or one that no plan has, may work anywhere.
func (p *Pass) outside(ctx context.Context) ([]string, error) {
	var units []*plan.Node
	var reports []parser.Text
	for i := range p.Message.Parts {
		part := &p.Message.Parts[i]
		reports = append(reports, part.Files...)
		if !works(part) {
			continue
		}
		n, err := p.unitOf(ctx, part)
		if err != nil || n == nil || n.Scope() == nil {
			return nil, err
		}
		units = append(units, n)
	}
	changed, err := p.Changed(ctx)
	if err != nil {
		return nil, err
	}
	planPath, err := p.PlanPath(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(changed), func(file string) bool {
		return file == planPath || InEveryScope(file) ||
			slices.ContainsFunc(reports, func(t parser.Text) bool { return t.Value == file }) ||
			slices.ContainsFunc(units, func(n *plan.Node) bool { return WhyInScope(n, file) != "" })
	}), nil
}

// WhyInScope says what of a unit a file is part of: a pattern of its paths, or a place that its words name; "" where it
// is part of none.
func WhyInScope(n *plan.Node, file string) string {
	if pattern := plan.InScope(n.Scope(), file); pattern != "" {
		return fmt.Sprintf("%s works in %s", n.Key, pattern)
	}
	for _, place := range NamedPlaces(n.Unit) {
		if place.Holds(file) {
			return fmt.Sprintf("%s names %s", n.Key, place.Text)
		}
	}
	return ""
}

// InEveryScope reports whether a file goes along with the work of any unit: tests, what package managers write, and
// logs of changes. Of 15,041 commits of ten public repositories that change code, 60% change something outside of the
// folder that has most of it, and 45% of those nothing but such files.
func InEveryScope(file string) bool {
	base := strings.ToLower(path.Base(file))
	stem, _, _ := strings.Cut(base, ".")
	return evidence.HoldsTests(file) || evidence.IsLock(base) ||
		slices.Contains([]string{"changelog", "changes", "history", "news"}, stem)
}
