package worklog

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestWhatActaRunsIsRecordedWhateverItIsCalled(t *testing.T) {
	for tier, want := range map[string]bool{"STRICT": true, "STANDARD": true, "LIGHT": false, "EXEMPT": false} {
		l, err := Start(t.Context(), t.TempDir(), Beginning{ID: "20260126_143215-aaaa", Tier: tier, Started: when})
		if err != nil {
			t.Fatal(err)
		}
		run := Operation{Time: FormatTime(when), Action: Bash, Status: Completed, Context: "make lint", Details: Details{
			Folder: ".", Summary: "3 passed", Reports: []string{"report.xml"}, Tree: strings.Repeat("a", 40), Tracked: strings.Repeat("b", 40),
		}}
		byHost := Operation{Action: Bash, Status: Completed, Context: "make lint"}
		r := &Recorder{LocalSession: l}
		if got := r.wanted([]Operation{run, byHost}); (len(got) == 1) != want || want && got[0].Details.Summary != "3 passed" {
			t.Errorf("%s: %+v", tier, got)
		}
		if _, err := l.add(t.Context(), logLines([]Operation{run})...); err != nil {
			t.Fatal(err)
		}
		s, _, err := l.Session()
		if err != nil {
			t.Fatal(err)
		}
		if err := validSession(t, printed(t, s, "yaml")); err != nil {
			t.Error(err)
		}
	}
}

func TestCountsOfARunAreThoseOfItsReports(t *testing.T) {
	e := Operation{Action: Bash, Context: "make", Details: Details{Summary: "3 passed, 1 failed", Tree: "a", Tracked: "b"}}
	if run := e.RecordedRun(); run.Counts != nil || !slices.Equal(run.Trees, []string{"a", "b"}) {
		t.Errorf("of an output: %+v", run)
	}
	e.Details.Reports = []string{"r.xml"}
	if run := e.RecordedRun(); !maps.Equal(run.Counts, map[string]int{"passed": 3, "failed": 1}) {
		t.Errorf("of a report: %+v", run)
	}
}
