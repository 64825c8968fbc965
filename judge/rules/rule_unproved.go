package rules

import (
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// runUnproved requires a proof of each done code item if the policy does. For landed commits it needs at least one
// proof, since clones may lack the notes.
func runUnproved(p *pass) {
	if !p.requiresProof() || len(p.proofs) == 0 && p.Judge.IsLanded {
		return
	}
	for i := range p.claims {
		c := &p.claims[i]
		if c.Status != parser.Done || c.Kind != evidence.KindCode {
			continue
		}
		functions := p.proofOf(c)
		if functions == nil {
			p.reportClaim(c, "No proof shows that a test would notice if this item did nothing.",
				"run: acta prove --message FILE -- COMMAND")
		}
		for _, f := range functions {
			if f.IsMissed() {
				p.reportClaim(c, f.MissedMessage(), "write a test that fails then, and run acta prove again")
			}
		}
	}
}

// requiresProof reports whether the policy requires a proof of the part, and proofs are available.
func (f *facts) requiresProof() bool {
	return f.Part.Kind == parser.Act && f.HasRuns && f.Policy.Prove.Requires(f.Part.Unit.Value, f.Tier)
}

func (f *gathering) gatherProofs() {
	if f.requiresProof() {
		f.proofs = answer(f.inquiry, f.Source.Proofs)
	}
}

// proofOf is the last proof's result for a claim; nil if no proof tried it.
func (p *pass) proofOf(c *judgedClaim) []report.FunctionProof {
	for _, proof := range slices.Backward(p.proofs) {
		functions := slices.DeleteFunc(slices.Clone(proof.Functions), func(f report.FunctionProof) bool {
			return f.Unit != p.Part.Unit.Value || plan.ItemText(f.Item) != plan.ItemText(c.Item.Value)
		})
		if len(functions) > 0 {
			return functions
		}
	}
	return nil
}

// KindOf is the kind of an item: the registered one, else by its words.
func (in *Input) KindOf(item string) evidence.Kind {
	return (&facts{Input: in, registry: newRegistry(in.Registered)}).kindOf(item)
}
