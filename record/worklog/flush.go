package worklog

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// refPrefix is where the worklogs stand: refs/worklog/<session_id>.
const refPrefix = "refs/worklog/"

// worklogFile is the session's document in the tree of a flush; checkpoints stand beside it.
const worklogFile = "worklog.yaml"

// batch is how many entries are written to the ref at once, where nothing else asks for a flush.
const batch = 10

// flushed is how far the log of a session has been written to its ref.
type flushed struct {
	Lines int `json:"lines"`
}

func (l *Live) flushed() int {
	var f flushed
	if data, err := state.ReadFile(l.file(".flushed")); err != nil || json.Unmarshal(data, &f) != nil {
		return 0 // everything is written again, which does no harm
	}
	return f.Lines
}

// pending is how many lines of the log are not in the ref yet. A count that the log does not bear out is none.
func (l *Live) pending(all logged) int {
	if n := l.flushed(); n <= all.lines {
		return all.lines - n
	}
	return all.lines
}

// Flush writes the session to its ref, as one commit on top of those before, where
// at least so many lines of its log are not there yet. With a least above 1 it does nothing while
// another process flushes. It returns how many lines of the log cannot be read and are left out.
func (l *Live) Flush(ctx context.Context, r *repo.Repo, least int, now time.Time) (unread int, err error) {
	all, err := l.read()
	if err != nil || l.pending(all) < least {
		return 0, err
	}
	unlock, err := l.lockFlush(ctx, least > 1)
	if err != nil || unlock == nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if all, err = l.read(); err != nil || l.pending(all) < least {
		return 0, err
	}
	if err := l.store(ctx, r, all, now); err != nil {
		return all.unread, err
	}
	data, err := state.JSONLine(flushed{all.lines})
	if err != nil {
		return all.unread, err
	}
	return all.unread, state.Replace(l.file(".flushed"), data)
}

// lockFlush takes the lock of those who flush, which is not that of those who add:
// nobody waits for git to add an entry. unlock is nil where another process has it and atOnce is set.
func (l *Live) lockFlush(ctx context.Context, atOnce bool) (unlock func() error, err error) {
	if !atOnce {
		return state.Lock(ctx, l.file(".flushed"), sessionWait)
	}
	return state.TryLock(l.file(".flushed"))
}

// store makes the commit.
func (l *Live) store(ctx context.Context, r *repo.Repo, all logged, now time.Time) error {
	s := l.document(all)
	document, err := toYAML(s)
	if err != nil {
		return err
	}
	rec := repo.Record{
		Ref: refPrefix + l.ID, Name: l.author(), When: now, Files: map[string][]byte{worklogFile: document},
		Message: fmt.Sprintf("Worklog %s: %d entries\n\nSession: %s\n%s", l.ID, len(s.Entries), l.ID, l.hostTrailer()),
	}
	for _, c := range s.checkpoints() {
		if rec.Files[fmt.Sprintf("checkpoints/%d.yaml", c.Number)], err = toYAML(&c); err != nil {
			return err
		}
	}
	refs, err := r.Refs(ctx, rec.Ref)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(refs, func(ref repo.Ref) bool { return ref.Name == rec.Ref }); i >= 0 {
		rec.Parent = refs[i].ID
	}
	return r.WriteRecord(ctx, rec)
}

// author is who the commits of the session's ref are by.
func (l *Live) author() string { return cmp.Or(l.Actor, "acta") }
