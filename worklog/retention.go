package worklog

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/acta-git/acta/repo"
)

// KeepFor is how long a session that nobody here recorded stays whole after it was last written, and after how long
// without an entry a session that still runs is taken for abandoned.
const KeepFor = 30 * 24 * time.Hour

// settled is how long a session that neither runs nor has ended may be about to do one of both.
const settled = time.Minute

// patternOfPrevious is where the pattern of the previous session lies, beside its summary, until it is summed up.
const patternOfPrevious = "pattern.json"

// Retention keeps a repository's worklogs small: running sessions stay whole, of the one that ended last the summary
// remains, and of older ones a Pattern in SummaryPrefix.
type Retention struct {
	Repo *repo.Repo
	// CommonDir is the git directory that the work trees share.
	CommonDir string
	// Release is the release that reads plans.
	Release string
	Now     time.Time
	// DryRun changes nothing.
	DryRun bool
	// Wait waits for another process that does the same; else it is left to that one.
	Wait bool

	// step is asked before each thing that is written or taken away; tests make it fail.
	step func(what string) error
}

// Retained is what became of the sessions, ids and refs sorted.
type Retained struct {
	// Whole are those that stay as they are.
	Whole []string `json:"whole"`
	// Summarized are those of which the summary remains in their ref.
	Summarized []string `json:"summarized"`
	// Extracted are those of which a pattern remains in SummaryPrefix.
	Extracted []string `json:"extracted"`
	// Abandoned are those that were ended because nothing was recorded for so long; they are among the others, too.
	Abandoned []string `json:"abandoned"`
	// Merged are the summaries of other clones that were taken in.
	Merged []string `json:"merged"`
}

// Collect does what there is to do, and returns it. What is in the way of one session is an error beside what was done;
// that session is left as it is. Whatever it is stopped at, the next run finishes it, and nothing is counted twice.
func (k Retention) Collect(ctx context.Context) (done Retained, err error) {
	done = Retained{Whole: []string{}, Summarized: []string{}, Extracted: []string{}, Abandoned: []string{}, Merged: []string{}}
	unlock, err := k.lock(ctx)
	if err != nil || unlock == nil {
		return done, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	run := &sweep{Retention: k, done: &done}
	err = run.all(ctx)
	for _, list := range []*[]string{&done.Whole, &done.Summarized, &done.Extracted, &done.Abandoned, &done.Merged} {
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
		return lock(ctx, path, sessionWait)
	}
	f := flock.New(path+".lock", flock.SetPermissions(0o666))
	if got, err := f.TryLock(); err != nil || !got {
		return nil, err
	}
	return f.Unlock, nil
}

// sweep is one run of a Retention.
type sweep struct {
	Retention
	done     *Retained
	observer *observer // nil until it is needed
	refs     map[string]repo.Ref
}

// ended is a session that is over.
type ended struct {
	id string
	at time.Time
	// live is its local state, nil where only the ref is left.
	live *Live
	// summed: the ref holds the summary alone. foreign: nobody here recorded it.
	summed, foreign bool
}

func (s *sweep) all(ctx context.Context) error {
	own, here, errOwn := s.own(ctx)
	refs, err := s.Repo.Refs(ctx, RefPrefix, SummaryOfPrefix)
	if err != nil || here == nil {
		return errors.Join(errOwn, err)
	}
	s.refs = map[string]repo.Ref{}
	for _, ref := range refs {
		if id, ok := strings.CutPrefix(ref.Name, RefPrefix); ok {
			s.refs[id] = ref
		}
	}
	errMerge := s.merge(ctx, byDay(refs, SummaryOfPrefix))
	older, err := s.foreign(ctx, here)
	if n := len(own); n > 0 {
		err = errors.Join(err, s.previous(ctx, own[n-1]))
		older = append(older, own[:n-1]...)
	}
	return errors.Join(errOwn, errMerge, err, s.extract(ctx, older))
}

// own are the sessions that were recorded here and have ended, the last one last; here holds the ids of all that were recorded here.
func (s *sweep) own(ctx context.Context) (all []ended, here map[string]bool, err error) {
	here = map[string]bool{}
	live, err := LiveSessions(s.CommonDir)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range live {
		here[l.ID] = true
		at, over, errOver := s.over(ctx, l)
		switch {
		case errOver != nil:
			err = errors.Join(err, fmt.Errorf("session %s is left as it is: %w", l.ID, errOver))
		case over:
			all = append(all, ended{id: l.ID, at: at, live: l})
		case l.Runs():
			s.done.Whole = append(s.done.Whole, l.ID)
		}
	}
	for id, at := range summedMarks(s.CommonDir) {
		if !here[id] {
			here[id] = true
			all = append(all, ended{id: id, at: at, summed: true})
		}
	}
	slices.SortFunc(all, func(a, b ended) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
	return all, here, err
}

// over tells when a session ended. One without an entry for so long is abandoned, and ended here; one that was to record
// nothing leaves nothing.
func (s *sweep) over(ctx context.Context, l *Live) (at time.Time, over bool, err error) {
	if l.Runs() {
		if last := l.lastTouched(); last.IsZero() || s.Now.Sub(last) < KeepFor {
			return at, false, nil
		}
		s.done.Abandoned = append(s.done.Abandoned, l.ID)
		switch {
		case s.DryRun:
		case l.Switches.NoWorklog:
			return at, false, errors.Join(gone(l.file(".running")), l.remove())
		default:
			if _, err := l.End(ctx, l.lastTouched().UTC(), Aborted); err != nil {
				return at, false, err
			}
		}
	}
	all, err := l.read()
	if err != nil {
		return at, false, err
	}
	if all.end == nil {
		last := l.lastTouched()
		return last, s.Now.Sub(last) >= settled, nil
	}
	return all.end.At, true, nil
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

// foreign are the sessions that only refs tell of, and that are to go: they were summed up before and were fetched again,
// or have not been written for so long.
func (s *sweep) foreign(ctx context.Context, here map[string]bool) (due []ended, err error) {
	for id, ref := range s.refs {
		if here[id] || !IsSessionID(id) {
			continue
		}
		c, errCommit := s.Repo.Commit(ctx, string(ref.ID))
		if errCommit != nil {
			err = errors.Join(err, fmt.Errorf("%s cannot be read: %w", ref.Name, errCommit))
			continue
		}
		known, errKnown := s.summedUp(ctx, id)
		if errKnown != nil {
			err = errors.Join(err, errKnown)
			continue
		}
		if known || s.Now.Sub(c.Committer.When) >= KeepFor {
			due = append(due, ended{id: id, at: c.Committer.When, foreign: true})
		} else {
			s.done.Whole = append(s.done.Whole, id)
		}
	}
	slices.SortFunc(due, func(a, b ended) int { return cmp.Compare(a.id, b.id) })
	return due, err
}

// summedUp reports whether this clone's summaries have a session.
func (s *sweep) summedUp(ctx context.Context, id string) (bool, error) {
	tip, err := s.Repo.Commit(ctx, SummaryPrefix+dayOf(id))
	if errors.Is(err, repo.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = s.Repo.Snapshot(tip.Tree).Entry(ctx, patternFile(id))
	if errors.Is(err, repo.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// previous leaves the summary of the session that ended last.
func (s *sweep) previous(ctx context.Context, e ended) error {
	if e.summed {
		return nil
	}
	s.done.Summarized = append(s.done.Summarized, e.id)
	if s.DryRun {
		return nil
	}
	return s.alone(ctx, e.live, func() error { return s.summarize(ctx, e) })
}

// alone runs do while nobody adds to a session or flushes it.
func (s *sweep) alone(ctx context.Context, l *Live, do func() error) (err error) {
	for _, path := range []string{l.file(".flushed"), l.file(".jsonl")} {
		unlock, errLock := lock(ctx, path, sessionWait)
		if errLock != nil {
			return errLock
		}
		defer func() { err = errors.Join(err, unlock()) }()
	}
	if l.Runs() {
		return fmt.Errorf("session %s goes on", l.ID)
	}
	return do()
}

func (s *sweep) summarize(ctx context.Context, e ended) error {
	document, p, err := s.local(ctx, e)
	if err != nil {
		return err
	}
	entries := len(document.Entries)
	document.Entries = []Operation{}
	rec := repo.Record{
		Ref: RefPrefix + e.id, Parent: s.refs[e.id].ID, Name: cmp.Or(e.live.Actor, "acta"), When: s.Now, Files: map[string][]byte{},
		Message: fmt.Sprintf("Worklog %s: the summary of %d entries\n\nSession: %s\n", e.id, entries, e.id),
	}
	if rec.Files[worklogFile], err = toYAML(document); err != nil {
		return err
	}
	if rec.Files[patternOfPrevious], err = marshal(p); err != nil {
		return err
	}
	mark, err := marshal(summedMark{e.at})
	if err != nil {
		return err
	}
	return s.chores(
		chore{"write the summary", func() error { return s.Repo.WriteRecord(ctx, rec) }},
		chore{"mark", func() error { return replace(e.live.file(".summed"), mark) }},
		chore{"remove the log", e.live.remove},
	)
}

// local is the document of a session whose log is here, and its pattern.
func (s *sweep) local(ctx context.Context, e ended) (*Session, Pattern, error) {
	all, err := e.live.read()
	if err != nil {
		return nil, Pattern{}, err
	}
	if all.end == nil { // it was never said how it ended
		all.end = &ending{e.at, Aborted}
	}
	document := e.live.document(all)
	return document, s.observe(ctx).pattern(ctx, document, all.unread, e.live), nil
}

func (s *sweep) observe(ctx context.Context) *observer {
	if s.observer == nil {
		s.observer = newObserver(ctx, s.Repo, s.CommonDir, s.Release)
	}
	return s.observer
}

// extract adds the patterns of sessions to the summaries of their days, and takes the sessions away then.
func (s *sweep) extract(ctx context.Context, older []ended) (err error) {
	days := map[string][]ended{}
	for _, e := range older {
		s.done.Extracted = append(s.done.Extracted, e.id)
		days[dayOf(e.id)] = append(days[dayOf(e.id)], e)
	}
	if s.DryRun {
		return nil
	}
	for _, day := range slices.Sorted(maps.Keys(days)) {
		err = errors.Join(err, s.extractDay(ctx, day, days[day]))
	}
	return err
}

func (s *sweep) extractDay(ctx context.Context, day string, all []ended) error {
	have, tip, err := s.day(ctx, day)
	if err != nil {
		return err
	}
	known := len(have)
	var kept []ended
	for _, e := range all {
		if _, ok := have[e.id]; !ok {
			p, errRead := s.patternOf(ctx, e)
			if errRead != nil {
				err = errors.Join(err, fmt.Errorf("session %s is left as it is: %w", e.id, errRead))
				continue
			}
			if p != nil {
				have[e.id] = *p
			}
		}
		kept = append(kept, e)
	}
	if len(have) > known {
		if errWrite := s.writeDay(ctx, day, have, tip, ""); errWrite != nil {
			return errors.Join(err, errWrite)
		}
	}
	for _, e := range kept {
		err = errors.Join(err, s.takeAway(ctx, e))
	}
	return err
}

// day reads this clone's summary of a day.
func (s *sweep) day(ctx context.Context, day string) (have map[string]Pattern, tip repo.ID, err error) {
	c, err := s.Repo.Commit(ctx, SummaryPrefix+day)
	if errors.Is(err, repo.ErrNotFound) {
		return map[string]Pattern{}, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	if have, err = readDay(ctx, s.Repo, c.ID); err != nil {
		return nil, "", fmt.Errorf("%s%s is left as it is: %w", SummaryPrefix, day, err)
	}
	return have, c.ID, nil
}

// writeDay writes this clone's summary of a day; other is a commit whose patterns are among them, "" for none.
func (s *sweep) writeDay(ctx context.Context, day string, all map[string]Pattern, tip, other repo.ID) error {
	files, err := dayFiles(day, all)
	if err != nil {
		return err
	}
	rec := repo.Record{
		Ref: SummaryPrefix + day, Parent: tip, Name: "acta", When: s.Now, Files: files,
		Message: fmt.Sprintf("Worklog summary %s: %d sessions\n", day, len(all)),
	}
	if other != "" {
		rec.Merges = []repo.ID{other}
	}
	return s.chores(chore{"write the day", func() error { return s.Repo.WriteRecord(ctx, rec) }})
}

// patternOf is what remains of a session that is to go; nil where nothing is left of it.
func (s *sweep) patternOf(ctx context.Context, e ended) (p *Pattern, err error) {
	if e.live != nil {
		err = s.alone(ctx, e.live, func() error {
			_, local, err := s.local(ctx, e)
			p = &local
			return err
		})
		return p, err
	}
	ref, ok := s.refs[e.id]
	if !ok {
		return nil, nil // somebody deleted it
	}
	return s.observe(ctx).stored(ctx, ref)
}

// stored is the pattern of a session that a ref holds.
func (o *observer) stored(ctx context.Context, ref repo.Ref) (*Pattern, error) {
	c, err := o.repo.Commit(ctx, string(ref.ID))
	if err != nil {
		return nil, err
	}
	id := strings.TrimPrefix(ref.Name, RefPrefix)
	if p, err := patternAt(ctx, o.repo.Snapshot(c.Tree), patternOfPrevious, id); err == nil && p != nil {
		return p, nil
	}
	document, err := stored(ctx, o.repo, ref)
	if err != nil {
		return nil, err
	}
	if document.Outcome == Running { // it was never said how it ended
		at := Stamp(c.Committer.When)
		document.Outcome, document.Completed = Aborted, &at
	}
	p := o.pattern(ctx, document, 0, nil)
	return &p, nil
}

// takeAway removes a session whose pattern stands in the summary.
func (s *sweep) takeAway(ctx context.Context, e ended) error {
	remove := func() error {
		if ref, ok := s.refs[e.id]; ok {
			if err := s.chores(chore{"delete the ref", func() error { return s.Repo.DeleteRef(ctx, ref) }}); err != nil {
				return err
			}
		}
		if e.foreign {
			return nil
		}
		l := &Live{dir: sessionsDir(s.CommonDir)}
		l.ID = e.id
		return s.chores(chore{"remove the log", l.remove}, chore{"remove the mark", func() error { return gone(l.file(".summed")) }})
	}
	if e.live == nil {
		return remove()
	}
	return s.alone(ctx, e.live, remove)
}

// remove takes the local state of a session away, but for the mark that it was summed up. What says that there is one goes last, then the locks.
func (l *Live) remove() error {
	names, err := os.ReadDir(l.dir)
	if err != nil {
		return err
	}
	var first, last []string
	for _, n := range names {
		switch name := n.Name(); {
		case !strings.HasPrefix(name, l.ID+"."), name == l.ID+".summed", name == l.ID+".json":
		case strings.HasSuffix(name, ".lock"):
			last = append(last, name)
		default:
			first = append(first, name)
		}
	}
	for _, name := range append(append(first, l.ID+".json"), last...) {
		if err := gone(filepath.Join(l.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// gone removes a file, if it is there.
func gone(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// merge takes in what other clones have summed up and was fetched.
func (s *sweep) merge(ctx context.Context, fetched map[string][]repo.Ref) (err error) {
	for _, day := range slices.Sorted(maps.Keys(fetched)) {
		for _, ref := range fetched[day] {
			if errMerge := s.mergeDay(ctx, day, ref); errMerge != nil {
				err = errors.Join(err, fmt.Errorf("%s is not taken in: %w", ref.Name, errMerge))
			}
		}
	}
	return err
}

func (s *sweep) mergeDay(ctx context.Context, day string, ref repo.Ref) error {
	have, tip, err := s.day(ctx, day)
	if err != nil {
		return err
	}
	base := repo.ID("")
	if tip != "" {
		if base, err = s.Repo.MergeBase(ctx, string(tip), string(ref.ID)); err != nil && !errors.Is(err, repo.ErrNotFound) {
			return err
		}
	}
	if base == ref.ID {
		return nil // known
	}
	theirs, err := readDay(ctx, s.Repo, ref.ID)
	if err != nil || len(theirs) == 0 { // it is no summary
		return err
	}
	s.done.Merged = append(s.done.Merged, ref.Name)
	switch {
	case s.DryRun:
		return nil
	case base == tip: // ours stands behind theirs, or there is none
		return s.chores(chore{"write the day", func() error { return s.Repo.MoveRef(ctx, repo.Ref{Name: SummaryPrefix + day, ID: tip}, ref.ID) }})
	}
	union(have, theirs)
	return s.writeDay(ctx, day, have, tip, ref.ID)
}

// chore is something that is written or taken away.
type chore struct {
	what string
	do   func() error
}

func (k Retention) chores(all ...chore) error {
	for _, c := range all {
		if k.step != nil {
			if err := k.step(c.what); err != nil {
				return err
			}
		}
		if err := c.do(); err != nil {
			return err
		}
	}
	return nil
}

// summedMark says of a session that was recorded here that its ref holds the summary alone.
type summedMark struct {
	At time.Time `json:"completed_at"`
}

// summedMarks are those of the local state, by session. One that cannot be read is of the time in the id.
func summedMarks(commonDir string) map[string]time.Time {
	marks := map[string]time.Time{}
	names, err := os.ReadDir(sessionsDir(commonDir))
	if err != nil {
		return marks
	}
	for _, n := range names {
		id, ok := strings.CutSuffix(n.Name(), ".summed")
		if !ok || !IsSessionID(id) {
			continue
		}
		var m summedMark
		data, err := os.ReadFile(filepath.Join(sessionsDir(commonDir), n.Name()))
		if err != nil || json.Unmarshal(data, &m) != nil {
			m.At, _ = time.Parse(idTime, id[:len(idTime)]) // an id has one
		}
		marks[id] = m.At
	}
	return marks
}
