package policy

import (
	"path"
	"slices"
	"strings"
)

// Prove says by which command claims are proved, and which need a proof.
type Prove struct {
	Command []string `yaml:"command"`
	// Require are tasks, by key or id, and tiers.
	Require []string `yaml:"require"`
}

// Requires reports whether a proof is required of a unit, or in a tier.
func (p *Prove) Requires(unit string, tier Tier) bool {
	return slices.ContainsFunc(p.Require, func(name string) bool {
		return name == unit || name == path.Base(unit) || name == tier.String()
	})
}

func (r *reader) prove() {
	r.policy.Prove = r.file.Prove
	isEmpty := func(word string) bool { return strings.TrimSpace(word) == "" }
	if slices.ContainsFunc(slices.Concat(r.file.Prove.Command, r.file.Prove.Require), isEmpty) {
		r.fail("$.prove", "command and require are lists of words, and none may be empty")
	}
}
