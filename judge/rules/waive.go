package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// waive turns an error into a warning if the message waives the rule at one of the places and the policy allows it.
// Otherwise the hint says why the waiver does not count.
func (p *pass) waive(f *report.Finding, places ...string) {
	waive(p.Policy, f, p.Part.Waivers, func(rule string) bool { return rule == f.Rule }, places)
}

// waiveByCause is waive for an unclear place, which may be waived by the rule that made it unclear.
func (p *pass) waiveByCause(f *report.Finding, r evidence.Result, places ...string) {
	waive(p.Policy, f, p.Part.Waivers, func(rule string) bool {
		return f.Rule == string(evidence.Uncertain) && f.Rule != rule &&
			slices.ContainsFunc(r.Problems, func(e evidence.Problem) bool { return string(e.Code) == rule })
	}, places)
}

// waive lets the waivers of a rule and a place of an error count, or says why they do not.
func waive(
	p *policy.Policy, f *report.Finding, waivers []parser.Waiver, isMeant func(rule string) bool, places []string,
) {
	for _, w := range waivers {
		if f.Severity != report.Error || w.Err != "" || !isMeant(w.Rule.Value) || !slices.Contains(places, waivedPlace(w)) {
			continue
		}
		why := ""
		switch {
		case !IsWaivable(w.Rule.Value):
			why = "this rule guards the integrity of the record and cannot be waived"
		case !p.CanWaive(w.Rule.Value):
			why = fmt.Sprintf("the policy does not list %s as waivable", w.Rule.Value)
		default:
			why = reasonProblem(w.Reason.Value)
		}
		if why != "" {
			f.Hint = JoinHints(f.Hint, "the waiver does not count: "+why)
			continue
		}
		f.Severity, f.Hint = report.Warning, "waived: "+w.Reason.Value
	}
}

// JoinHints is two hints in one.
func JoinHints(a, b string) string {
	return strings.TrimPrefix(a+"; "+b, "; ")
}

// waivedPlace is the place of a waiver in the form of findings: evidence as cited, or a path.
func waivedPlace(w parser.Waiver) string {
	if at := parser.ParseEvidence(w.Place.Value, w.Place.Span.Start); len(at) == 1 {
		return at[0].Place()
	}
	return w.Place.Value
}
