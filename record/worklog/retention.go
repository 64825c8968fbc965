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

// SummaryPrefix is where what remains of a session that has ended stands: refs/worklog-summary/<session_id>, a commit
// without a parent whose tree holds the session's document, its entries left out.
const SummaryPrefix = "refs/worklog-summary/"

// abandonedAfter is after how long without an entry a session that still runs is taken for abandoned.
const abandonedAfter = 30 * 24 * time.Hour

// settled is how long a session that neither runs nor has ended may be about to do one of both.
const settled = time.Minute

// Retention keeps a repository's worklogs small: sessions that run stay whole, of one that has ended the summary
// remains, and what is older than the policy's days is deleted.
type Retention struct {
	Repo *repo.Repo
	// CommonDir is the git directory that the work trees share.
	CommonDir string
	Now       time.Time
	// Wait waits for another process that does the same; else it is left to that one.
	Wait bool

	stopAt int // before which of the things that are written or deleted a test stops it; 0 for none
}

// errStopped is the end of a run that a test stops.
var errStopped = errors.New("stopped")

// Retained is what became of the sessions, their ids sorted.
type Retained struct {
	// Summarized are those of which the summary remains, in SummaryPrefix.
	Summarized []string
	// Deleted are those that are older than the policy's days.
	Deleted []string
	// Abandoned are those that were ended because nothing was recorded for so long; they are among the others, too.
	Abandoned []string

	steps int // how many things were to be written or deleted
}

// Collect does what there is to do, and returns it. What is in the way of one session is an error beside what was done;
// that session is left as it is. Whatever it is stopped at, the next run finishes it.
func (k Retention) Collect(ctx context.Context) (done Retained, err error) {
	unlock, err := k.lock(ctx)
	if err != nil || unlock == nil {
		return done, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	run := &retentionRun{Retention: k, done: &done}
	err = run.all(ctx)
	for _, list := range []*[]string{&done.Summarized, &done.Deleted, &done.Abandoned} {
		slices.Sort(*list)
	}
	return done, err
}

// lock keeps others from doing the same; nil where somebody does, and nobody waits. Where nothing was recorded there is
// no state to lock, and the locks of the refs are enough.
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

// retentionRun is one run of a Retention.
type retentionRun struct {
	Retention
	done *Retained
	// logs and summaries are the refs of both prefixes, by the ids of their sessions.
	logs, summaries map[string]repo.Ref
	// oldest is when what is kept was last written at the earliest.
	oldest time.Time
}

func (s *retentionRun) all(ctx context.Context) error {
	p, err := snapshot.Head(s.Repo).Policy(ctx)
	if err != nil {
		standard := policy.Default() // a policy that cannot be read deletes nothing before its time
		p = &standard
	}
	s.oldest = s.Now.AddDate(0, 0, -p.KeepDays)
	live, err := LiveSessions(s.CommonDir)
	if err != nil {
		return err
	}
	if err := s.readRefs(ctx); err != nil {
		return err
	}
	here := map[string]bool{}
	for _, l := range live {
		here[l.ID] = true
		if errOne := s.live(ctx, l); errOne != nil {
			err = errors.Join(err, fmt.Errorf("session %s is left as it is: %w", l.ID, errOne))
		}
	}
	for _, refs := range []map[string]repo.Ref{s.logs, s.summaries} {
		for id, ref := range refs {
			if !here[id] {
				err = errors.Join(err, s.stored(ctx, id, ref))
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

// live sums up a session of the local state that is over.
func (s *retentionRun) live(ctx context.Context, l *Live) error {
	over, err := s.hasEnded(ctx, l)
	if err != nil || !over {
		return err
	}
	s.done.Summarized = append(s.done.Summarized, l.ID)
	return s.alone(ctx, l, func() error { return s.summarize(ctx, l) })
}

// hasEnded reports whether a session has ended. One without an entry for so long is abandoned, and ended here; one
// that was to record nothing leaves nothing.
func (s *retentionRun) hasEnded(ctx context.Context, l *Live) (bool, error) {
	if l.Runs() {
		if last := l.lastTouched(); last.IsZero() || s.Now.Sub(last) < abandonedAfter {
			return false, nil
		}
		s.done.Abandoned = append(s.done.Abandoned, l.ID)
		if l.Switches.NoWorklog {
			return false, errors.Join(state.Remove(l.file(".running")), l.remove())
		}
		if _, err := l.End(ctx, l.lastTouched().UTC(), Aborted); err != nil {
			return false, err
		}
	}
	all, err := l.read()
	return all.end != nil || s.Now.Sub(l.lastTouched()) >= settled, err
}

// lastTouched is when something was last written of a session, by its files.
func (l *Live) lastTouched() (last time.Time) {
	for _, suffix := range []string{".jsonl", ".json"} {
		if info, err := os.Stat(l.file(suffix)); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

// alone runs do while nobody adds to a session or flushes it.
func (s *retentionRun) alone(ctx context.Context, l *Live, do func() error) (err error) {
	for _, path := range []string{l.file(".flushed"), l.file(".jsonl")} {
		unlock, errLock := state.Lock(ctx, path, sessionWait)
		if errLock != nil {
			return errLock
		}
		defer func() { err = errors.Join(err, unlock()) }()
	}
	if l.Runs() {
		return errors.New("it goes on")
	}
	return do()
}

// summarize writes the summary before it takes the log away: a run that is stopped loses nothing.
func (s *retentionRun) summarize(ctx context.Context, l *Live) error {
	all, err := l.read()
	if err != nil {
		return err
	}
	if all.end == nil { // it was never said how it ended
		all.end = &ending{l.lastTouched(), Aborted}
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
		if err := s.do(func() error { return s.Repo.WriteRecord(ctx, rec) }); err != nil {
			return err
		}
	}
	if ref, ok := s.logs[l.ID]; ok {
		if err := s.deleteRef(ctx, ref); err != nil {
			return err
		}
	}
	return s.do(l.remove)
}

// stored deletes a ref of a session that is not in the local state: the log of one whose summary is here, and what is
// older than the policy's days.
func (s *retentionRun) stored(ctx context.Context, id string, ref repo.Ref) error {
	c, err := s.Repo.Commit(ctx, string(ref.ID))
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", ref.Name, err)
	}
	_, summed := s.summaries[id]
	isLog := strings.HasPrefix(ref.Name, refPrefix)
	switch {
	case c.Committer.When.Before(s.oldest):
		if !slices.Contains(s.done.Deleted, id) {
			s.done.Deleted = append(s.done.Deleted, id)
		}
	case !isLog || !summed: // one that is summed up was fetched again
		return nil
	}
	return s.deleteRef(ctx, ref)
}

func (s *retentionRun) deleteRef(ctx context.Context, ref repo.Ref) error {
	return s.do(func() error { return s.Repo.DeleteRef(ctx, ref) })
}

func (s *retentionRun) do(do func() error) error {
	if s.done.steps++; s.done.steps == s.stopAt {
		return errStopped
	}
	return do()
}

// remove takes the local state of a session away. What says that there is one goes last, then the locks.
func (l *Live) remove() error {
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
