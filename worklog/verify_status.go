package worklog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/acta-git/acta/policy"
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
	// About names the list in what is said, «todos» where it is "".
	About    string
	Intended []Todo
	// Remedy is what to do where it is not so; "" for what there is to do about todos.
	Remedy string
	// Moved are the changes of status that the change made, where they are known.
	Moved []StatusChange
	// Read gives what is there. Attempt 1 is the tool's response, else the host's
	// store; attempt 2 the store, read again, else the response. ok is false where nothing can be read.
	Read func(ctx context.Context, attempt int) (there []Todo, ok bool, err error)
}

// Verified is what came of a verification.
type Verified struct {
	// Escalate is what to tell person and agent, "" for nothing.
	Escalate string
	Recorded
}

const (
	// verifyLimit bounds a verification, its readings and the back-off together.
	verifyLimit = time.Second
	// backOff is the time between the readings: a host may write its store behind its answer.
	backOff = 100 * time.Millisecond
)

// verifyState is where a verification stands.
type verifyState string

const (
	stateRead      verifyState = "read"
	stateReadAgain verifyState = "read again"
	stateVerified  verifyState = "verified"
	stateEscalated verifyState = "escalated"
	stateSkipped   verifyState = "skipped"
)

// verifyEvent is what a reading gives.
type verifyEvent string

const (
	eventMatch      verifyEvent = "match"
	eventMismatch   verifyEvent = "mismatch"
	eventUnreadable verifyEvent = "unreadable"
	eventLate       verifyEvent = "late"
)

// transition is a row of the state machine.
type transition struct {
	state verifyState
	event verifyEvent
	next  verifyState
	// status and result are those of the Verify entry that the event leaves.
	status Status
	result string
}

// transitions is the whole machine, which begins in stateRead; docs/worklog.md shows it.
// A state that no row begins with is an end.
func transitions() []transition {
	return []transition{
		{stateRead, eventMatch, stateVerified, Completed, "pass"},
		{stateRead, eventMismatch, stateReadAgain, Failed, "fail"},
		{stateRead, eventUnreadable, stateSkipped, Skipped, "timeout"},
		{stateRead, eventLate, stateSkipped, Skipped, "timeout"},
		{stateReadAgain, eventMatch, stateVerified, Retried, "pass"},
		{stateReadAgain, eventMismatch, stateEscalated, Failed, "fail"},
		{stateReadAgain, eventUnreadable, stateSkipped, Skipped, "timeout"},
		{stateReadAgain, eventLate, stateSkipped, Skipped, "timeout"},
	}
}

// step is the row of a state and event.
func step(state verifyState, event verifyEvent) (transition, bool) {
	for _, t := range transitions() {
		if t.state == state && t.event == event {
			return t, true
		}
	}
	return transition{}, false
}

// VerifyTodos holds each todo that a change intended against what is there. In a STRICT session whose
// verification is on each reading leaves a Verify entry, and a mismatch is read once more before it is told; other
// sessions verify nothing. What is not recorded is escalated all the same. An error means that an entry could not be kept; what
// is said beside it is valid.
func (r *Recorder) VerifyTodos(ctx context.Context, now time.Time, change TodoChange) (Verified, error) {
	var v Verified
	if !r.WantsVerification() || len(change.Intended) == 0 || change.Read == nil {
		return v, nil
	}
	limit, pause := verifyLimit, sleep
	if r.limit > 0 {
		limit = r.limit
	}
	if r.pause != nil {
		pause = r.pause
	}
	reading, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var all error
	for state, attempt := stateRead, 1; ; attempt++ {
		found := change.look(reading, attempt)
		t, more := step(state, found.event)
		if !more {
			return v, all
		}
		entry := change.entry(now, attempt, t, found)
		if t.next == stateEscalated {
			v.Escalate = change.escalation(found)
			entry.Tokens = Tokens(len(v.Escalate))
		}
		if state = t.next; state != stateReadAgain {
			tear, least, err := r.add(ctx, now, []Operation{entry}, nil)
			if attempt > 1 {
				least = min(least, 1) // the first reading was an error
			}
			v.join(r.stored(ctx, now, least, tear, err))
			return v, errors.Join(all, err)
		}
		// The ref is written with the last reading: git is not waited for in between.
		tear, _, err := r.add(ctx, now, []Operation{entry}, nil)
		v.Tear, all = tear, err
		_ = pause(reading, backOff) // where the time is up the next reading says so
	}
}

// WantsVerification reports whether changes of status are verified: in STRICT, where nobody has switched it off.
func (r *Recorder) WantsVerification() bool {
	tier, _ := policy.ParseTier(r.Tier)
	return tier == policy.Strict && !r.switches().SkipVerify
}

// reading is what reading once gave.
type reading struct {
	event verifyEvent
	wrong []discrepancy
	err   error
}

// look reads once. A reading that does not come back in time is left behind.
func (c *TodoChange) look(ctx context.Context, attempt int) reading {
	type answer struct {
		there []Todo
		ok    bool
		err   error
	}
	if ctx.Err() != nil {
		return reading{event: eventLate}
	}
	got := make(chan answer, 1)
	go func() {
		there, ok, err := c.Read(ctx, attempt)
		got <- answer{there, ok, err}
	}()
	select {
	case <-ctx.Done():
		return reading{event: eventLate}
	case a := <-got:
		switch wrong := compareTodos(c.Intended, a.there); {
		case ctx.Err() != nil:
			return reading{event: eventLate}
		case a.err != nil || !a.ok:
			return reading{event: eventUnreadable, err: a.err}
		case len(wrong) > 0:
			return reading{event: eventMismatch, wrong: wrong}
		}
		return reading{event: eventMatch}
	}
}

// entry is the Verify entry that a reading leaves.
func (c *TodoChange) entry(now time.Time, attempt int, t transition, found reading) Operation {
	compared := len(c.Intended)
	e := Operation{
		Time: Stamp(now), Action: Verify, Status: t.status,
		Details: Details{Todos: &compared, StatusChanges: c.Moved, Verification: t.result},
	}
	if attempt > 1 {
		e.Details.Attempt = attempt
	}
	again := ""
	if attempt > 1 {
		again = ", read again"
	}
	switch found.event {
	case eventMatch:
		e.Context = fmt.Sprintf("%s%s: all %d are as intended", c.about(), again, compared)
	case eventMismatch:
		e.Context = fmt.Sprintf("%s%s: %d of %d are not as intended: %s", c.about(), again, len(found.wrong), compared, inLine(found.wrong))
	case eventLate:
		e.Context = c.about() + again + ": not verified, the time was up"
	case eventUnreadable:
		e.Context = c.about() + again + ": not verified, nothing could be read"
		if found.err != nil {
			e.Context += ": " + found.err.Error()
		}
	}
	return e
}

func (c *TodoChange) about() string {
	if c.About == "" {
		return "todos"
	}
	return c.About
}

// sleep waits, but no longer than ctx lets it.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
