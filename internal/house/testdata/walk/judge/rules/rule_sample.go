package rules

import "context"

// runSample asks the question of the walk in CONTRIBUTING.md.
func runSample(_ context.Context, p *Pass) error {
	if p.Part.Actor.Value == "" {
		p.reportText(p.Part.Unit, "The report names no actor.", "add a line `Actor: NAME`")
	}
	return nil
}
