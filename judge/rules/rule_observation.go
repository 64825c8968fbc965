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
	if f.Part.Kind != parser.Adapt || f.Part.Unit.Value == "" || f.isCherryPick() || f.Message.IsSquash ||
		slices.ContainsFunc(f.Part.Observations, parser.Observation.IsValid) {
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
	defer p.markComparisons(len(p.findings))
	observations, last := p.Part.Observations, &p.lastAct
	if last.IsUnknown || last.Commit == "" || last.IsAdapted {
		return
	}
	at, message := p.Part.Unit, "This ADAPT says nothing"
	if len(observations) > 0 {
		at, message = observations[0].Fact, "The observations of this ADAPT name no known perspective, so they say nothing"
		if observations[0].Perspective.Value != "" {
			at = observations[0].Perspective
		}
	}
	p.reportText(at, fmt.Sprintf("%s about the ACT of %s (%.12s)", message, p.unit.ID, last.Commit),
		"add a line «Observation: <perspective> | <fact>»; the perspective is one of "+
			""+strings.Join(parser.Perspectives(), ", "))
}
