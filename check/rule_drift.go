package check

import (
	"context"
	"fmt"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
)

// EvidenceRegressed is the id of the rule below, for whoever asks about its findings.
const EvidenceRegressed = "evidence_regressed"

func ruleEvidenceRegressed() *Rule {
	return &Rule{
		ID: EvidenceRegressed, Since: "0.1", Class: OfClaims, Scope: OfRange,
		Title: "code that an earlier claim rests on is a stub now, or gone",
		Doc: "What was verified once can be taken back later, and the record would go on saying that it is done.\n" +
			"`acta verify` follows every verified claim of the range, and of the last 500 ACTs before it whose\n" +
			"files the range touches, to the end of the range. A definition that had code when it was claimed and\n" +
			"is a stub now is an error in STRICT and STANDARD; code that is nowhere to be found is a warning.\n" +
			"Moved, renamed, reformatted and edited code is fine, and so is what was so before the range. Write the\n" +
			"code again, report the item again in an ACT of the unit, or take the claim back: an ADAPT with\n" +
			"`Reopen: <unit>` excuses both. `acta drift` lists what became of every claim; docs/drift.md says how\n" +
			"they are followed.",
		Severity: Severities{diag.Error, diag.Error, diag.Warning, 0},
		Example: Example{
			Files:   loginFile(),
			Message: "ACT: T01 login\n\nDone: Add login() | src/auth.py:5-8\n",
			Then: []Step{{
				Files:   map[string]string{"src/auth.py": "def login(session, user, password):\n    raise NotImplementedError\n"},
				Message: "Simplify sessions\n",
			}},
		},
		RunRange: runRegressed,
	}
}

func runRegressed(_ context.Context, p *RangePass) error {
	for i := range p.Followed {
		f := &p.Followed[i]
		most := diag.Warning
		hint := "bring it back, report the item again where it is done now, or take the claim back: `Reopen: %s` in an ADAPT"
		switch {
		case f.Before || f.Reopened != "":
			continue
		case f.Trace.State == evidence.StateHollowed:
			most = diag.Error
			hint = "write it again, or take the claim back: `Reopen: %s` in an ADAPT"
		case f.Trace.State != evidence.StateGone:
			continue
		}
		p.report(f, most, diag.Finding{
			Path: f.Trace.Path, Line: f.Trace.Line, Column: min(f.Trace.Line, 1), EndLine: f.Trace.EndLine,
			Message: fmt.Sprintf("Evidence '%s' of commit %.12s does not hold any more: %s.", f.Place, f.Commit, f.Trace.Reason),
			Hint:    fmt.Sprintf(hint, f.Unit),
		})
	}
	return nil
}
