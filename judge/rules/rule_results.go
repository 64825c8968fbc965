package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// matchingTests are the names of a place's tests that match; first is nil if none does.
func (h *checkedPlace) matchingTests(matches func(*checkedTest) bool) (first *checkedTest, names string) {
	var all []string
	for i := range h.tests {
		if t := &h.tests[i]; matches(t) {
			if first == nil {
				first = t
			}
			all = append(all, t.Name)
		}
	}
	if more := len(all) - 2; more > 1 {
		all = append(all[:2], fmt.Sprintf("%d more", more))
	}
	return first, strings.Join(all, ", ")
}

// finding is a finding about matching tests of a place; nil if none matches.
func (h *checkedPlace) finding(message, hint string, matches func(*checkedTest) bool) *report.Finding {
	t, names := h.matchingTests(matches)
	if t == nil {
		return nil
	}
	return &report.Finding{Path: h.path, Line: t.Line, Column: 1, EndLine: t.EndLine,
		Message: fmt.Sprintf(message, names), Hint: hint}
}

func failedTests(h *checkedPlace) *report.Finding {
	return h.finding("The test results show that a cited test failed: %s.",
		"fix what fails, run the tests again and pass the new report",
		func(t *checkedTest) bool { return t.state == stateFailed })
}

func testsNotRun(h *checkedPlace) *report.Finding {
	f := h.finding("The test results show that a cited test was skipped: %s.",
		"remove what skips it, run the tests again and pass the new report, or cite a test that runs",
		func(t *checkedTest) bool { return t.state == stateSkipped })
	if f != nil {
		return f
	}
	return h.finding("The test results lack a cited test, and have others of the same file: %s.",
		"make the runner collect it, run all tests of the file and pass the new report, or cite a test that runs",
		func(t *checkedTest) bool { return t.state == stateNotRun })
}

func notExecuted(h *checkedPlace) *report.Finding {
	if h.lines == 0 || h.ranLines > 0 || h.isPartial || len(h.tests) > 0 || evidence.HoldsTests(h.path) {
		return nil
	}
	lines := fmt.Sprintf("None of the %d instrumented lines", h.lines)
	if h.lines == 1 {
		lines = "The one instrumented line"
	}
	end := h.last
	if end == wholeFile {
		end = h.first
	}
	return &report.Finding{Path: h.path, Line: h.first, Column: 1, EndLine: end,
		Message: fmt.Sprintf("%s of '%s' was executed, as the coverage report says.", lines, h.citedAs),
		Hint:    "write a test that runs this code, run the tests with coverage and pass the new report"}
}

// runUnproved requires a proof of each done code item if the policy does. For landed commits it needs at least one
// proof, since clones may lack the notes.
func runUnproved(p *pass) {
	if !p.requiresProof() || len(p.proofs) == 0 && p.Judge.IsLanded {
		return
	}
	for _, c := range p.claims {
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
