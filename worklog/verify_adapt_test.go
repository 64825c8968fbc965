package worklog

import (
	"testing"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
)

func TestWhatAnAdaptClaims(t *testing.T) {
	root, err := plan.Parse([]byte(`{"id": "P", "children": [{"id": "M01", "type": "parent", "assessments": [{"slice": "M01/S01", "note": "", "at": "2026-01-26T14:32:15Z"}], "children": [
		{"id": "S01", "type": "parent", "status": "complete", "children": [{"id": "T01", "status": "complete"}]},
		{"id": "S02", "type": "parent", "status": "in_progress", "replans": [{"blocker": "T01", "note": "", "at": "2026-01-26T14:32:15Z"}], "children": [{"id": "T02"}, {"id": "T03", "status": "in_progress"}]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		message string
		claims  int
		wrong   string
	}{
		{"ADAPT: M01/S01/T01 is complete", 1, ""},
		{"ADAPT: T02 is complete", 1, "todo T02: complete was intended, and it is pending"},
		{"ADAPT: T01 Completed.", 1, ""},
		{"ADAPT: T02 marked as complete", 1, "todo T02: complete was intended, and it is pending"},
		{"ADAPT: T09 is complete", 1, "todo T09: complete was intended, and it is missing"},
		{"ADAPT: T02 is not complete yet", 0, ""},
		{"ADAPT: T02 complete the form first", 0, ""},
		{"ADAPT: T02 split in two", 0, ""},
		{"ADAPT: T03 open again\n\nReopen: T03\nReopen: S02/T02", 2, "todo S02/T02: open was intended, and it is missing"},
		{"ADAPT: M01 is open again\n\nReopen: T03\nReopen: T01", 2, "todo T01: open was intended, and it is complete"},
		{"ADAPT: M01/S02 replanned\n\nReplan: M01/S02 | M01/S01/T01", 1, ""},
		{"ADAPT: S02 replanned\n\nReplan: S02 | T03", 1, "todo S02: replan after T03: recorded was intended, and it is missing"},
		{"ADAPT: M01 looked at\n\nReassess: M01 | S01", 1, ""},
		{"ADAPT: M01 looked at\n\nReassess: M01 | S02", 1, "todo M01: reassessment after S02: recorded was intended, and it is missing"},
	} {
		parts := parser.Parse([]byte(c.message + "\n")).Parts
		if len(parts) != 1 {
			t.Fatalf("%q has %d parts", c.message, len(parts))
		}
		claimed := claimedStatuses(&parts[0])
		if len(claimed) != c.claims {
			t.Errorf("%q claims %v", c.message, claimed)
		}
		if got := inLine(compareTodos(claimed, statusesIn(root, claimed))); got != c.wrong {
			t.Errorf("%q: got %q, want %q", c.message, got, c.wrong)
		}
	}
}
