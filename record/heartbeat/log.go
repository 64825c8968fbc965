package heartbeat

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// Logged is a verdict as the heartbeat log holds it.
type Logged struct {
	At time.Time `json:"-"`
	// Actor is who asked, "" where that is not known.
	Actor string `json:"-"`
	// Commit is what HEAD was, "" before the first commit.
	Commit        string         `json:"-"`
	ID            string         `json:"id"`
	Required      bool           `json:"required"`
	Checked       bool           `json:"checked"`
	Verdict       report.Verdict `json:"verdict"`
	Contradiction bool           `json:"contradiction"`
	// Attempt is the day's last; Judged is false where none was left, and the verdict is that of an earlier one.
	Attempt int  `json:"attempt"`
	Judged  bool `json:"judged"`
	// Again: it was verified that day in that work tree before.
	Again bool `json:"again"`
	// Verify is the task's hint, File the SHA-256 of HEARTBEAT.md, in hex.
	Verify string `json:"verify"`
	Reason string `json:"reason"`
	File   string `json:"file"`
}

// Counts reports whether the verdict says something of who asked: an optional task whose
// box is open was promised by nobody, and costs nothing as long as it is not done. What was found
// before is no merit of whoever asks again by another name; that the box says otherwise is their doing.
func (l Logged) Counts() bool {
	if l.Verdict == report.Verified {
		return l.Judged && !l.Again
	}
	return l.Checked || l.Required
}

// were is what an edited line of the log may have said; see worklog.Entry.Written.
var were = map[string][]string{
	"verdict": {`"not_verified"`, `"unclear"`, `"verified"`}, "contradiction": {"true", "false"},
	"checked": {"true", "false"}, "required": {"true", "false"},
}

// Log reads every verdict of a repository, the oldest first; commonDir is the git
// directory that its work trees share. Lines that hold none are left out. The state says whether the log is as it was
// written.
func Log(commonDir string) (verdicts []Logged, state journal.State, err error) {
	entries, state, err := journal.Heartbeats(commonDir).ReadVerified()
	for _, e := range entries {
		l := Logged{At: e.Time, Actor: e.Name, Commit: e.Commit}
		if e.Cmd == logCommand && json.Unmarshal(e.Written(were), &l) == nil && l.Verdict != 0 {
			verdicts = append(verdicts, l)
		}
	}
	return verdicts, state, err
}

// logCommand is what the log calls a verdict.
const logCommand = "heartbeat verify"

// record adds a line for each verdict to the log, with all that a score asks for.
func (v *Verification) record(
	ctx context.Context, h *parser.Heartbeat, results []Result,
) (warnings []string, err error) {
	if len(results) == 0 {
		return nil, nil
	}
	head, err := v.Repo.Head(ctx)
	if err != nil && !errors.Is(err, repo.ErrUnborn) {
		return nil, err
	}
	file := fingerprint(h)
	acts := make([]journal.Act, len(results))
	for i, r := range results {
		acts[i] = journal.Act{Cmd: logCommand, Commit: string(head.ID), Params: map[string]any{
			"id": r.Task.ID.Value, "required": r.Required, "checked": r.Task.IsChecked, "verdict": r.Verdict.String(),
			"contradiction": r.Contradiction,
			"attempt":       r.Attempts, "judged": r.Judged, "again": r.Again, "verify": r.Task.Verify.Value, "reason": r.Reason,
			"file": file,
		}}
	}
	repair, err := journal.Heartbeats(v.CommonDir).Append(ctx, v.By, v.Now, acts...)
	if repair != nil {
		warnings = append(warnings, repair.String())
	}
	return warnings, err
}
