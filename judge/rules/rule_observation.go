package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
)

// gatherLastAct looks for the ACT that an ADAPT without an observation follows.
func (f *gathering) gatherLastAct() {
	if f.Part.Kind != parser.Adapt || f.Part.Unit.Value == "" || f.isCherryPick() || f.Message.IsSquash ||
		slices.ContainsFunc(f.Part.Observations, parser.Observation.IsValid) {
		return
	}
	if before := f.planBefore(); before != nil {
		f.unit = before.Find(f.Part.Unit.Value)
	}
	if f.unit != nil {
		last, err := f.Source.LastAct(f.Ctx, f.unit.Key)
		f.lastAct = last
		f.Note(err)
	}
}

func runObservationMissing(p *pass) {
	observations, last := p.Part.Observations, &p.lastAct
	if last.IsUnknown || last.Commit == "" || last.IsAdapted {
		return
	}
	at, message := p.Part.Unit, "This ADAPT says nothing"
	if len(observations) > 0 {
		at, message = observations[0].Fact, "This observation has no « | » after a perspective, so it says nothing"
		if observations[0].Perspective.Value != "" {
			at = observations[0].Perspective
			message = "The observations of this ADAPT name no known perspective, so they say nothing"
		}
	}
	p.reportText(at, fmt.Sprintf("%s about the ACT of %s (%.12s)", message, p.unit.ID, last.Commit),
		"add a line «Observation: <perspective> | <fact>»; the perspective is one of "+
			""+strings.Join(parser.Perspectives(), ", "))
}
