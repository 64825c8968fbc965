package judge

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
	"github.com/acta-git/acta/report/results"
)

// Reports reads the test and coverage reports that a policy or the caller names; nil if there are none. A report inside
// the judged tree does not count: the author may have written it.
type Reports interface {
	Read(ctx context.Context, p *policy.Policy, judged evidence.Tree) (*results.Set, error)
}

// readResults reads a subject's reports once; nil if there are none.
func (s *subject) readResults(ctx context.Context) (*rules.Results, error) {
	if s.reports == nil || s.results != nil {
		return s.results, nil
	}
	var err error
	s.results, err = rules.NewResults(ctx, s.reports, &s.tree)
	return s.results, err
}

// addResults adds reports of the end of the range to the rules' input.
func (s *span) addResults(ctx context.Context, reader *Reader, in *rules.RangeInput) error {
	if s.reports == nil {
		return nil
	}
	read, err := rules.NewResults(ctx, s.reports, in.After)
	if in.Results = read; err == nil {
		in.Acts, err = reader.Acts(ctx)
	}
	return err
}

// RunsOfSession returns the commands that were run in a session, in order; "" is a commit without a session.
type RunsOfSession func(ctx context.Context, session string) ([]rules.RecordedRun, error)

// cachedRuns reads the runs of each session once. If they cannot be read, there are none, and a warning.
func (s *subject) cachedRuns(read RunsOfSession) RunsOfSession {
	cached := map[string][]rules.RecordedRun{}
	return func(ctx context.Context, session string) ([]rules.RecordedRun, error) {
		if runs, ok := cached[session]; ok {
			return runs, nil
		}
		runs, err := read(ctx, session)
		if err != nil {
			s.warnings = append(
				s.warnings, fmt.Sprintf("the runs of the session cannot be read, so Ran: lines are not compared: %v", err),
			)
		}
		cached[session] = runs
		return runs, nil
	}
}

// CompareRun reports whether the commit's tree differs from a run's, and lists the files that differ. Untracked files
// that the run saw and the commit leaves out do not count, nor do the run's reports. If the run's tree is missing, no
// files are listed.
func (s *subject) CompareRun(ctx context.Context, run *rules.RecordedRun) (differs bool, paths []string, err error) {
	if slices.Contains(run.Trees, s.tree.Name) {
		return false, nil, nil
	}
	changes, err := s.history.repo.Changes(ctx, repo.ID(run.Trees[0]), s.treeID(), repo.DiffOptions{})
	if err != nil {
		return true, nil, ctx.Err()
	}
	for _, c := range changes {
		var before evidence.Entry
		if c.Status == 'D' && s.base != nil {
			before, _ = s.base.Stat(ctx, c.Path) // one that cannot be read counts as missing
		}
		isUntracked := c.Status == 'D' && before.Kind == evidence.Missing
		if !isUntracked && !slices.Contains(run.Reports, c.Path) {
			paths = append(paths, c.Path)
		}
	}
	return len(paths) > 0, paths, nil
}

// RunNotes is the ref of the notes that `acta run --note` leaves.
const RunNotes = "refs/notes/acta-runs"

// RunNote is a run in a note: a line of JSON that begins with the time, so sorted lines are in order.
type RunNote struct {
	// Time is in UTC, to the second.
	Time    time.Time `json:"time"`
	Command string    `json:"command"`
	Exit    int       `json:"exit"`
	// Counts are those of the reports, «214 passed, 1 failed»; "" without counts.
	Counts  string   `json:"counts,omitempty"`
	Reports []string `json:"reports,omitempty"`
	// Trees are as in rules.RecordedRun.
	Trees []string `json:"trees"`
	// Proof is the result of acta prove.
	Proof *report.Proof `json:"proof,omitempty"`
}

// NoteRun adds a run to the note on HEAD, under the name of who ran it.
func NoteRun(ctx context.Context, r *repo.Repo, run RunNote, name string) error {
	head, errHead := r.Head(ctx)
	line, errLine := json.Marshal(run)
	if err := cmp.Or(errHead, errLine); err != nil {
		return err
	}
	return r.AddNote(ctx, repo.NoteLine{
		Ref: RunNotes, Commit: head.ID, Line: string(line), Name: name, When: run.Time,
		Message: fmt.Sprintf("A run on %.12s\n", head.ID),
	})
}

// runsFor are the runs in notes on a commit and its parents. If some are of the commit's tree, only those.
func (h *History) runsFor(c repo.Commit) RunsOfSession {
	return func(ctx context.Context, _ string) ([]rules.RecordedRun, error) {
		runs, err := h.notedRuns(ctx, append(slices.Clone(c.Parents), c.ID)...)
		isOfOtherTree := func(r rules.RecordedRun) bool { return !slices.Contains(r.Trees, string(c.Tree)) }
		if ofTree := slices.DeleteFunc(slices.Clone(runs), isOfOtherTree); len(ofTree) > 0 {
			return ofTree, nil
		}
		return runs, err
	}
}

func (h *History) notedRuns(ctx context.Context, commits ...repo.ID) (runs []rules.RecordedRun, err error) {
	if h.notes == nil {
		if h.notes, err = h.repo.Notes(ctx, RunNotes); err != nil {
			return nil, err
		}
	}
	for _, id := range commits {
		runs = append(runs, parseRunNote(h.notes[id])...)
	}
	return runs, nil
}

// parseRunNote reads a note, and skips invalid lines.
func parseRunNote(note []byte) []rules.RecordedRun {
	var runs []rules.RecordedRun
	for line := range strings.Lines(string(note)) {
		var n RunNote
		if json.Unmarshal([]byte(line), &n) != nil || n.Command == "" || len(n.Trees) == 0 || !repo.IsID(n.Trees[0]) {
			continue
		}
		runs = append(runs, rules.RecordedRun{
			Command: n.Command, Exit: &n.Exit, Counts: parser.ParseCounts(n.Counts), Reports: n.Reports, Trees: n.Trees,
			IsNoted: true, Proof: n.Proof,
		})
	}
	return runs
}
