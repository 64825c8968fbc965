package worklog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// Recorder writes to a running session what its tier and switches want of it, with
// what follows from it: a checkpoint, a flush.
type Recorder struct {
	*Live
	Repo *repo.Repo
	// Switches are those of the call; those of the session's beginning hold besides.
	Switches policy.Switches
}

// switches are those that hold.
func (r *Recorder) switches() policy.Switches { return r.Beginning.Switches.Or(r.Switches) }

// Records reports whether the switches let an action be recorded.
func (r *Recorder) Records(action Action) bool {
	return !r.switches().NoWorklog && (action != Check || !r.switches().NoCheckpoints)
}

// Recorded is what there is to say of a record that was made.
type Recorded struct {
	// Session is the session's id.
	Session string
	// Repaired is what had to be mended in the session's log first, nil for nothing.
	Repaired *journal.Repair
	// Unread is how many lines of the log cannot be read and are left out.
	Unread int
	// NotStored is why the session is not in its ref yet, nil where nothing was in the way. The entries are kept.
	NotStored error
}

// join adds what there is to say of a later record.
func (r *Recorded) join(later Recorded) {
	r.Session, r.NotStored = cmp.Or(later.Session, r.Session), cmp.Or(later.NotStored, r.NotStored)
	r.Unread = max(r.Unread, later.Unread)
	if later.Repaired != nil {
		r.Repaired = later.Repaired
	}
}

// Warnings are what there is to say, in words.
func (r *Recorded) Warnings() []string {
	var all []string
	if r.Repaired != nil {
		all = append(all, r.Repaired.String())
	}
	if r.Unread > 0 {
		all = append(all, Unread(r.Session, r.Unread))
	}
	if r.NotStored != nil {
		all = append(all, fmt.Sprintf("the worklog is kept here and not in %s%s yet: %v", refPrefix, r.Session, r.NotStored))
	}
	return all
}

// Record adds operations that the session's tier wants, with the checkpoints that they make due; others are passed
// over. Secrets are masked. The session is written to its ref where that is due. An error means that nothing was
// recorded; what is said beside it is valid.
func (r *Recorder) Record(ctx context.Context, now time.Time, operations ...Operation) (Recorded, error) {
	return r.record(ctx, now, operations, nil)
}

// RecordLanded is Record of an ACT or ADAPT.
func (r *Recorder) RecordLanded(ctx context.Context, now time.Time, d judge.LandedPart) (Recorded, error) {
	return r.record(ctx, now, []Operation{OperationOf(d)}, &d)
}

func (r *Recorder) record(
	ctx context.Context, now time.Time, operations []Operation, landed *judge.LandedPart,
) (Recorded, error) {
	repair, least, err := r.add(ctx, now, operations, landed)
	return r.stored(ctx, now, least, repair, err), err
}

// stored writes the session to its ref after an add, where that is due.
func (r *Recorder) stored(ctx context.Context, now time.Time, least int, repair *journal.Repair, err error) Recorded {
	switch {
	case err != nil:
		return Recorded{Session: r.ID, Repaired: repair}
	case least == 0:
		return Recorded{}
	}
	said := r.Store(ctx, now, least)
	said.Repaired = repair
	return said
}

// add is record without the ref: that is due with so many lines as least says, 0 where nothing was recorded.
func (r *Recorder) add(
	ctx context.Context, now time.Time, operations []Operation, landed *judge.LandedPart,
) (repair *journal.Repair, least int, err error) {
	wanted := r.wanted(operations)
	if len(wanted) == 0 {
		return nil, 0, nil
	}
	if r.needLog(wanted) {
		repair, err = r.addTo(ctx, func(before []Operation) []Operation {
			wanted = r.withCheckpoints(before, wanted)
			r.deviations(ctx, now, before, wanted, landed)
			return wanted
		})
	} else {
		repair, err = r.Add(ctx, wanted...)
	}
	if slices.ContainsFunc(wanted, isUrgent) {
		return repair, 1, err
	}
	return repair, batch, err
}

// FromTop names the files of an operation as the repository calls them, so that each has one name; a relative name
// begins in a folder, "" for the top. What does not lie in the work tree stays as it was given.
func (r *Recorder) FromTop(ctx context.Context, folder string, files []string) []string {
	var all []string
	for _, f := range files {
		if at, inside, err := r.Repo.RelativeToTop(ctx, folder, f); err == nil && inside {
			f = at
		}
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// wanted are the operations that the session records, as it records them.
func (r *Recorder) wanted(operations []Operation) []Operation {
	var wanted []Operation
	for _, o := range operations {
		if !r.wants(&o) || !r.Records(o.Action) || o.Action == Check && !r.WantsCheckpoint(o.Details.Phase) {
			continue
		}
		wanted = append(wanted, r.masked(o))
	}
	return wanted
}

// needLog reports whether what is recorded depends on what was: every other entry is added without reading the log.
func (r *Recorder) needLog(add []Operation) bool {
	return !r.switches().NoCheckpoints && slices.ContainsFunc(add,
		func(o Operation) bool { return o.Action == Check || r.mayEnd(&o) })
}

// isUrgent reports whether an entry is written to the ref at once.
func isUrgent(o Operation) bool {
	return o.Status == Failed || o.Action == Check || o.Action == ActDone || o.Action == AdaptDone
}

// End ends the session, and writes it to its ref. One that recorded nothing from its
// beginning is forgotten; a call that is not to be recorded ends the session all the same.
func (r *Recorder) End(ctx context.Context, now time.Time, outcome Outcome) (Recorded, error) {
	if r.Beginning.Switches.NoWorklog {
		return Recorded{Session: r.ID}, errors.Join(state.Remove(r.file(".running")), r.remove())
	}
	repair, errLast := r.lastCheckpoint(ctx, now)
	torn, err := r.Live.End(ctx, now.UTC(), outcome)
	if torn != nil {
		repair = torn
	}
	if err = errors.Join(errLast, err); err != nil {
		return Recorded{Session: r.ID, Repaired: repair}, err
	}
	said := r.Store(ctx, now, 1)
	said.Repaired = repair
	return said, nil
}

// lastCheckpoint is that of the execution of a session that ends without an ACT, before which it would stand.
func (r *Recorder) lastCheckpoint(ctx context.Context, now time.Time) (*journal.Repair, error) {
	isDue := func(before []Operation) bool {
		var p progress
		for i := range before {
			p.follow(&before[i])
		}
		return p.toExecute && !p.executed
	}
	all, err := r.read()
	if err != nil || !r.WantsCheckpoint(phaseExecution) || !r.Records(Check) || !isDue(all.entries) {
		return nil, err
	}
	return r.addTo(ctx, func(before []Operation) []Operation {
		if !isDue(before) { // another process ends it too
			return nil
		}
		last := []Operation{NewCheckpoint(FormatTime(now), phaseExecution)}
		r.deviations(ctx, now, before, last, nil)
		return last
	})
}

// Store writes the session to its ref where at least so many lines of its log are not there yet.
func (r *Recorder) Store(ctx context.Context, now time.Time, least int) Recorded {
	unread, err := r.Flush(ctx, r.Repo, least, now)
	return Recorded{Session: r.ID, Unread: unread, NotStored: err}
}
