package worklog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
)

// SummaryPrefix is the prefix of ended sessions' summaries: refs/worklog-summary/<session_id>, a commit without a
// parent whose tree holds the session's document without its entries.
const SummaryPrefix = "refs/worklog-summary/"

// abandonedAfter is how long a running session may add no entry before it counts as abandoned.
const abandonedAfter = 30 * 24 * time.Hour

// settleTime is how long a session may take to start or to end.
const settleTime = time.Minute

// Retention keeps a repository's worklogs small: running sessions stay whole, ended ones become summaries, and those
// older than the policy's days are deleted.
type Retention struct {
	Repo      *repo.Repo
	CommonDir string
	Now       time.Time
	// Wait waits for another process that does the same; else the work is left to that process.
	Wait bool

	stopAt int // a test stops it before this step; 0 for none
}

var errStopped = errors.New("stopped")

// RetentionResult lists the sessions by what was done, their ids sorted.
type RetentionResult struct {
	// Summarized are those of which only the summary is left.
	Summarized []string
	Deleted    []string
	// Abandoned are those that were ended for inactivity; they are also among the others.
	Abandoned []string

	steps int // writes and deletions so far
}

// Collect does the work. An error about one session leaves that session unchanged, and the others are still handled. If
// it is stopped, the next run finishes it.
func (k Retention) Collect(ctx context.Context) (done RetentionResult, err error) {
	unlock, err := k.lock(ctx)
	if err != nil || unlock == nil {
		return done, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	run := &retentionRun{Retention: k, result: &done}
	err = run.cleanAll(ctx)
	for _, list := range []*[]string{&done.Summarized, &done.Deleted, &done.Abandoned} {
		slices.Sort(*list)
	}
	return done, err
}

// lock keeps others from doing the same; nil if another process does, and this one does not wait. Without local state
// the locks of the refs are enough.
func (k Retention) lock(ctx context.Context) (unlock func() error, err error) {
	dir := sessionsDir(k.CommonDir)
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return func() error { return nil }, nil
	}
	path := filepath.Join(dir, "retention")
	if k.Wait {
		return state.Lock(ctx, path, sessionWait)
	}
	return state.TryLock(path)
}

type retentionRun struct {
	Retention
	result *RetentionResult
	// logs and summaries are the refs of both prefixes, by session id.
	logs, summaries map[string]repo.Ref
	oldest          time.Time
}

func (s *retentionRun) cleanAll(ctx context.Context) error {
	p, err := snapshot.Head(s.Repo).Policy(ctx)
	if err != nil {
		standard := policy.Default() // an unreadable policy deletes nothing early
		p = &standard
	}
	s.oldest = s.Now.AddDate(0, 0, -p.KeepDays)
	live, err := LocalSessions(s.CommonDir)
	if err != nil {
		return err
	}
	if err := s.readRefs(ctx); err != nil {
		return err
	}
	here := map[string]bool{}
	for _, l := range live {
		here[l.ID] = true
		if errOne := s.cleanSession(ctx, l); errOne != nil {
			err = errors.Join(err, fmt.Errorf("session %s is left unchanged: %w", l.ID, errOne))
		}
	}
	for _, refs := range []map[string]repo.Ref{s.logs, s.summaries} {
		for id, ref := range refs {
			if !here[id] {
				err = errors.Join(err, s.cleanRef(ctx, id, ref))
			}
		}
	}
	return err
}

func (s *retentionRun) readRefs(ctx context.Context) error {
	refs, err := s.Repo.Refs(ctx, refPrefix, SummaryPrefix)
	s.logs, s.summaries = map[string]repo.Ref{}, map[string]repo.Ref{}
	for _, ref := range refs {
		if id, ok := strings.CutPrefix(ref.Name, refPrefix); ok && IsSessionID(id) {
			s.logs[id] = ref
		} else if id, ok := strings.CutPrefix(ref.Name, SummaryPrefix); ok && IsSessionID(id) {
			s.summaries[id] = ref
		}
	}
	return err
}

func (s *retentionRun) cleanSession(ctx context.Context, l *LocalSession) (err error) {
	hasEnded, err := s.hasEnded(ctx, l)
	if err != nil || !hasEnded {
		return err
	}
	s.result.Summarized = append(s.result.Summarized, l.ID)
	for _, path := range []string{l.file(".flushed"), l.file(".jsonl")} {
		unlock, errLock := state.Lock(ctx, path, sessionWait)
		if errLock != nil {
			return errLock
		}
		defer func() { err = errors.Join(err, unlock()) }()
	}
	if l.IsRunning() {
		return errors.New("it was resumed")
	}
	return s.summarize(ctx, l)
}

// hasEnded reports whether a session has ended. An abandoned one is ended here, or removed if it was to record nothing.
func (s *retentionRun) hasEnded(ctx context.Context, l *LocalSession) (bool, error) {
	if l.IsRunning() {
		if last := l.lastWritten(); last.IsZero() || s.Now.Sub(last) < abandonedAfter {
			return false, nil
		}
		s.result.Abandoned = append(s.result.Abandoned, l.ID)
		if l.Switches.NoWorklog {
			return false, errors.Join(state.Remove(l.file(".running")), l.remove())
		}
		if _, err := l.End(ctx, l.lastWritten().UTC(), Aborted); err != nil {
			return false, err
		}
	}
	all, err := l.read()
	return all.end != nil || s.Now.Sub(l.lastWritten()) >= settleTime, err
}

func (l *LocalSession) lastWritten() (last time.Time) {
	for _, suffix := range []string{".jsonl", ".json"} {
		if info, err := os.Stat(l.file(suffix)); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

// summarize writes the summary before it removes the log, so a stopped run loses nothing.
func (s *retentionRun) summarize(ctx context.Context, l *LocalSession) error {
	all, err := l.read()
	if err != nil {
		return err
	}
	if all.end == nil { // its end was never recorded
		all.end = &ending{l.lastWritten(), Aborted}
	}
	document := l.document(all)
	entries := len(document.Entries)
	document.Entries = []Operation{}
	out, err := toYAML(document)
	if err != nil {
		return err
	}
	rec := repo.Record{
		Ref: SummaryPrefix + l.ID, Name: cmp.Or(l.Actor, "acta"), When: s.Now, Files: map[string][]byte{worklogFile: out},
		Message: fmt.Sprintf("Worklog %s: the summary of %d entries\n\nSession: %s\n", l.ID, entries, l.ID),
	}
	if _, written := s.summaries[l.ID]; !written {
		if err := s.step(func() error { return s.Repo.WriteRecord(ctx, rec) }); err != nil {
			return err
		}
	}
	if ref, ok := s.logs[l.ID]; ok {
		if err := s.deleteRef(ctx, ref); err != nil {
			return err
		}
	}
	return s.step(l.remove)
}

// cleanRef deletes a ref of a session that is not in the local state: a log whose summary exists, or anything older
// than the policy's days.
func (s *retentionRun) cleanRef(ctx context.Context, id string, ref repo.Ref) error {
	c, err := s.Repo.Commit(ctx, string(ref.ID))
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", ref.Name, err)
	}
	_, summed := s.summaries[id]
	isLog := strings.HasPrefix(ref.Name, refPrefix)
	switch {
	case c.Committer.When.Before(s.oldest):
		if !slices.Contains(s.result.Deleted, id) {
			s.result.Deleted = append(s.result.Deleted, id)
		}
	case !isLog || !summed: // a summarized log was fetched again
		return nil
	}
	return s.deleteRef(ctx, ref)
}

func (s *retentionRun) deleteRef(ctx context.Context, ref repo.Ref) error {
	return s.step(func() error { return s.Repo.DeleteRef(ctx, ref) })
}

func (s *retentionRun) step(do func() error) error {
	if s.result.steps++; s.result.steps == s.stopAt {
		return errStopped
	}
	return do()
}

// remove removes the local state of a session: its .json late, since that marks its existence, and then the locks.
func (l *LocalSession) remove() error {
	names, err := os.ReadDir(l.dir)
	if err != nil {
		return err
	}
	var first, last []string
	for _, n := range names {
		switch name := n.Name(); {
		case !strings.HasPrefix(name, l.ID+"."), name == l.ID+".json":
		case strings.HasSuffix(name, ".lock"):
			last = append(last, name)
		default:
			first = append(first, name)
		}
	}
	for _, name := range append(append(first, l.ID+".json"), last...) {
		if err := state.Remove(filepath.Join(l.dir, name)); err != nil {
			return err
		}
	}
	return nil
}
