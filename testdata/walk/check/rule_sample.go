package check

import "context"

// ruleSample is the rule of the walk in CONTRIBUTING.md.
func ruleSample() *Rule {
	return &Rule{
		ID: "sample_actor_unsaid", Since: "0.2", Class: OfClaims, Scope: OfPart, Severity: noted,
		Run: func(_ context.Context, p *Pass) error {
			if p.Part.Actor.Value == "" {
				p.reportText(p.Part.Unit, "The report names no actor.", "add a line `Actor: NAME`")
			}
			return nil
		},
	}
}
