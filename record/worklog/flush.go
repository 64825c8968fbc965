package worklog

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

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
