package worklog

import (
	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/parser"
)

// RecordedRun is what a Bash operation tells of a command that was run.
func (e *Operation) RecordedRun() check.RecordedRun {
	d := &e.Details
	run := check.RecordedRun{Command: e.Command(), Exit: d.ExitCode, Reports: d.Reports}
	if len(d.Reports) > 0 { // what an output tells is for people: it is read by its look
		run.Counts = parser.ParseCounts(d.Summary)
	}
	for _, tree := range []string{d.Tree, d.Tracked} {
		if tree != "" {
			run.Trees = append(run.Trees, tree)
		}
	}
	return run
}
