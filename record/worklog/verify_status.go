package worklog

import (
	"context"
	"fmt"
	"time"

	"github.com/acta-git/acta/judge/policy"
)

// Todo is one entry of an agent's list.
type Todo struct {
	// ID is "" if the host gives none.
	ID      string
	Content string
	// Status is pending, in_progress, completed, deleted …; "" if the change does not set it.
	Status string
}

// TodoChange is a change of a todo list, and the way to read its effect.
type TodoChange struct {
	Intended []Todo
	// StatusChanges are those that the change made, if they are known.
	StatusChanges []StatusChange
	Reader        TodoReader
}

// TodoReader reads a todo list. Attempt 1 reads the tool's response, else the host's store; attempt 2 the store, else
// the response. ok is false if nothing can be read.
type TodoReader interface {
	ReadTodos(attempt int) (todos []Todo, ok bool)
}

// backOff is the time between the readings: a host may write its store after its answer.
const backOff = 100 * time.Millisecond

// VerifyTodos compares the intended todos with the actual ones. In a STRICT session each reading adds a Verify entry,
// and a mismatch is read once more before it is escalated, in a message for person and agent; other sessions verify
// nothing. A mismatch is escalated even if it cannot be recorded. An error means that nothing was recorded.
func (r *Recorder) VerifyTodos(
	ctx context.Context, now time.Time, change TodoChange,
) (escalation string, warnings []string, err error) {
	tier, _ := policy.ParseTier(r.Tier)
	if tier != policy.Strict || r.switches().SkipVerify || len(change.Intended) == 0 || change.Reader == nil {
		return "", nil, nil
	}
	entry, wrong := change.verify(now, 1)
	readings := []Operation{entry}
	if len(wrong) > 0 {
		time.Sleep(backOff)
		if entry, wrong = change.verify(now, 2); len(wrong) > 0 {
			escalation = change.escalation(wrong)
			entry.Tokens = Tokens(len(escalation))
		}
		readings = append(readings, entry)
	}
	warnings, err = r.Record(ctx, now, readings...)
	return escalation, warnings, err
}

// verify reads once. It returns the Verify entry (see docs/worklog.md) and the discrepancies.
func (c *TodoChange) verify(now time.Time, attempt int) (e Operation, wrong []discrepancy) {
	actual, ok := c.Reader.ReadTodos(attempt)
	compared, about := len(c.Intended), "todos"
	e = Operation{
		Time: FormatTime(now), Action: Verify, Status: Completed,
		Details: Details{Todos: &compared, StatusChanges: c.StatusChanges, Verification: "pass"},
	}
	if attempt > 1 {
		about += ", read again"
		e.Status, e.Details.Attempt = Retried, attempt
	}
	if !ok {
		e.Status, e.Details.Verification = Skipped, "timeout"
		e.Context = about + ": not verified, nothing could be read"
		return e, nil
	}
	e.Context = fmt.Sprintf("%s: all %d are as intended", about, compared)
	if wrong = compareTodos(c.Intended, actual); len(wrong) > 0 {
		e.Status, e.Details.Verification = Failed, "fail"
		e.Context = fmt.Sprintf("%s: %d of %d are not as intended: %s", about, len(wrong), compared, joinDiscrepancies(wrong))
	}
	return e, wrong
}
