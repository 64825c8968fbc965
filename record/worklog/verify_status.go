package worklog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/acta-git/acta/judge/policy"
)

// Todo is one entry of an agent's list.
type Todo struct {
	// ID is "" where the host gives none.
	ID      string
	Content string
	// Status is pending, in_progress, completed, deleted …; "" where the change leaves it as it is.
	Status string
}

// TodoChange is a change of a list that was made, and how to see what came of it.
type TodoChange struct {
	Intended []Todo
	// Moved are the changes of status that the change made, where they are known.
	Moved []StatusChange
	There TodoReader
}

// TodoReader tells what is there of a list. Attempt 1 is the tool's response, else the host's store; attempt 2 the
// store, read again, else the response. ok is false where nothing can be read.
type TodoReader interface {
	ReadTodos(attempt int) (there []Todo, ok bool)
}

// Verified is what came of a verification.
type Verified struct {
	// Escalate is what to tell person and agent, "" for nothing.
	Escalate string
	Recorded
}

// backOff is the time between the readings: a host may write its store behind its answer.
const backOff = 100 * time.Millisecond

// VerifyTodos holds each todo that a change intended against what is there. In a STRICT session whose verification is
// on each reading leaves a Verify entry, and a mismatch is read once more before it is told; other sessions verify
// nothing. What is not recorded is escalated all the same. An error means that an entry could not be kept; what is
// said beside it is valid.
func (r *Recorder) VerifyTodos(ctx context.Context, now time.Time, change TodoChange) (v Verified, err error) {
	if !r.WantsVerification() || len(change.Intended) == 0 || change.There == nil {
		return v, nil
	}
	entry, wrong := change.verify(now, 1)
	isAgain := len(wrong) > 0
	if isAgain {
		// The ref is written with the last reading: git is not waited for in between.
		v.Repaired, _, err = r.add(ctx, now, []Operation{entry}, nil)
		time.Sleep(backOff)
		if entry, wrong = change.verify(now, 2); len(wrong) > 0 {
			v.Escalate = change.escalation(wrong)
			entry.Tokens = Tokens(len(v.Escalate))
		}
	}
	repair, least, errLast := r.add(ctx, now, []Operation{entry}, nil)
	if isAgain {
		least = min(least, 1) // the first reading was an error
	}
	v.join(r.stored(ctx, now, least, repair, errLast))
	return v, errors.Join(err, errLast)
}

// WantsVerification reports whether changes of status are verified: in STRICT, where nobody has switched it off.
func (r *Recorder) WantsVerification() bool {
	tier, _ := policy.ParseTier(r.Tier)
	return tier == policy.Strict && !r.switches().SkipVerify
}

// verify reads once. It returns the Verify entry that docs/worklog.md has for the reading, and what is not as it was
// intended.
func (c *TodoChange) verify(now time.Time, attempt int) (e Operation, wrong []discrepancy) {
	there, ok := c.There.ReadTodos(attempt)
	compared, about := len(c.Intended), "todos"
	e = Operation{
		Time: FormatTime(now), Action: Verify, Status: Completed,
		Details: Details{Todos: &compared, StatusChanges: c.Moved, Verification: "pass"},
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
	if wrong = compareTodos(c.Intended, there); len(wrong) > 0 {
		e.Status, e.Details.Verification = Failed, "fail"
		e.Context = fmt.Sprintf("%s: %d of %d are not as intended: %s", about, len(wrong), compared, inLine(wrong))
	}
	return e, wrong
}
