package worklog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo/state"
)

// Beginning is how a session began.
type Beginning struct {
	ID      string    `json:"session_id"`
	Task    string    `json:"task_description"`
	Tier    string    `json:"tier"`
	Started time.Time `json:"started_at"`
	// WorkTree is the git directory of the work tree that it runs in.
	WorkTree string `json:"work_tree"`
	// Actor is who works in it, "" where that is not known.
	Actor string `json:"actor,omitempty"`
	// Host and HostSession are the agent's host and its own name of the session; "" where no host's hooks record.
	Host        string `json:"host,omitempty"`
	HostSession string `json:"host_session,omitempty"`
	// Tests and Switches are the policy's, as it was at the beginning: nothing that is recorded waits for git to read
	// it again.
	Tests    []string        `json:"tests,omitempty"`
	Switches policy.Switches `json:"switches"`
	// Used are the tokens of its model, nil where its host does not say.
	Used *ModelTokens `json:"used,omitempty"`
	// Release is the release that began it.
	Release string `json:"release,omitempty"`
}

// Live is a session in the local state of a repository:
//
//	<id>.json      how it began
//	<id>.jsonl     its entries and its end, a log like the others, to which whole lines are added under a lock
//	<id>.running   is there while it runs
//	<id>.flushed   how many lines of the log stand in refs/worklog/<id>
type Live struct {
	Beginning
	dir string // of the sessions
	// lost is why its beginning cannot be read, nil where it was.
	lost error
}

// sessionsDir is where the local state of sessions lies.
func sessionsDir(commonDir string) string { return filepath.Join(commonDir, "acta", "sessions") }

func (l *Live) file(suffix string) string { return filepath.Join(l.dir, l.ID+suffix) }

// sessionWait bounds the wait for others who write to the same session: twenty processes may. It is less than lockWait,
// since an agent waits for its hook, and what of a session is not written is missing there alone.
const sessionWait = 10 * time.Second

func (l *Live) log() journal.Chain {
	return journal.Chain{
		Path: l.file(".jsonl"), Wait: sessionWait, Alive: []string{l.file(".json"), l.file(".running")},
	}
}

// append adds lines to the log that follow from what it holds already: nobody else adds to it in between.
func (l *Live) append(ctx context.Context, made func() ([]any, error)) (*journal.Repair, error) {
	repair, err := l.log().AppendMade(ctx, func(*journal.Repair) ([]any, error) { return made() })
	if errors.Is(err, journal.ErrTakenAway) {
		err = fmt.Errorf("%w: %s has ended and was summed up", ErrNoSession, l.ID)
	}
	return repair, err
}

// add adds lines to the log.
func (l *Live) add(ctx context.Context, lines ...any) (*journal.Repair, error) {
	return l.append(ctx, func() ([]any, error) { return lines, nil })
}

// LiveSessions are the sessions in the local state, those that have ended
// included, the oldest first. What cannot be read of how one began is taken from its id.
func LiveSessions(commonDir string) ([]*Live, error) {
	names, err := os.ReadDir(sessionsDir(commonDir))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []*Live
	for _, n := range names {
		id, ok := strings.CutSuffix(n.Name(), ".json")
		if ok && IsSessionID(id) {
			all = append(all, openLive(commonDir, id))
		}
	}
	slices.SortStableFunc(all, func(a, b *Live) int { return a.Started.Compare(b.Started) })
	return all, nil
}

func openLive(commonDir, id string) *Live {
	l := &Live{dir: sessionsDir(commonDir)}
	l.ID = id
	file := l.file(".json")
	data, err := state.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &l.Beginning)
	}
	if err == nil {
		err = l.Beginning.check(id)
	}
	if unread := (*fs.PathError)(nil); err != nil && !errors.As(err, &unread) { // that names the file
		err = fmt.Errorf("%s: %w", file, err)
	}
	if err != nil {
		at, _ := time.Parse(idTime, id[:len(idTime)]) // an id has one
		l.lost, l.Beginning = err, Beginning{ID: id, Tier: policy.Standard.String(), Started: at}
	}
	return l
}

// check is an error where this is not how the session of an id began.
func (b *Beginning) check(id string) error {
	if b.ID != id {
		return fmt.Errorf("it tells of session %q", b.ID)
	}
	if _, ok := policy.ParseTier(b.Tier); !ok {
		return fmt.Errorf("its tier must be STRICT, STANDARD, LIGHT or EXEMPT, not %q", b.Tier)
	}
	return nil
}

// Lost says that the session's beginning cannot be read, and what stands for it; "" where it was read.
func (l *Live) Lost() string {
	if l.lost == nil {
		return ""
	}
	return fmt.Sprintf("how session %s began cannot be read, so it counts as one of tier %s without task and switches: "+
		"%v; "+
		"put the file back as it was, or finish the session and start another", l.ID, l.Tier, l.lost)
}

// NoSessionRuns reports whether no session runs in a repository. The script of the post-commit hook asks the same.
func NoSessionRuns(commonDir string) bool {
	names, err := os.ReadDir(sessionsDir(commonDir))
	return err != nil || !slices.ContainsFunc(names, func(n os.DirEntry) bool {
		return strings.HasSuffix(n.Name(), ".running")
	})
}

// Runs reports whether the session has not ended.
func (l *Live) Runs() bool {
	_, err := os.Stat(l.file(".running"))
	return err == nil
}

// Choose is the running session of an id, or, where id is "", the one that runs
// in a work tree, whose git directory is given. One that records nothing is passed over where another does.
func Choose(commonDir, gitDir, id string) (*Live, error) {
	if id != "" {
		if !IsSessionID(id) {
			return nil, fmt.Errorf("%w: %q is not an id that `acta worklog start` prints", ErrNoSession, id)
		}
		if l := openLive(commonDir, id); l.Runs() {
			return l, nil
		}
		return nil, fmt.Errorf("%w: %s does not run", ErrNoSession, id)
	}
	all, err := LiveSessions(commonDir)
	if err != nil {
		return nil, err
	}
	runs := func(l *Live, workTree string) bool { return l.WorkTree == workTree && l.Runs() }
	if slices.ContainsFunc(all, func(l *Live) bool { return runs(l, gitDir) }) {
		all = slices.DeleteFunc(all, func(l *Live) bool { return !runs(l, gitDir) })
	} else { // of one whose beginning is lost nobody knows where it runs
		all = slices.DeleteFunc(all, func(l *Live) bool { return !runs(l, "") })
	}
	if records := func(l *Live) bool { return !l.Switches.NoWorklog }; slices.ContainsFunc(all, records) {
		// Those that record nothing are in nobody's way.
		all = slices.DeleteFunc(all, func(l *Live) bool { return !records(l) })
	}
	switch len(all) {
	case 0:
		return nil, fmt.Errorf("%w: none runs in this work tree; `acta worklog start --task …` begins one", ErrNoSession)
	case 1:
		return all[0], nil
	}
	return nil, fmt.Errorf("%w: %d run in this work tree; name one with --session or ACTA_SESSION", ErrNoSession, len(all))
}

// StoredSession is the session of an id that the local state holds, whether it runs or has ended; nil for none.
func StoredSession(commonDir, id string) *Live {
	if !IsSessionID(id) {
		return nil
	}
	if l := openLive(commonDir, id); exists(l.file(".jsonl")) || exists(l.file(".json")) {
		return l
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Wants reports whether a session of this tier records an action: changes of
// todos and sub-agents in all, edits and test runs in STRICT and STANDARD, nothing in
// EXEMPT. Of Bash only test runs are: see IsTestRun.
func (l *Live) Wants(action Action, about string) bool {
	tier, _ := policy.ParseTier(l.Tier)
	switch {
	case tier == policy.Exempt:
		return false
	case action == Edit || action == Write:
		return tier >= policy.Standard
	case action == Bash:
		return tier >= policy.Standard && IsTestRun(about, l.Tests)
	}
	return true
}

// wants is Wants of an operation. What was run by `acta run` is recorded wherever test runs are, whatever it is called.
func (l *Live) wants(o *Operation) bool {
	tier, _ := policy.ParseTier(l.Tier)
	return l.Wants(o.Action, o.Context) || o.Details.Folder != "" && tier >= policy.Standard
}

// logLine is a line of a session's log: an entry, its end, or that it goes on after that.
type logLine struct {
	Entry   *Operation `json:"entry,omitempty"`
	End     *ending    `json:"end,omitempty"`
	Resumed *time.Time `json:"resumed,omitempty"`
}

type ending struct {
	At      time.Time `json:"at"`
	Outcome Outcome   `json:"outcome"`
}

// Add records entries. A Repair is what had to be mended first; it is valid beside an error.
func (l *Live) Add(ctx context.Context, entries ...Operation) (*journal.Repair, error) {
	return l.add(ctx, logLines(entries)...)
}

// addTo records the entries that follow from what the log holds already: nobody else adds to it in between.
func (l *Live) addTo(ctx context.Context, make func(before []Operation) []Operation) (*journal.Repair, error) {
	return l.append(ctx, func() ([]any, error) {
		all, err := l.read()
		if err != nil {
			return nil, err
		}
		return logLines(make(all.entries)), nil
	})
}

func logLines(entries []Operation) []any {
	lines := make([]any, len(entries))
	for i := range entries {
		lines[i] = logLine{Entry: &entries[i]}
	}
	return lines
}

// End ends the session. What others add from then on is still kept.
func (l *Live) End(ctx context.Context, at time.Time, outcome Outcome) (*journal.Repair, error) {
	repair, err := l.add(ctx, logLine{End: &ending{at, outcome}})
	if err != nil {
		return repair, err
	}
	return repair, os.Remove(l.file(".running"))
}

// logged is what the log of a session holds.
type logged struct {
	entries []Operation
	end     *ending
	// lines is how many whole lines there are, unread how many of them cannot be read.
	lines, unread int
}

func (l *Live) read() (logged, error) {
	var all logged
	data, err := state.ReadFile(l.file(".jsonl"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return all, err
	}
	for {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		if !whole {
			return all, nil
		}
		data = rest
		all.lines++
		var m logLine
		switch err := json.Unmarshal(line, &m); {
		case err == nil && m.Entry != nil:
			all.entries = append(all.entries, *m.Entry)
		case err == nil && m.End != nil:
			all.end = m.End
		case err == nil && m.Resumed != nil:
			all.end = nil
		default:
			all.unread++
		}
	}
}

// Session is the document of the session as it stands; unread is how many lines of its log cannot be read.
func (l *Live) Session() (s *Session, unread int, err error) {
	all, err := l.read()
	if err != nil {
		return nil, 0, err
	}
	return l.document(all), all.unread, nil
}

func (l *Live) document(all logged) *Session {
	s := &Session{
		Version: version, ID: l.ID, Task: l.Task, Tier: l.Tier, Started: FormatTime(l.Started), Outcome: Running,
		Entries: append([]Operation{}, all.entries...),
	}
	if all.end != nil {
		at := FormatTime(all.end.At)
		s.Completed, s.Outcome = &at, all.end.Outcome
	}
	s.Summary.Model = l.Used
	s.numberCheckpoints()
	s.addUp()
	return s
}
