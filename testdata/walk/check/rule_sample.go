package check

import "context"

// ruleSample is the rule of the walk in CONTRIBUTING.md.
func ruleSample() *Rule {
	return &Rule{
		ID: "sample_actor_unsaid", Since: "0.2", Class: OfClaims, Scope: OfPart,
		Title: "an ACT does not say who made it",
		Doc: "Who reads the history of several agents wants to know whose work a commit was, and not only who typed it.\n" +
			"Write `Actor: NAME` in the report.",
		Severity: noted,
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:5-8\n",
		},
		Run: func(_ context.Context, p *Pass) error {
			if p.Part.Actor.Value == "" {
				p.reportText(p.Part.Unit, "The report names no actor.", "add a line `Actor: NAME`")
			}
			return nil
		},
	}
}
