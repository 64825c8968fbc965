package journal

import (
	"regexp"

	"github.com/acta-git/acta/report"
)

// The severities that the audit log has beside those of findings.
const (
	RefusalSeverity = "refusal"
	ErrorSeverity   = "error"
	WarningSeverity = "warning"
)

// SaidParams are the Act.Params of what is no finding and no refusal: a warning or an error.
func SaidParams(severity, message string) map[string]any {
	return map[string]any{"severity": severity, "message": withoutIDs(message)}
}

// RefusalParams are the Act.Params of an act that a rule does not allow.
func RefusalParams(rule, message string) map[string]any {
	return map[string]any{"severity": RefusalSeverity, "rule": rule, "message": withoutIDs(message)}
}

// FindingParams are the Act.Params of a finding.
func FindingParams(f report.Finding) map[string]any {
	params := map[string]any{"severity": f.Severity.String(), "rule": f.Rule, "message": withoutIDs(f.Message)}
	for key, value := range map[string]string{"path": f.Path, "unit": f.Unit, "item": f.Item} {
		if value != "" {
			params[key] = value
		}
	}
	if f.Line > 0 {
		params["line"] = f.Line
	}
	return params
}

// ClaimParams are the params by which the audit log holds a claim of a commit that
// a hook refused; actor is who made it, "" where that is not known.
func ClaimParams(v report.ClaimVerdict, actor string) map[string]any {
	params := map[string]any{
		"verdict": v.Verdict.String(), "contradiction": v.Contradiction, "unit": v.Unit, "item": v.Item,
	}
	for key, value := range map[string]string{"evidence": v.Evidence, "message": withoutIDs(v.Reason), "actor": actor} {
		if value != "" {
			params[key] = value
		}
	}
	if v.Optional {
		params["optional"] = true
	}
	return params
}

// withoutIDs takes commit ids out of a message, whole, as rules shorten them, or shortened behind the word commit: the
// same finding in another clone, or after a rebase, has the same params.
func withoutIDs(message string) string {
	// One that stands alone: a path may begin like one.
	alone := regexp.MustCompile(`(^|[\s(«])(?:[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64})([\s,;:)»]|\.\s|\.?$)`)
	message = alone.ReplaceAllString(message, "$1…$2")
	return regexp.MustCompile(`\b(commit) [0-9a-f]{7,}\b`).ReplaceAllString(message, "$1 …")
}
