package hooks

import (
	"testing"

	"github.com/acta-git/acta/record/worklog"
)

// A run that goes on in the background is a run, whose end nobody knows; one that was skipped is none.
func TestRanIn(t *testing.T) {
	one := 1
	run := func(status worklog.Status, exit *int) worklog.Operation {
		return worklog.Operation{Action: worklog.Bash, Status: status, Context: "pytest -q", Details: worklog.Details{ExitCode: exit}}
	}
	runs := runsOf(&worklog.Session{Entries: []worklog.Operation{
		run(worklog.Failed, &one), {Action: worklog.Edit, Context: "pytest -q"}, run(worklog.Skipped, nil), run(worklog.Initiated, nil),
	}})
	if len(runs) != 2 || runs[0].Exit != &one || runs[1].Exit != nil || runs[1].Command != "pytest -q" {
		t.Errorf("%+v", runs)
	}
}
