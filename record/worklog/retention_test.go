package worklog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/repo/state"
)

// clone is a repository in which sessions are recorded.
type clone struct {
	*testing.T
	dir  string
	repo *repo.Repo
	// at is the time that passes in it.
	at time.Time
	n  int
}

func newClone(t *testing.T) *clone {
	t.Helper()
	w := repotest.NewWorkTree(t)
	w.Commit("Base")
	c := &clone{T: t, dir: w.Dir, at: when}
	return c.opened()
}

// cloned is another clone of the same repository.
func (c *clone) cloned() *clone {
	c.Helper()
	dir := filepath.Join(c.TempDir(), "clone")
	run(c.T, c.dir, "git", "clone", "-q", ".", dir)
	return (&clone{T: c.T, dir: dir, at: c.at, n: c.n + 0x100}).opened()
}

func (c *clone) opened() *clone {
	c.Helper()
	r, err := repo.Open(context.Background(), c.dir, repo.Options{})
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = r.Close() })
	c.repo = r
	return c
}

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (c *clone) git(args ...string) string { c.Helper(); return run(c.T, c.dir, "git", args...) }

func (c *clone) common() string { return filepath.Join(c.dir, ".git") }

// begin begins a session a minute after whatever was before.
func (c *clone) begin() *LocalSession {
	c.Helper()
	c.at = c.at.Add(time.Minute)
	c.n++
	id := fmt.Sprintf("%s-%04x", c.at.Format(idTime), c.n)
	l, warnings, err := Begin(context.Background(), c.repo, c.common(), c.common(), c.at, Beginning{ID: id, Task: "Task " + id, Tier: "STRICT"})
	if err != nil || len(warnings) > 0 {
		c.Fatal(err, warnings)
	}
	for _, suffix := range []string{".json", ".running"} { // as if it were then
		c.touch(l.file(suffix))
	}
	return l
}

func (c *clone) touch(path string) {
	c.Helper()
	if err := os.Chtimes(path, c.at, c.at); err != nil {
		c.Fatal(err)
	}
}

// record adds operations to a session.
func (c *clone) record(l *LocalSession, operations ...Operation) {
	c.Helper()
	c.at = c.at.Add(time.Second)
	for i := range operations {
		operations[i].Time = FormatTime(c.at)
		if operations[i].Status == "" {
			operations[i].Status = Completed
		}
	}
	recorder := Recorder{LocalSession: l, Repo: c.repo}
	if said, err := recorder.Record(context.Background(), c.at, operations...); err != nil || len(said) > 0 {
		c.Fatal(err, said)
	}
	c.touch(l.file(".jsonl"))
}

func (c *clone) end(l *LocalSession) {
	c.Helper()
	c.at = c.at.Add(time.Second)
	recorder := Recorder{LocalSession: l, Repo: c.repo}
	if said, err := recorder.End(context.Background(), c.at, Success); err != nil || len(said) > 0 {
		c.Fatal(err, said)
	}
}

// session is one of two edits and a test run that failed, and its id.
func (c *clone) session() string {
	c.Helper()
	l := c.begin()
	c.record(l, Operation{Action: Edit, Context: "a", Details: Details{Files: []string{"a.go"}}}, Operation{Action: Edit, Context: "b", Details: Details{Files: []string{"b.go"}}},
		Operation{Action: Bash, Context: "go test ./...", Status: Failed})
	c.end(l)
	return l.ID
}

func (c *clone) retention() Retention {
	return Retention{Repo: c.repo, CommonDir: c.common(), Now: c.at, Wait: true}
}

func (c *clone) collect() RetentionResult {
	c.Helper()
	done, err := c.retention().Collect(context.Background())
	if err != nil {
		c.Fatal(err)
	}
	return done
}

// refs are the names of the refs below refs/worklog.
func (c *clone) refs() string {
	c.Helper()
	return c.git("for-each-ref", "--format=%(refname)", "refs/worklog", "refs/worklog-summary")
}

// state are the files of the sessions in the local state, those of the retention left out.
func (c *clone) state() string {
	c.Helper()
	names, err := os.ReadDir(sessionsDir(c.common()))
	if err != nil {
		c.Fatal(err)
	}
	var all []string
	for _, n := range names {
		if !strings.HasPrefix(n.Name(), "retention") {
			all = append(all, n.Name())
		}
	}
	return strings.Join(all, " ")
}

func (c *clone) listed() map[string]ListedSession {
	c.Helper()
	all, warnings, err := Sessions(context.Background(), c.repo, c.common())
	if err != nil || len(warnings) > 0 {
		c.Fatal(err, warnings)
	}
	byID := map[string]ListedSession{}
	for _, l := range all {
		byID[l.ID] = l
	}
	return byID
}

func TestSessionsThatHaveEndedAreSummedUp(t *testing.T) {
	c := newClone(t)
	first := c.session()
	other := c.begin() // runs on, in another work tree
	c.record(other, Operation{Action: Edit, Context: "goes on"})
	last := c.session() // is whole until somebody begins another

	if got, want := c.refs(), "refs/worklog-summary/"+first+"\nrefs/worklog/"+last; got != want {
		t.Errorf("the refs are\n%s\nwant\n%s", got, want)
	}
	if state := c.state(); strings.Contains(state, first) || !strings.Contains(state, last+".jsonl") || !strings.Contains(state, other.ID+".jsonl") {
		t.Errorf("the state holds %s", state)
	}
	if parents := c.git("log", "--format=%P", "refs/worklog-summary/"+first); parents != "" {
		t.Errorf("the summary holds on to the log by its parents %s", parents)
	}

	// What is shown holds to the schema, and says what it was.
	all := c.listed()
	for id, state := range map[string]Origin{first: FromSummary, last: FromRef, other.ID: FromRunning} {
		l := all[id]
		if l.State != state {
			t.Errorf("%s is %s, want %s", id, l.State, state)
			continue
		}
		for _, format := range []string{"json", "yaml"} {
			if err := validSession(t, printed(t, l.Session, format)); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
	if l := all[first]; len(l.Entries) != 0 || l.Summary.Operations != 3 || l.Summary.Files != 2 || l.Outcome != Success {
		t.Errorf("%s is summed up as %+v", first, l.Session)
	}
	if !strings.Contains(string(printed(t, all[first].Session, "text")), "summarized") {
		t.Error("nothing says that entries are gone")
	}

	// There is nothing more to do after the next run, and nothing changes then.
	if done := c.collect(); !slices.Equal(done.Summarized, []string{last}) {
		t.Errorf("the next run does %+v", done)
	}
	before := c.git("for-each-ref")
	if done := c.collect(); len(done.Summarized)+len(done.Deleted) > 0 || c.git("for-each-ref") != before {
		t.Errorf("once more does %+v", done)
	}
}

// Summaries, and what was fetched of other clones, are deleted when they are older than the policy's days.
func TestOldSummariesAreDeleted(t *testing.T) {
	c := newClone(t)
	write(t, filepath.Join(c.dir, ".acta.yaml"), []byte("version: 1\nworklog: {keep_days: 7}\n"))
	c.git("add", ".acta.yaml")
	c.git("commit", "-q", "-m", "Policy")
	id := c.session()
	c.collect()
	c.at = c.at.AddDate(0, 0, 7)
	if done := c.collect(); len(done.Deleted) > 0 || !strings.Contains(c.refs(), id) {
		t.Errorf("got %+v", done)
	}
	c.at = c.at.Add(time.Minute)
	if done := c.collect(); !slices.Equal(done.Deleted, []string{id}) || c.refs() != "" {
		t.Errorf("got %+v, and the refs are %s", done, c.refs())
	}
}

// A session that was never flushed, let alone pushed, is summed up all the same.
func TestASessionThatIsInNoRefIsSummedUp(t *testing.T) {
	c := newClone(t)
	l := c.begin()
	if _, err := l.add(context.Background(), logLines([]Operation{Operation{Time: FormatTime(c.at), Action: Edit, Status: Completed, Context: "never flushed"}})...); err != nil {
		t.Fatal(err)
	}
	if _, err := l.End(context.Background(), c.at, Aborted); err != nil {
		t.Fatal(err)
	}
	c.collect()
	if got := c.listed()[l.ID]; got.State != FromSummary || got.Summary.Operations != 1 || got.Outcome != Aborted {
		t.Errorf("got %+v", got.Session)
	}
}

// Whatever it is stopped at, the next run finishes it, and nothing is lost.
func TestRetentionMayBeStoppedAnywhere(t *testing.T) {
	whole := func(stop int) (refs, state string, steps int) {
		c := newClone(t)
		var sessions []*LocalSession
		for range 3 {
			sessions = append(sessions, c.begin())
		}
		for i, l := range sessions {
			c.record(l, Operation{Action: Edit, Context: "x", Details: Details{Files: []string{fmt.Sprint(i)}}})
			c.end(l)
		}
		k := c.retention()
		k.stopAt = stop
		done, err := k.Collect(context.Background())
		if steps = done.steps; stop > 0 && steps >= stop != errors.Is(err, errStopped) {
			t.Errorf("stopped at %d: %v", stop, err)
		}
		for id, l := range c.listed() {
			if l.Summary.Operations != 1 {
				t.Errorf("stopped at step %d, %s is known as %+v", stop, id, l.Summary)
			}
		}
		if n := len(c.listed()); n != 3 {
			t.Errorf("stopped at step %d, %d of 3 sessions are known", stop, n)
		}
		c.collect()
		return c.refs(), c.state(), steps
	}
	refs, state, steps := whole(0)
	if steps < 6 || strings.Count(refs, SummaryPrefix) != 3 {
		t.Fatalf("%d steps, and %s", steps, refs)
	}
	for stop := 1; stop <= steps; stop++ {
		if r, s, _ := whole(stop); r != refs || s != state {
			t.Errorf("stopped at step %d:\n%s\n%s\nwant\n%s\n%s", stop, r, s, refs, state)
		}
	}
}

// A session of another clone stays as it is for the policy's days, and goes before where its summary was fetched, too.
func TestFetchedSessionsStayForAWhile(t *testing.T) {
	c := newClone(t)
	theirs := c.session()
	d := c.cloned()
	fetch := func() {
		d.git("fetch", "-q", c.dir, "refs/worklog/*:refs/worklog/*", "refs/worklog-summary/*:refs/worklog-summary/*")
	}
	fetch()
	d.git("update-ref", "refs/worklog/notes", "HEAD") // no session
	d.session()
	if got := d.collect(); slices.Contains(got.Summarized, theirs) || len(got.Deleted) > 0 || !strings.Contains(d.refs(), refPrefix+theirs) {
		t.Errorf("got %+v, and the refs are\n%s", got, d.refs())
	}
	c.collect()
	fetch()
	d.collect()
	if l := d.listed()[theirs]; l.State != FromSummary || l.Summary.Operations != 3 || strings.Contains(d.refs(), refPrefix+theirs) {
		t.Errorf("it is %s, and the refs are\n%s", l.State, d.refs())
	}
	d.git("update-ref", "-d", SummaryPrefix+theirs)
	d.git("fetch", "-q", c.dir, SummaryPrefix+theirs+":"+refPrefix+theirs)
	d.at = d.at.AddDate(0, 0, policy.Default().KeepDays+1)
	d.collect()
	if got := d.refs(); strings.Contains(got, theirs) || !strings.Contains(got, "refs/worklog/notes") {
		t.Errorf("in the end the refs are\n%s", got)
	}
}

// Two clones share their summaries with plain git: every session has a ref of its own, and none is written twice.
func TestSummariesOfTwoClonesDoNotMeet(t *testing.T) {
	c := newClone(t)
	d := c.cloned()
	c.session()
	d.session()
	for _, x := range []*clone{c, d} {
		x.collect()
	}
	d.git("push", "-q", c.dir, SummaryPrefix+"*")
	d.git("fetch", "-q", c.dir, SummaryPrefix+"*:"+SummaryPrefix+"*")
	if c.refs() != d.refs() || strings.Count(c.refs(), SummaryPrefix) != 2 {
		t.Errorf("one has\n%s\nthe other\n%s", c.refs(), d.refs())
	}
}

// A session in which nothing is recorded for 30 days has been abandoned.
func TestAbandonedSessionsEnd(t *testing.T) {
	c := newClone(t)
	l := c.begin()
	c.record(l, Operation{Action: Edit, Context: "x"})
	c.at = c.at.Add(abandonedAfter - time.Minute)
	if done := c.collect(); len(done.Abandoned) > 0 || !l.IsRunning() {
		t.Errorf("got %+v", done)
	}
	c.at = c.at.Add(time.Minute)
	silent := c.begin() // was to record nothing
	silent.Switches.NoWorklog = true
	data, err := state.JSONLine(silent.Beginning)
	if err != nil {
		t.Fatal(err)
	}
	write(t, silent.file(".json"), data)
	c.touch(silent.file(".json"))
	if done := c.collect(); len(done.Abandoned) > 0 || c.listed()[l.ID].Outcome != Aborted || !silent.IsRunning() {
		t.Errorf("got %+v", done)
	}
	c.at = c.at.Add(abandonedAfter)
	if done := c.collect(); !slices.Equal(done.Abandoned, []string{silent.ID}) || strings.Contains(c.state()+c.refs(), silent.ID) {
		t.Errorf("got %+v", done)
	}
}

// What comes after a session's log was taken away is refused, not lost in a file that nobody reads.
func TestNothingIsAddedToASessionThatIsGone(t *testing.T) {
	c := newClone(t)
	l := c.begin()
	c.record(l, Operation{Action: Edit, Context: "x"})
	c.end(l)
	c.collect()
	state := c.state()
	if _, err := l.add(context.Background(), logLines([]Operation{Operation{Action: Edit, Context: "late"}})...); !errors.Is(err, ErrNoSession) {
		t.Errorf("got %v", err)
	}
	if _, err := l.Flush(context.Background(), c.repo, 1, c.at); err != nil {
		t.Error(err)
	}
	if n := len(c.listed()[l.ID].Entries); n != 0 || strings.Contains(c.state(), ".jsonl ") {
		t.Errorf("%d entries; the state was %s and is %s", n, state, c.state())
	}
}

// A summary that cannot be written leaves its sessions as they are, and the next run finishes it.
func TestALockedSummaryLosesNothing(t *testing.T) {
	c := newClone(t)
	l := c.begin()
	c.record(l, Operation{Action: Edit, Context: "x"})
	c.end(l)
	lock := filepath.Join(c.common(), "refs", "worklog-summary", l.ID+".lock")
	if err := os.MkdirAll(filepath.Dir(lock), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, lock, nil)
	if _, err := c.retention().Collect(context.Background()); err == nil || !strings.Contains(err.Error(), l.ID) {
		t.Errorf("got %v", err)
	}
	// A session begins all the same, and says so.
	id := fmt.Sprintf("%s-ffff", c.at.Format(idTime))
	if _, warnings, err := Begin(context.Background(), c.repo, c.common(), c.common(), c.at, Beginning{ID: id}); err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "not summed up yet") {
		t.Errorf("got %v, %v", warnings, err)
	}
	if got := c.listed()[l.ID]; got.State != FromRef || !strings.Contains(c.refs(), refPrefix+l.ID) {
		t.Errorf("the refs are\n%s", c.refs())
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	c.collect()
	if got := c.listed()[l.ID]; got.State != FromSummary || strings.Contains(c.refs(), refPrefix+l.ID) {
		t.Errorf("the refs are\n%s", c.refs())
	}
}

// A session that cannot be read is left as it is, and keeps none of the others.
func TestASessionThatCannotBeReadKeepsNoOther(t *testing.T) {
	c := newClone(t)
	odd, other := c.begin(), c.begin()
	for _, l := range []*LocalSession{odd, other} {
		c.end(l)
	}
	if err := errors.Join(os.Remove(odd.file(".jsonl")), os.Mkdir(odd.file(".jsonl"), 0o777)); err != nil {
		t.Fatal(err)
	}
	done, err := c.retention().Collect(context.Background())
	if err == nil || !strings.Contains(err.Error(), odd.ID+" is left unchanged") || !slices.Contains(done.Summarized, other.ID) || strings.Contains(c.state(), other.ID) {
		t.Errorf("got %+v, %v", done, err)
	}
	if !strings.Contains(c.refs(), odd.ID) || !strings.Contains(c.state(), odd.ID) {
		t.Errorf("the refs are\n%s", c.refs())
	}
}

// A session that neither runs nor has ended is about to do one of both, or was never said to have ended.
func TestASessionBetweenItsStatesIsLeftAlone(t *testing.T) {
	c := newClone(t)
	l := c.begin()
	c.record(l, Operation{Action: Edit, Context: "x"})
	if err := os.Remove(l.file(".running")); err != nil {
		t.Fatal(err)
	}
	if done := c.collect(); len(done.Summarized) > 0 {
		t.Errorf("got %+v", done)
	}
	c.at = c.at.Add(settleTime)
	if done := c.collect(); !slices.Equal(done.Summarized, []string{l.ID}) || c.listed()[l.ID].Outcome != Aborted {
		t.Errorf("got %+v", done)
	}
}
