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

// LoggedVerdict is a verdict in the heartbeat log.
type LoggedVerdict struct {
	At time.Time `json:"-"`
	// Actor is the caller, "" if that is not known.
	Actor string `json:"-"`
	// Commit is HEAD's commit, "" before the first one.
	Commit          string         `json:"-"`
	ID              string         `json:"id"`
	IsRequired      bool           `json:"required"`
	IsChecked       bool           `json:"checked"`
	Verdict         report.Verdict `json:"verdict"`
	IsContradiction bool           `json:"contradiction"`
	// Attempt is the number of the day's last attempt. IsJudged is false if none was left, and the verdict is an
	// earlier one.
	Attempt  int  `json:"attempt"`
	IsJudged bool `json:"judged"`
	// WasVerified: the task was already verified that day in that work tree.
	WasVerified bool `json:"again"`
	// Verify is the task's hint, File the SHA-256 of HEARTBEAT.md in hex.
	Verify string `json:"verify"`
	Reason string `json:"reason"`
	File   string `json:"file"`
}

// IsCounted reports whether the verdict counts for or against the caller. Nobody promised an optional task whose box is
// open, so it costs nothing. A task that was already verified earns nothing again under another name; but a wrongly
// checked box is the caller's doing.
func (l LoggedVerdict) IsCounted() bool {
	if l.Verdict == report.Verified {
		return l.IsJudged && !l.WasVerified
	}
	return l.IsChecked || l.IsRequired
}

// earlierValues are values that an edited line may have had; see journal.Entry.OriginalParams.
var earlierValues = map[string][]string{
	"verdict": {`"not_verified"`, `"unclear"`, `"verified"`}, "contradiction": {"true", "false"},
	"checked": {"true", "false"}, "required": {"true", "false"},
}

// Log reads every verdict of a repository, the oldest first; commonDir is the git directory that its work trees share.
// Other lines are skipped. The state says whether the log was changed.
func Log(commonDir string) (verdicts []LoggedVerdict, state journal.State, err error) {
	entries, state, err := journal.Heartbeats(commonDir).ReadVerified()
	for _, e := range entries {
		l := LoggedVerdict{At: e.Time, Actor: e.Name, Commit: e.Commit}
		if e.Cmd == logCommand && json.Unmarshal(e.OriginalParams(earlierValues), &l) == nil && l.Verdict != 0 {
			verdicts = append(verdicts, l)
		}
	}
	return verdicts, state, err
}

const logCommand = "heartbeat verify"

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
	acts := make([]journal.Action, len(results))
	for i, r := range results {
		acts[i] = journal.Action{Cmd: logCommand, Commit: string(head.ID), Params: map[string]any{
			"id": r.Task.ID, "required": r.IsRequired, "checked": r.Task.IsChecked, "verdict": r.Verdict.String(),
			"contradiction": r.IsContradiction,
			"attempt":       r.Attempts, "judged": r.IsJudged, "again": r.WasVerified, "verify": r.Task.Verify,
			"reason": r.Reason,
			"file":   file,
		}}
	}
	return journal.Heartbeats(v.CommonDir).Append(ctx, v.Caller, v.Now, acts...)
}
