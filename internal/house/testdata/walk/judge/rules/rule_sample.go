package rules

// runSample asks the question of the walk in CONTRIBUTING.md.
func runSample(p *pass) {
	if p.Part.Actor.Value == "" {
		p.reportText(p.Part.Unit, "The report names no actor.", "add a line `Actor: NAME`")
	}
}
