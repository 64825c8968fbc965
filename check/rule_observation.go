package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
)

func ruleObservationMissing() *Rule {
	return &Rule{
		ID: "observation_missing", Since: "0.1", Class: OfRecord, Scope: OfPart, OnPlan: true,
		Severity: advised,
		Title:    "an ADAPT says nothing that was observed of the ACT before it",
		Doc: "Between the ACT and its ADAPT somebody looks at what the ACT did. What was seen stands in the ADAPT, a\n" +
			"fact a line, as `Observation: <perspective> | <fact>`; the perspectives are build, requirements,\n" +
			"integration and quality. Without it nobody can tell later why the plan went on as it did. One such\n" +
			"line is enough. Not asked are the ADAPT of a unit that has not acted since its last one, that of a\n" +
			"parent, and a squash, which may have lost the lines. `acta plan complete --commit` writes what it has\n" +
			"checked, and `--observation` what you saw.",
		Example: Example{
			Base: planOf(pendingT01), Files: workFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-4\n",
			Then: []Step{{Files: planOf(completeT01),
				Message: "ADAPT: T01 is done\n\nObservation: vibes | it feels finished\n"}},
		},
		Run: runObservationMissing,
	}
}

func runObservationMissing(ctx context.Context, p *Pass) error {
	defer p.comparing(len(p.findings))
	seen := p.Part.Observations
	if p.Part.Kind != parser.Adapt || p.Part.Unit.Value == "" || p.picked() || p.Message.Joined ||
		slices.ContainsFunc(seen, parser.Observation.Tells) {
		return nil
	}
	before, err := p.PlanBefore(ctx)
	if err != nil || before == nil {
		return err
	}
	unit := before.Find(p.Part.Unit.Value)
	if unit == nil {
		return nil
	}
	last, err := p.LastAct(ctx, unit.Key)
	if err != nil || last.Unknown || last.Commit == "" || last.Adapted {
		return err
	}
	at, what := p.Part.Unit, "This ADAPT says nothing"
	if len(seen) > 0 {
		at, what = seen[0].Fact, "The observations of this ADAPT name no known perspective, and say nothing"
		if seen[0].Perspective.Value != "" {
			at = seen[0].Perspective
		}
	}
	p.reportText(at, fmt.Sprintf("%s of what the ACT of %s, %.12s, has shown", what, unit.ID, last.Commit),
		"add «Observation: <perspective> | <fact>», the perspective one of "+strings.Join(parser.Perspectives(), ", "))
	return nil
}
