package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
)

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
		at, what = seen[0].Fact, "The observations of this ADAPT name no known perspective, so they say nothing"
		if seen[0].Perspective.Value != "" {
			at = seen[0].Perspective
		}
	}
	p.reportText(at, fmt.Sprintf("%s about the ACT of %s (%.12s)", what, unit.ID, last.Commit),
		"add a line «Observation: <perspective> | <fact>»; the perspective is one of "+
			""+strings.Join(parser.Perspectives(), ", "))
	return nil
}
