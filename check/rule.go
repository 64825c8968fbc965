package check

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/policy"
)

// Rule is one question asked of a commit, or of a range of them.
type Rule struct {
	// ID is the rule's name in findings, policies and documentation.
	ID string
	// Title says in one line what the rule reports.
	Title string
	// Doc teaches, in Markdown: what is wrong, why it matters, how to put it right.
	Doc string
	// Since is the release that brought the rule.
	Since string
	// Severity holds the default by tier.
	Severity Severities
	// Example is a commit that the rule reports.
	Example Example
	// OfCommit: the question is about the commit, whatever its message says of units. It is asked once a commit, and of
	// one that has no message yet.
	OfCommit bool
	// OfBoth: the question is about each part and about the commit as well.
	OfBoth bool
	// OfMessage: the question is about the commit, and cannot be asked before there is a message.
	OfMessage bool
	// Form: the rule is about how a report is written. What it reports is no untruth, and costs nobody points.
	Form bool
	// Run asks the question of a commit. An error means that it could not be decided.
	Run func(ctx context.Context, p *Pass) error
	// RunRange asks it of a range. A rule has one of the two, or both where a range shows more than its commits.
	RunRange func(ctx context.Context, p *RangePass) error
}

// severity is what a policy, or else the rule itself, says for a tier; 0 for off.
func (r *Rule) severity(p *policy.Policy, t policy.Tier) diag.Severity {
	if l, ok := p.Override(r.ID, t); ok {
		s, _ := l.Severity()
		return s
	}
	return r.Severity.In(t)
}

// Refuses reports whether what the rule of an id finds refuses a commit in a tier.
func Refuses(id string, p *policy.Policy, t policy.Tier) bool {
	return slices.ContainsFunc(Rules(), func(r *Rule) bool { return r.ID == id && r.severity(p, t) == diag.Error })
}

// mayRefuse reports whether the rule is an error in any tier.
func (r *Rule) mayRefuse(p *policy.Policy) bool {
	return slices.ContainsFunc([]policy.Tier{policy.Exempt, policy.Light, policy.Standard, policy.Strict}, func(t policy.Tier) bool {
		return r.severity(p, t) == diag.Error
	})
}

// Severities is a row of the severity table. A zero severity turns the rule off in that tier.
type Severities struct {
	Strict, Standard, Light, Exempt diag.Severity
}

// In returns the severity in a tier, 0 for off.
func (s Severities) In(t policy.Tier) diag.Severity {
	switch t {
	case policy.Strict:
		return s.Strict
	case policy.Light:
		return s.Light
	case policy.Exempt:
		return s.Exempt
	}
	return s.Standard
}

// The rows of the severity table that several rules share.
var (
	always  = Severities{diag.Error, diag.Error, diag.Error, diag.Error}
	judged  = Severities{diag.Error, diag.Error, diag.Error, 0}
	advised = Severities{diag.Warning, diag.Warning, 0, 0}
	noted   = Severities{diag.Note, diag.Note, diag.Note, 0}
)

// Rules lists every rule that runs, in the order of the documentation.
func Rules() []*Rule {
	return []*Rule{
		ruleItemsMismatch(), ruleItemPending(), ruleEvidenceRequired(), ruleEvidenceFormat(), ruleEvidenceNotFound(),
		ruleEvidenceOutOfRange(), ruleEvidenceEmptyImpl(), ruleReasonRequired(),
		ruleMissing(), ruleAllSkipped(), ruleMostlySkipped(), ruleItemDuplicate(), ruleReportUnread(), ruleReportUnreadable(), ruleClaimRequired(),
		ruleEvidencePartialStub(), ruleEvidenceUnclear(), ruleEvidenceTooWide(), ruleEvidenceSyntaxError(),
		ruleEvidenceNotRemoved(), ruleEvidenceMoved(), ruleEvidenceNotInDiff(), ruleEvidenceReused(), ruleEvidenceUnrelated(),
		ruleEvidenceRegressed(), ruleRunContradicted(),
		ruleStubAdded(),
		ruleUnitConflict(), rulePolicyInvalid(), rulePolicyWeakened(), rulePlanInvalid(), rulePlanUnitUnknown(), rulePlanOutsideAdapt(), rulePlanStatusElsewhere(),
		ruleForUnitUnknown(), ruleActOnParent(), ruleActOnComplete(), ruleActOnEscalated(), ruleActBeforeAdapt(), ruleActTouchesPlan(), ruleAdaptTouchesEnv(),
		ruleAdaptWithoutAct(), rulePlanAlreadyComplete(), rulePlanNotActive(), rulePlanOpenChildren(), rulePlanParentClosed(),
		rulePlanReplanComplete(), rulePlanDependencyOpen(), rulePlanBlockerOpen(), rulePlanReassessOpen(), rulePlanReopenInvalid(),
		ruleThresholdLowered(), ruleThresholdNotRaised(), ruleObservationMissing(), ruleScopeReduced(), ruleIntentUncovered(), ruleIntentModified(), ruleAmendmentModified(),
		ruleUnitNotOwned(), ruleActorMissing(),
	}
}

// OfForm reports whether a rule is about how a report is written.
func OfForm(id string) bool {
	return slices.ContainsFunc(Rules(), func(r *Rule) bool { return r.ID == id && r.Form })
}

// IDs lists the ids of all rules, those that this release does not run yet included.
func IDs() []string { return slices.Concat(claimIDs, integrityIDs) }

// Waivable reports whether a policy may list the rule as waivable: all but those
// that guard the integrity of the record.
func Waivable(id string) bool { return slices.Contains(claimIDs, id) }

// Validate refuses a rule that is nil, undocumented, without example, without
// severity, or whose id is malformed, unknown or given twice.
func Validate(rules []*Rule) error {
	idForm := regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)
	seen := map[string]bool{}
	var errs []error
	for i, r := range rules {
		if r == nil {
			errs = append(errs, fmt.Errorf("rule %d is nil", i))
			continue
		}
		bad := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("rule %q: %s", r.ID, fmt.Sprintf(format, args...)))
		}
		switch {
		case !idForm.MatchString(r.ID):
			bad("malformed id")
		case seen[r.ID]:
			bad("given twice")
		case !slices.Contains(IDs(), r.ID):
			bad("not among the ids")
		}
		seen[r.ID] = true
		if strings.TrimSpace(r.Title) == "" || strings.Contains(r.Title, "\n") {
			bad("needs a title of one line")
		}
		if len(r.Doc) < 80 {
			bad("needs teaching text")
		}
		if r.Since == "" || r.Run == nil && r.RunRange == nil || r.Example.Message == "" {
			bad("needs Since, Example, and Run or RunRange")
		}
		if r.Run == nil && r.RunRange != nil && r.Example.Then == nil {
			bad("asks its question of a range, and its example is one commit")
		}
		if r.Severity == (Severities{}) {
			bad("is off in every tier")
		}
	}
	return errors.Join(errs...)
}
