package serve

import (
	"testing"

	"github.com/acta-git/acta/report"
)

// An item that is blocked is an honest report, and looks like none that does not hold.
func TestABlockedItemIsCalledSo(t *testing.T) {
	l := (&builder{}).line(nil, "c", report.ClaimVerdict{Item: "Add a()", Status: "pending", Verdict: report.NotVerified, Reason: "blocked: no credentials"})
	if l.Verdict != "skipped" || l.VerdictText != "blocked" || l.Reason != "blocked: no credentials" {
		t.Errorf("%+v", l)
	}
}
