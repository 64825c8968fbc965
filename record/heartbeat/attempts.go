package heartbeat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

const attemptsFile = "heartbeat-attempts.json"

// dayAttempts are the attempts of one day, in the policy's time zone; other days are forgotten.
type dayAttempts struct {
	Day   string     `json:"day"`
	Tasks []*attempt `json:"tasks"`
}

// attempt counts one task in one work tree. Another hint starts a new count; a checked box or a reworded description
// does not.
type attempt struct {
	WorkTree string `json:"work_tree"`
	ID       string `json:"id"`
	Verify   string `json:"verify"`
	Attempts int    `json:"attempts"`
	// finding is that of the last attempt with a verdict; its verdict is 0 before that.
	finding
}

type finding struct {
	Verdict report.Verdict `json:"verdict,omitempty"`
	Reason  string         `json:"reason,omitempty"`
}

// countAttempts counts an attempt for each task that has one left, and begins their results, each with the earlier
// finding. It counts before judging, so that concurrent calls cannot exceed the limit.
func (v *Verification) countAttempts(ctx context.Context, today string, tasks []*parser.Task) ([]Result, error) {
	results := make([]Result, len(tasks))
	err := v.update(ctx, today, func(attemptOf func(*parser.Task) *attempt) {
		for i, task := range tasks {
			a := attemptOf(task)
			isFree := v.trustError != nil && v.needsProgram(task) // a verifier that is not run uses no attempt
			isJudged := isFree || a.Attempts < task.MaxAttempts
			if isJudged && !isFree {
				a.Attempts++
			}
			results[i] = Result{
				Task: task, IsRequired: isRequired(task, v.AllRequired), finding: a.finding, Attempts: a.Attempts,
				IsJudged: isJudged, WasVerified: a.Verdict == report.Verified,
			}
		}
	})
	return results, err
}

func (v *Verification) saveFindings(ctx context.Context, today string, results []Result) error {
	return v.update(ctx, today, func(of func(*parser.Task) *attempt) {
		for _, r := range results {
			if r.IsJudged {
				of(r.Task).finding = r.finding
			}
		}
	})
}

func (v *Verification) update(
	ctx context.Context, today string, use func(attemptOf func(*parser.Task) *attempt),
) error {
	return state.Change(ctx, v.CommonDir, attemptsFile, func(data []byte) ([]byte, error) {
		d := &dayAttempts{}
		if data != nil {
			if err := json.Unmarshal(data, d); err != nil {
				return nil, fmt.Errorf(
					"the attempts of today, acta/%s in %s, cannot be read: %w; fix the file, or remove it to count from zero",
					attemptsFile, v.CommonDir, err)
			}
		}
		if d.Day != today {
			d = &dayAttempts{Day: today}
		}
		use(func(t *parser.Task) *attempt {
			a := attempt{WorkTree: v.GitDir, ID: t.ID, Verify: t.Verify}
			isIt := func(b *attempt) bool { return b.WorkTree == a.WorkTree && b.ID == a.ID && b.Verify == a.Verify }
			if i := slices.IndexFunc(d.Tasks, isIt); i >= 0 {
				return d.Tasks[i]
			}
			d.Tasks = append(d.Tasks, &a)
			return &a
		})
		return state.IndentedJSON(d)
	})
}

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
