package worklog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/repo"
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
	home := t.TempDir()
	for key, value := range map[string]string{
		"HOME": home, "GIT_CONFIG_GLOBAL": filepath.Join(home, ".gitconfig"), "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@agents.invalid", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@agents.invalid",
		"GIT_AUTHOR_DATE": "2026-01-26T14:32:15Z", "GIT_COMMITTER_DATE": "2026-01-26T14:32:15Z",
	} {
		t.Setenv(key, value)
	}
	dir := filepath.Join(home, "r")
	run(t, home, "git", "init", "-q", "-b", "main", dir)
	c := &clone{T: t, dir: dir, at: when}
	c.git("commit", "-q", "--allow-empty", "-m", "Base")
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
func (c *clone) begin() *Live {
	c.Helper()
	c.at = c.at.Add(time.Minute)
	c.n++
	id := fmt.Sprintf("%s-%04x", c.at.Format(idTime), c.n)
	l, warnings, err := Begin(context.Background(), c.repo, c.common(), c.common(), "", c.at, Beginning{ID: id, Task: "Task " + id, Tier: "STRICT"})
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
func (c *clone) record(l *Live, operations ...Operation) {
	c.Helper()
	c.at = c.at.Add(time.Second)
	for i := range operations {
		operations[i].Time = Stamp(c.at)
		if operations[i].Status == "" {
			operations[i].Status = Completed
		}
	}
	recorder := Recorder{Live: l, Repo: c.repo}
	if said, err := recorder.Record(context.Background(), c.at, operations...); err != nil || len(said.Warnings()) > 0 {
		c.Fatal(err, said.Warnings())
	}
	c.touch(l.file(".jsonl"))
}

func (c *clone) end(l *Live) {
	c.Helper()
	c.at = c.at.Add(time.Second)
	recorder := Recorder{Live: l, Repo: c.repo}
	if said, err := recorder.End(context.Background(), c.at, Success); err != nil || len(said.Warnings()) > 0 {
		c.Fatal(err, said.Warnings())
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

func (c *clone) collect() Retained {
	c.Helper()
	done, err := c.retention().Collect(context.Background())
	if err != nil {
		c.Fatal(err)
	}
	return done
}

// patterns are what remains of the sessions that were summed up.
func (c *clone) patterns() map[string]Pattern {
	c.Helper()
	all, warnings, err := Patterns(context.Background(), c.repo)
	if err != nil || len(warnings) > 0 {
		c.Fatal(err, warnings)
	}
	return all
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

func (c *clone) listed() map[string]Listed {
	c.Helper()
	all, warnings, err := Sessions(context.Background(), c.repo, c.common(), "")
	if err != nil || len(warnings) > 0 {
		c.Fatal(err, warnings)
	}
	byID := map[string]Listed{}
	for _, l := range all {
		byID[l.ID] = l
	}
	return byID
}

func TestOldSessionsAreSummedUp(t *testing.T) {
	c := newClone(t)
	first, second, third := c.session(), c.session(), c.session()
	other := c.begin() // runs on, in another work tree
	c.record(other, Operation{Action: Edit, Context: "goes on"})
	fourth := c.session()
	c.begin()

	want := strings.Join([]string{"refs/worklog-summary/2026-01-26", "refs/worklog/" + fourth}, "\n")
	if got := c.refs(); got != want {
		t.Errorf("the refs are\n%s\nwant\n%s", got, want)
	}
	if state := c.state(); strings.Contains(state, first) || strings.Contains(state, third) || !strings.Contains(state, fourth+".summed") || !strings.Contains(state, other.ID+".jsonl") {
		t.Errorf("the state holds %s", state)
	}
	patterns := c.patterns()
	if got, want := slices.Sorted(maps.Keys(patterns)), []string{first, second, third}; !slices.Equal(got, want) {
		t.Errorf("summed up are %v, want %v", got, want)
	}
	p := patterns[first]
	if p.Actions[Edit] != 2 || p.Actions[Bash] != 1 || p.Failures != 1 || p.Captured != 3 || p.Outcome != Success || p.Summary.Files != 2 {
		t.Errorf("%s is summed up as %+v", first, p)
	}
	totals := c.git("show", "refs/worklog-summary/2026-01-26:summary.yaml")
	for _, line := range []string{"sessions: 3", "  Edit: 6", "failures: 3", `date: "2026-01-26"`} {
		if !strings.Contains(totals, line+"\n") {
			t.Errorf("the totals lack %q:\n%s", line, totals)
		}
	}

	// What is shown holds to the schema, and says what it was.
	all := c.listed()
	for id, state := range map[string]Standing{first: IsSummed, fourth: IsStored, other.ID: IsRunning} {
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
		if entries := map[string]int{other.ID: 1}[id]; len(l.Entries) != entries || id != other.ID && l.Summary.Operations != 3 {
			t.Errorf("%s has %d entries, and its summary says %+v", id, len(l.Entries), l.Summary)
		}
	}
	if !strings.Contains(string(printed(t, all[fourth].Session, "text")), "summed up") {
		t.Error("nothing says that entries are gone")
	}

	// There is nothing more to do, and nothing changes then.
	before := c.git("for-each-ref")
	if done := c.collect(); len(done.Summarized)+len(done.Extracted) > 0 || c.git("for-each-ref") != before {
		t.Errorf("once more does %+v", done)
	}
}

func TestADryRunChangesNothing(t *testing.T) {
	c := newClone(t)
	first := c.begin()
	second := c.begin()
	c.record(second, Operation{Action: Edit, Context: "x"})
	c.end(second)
	c.end(first)
	refs, state := c.git("for-each-ref"), c.state()
	k := c.retention()
	k.DryRun = true
	done, err := k.Collect(context.Background())
	if err != nil || !slices.Equal(done.Summarized, []string{first.ID}) || !slices.Equal(done.Extracted, []string{second.ID}) {
		t.Errorf("got %+v, %v", done, err)
	}
	if c.git("for-each-ref") != refs || c.state() != state {
		t.Error("something was changed")
	}
}

// A session that was never flushed, let alone pushed, is summed up all the same.
func TestASessionThatIsInNoRefIsSummedUp(t *testing.T) {
	c := newClone(t)
	l := c.begin()
	if _, err := l.Add(context.Background(), Operation{Time: Stamp(c.at), Action: Edit, Status: Completed, Context: "never flushed"}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.End(context.Background(), c.at, Aborted); err != nil {
		t.Fatal(err)
	}
	c.session()
	c.collect()
	if p := c.patterns()[l.ID]; p.Actions[Edit] != 1 || p.Outcome != Aborted {
		t.Errorf("got %+v", p)
	}
}

// Whatever it is stopped at, the next run finishes it: nothing is lost, and nothing is counted twice.
func TestRetentionMayBeStoppedAnywhere(t *testing.T) {
	whole := func(stop int) (refs, state string, patterns []byte, steps int) {
		c := newClone(t)
		var sessions []*Live
		for range 4 {
			sessions = append(sessions, c.begin())
		}
		for i, l := range sessions {
			c.record(l, Operation{Action: Edit, Context: "x", Details: Details{Files: []string{fmt.Sprint(i)}}})
		}
		for _, l := range sessions {
			c.end(l)
		}
		// The one that ended last is cut to its summary, so that the next run finds one of each kind.
		c.collect()
		c.session()
		k := c.retention()
		errStop := errors.New("stopped")
		k.step = func(string) error {
			if steps++; steps == stop {
				return errStop
			}
			return nil
		}
		_, err := k.Collect(context.Background())
		if stop > 0 && steps >= stop != errors.Is(err, errStop) {
			t.Errorf("stopped at %d: %v", stop, err)
		}
		if n := len(c.listed()); n != 5 {
			t.Errorf("stopped at step %d, %d of 5 sessions are known", stop, n)
		}
		c.collect()
		patterns, err = json.Marshal(c.patterns())
		if err != nil {
			t.Fatal(err)
		}
		return c.refs(), c.state(), patterns, steps
	}
	refs, state, patterns, steps := whole(0)
	if steps < 6 || !bytes.Contains(patterns, []byte("captured")) {
		t.Fatalf("%d steps, and %s", steps, patterns)
	}
	for stop := 1; stop <= steps; stop++ {
		if r, s, p, _ := whole(stop); r != refs || s != state || !bytes.Equal(p, patterns) {
			t.Errorf("stopped at step %d:\n%s\n%s\n%s\nwant\n%s\n%s\n%s", stop, r, s, p, refs, state, patterns)
		}
	}
}

// A session of another clone stays for a while, and goes when its own clone has summed it up, or in the end.
func TestFetchedSessionsStayForAWhile(t *testing.T) {
	c := newClone(t)
	theirs := c.session()
	d := c.cloned()
	fetch := func() { d.git("fetch", "-q", c.dir, "refs/worklog/*:refs/worklog/*") }
	fetch()
	d.git("update-ref", "refs/worklog/notes", "HEAD") // no session
	for range 3 {
		d.session()
	}
	if got := d.refs(); !strings.Contains(got, theirs) || len(d.patterns()) != 1 {
		t.Errorf("the refs are\n%s", got)
	}
	d.at = d.at.Add(KeepFor)
	d.collect()
	if got := d.refs(); strings.Contains(got, theirs) || !strings.Contains(got, "refs/worklog/notes") || d.patterns()[theirs].Actions[Edit] != 2 {
		t.Errorf("after 30 days the refs are\n%s", got)
	}
	// Fetched once more, it is not counted once more, nor kept for 30 days.
	d.at = d.at.Add(-KeepFor)
	fetch()
	before := d.git("rev-parse", "refs/worklog-summary/2026-01-26")
	d.collect()
	if got := d.refs(); strings.Contains(got, theirs) || d.git("rev-parse", "refs/worklog-summary/2026-01-26") != before {
		t.Errorf("fetched again, the refs are\n%s", got)
	}
}

// Two clones sum up their own sessions and one that both have, and fetch each other: each session is counted once, and pushing is a fast-forward.
func TestSummariesOfTwoClonesBecomeOne(t *testing.T) {
	c := newClone(t)
	both := c.session()
	d := c.cloned()
	d.git("fetch", "-q", c.dir, "refs/worklog/*:refs/worklog/*")
	c.session()
	c.session()
	d.session()
	d.session()
	d.at = d.at.Add(KeepFor)
	d.collect()
	fetch := func(into, from *clone) {
		into.git("fetch", "-q", from.dir, "+refs/worklog-summary/*:refs/worklog-summary-of/other/*")
		into.collect()
	}
	c.collect()
	if _, ok := c.patterns()[both]; !ok {
		t.Fatal("only one clone has summed it up")
	}
	own, theirs := len(c.patterns()), len(d.patterns())
	fetch(c, d)
	fetch(d, c)
	if n := len(c.patterns()); n != own+theirs-1 || len(d.patterns()) != n {
		t.Errorf("%d and %d become %d and %d", own, theirs, n, len(d.patterns()))
	}
	const ref = "refs/worklog-summary/2026-01-26"
	if c.git("rev-parse", ref) != d.git("rev-parse", ref) {
		t.Error("the clones do not agree")
	}
	if totals := c.git("show", ref+":summary.yaml"); !strings.Contains(totals, fmt.Sprintf("sessions: %d\n", own+theirs-1)) {
		t.Errorf("got\n%s", totals)
	}
	c.git("push", "-q", d.dir, "refs/worklog-summary/*")
	// One that is no summary is not taken in, and stands in nobody's way.
	d.git("update-ref", "refs/worklog-summary-of/bad/2026-01-26", "HEAD")
	if done := d.collect(); len(done.Merged) > 0 || len(d.patterns()) != own+theirs-1 {
		t.Errorf("got %+v", done)
	}
}

// A session in which nothing is recorded for 30 days has been abandoned.
func TestAbandonedSessionsEnd(t *testing.T) {
	c := newClone(t)
	l := c.begin()
	c.record(l, Operation{Action: Edit, Context: "x"})
	c.at = c.at.Add(KeepFor - time.Minute)
	if done := c.collect(); len(done.Abandoned) > 0 || !l.Runs() {
		t.Errorf("got %+v", done)
	}
	c.at = c.at.Add(time.Minute)
	silent := c.begin() // was to record nothing
	silent.Switches.NoWorklog = true
	data, err := marshal(silent.Beginning)
	if err != nil {
		t.Fatal(err)
	}
	write(t, silent.file(".json"), data)
	c.touch(silent.file(".json"))
	if done := c.collect(); len(done.Abandoned) > 0 || c.listed()[l.ID].Outcome != Aborted || !silent.Runs() {
		t.Errorf("got %+v", done)
	}
	c.at = c.at.Add(KeepFor)
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
	if _, err := l.Add(context.Background(), Operation{Action: Edit, Context: "late"}); !errors.Is(err, ErrNoSession) {
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
	last := c.begin()
	c.end(last)
	lock := filepath.Join(c.common(), "refs", "worklog-summary", "2026-01-26.lock")
	if err := os.MkdirAll(filepath.Dir(lock), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, lock, nil)
	if _, err := c.retention().Collect(context.Background()); err == nil || !strings.Contains(err.Error(), "2026-01-26") {
		t.Errorf("got %v", err)
	}
	// A session begins all the same, and says so.
	id := fmt.Sprintf("%s-ffff", c.at.Format(idTime))
	if _, warnings, err := Begin(context.Background(), c.repo, c.common(), c.common(), "", c.at, Beginning{ID: id}); err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "not summed up yet") {
		t.Errorf("got %v, %v", warnings, err)
	}
	if _, known := c.listed()[l.ID]; !known || len(c.patterns()) > 0 || !strings.Contains(c.refs(), l.ID) {
		t.Errorf("the refs are\n%s", c.refs())
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	c.collect()
	if c.patterns()[l.ID].Actions[Edit] != 1 || strings.Contains(c.refs(), l.ID) {
		t.Errorf("the refs are\n%s", c.refs())
	}
}

// A session that cannot be read is left as it is, and keeps none of the others.
func TestASessionThatCannotBeReadKeepsNoOther(t *testing.T) {
	c := newClone(t)
	odd, first, last := c.begin(), c.begin(), c.begin()
	for _, l := range []*Live{odd, first, last} {
		c.end(l)
	}
	if err := errors.Join(os.Remove(odd.file(".jsonl")), os.Mkdir(odd.file(".jsonl"), 0o777)); err != nil {
		t.Fatal(err)
	}
	done, err := c.retention().Collect(context.Background())
	if err == nil || !strings.Contains(err.Error(), odd.ID+" is left as it is") || !slices.Equal(done.Extracted, []string{first.ID}) || !slices.Equal(done.Summarized, []string{last.ID}) {
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
	c.at = c.at.Add(settled)
	if done := c.collect(); !slices.Equal(done.Summarized, []string{l.ID}) || c.listed()[l.ID].Outcome != Aborted {
		t.Errorf("got %+v", done)
	}
}
