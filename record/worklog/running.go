package worklog

import (
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
	"github.com/acta-git/acta/report"
)

// Beginning is how a session began.
type Beginning struct {
	ID       string    `json:"session_id"`
	Task     string    `json:"task_description"`
	Tier     string    `json:"tier"`
	Started  time.Time `json:"started_at"`
	WorkTree string    `json:"work_tree"`
	// Actor works in the session, "" if that is not known.
	Actor string `json:"actor,omitempty"`
	// Host and HostSession are the agent's host and its own id of the session; "" if no host's hooks record.
	Host        string `json:"host,omitempty"`
	HostSession string `json:"host_session,omitempty"`
	// Tests and Switches are those of the policy at the beginning, so that recording does not wait for git.
	Tests    []string        `json:"tests,omitempty"`
	Switches policy.Switches `json:"switches"`
	// Tokens are those of its model, nil if its host does not report them.
	Tokens  *ModelTokens `json:"used,omitempty"`
	Release string       `json:"release,omitempty"`
}

// LocalSession is a session in the local state of a repository:
//
//	<id>.json      its beginning
//	<id>.jsonl     its entries and its end, a log like the others, to which whole lines are added under a lock
//	<id>.running   exists while it runs
//	<id>.flushed   how many lines of the log are in refs/worklog/<id>
type LocalSession struct {
	Beginning
	dir string // the folder of all sessions
	// readError is why its beginning cannot be read, nil if it can.
	readError error
}

func sessionsDir(commonDir string) string { return filepath.Join(commonDir, "acta", "sessions") }

func (l *LocalSession) file(suffix string) string { return filepath.Join(l.dir, l.ID+suffix) }

// sessionWait bounds the wait for other writers to the same session; there may be twenty. It is less than
// state.LockWait: an agent waits for its hook, and a lost entry is missing only in its session.
const sessionWait = 10 * time.Second

func (l *LocalSession) log() journal.Chain {
	return journal.Chain{
		Path: l.file(".jsonl"), Wait: sessionWait, Markers: []string{l.file(".json"), l.file(".running")},
	}
}

func (l *LocalSession) append(ctx context.Context, create func() ([]any, error)) ([]string, error) {
	warnings, err := l.log().Append(ctx, create)
	if errors.Is(err, journal.ErrRemoved) {
		err = noSession("session %s has ended and was summarized", l.ID)
	}
	return warnings, err
}

func (l *LocalSession) add(ctx context.Context, lines ...any) ([]string, error) {
	return l.append(ctx, func() ([]any, error) { return lines, nil })
}

// LocalSessions are the sessions in the local state, ended ones included, the oldest first. An unreadable beginning is
// guessed from its id.
func LocalSessions(commonDir string) ([]*LocalSession, error) {
	names, err := os.ReadDir(sessionsDir(commonDir))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []*LocalSession
	for _, n := range names {
		id, ok := strings.CutSuffix(n.Name(), ".json")
		if ok && IsSessionID(id) {
			all = append(all, openLocal(commonDir, id))
		}
	}
	slices.SortStableFunc(all, func(a, b *LocalSession) int { return a.Started.Compare(b.Started) })
	return all, nil
}

func openLocal(commonDir, id string) *LocalSession {
	l := &LocalSession{dir: sessionsDir(commonDir)}
	l.ID = id
	file := l.file(".json")
	data, err := state.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &l.Beginning)
	}
	if err == nil {
		err = l.Beginning.check(id)
	}
	if pathErr := (*fs.PathError)(nil); err != nil && !errors.As(err, &pathErr) { // a PathError names the file
		err = fmt.Errorf("%s: %w", file, err)
	}
	if err != nil {
		at, _ := time.Parse(idTime, id[:len(idTime)]) // valid in every id
		l.readError, l.Beginning = err, Beginning{ID: id, Tier: policy.Standard.String(), Started: at}
	}
	return l
}

func (b *Beginning) check(id string) error {
	if b.ID != id {
		return fmt.Errorf("it tells of session %q", b.ID)
	}
	if _, ok := policy.ParseTier(b.Tier); !ok {
		return fmt.Errorf("its tier must be STRICT, STANDARD, LIGHT or EXEMPT, not %q", b.Tier)
	}
	return nil
}

// ReadWarning says that the session's beginning cannot be read, and what replaces it; "" if it was read.
func (l *LocalSession) ReadWarning() string {
	if l.readError == nil {
		return ""
	}
	return fmt.Sprintf("how session %s began cannot be read, so it counts as one of tier %s without task and switches: "+
		"%v; "+
		"put the file back as it was, or finish the session and start another", l.ID, l.Tier, l.readError)
}

// NoSessionRuns reports whether no session runs in a repository. The post-commit hook's script checks the same.
func NoSessionRuns(commonDir string) bool {
	names, err := os.ReadDir(sessionsDir(commonDir))
	return err != nil || !slices.ContainsFunc(names, func(n os.DirEntry) bool {
		return strings.HasSuffix(n.Name(), ".running")
	})
}

// IsRunning reports whether the session has not ended.
func (l *LocalSession) IsRunning() bool {
	return exists(l.file(".running"))
}

// FindRunning is the running session with an id, or, for "", the one that runs in the work tree of gitDir. A session
// that records nothing is skipped if another one runs.
func FindRunning(commonDir, gitDir, id string) (*LocalSession, error) {
	if id != "" {
		if !IsSessionID(id) {
			return nil, noSession("%q is not an id that `acta worklog start` prints", id)
		}
		if l := openLocal(commonDir, id); l.IsRunning() {
			return l, nil
		}
		return nil, noSession("session %s does not run", id)
	}
	all, err := LocalSessions(commonDir)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(l *LocalSession) bool {
		return l.WorkTree != gitDir && l.WorkTree != "" || !l.IsRunning()
	})
	// A session with an unreadable beginning may run anywhere.
	all = prefer(all, func(l *LocalSession) bool { return l.WorkTree == gitDir })
	all = prefer(all, func(l *LocalSession) bool { return !l.Switches.NoWorklog })
	switch len(all) {
	case 0:
		return nil, noSession("no session runs in this work tree; `acta worklog start --task …` begins one")
	case 1:
		return all[0], nil
	}
	return nil, noSession("%d sessions run in this work tree; name one with --session or ACTA_SESSION", len(all))
}

// prefer keeps the preferred sessions, or all if none is.
func prefer(all []*LocalSession, isPreferred func(*LocalSession) bool) []*LocalSession {
	if !slices.ContainsFunc(all, isPreferred) {
		return all
	}
	return slices.DeleteFunc(all, func(l *LocalSession) bool { return !isPreferred(l) })
}

// OpenStored is the session with an id in the local state, running or ended; nil for none.
func OpenStored(commonDir, id string) *LocalSession {
	if !IsSessionID(id) {
		return nil
	}
	if l := openLocal(commonDir, id); exists(l.file(".jsonl")) || exists(l.file(".json")) {
		return l
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Wants reports whether a session of this tier records an action: changes of todos and subagents in all tiers, edits
// and test runs in STRICT and STANDARD, nothing in EXEMPT. Only test runs count among Bash commands: see IsTestRun.
func (l *LocalSession) Wants(action Action, about string) bool {
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

// wants is Wants of an operation. Commands of `acta run` are recorded like test runs.
func (l *LocalSession) wants(o *Operation) bool {
	tier, _ := policy.ParseTier(l.Tier)
	return l.Wants(o.Action, o.Context) || o.Details.Folder != "" && tier >= policy.Standard
}

type logLine struct {
	Entry   *Operation `json:"entry,omitempty"`
	End     *ending    `json:"end,omitempty"`
	Resumed *time.Time `json:"resumed,omitempty"`
}

type ending struct {
	At      time.Time `json:"at"`
	Outcome Outcome   `json:"outcome"`
}

func (l *LocalSession) addFunc(
	ctx context.Context, make func(before []Operation) []Operation,
) ([]string, error) {
	return l.append(ctx, func() ([]any, error) {
		all, err := l.read()
		if err != nil {
			return nil, err
		}
		return logLines(make(all.entries)), nil
	})
}

func logLines(entries []Operation) []any {
	return report.Map(entries, func(o Operation) any { return logLine{Entry: &o} })
}

// End ends the session. Entries that others add later are still kept.
func (l *LocalSession) End(ctx context.Context, at time.Time, outcome Outcome) ([]string, error) {
	warnings, err := l.add(ctx, logLine{End: &ending{at, outcome}})
	if err != nil {
		return warnings, err
	}
	return warnings, os.Remove(l.file(".running"))
}

type sessionLog struct {
	entries []Operation
	end     *ending
	// lines is how many whole lines there are, unread how many of them are unreadable.
	lines, unreadLines int
}

func (l *LocalSession) read() (sessionLog, error) {
	var all sessionLog
	data, err := state.ReadFile(l.file(".jsonl"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return all, err
	}
	for line := range journal.Lines(data) {
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
			all.unreadLines++
		}
	}
	return all, nil
}

// Session is the document of the session now; unread is how many lines of its log are unreadable.
func (l *LocalSession) Session() (s *Session, unread int, err error) {
	all, err := l.read()
	if err != nil {
		return nil, 0, err
	}
	return l.document(all), all.unreadLines, nil
}

func (l *LocalSession) document(all sessionLog) *Session {
	s := &Session{
		Version: version, ID: l.ID, Task: l.Task, Tier: l.Tier, Started: FormatTime(l.Started), Outcome: Running,
		Entries: append([]Operation{}, all.entries...),
	}
	if all.end != nil {
		at := FormatTime(all.end.At)
		s.Completed, s.Outcome = &at, all.end.Outcome
	}
	s.Summary.Model = l.Tokens
	s.numberCheckpoints()
	s.sumUp()
	return s
}
