package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
)

// gatherLastAct looks for the ACT that an ADAPT without an observation follows.
func (f *facts) gatherLastAct(ctx context.Context) error {
	if f.Part.Kind != parser.Adapt || f.Part.Unit.Value == "" || f.picked() || f.Message.Joined ||
		slices.ContainsFunc(f.Part.Observations, parser.Observation.Tells) {
		return nil
	}
	before, err := f.Source.PlanBefore(ctx)
	if err != nil || before == nil {
		return err
	}
	if f.unit = before.Find(f.Part.Unit.Value); f.unit != nil {
		f.lastAct, err = f.Source.LastAct(ctx, f.unit.Key)
	}
	return err
}

func runObservationMissing(p *pass) {
	defer p.comparing(len(p.findings))
	seen, last := p.Part.Observations, &p.lastAct
	if last.Unknown || last.Commit == "" || last.Adapted {
		return
	}
	at, what := p.Part.Unit, "This ADAPT says nothing"
	if len(seen) > 0 {
		at, what = seen[0].Fact, "The observations of this ADAPT name no known perspective, so they say nothing"
		if seen[0].Perspective.Value != "" {
			at = seen[0].Perspective
		}
	}
	p.reportText(at, fmt.Sprintf("%s about the ACT of %s (%.12s)", what, p.unit.ID, last.Commit),
		"add a line «Observation: <perspective> | <fact>»; the perspective is one of "+
			""+strings.Join(parser.Perspectives(), ", "))
}
