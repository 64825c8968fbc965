package rules

import (
	"cmp"
	"slices"
	"sync"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/report"
)

// Rule is a rule about a commit, a range, or both. Its Page explains it.
type Rule struct {
	// ID is the rule's name in findings, policies and documentation.
	ID string
	// Since is the release that brought the rule.
	Since string
	// Severity holds the default by tier, that of the worst of its findings.
	Severity severities
	// MilderSeverity is the default of the findings that Doc calls milder; zero if there are none.
	MilderSeverity severities
	// Class is what the rule guards; it decides whether the rule can be waived.
	Class Class
	// Scope is what the rule is about.
	Scope Scope
	// RestsOnPlan: the rule needs the plan before the commit.
	RestsOnPlan bool
	// requirement is the key of the policy's results.require that turns findings into errors; nil for none.
	requirement func(*policy.Results) string
	// needs gather the facts that Run reads, rangeNeeds those of RunRange, each once and in this order.
	needs      []*gatherer[*gathering]
	rangeNeeds []*gatherer[*rangeGathering]
	// Run checks a commit, RunRange a range: pure functions of facts. A rule has one of them, or both.
	Run      func(*pass)
	RunRange func(*rangePass)
}

// Class is what a rule guards. The zero value is invalid.
type Class uint8

const (
	GuardsClaims Class = iota + 1 // a commit's claims and content: a policy may let it be waived
	GuardsRecord                  // the integrity of the record: never waived
)

// Scope is what a rule is about. The zero value is invalid.
type Scope uint8

const (
	scopePart    Scope = iota + 1 // each part of a message
	scopeCommit                   // the commit, even before it has a message
	scopeMessage                  // the commit, once it has a message
	scopeBoth                     // each part, and the commit as well
	scopeRange                    // only a range
)

func (r *Rule) appliesTo(in *Input) bool {
	switch {
	case !in.IsWholeCommit:
		return r.Scope == scopePart || r.Scope == scopeBoth
	case r.Scope == scopeMessage:
		return true
	}
	return (r.Scope == scopeCommit || r.Scope == scopeBoth) && (!in.SkipAdvice || r.mayRefuse(in.Policy))
}

// severity is the policy's, else the rule's own, for a tier; 0 is off.
func (r *Rule) severity(p *policy.Policy, t policy.Tier) report.Severity {
	if s, ok := p.Override(r.ID, t); ok {
		return s
	}
	return r.requiredSeverity(p, r.Severity.In(t))
}

// requiredSeverity turns a severity into an error if the policy requires the rule.
func (r *Rule) requiredSeverity(p *policy.Policy, s report.Severity) report.Severity {
	if s != 0 && r.requirement != nil && r.requirement(&p.Results) != "" {
		return report.Error
	}
	return s
}

// milderSeverity is severity for milder findings: a policy sets the same level for all findings of a rule.
func (r *Rule) milderSeverity(p *policy.Policy, t policy.Tier) report.Severity {
	if _, ok := p.Override(r.ID, t); ok || r.MilderSeverity == (severities{}) {
		return r.severity(p, t)
	}
	return r.requiredSeverity(p, r.MilderSeverity.In(t))
}

// Refuses reports whether findings of a rule refuse a commit in a tier.
func Refuses(id string, p *policy.Policy, t policy.Tier) bool {
	r := find(id)
	return r.ID != "" && r.severity(p, t) == report.Error
}

func (r *Rule) mayRefuse(p *policy.Policy) bool {
	return slices.ContainsFunc(policy.Tiers, func(t policy.Tier) bool { return r.severity(p, t) == report.Error })
}

// severities is a row of the severity table, the strictest tier first. A zero severity turns the rule off in that tier.
type severities [4]report.Severity

// In returns the severity in a tier, 0 for off.
func (s severities) In(t policy.Tier) report.Severity {
	return s[policy.Strict-cmp.Or(t, policy.Standard)]
}

// table holds the rules, made on first use: making them takes time.
var table struct {
	once sync.Once
	list []*Rule
}

func tableRows() []*Rule {
	table.once.Do(func() { table.list = rules() })
	return table.list
}

// Rules lists every rule that runs, in the order of the documentation.
func Rules() []*Rule { return slices.Clone(tableRows()) }

// find is the rule of an id; an empty rule if there is none.
func find(id string) *Rule {
	if i := slices.IndexFunc(tableRows(), func(r *Rule) bool { return r.ID == id }); i >= 0 {
		return tableRows()[i]
	}
	return &Rule{}
}

// IDs lists the ids of all rules.
func IDs() []string { return report.Map(tableRows(), func(r *Rule) string { return r.ID }) }

// IsWaivable reports whether a policy may list the rule as waivable.
func IsWaivable(id string) bool { return find(id).Class == GuardsClaims }

// IsAboutClaims reports whether a rule is about what a part of the message claims, which a later ACT may correct.
func IsAboutClaims(id string) bool {
	return find(id).Scope == scopePart && IsWaivable(id) || id == UnitConflict
}

// RestsOnPlan reports whether a rule needs the plan before the commit.
func RestsOnPlan(id string) bool { return find(id).RestsOnPlan }
