package worklog

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

const refPrefix = "refs/worklog/"

const worklogFile = "worklog.yaml"

const flushBatch = 10

// pending is how many lines of the log are not in the ref yet. A count above the log's length is ignored.
func (l *LocalSession) pending(all sessionLog) int {
	var flushed int
	data, err := state.ReadFile(l.file(".flushed"))
	if err != nil || json.Unmarshal(data, &flushed) != nil || flushed > all.lines {
		return all.lines // they are written again, which does no harm
	}
	return all.lines - flushed
}

// Flush adds a commit with the session to its ref, if at least minLines lines of its log are not there yet. If minLines
// is above 1 it does nothing while another process flushes. It returns how many unreadable lines were skipped.
func (l *LocalSession) Flush(ctx context.Context, r *repo.Repo, minLines int, now time.Time) (unread int, err error) {
	all, err := l.read()
	if err != nil || l.pending(all) < minLines {
		return 0, err
	}
	// This is not the log's lock: adding an entry never waits for git.
	unlock, err := state.TryLock(l.file(".flushed"))
	if unlock == nil && minLines <= 1 {
		unlock, err = state.Lock(ctx, l.file(".flushed"), sessionWait)
	}
	if err != nil || unlock == nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if all, err = l.read(); err != nil || l.pending(all) < minLines {
		return 0, err
	}
	if err := l.store(ctx, r, all, now); err != nil {
		return all.unreadLines, err
	}
	return all.unreadLines, state.Replace(l.file(".flushed"), fmt.Appendln(nil, all.lines))
}

func (l *LocalSession) store(ctx context.Context, r *repo.Repo, all sessionLog, now time.Time) error {
	s := l.document(all)
	document, err := toYAML(s)
	if err != nil {
		return err
	}
	rec := repo.Record{
		Ref: refPrefix + l.ID, Name: cmp.Or(l.Actor, "acta"), When: now, Files: map[string][]byte{worklogFile: document},
		Message: fmt.Sprintf("Worklog %s: %d entries\n\nSession: %s\n%s", l.ID, len(s.Entries), l.ID, l.hostTrailer()),
	}
	for _, c := range s.numberCheckpoints() {
		if rec.Files[fmt.Sprintf("checkpoints/%d.yaml", c.Number)], err = toYAML(&c); err != nil {
			return err
		}
	}
	if rec.Parent, err = r.RefID(ctx, rec.Ref); err != nil {
		return err
	}
	return r.WriteRecord(ctx, rec)
}

// Recorder writes to a running session the operations that its tier and switches record, and the checkpoints and
// flushes that follow.
type Recorder struct {
	*LocalSession
	Repo *repo.Repo
	// Switches are those of the call; the session's own apply too.
	Switches policy.Switches
}

func (r *Recorder) switches() policy.Switches { return r.Beginning.Switches.Or(r.Switches) }

// IsRecorded reports whether the switches let an action be recorded.
func (r *Recorder) IsRecorded(action Action) bool {
	return !r.switches().NoWorklog && (action != Check || !r.switches().NoCheckpoints)
}

// Record adds the operations that the session's tier records, and the checkpoints that they cause. Secrets are masked.
// If it is due, the session is written to its ref; a failure of that is a warning. On an error nothing was recorded.
func (r *Recorder) Record(ctx context.Context, now time.Time, operations ...Operation) (warnings []string, err error) {
	return r.record(ctx, now, operations, nil)
}

// RecordPart is Record for an ACT or ADAPT.
func (r *Recorder) RecordPart(ctx context.Context, now time.Time, d judge.LandedPart) (warnings []string, err error) {
	return r.record(ctx, now, []Operation{OperationOf(d)}, &d)
}

func (r *Recorder) record(
	ctx context.Context, now time.Time, operations []Operation, part *judge.LandedPart,
) (warnings []string, err error) {
	wanted := r.wanted(operations)
	if len(wanted) == 0 {
		return nil, nil
	}
	warnings, err = r.addFunc(ctx, func(before []Operation) []Operation {
		if !r.switches().NoCheckpoints {
			wanted = r.withCheckpoints(before, wanted)
			r.deviations(ctx, now, before, wanted, part)
		}
		return wanted
	})
	if err != nil {
		return warnings, err
	}
	minLines := flushBatch
	if slices.ContainsFunc(wanted, isUrgent) {
		minLines = 1
	}
	return append(warnings, r.store(ctx, now, minLines)...), nil
}

// RelativeToTop makes the files of an operation relative to the top, so that each has one name; a relative name starts
// in folder, "" for the top. Files outside the work tree stay unchanged.
func (r *Recorder) RelativeToTop(ctx context.Context, folder string, files []string) []string {
	var all []string
	for _, f := range files {
		if at, isInside, err := r.Repo.RelativeToTop(ctx, folder, f); err == nil && isInside {
			f = at
		}
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

func (r *Recorder) wanted(operations []Operation) []Operation {
	var wanted []Operation
	for _, o := range operations {
		if !r.wants(&o) || !r.IsRecorded(o.Action) || o.Action == Check && !r.WantsCheckpoint(o.Details.Phase) {
			continue
		}
		wanted = append(wanted, r.maskOperation(o))
	}
	return wanted
}

func isUrgent(o Operation) bool {
	return o.Status == Failed || o.Action == Check || o.Action == ActDone || o.Action == AdaptDone
}

// End ends the session, and writes it to its ref. A session that records nothing is removed.
func (r *Recorder) End(ctx context.Context, now time.Time, outcome Outcome) (warnings []string, err error) {
	if r.Beginning.Switches.NoWorklog {
		return nil, errors.Join(state.Remove(r.file(".running")), r.remove())
	}
	warnings, errLast := r.lastCheckpoint(ctx, now)
	more, err := r.LocalSession.End(ctx, now.UTC(), outcome)
	warnings = append(warnings, more...)
	if err = errors.Join(errLast, err); err != nil {
		return warnings, err
	}
	return append(warnings, r.store(ctx, now, 1)...), nil
}

// lastCheckpoint adds the checkpoint of an execution that ended without an ACT.
func (r *Recorder) lastCheckpoint(ctx context.Context, now time.Time) ([]string, error) {
	isDue := func(before []Operation) bool {
		var p progress
		for i := range before {
			p.follow(&before[i])
		}
		return p.needsExecution && !p.hasExecution
	}
	all, err := r.read()
	if err != nil || !r.WantsCheckpoint(phaseExecution) || !r.IsRecorded(Check) || !isDue(all.entries) {
		return nil, err
	}
	return r.addFunc(ctx, func(before []Operation) []Operation {
		if !isDue(before) { // another process has added it
			return nil
		}
		last := []Operation{NewCheckpoint(FormatTime(now), phaseExecution)}
		r.deviations(ctx, now, before, last, nil)
		return last
	})
}

func (r *Recorder) store(ctx context.Context, now time.Time, minLines int) (warnings []string) {
	unread, err := r.Flush(ctx, r.Repo, minLines, now)
	if unread > 0 {
		warnings = append(warnings, UnreadWarning(r.ID, unread))
	}
	if err != nil {
		warnings = append(warnings,
			fmt.Sprintf("the worklog is kept on this machine, but is not in %s%s yet: %v", refPrefix, r.ID, err))
	}
	return warnings
}
