package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

// RunNotes is the ref of the notes that `acta run --note` leaves.
const RunNotes = "refs/notes/acta-runs"

// NotedRun is a run in a note: a line of JSON, whose first value is the time, so that sorted lines are in its order.
type NotedRun struct {
	// Time is in UTC, to the second.
	Time    time.Time `json:"time"`
	Command string    `json:"command"`
	Exit    int       `json:"exit"`
	// Counts are those of the reports, «214 passed, 1 failed»; "" for none.
	Counts  string   `json:"counts,omitempty"`
	Reports []string `json:"reports,omitempty"`
	// Trees are those of check.RecordedRun.
	Trees []string `json:"trees"`
}

// NoteRun adds a run to the note on HEAD, under the name of who ran it.
func NoteRun(ctx context.Context, r *repo.Repo, run NotedRun, name string) error {
	head, err := r.Head(ctx)
	if err != nil {
		return err
	}
	line, err := json.Marshal(run)
	if err != nil {
		return err
	}
	return r.AddNote(ctx, repo.NoteLine{
		Ref: RunNotes, On: head.ID, Line: string(line), Name: name, When: run.Time,
		Message: fmt.Sprintf("A run on %.12s\n", head.ID),
	})
}

// noted are the runs that notes on a commit and on its parents tell of, since a run comes before the commit as a rule.
// Where there are some of the commit's own tree, those alone.
func (j *record) noted(c repo.Commit) Runs {
	return func(ctx context.Context, _ string) ([]check.RecordedRun, error) {
		if j.notes == nil {
			notes, err := j.repo.Notes(ctx, RunNotes)
			if err != nil {
				return nil, err
			}
			j.notes = notes
		}
		var runs []check.RecordedRun
		for _, id := range append(slices.Clone(c.Parents), c.ID) {
			runs = append(runs, runsIn(j.notes[id])...)
		}
		other := func(r check.RecordedRun) bool { return !slices.Contains(r.Trees, string(c.Tree)) }
		if same := slices.DeleteFunc(slices.Clone(runs), other); len(same) > 0 {
			return same, nil
		}
		return runs, nil
	}
}

// runsIn reads a note. A line that is no run, or names no tree, tells nothing.
func runsIn(note []byte) []check.RecordedRun {
	var runs []check.RecordedRun
	for line := range strings.Lines(string(note)) {
		var n NotedRun
		if json.Unmarshal([]byte(line), &n) != nil || n.Command == "" || len(n.Trees) == 0 || !repo.IsID(n.Trees[0]) {
			continue
		}
		runs = append(runs, check.RecordedRun{
			Command: n.Command, Exit: &n.Exit, Counts: parser.ParseCounts(n.Counts), Reports: n.Reports, Trees: n.Trees,
			Noted: true,
		})
	}
	return runs
}
