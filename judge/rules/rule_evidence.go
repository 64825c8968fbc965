package rules

import (
	"fmt"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/report"
)

// runEvidence reports the problems that package evidence found under the rule's id. Problems of form and existence are
// reported at the claim; problems of content in the cited file.
func runEvidence(p *pass) {
	for _, c := range p.claims {
		if len(c.UnclearBoxes) > 0 && p.rule.ID == string(evidence.Uncertain) {
			p.reportClaim(c, fmt.Sprintf("Nothing shows that the ticked boxes of %s are done: %s.", c.File,
				report.Enumerate(c.UnclearBoxes)), c.UnclearReason+"; "+"report it in the message: "+doneLine)
		}
		for k, result := range c.Results {
			for _, problem := range result.Problems {
				if string(problem.Code) == p.rule.ID && !p.isReportedBy(problem.Cause) {
					p.reportProblem(c, k, problem)
				}
			}
		}
	}
}

// isReportedBy reports whether the cause's rule reports the problem, at least as severely.
func (p *pass) isReportedBy(cause evidence.Code) bool {
	return slices.ContainsFunc(p.rules, func(r *Rule) bool {
		return r.ID == string(cause) && r.severity(p.Policy, p.Tier) >= p.severity
	})
}

// reportProblem reports a problem of the claim's place number k.
func (p *pass) reportProblem(c *judgedClaim, k int, e evidence.Problem) {
	if e.IsNote {
		defer func(s report.Severity) { p.severity = s }(p.severity)
		p.severity = report.Note
	}
	f := c.finding(e.Message, e.Hint)
	f.IsRelative = e.IsRelative
	if e.IsCorrection {
		f.Hint = fmt.Sprintf("did you mean «%s»?", e.Hint)
	}
	if e.Line > 0 {
		f.Path, f.Line, f.Column, f.EndLine = e.Path, e.Line, 1, e.EndLine
	}
	cited := []string{c.Evidence[k].Place(), c.Evidence[k].Path}
	p.report(f, cited...)
	p.waiveByCause(&p.findings[len(p.findings)-1], c.Results[k], cited...)
}
