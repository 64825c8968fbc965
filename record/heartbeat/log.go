package heartbeat

import (
	"context"
	"errors"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
)

// LogCommand is the command of the heartbeat log's verdicts.
const LogCommand = "heartbeat verify"

// record adds the verdicts to the heartbeat log; package ledger reads them.
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
		acts[i] = journal.Action{Cmd: LogCommand, Commit: string(head.ID), Params: map[string]any{
			"id": r.Task.ID, "required": r.IsRequired, "checked": r.Task.IsChecked, "verdict": r.Verdict.String(),
			"contradiction": r.IsContradiction, "attempt": r.Attempts, "judged": r.IsJudged, "again": r.WasVerified,
			"verify": r.Task.Verify, "reason": r.Reason, "file": file,
		}}
	}
	return journal.Heartbeats(v.CommonDir).Append(ctx, v.Caller, v.Now, acts...)
}
