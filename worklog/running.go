package worklog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/policy"
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
}

// sessionsDir is where the local state of sessions lies.
func sessionsDir(commonDir string) string { return filepath.Join(commonDir, "acta", "sessions") }

func (l *Live) file(suffix string) string { return filepath.Join(l.dir, l.ID+suffix) }

// sessionWait bounds the wait for others who write to the same session: twenty processes may.
const sessionWait = 10 * time.Second

func (l *Live) journal() journal { return journal{path: l.file(".jsonl"), wait: sessionWait} }

// Start begins a session in the local state of a repository; commonDir is the git
// directory that its work trees share.
func Start(commonDir string, b Beginning) (*Live, error) {
	l := &Live{b, sessionsDir(commonDir)}
	if err := os.MkdirAll(l.dir, 0o777); err != nil {
		return nil, err
	}
	data, err := marshal(b)
	if err != nil {
		return nil, err
	}
	if err := replace(l.file(".json"), data); err != nil {
		return nil, err
	}
	return l, os.WriteFile(l.file(".running"), nil, 0o666)
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
	data, err := os.ReadFile(l.file(".json"))
	if err == nil {
		err = json.Unmarshal(data, &l.Beginning)
	}
	if _, ok := policy.ParseTier(l.Tier); err != nil || !ok || l.ID != id {
		at, _ := time.Parse(idTime, id[:len(idTime)]) // an id has one
		l.Beginning = Beginning{ID: id, Tier: policy.Standard.String(), Started: at}
	}
	return l
}

// NothingRuns reports whether no session runs in a repository. The front of the post-commit hook asks the same.
func NothingRuns(commonDir string) bool {
	names, err := os.ReadDir(sessionsDir(commonDir))
	return err != nil || !slices.ContainsFunc(names, func(n os.DirEntry) bool { return strings.HasSuffix(n.Name(), ".running") })
}

// Runs reports whether the session has not ended.
func (l *Live) Runs() bool {
	_, err := os.Stat(l.file(".running"))
	return err == nil
}

// Choose is the running session of an id, or, where id is "", the one that runs
// in a work tree, whose git directory is given.
func Choose(commonDir, gitDir, id string) (*Live, error) {
	if id != "" {
		if !IsSessionID(id) {
			return nil, fmt.Errorf("%w: %q is no id that `acta worklog start` prints", ErrNoSession, id)
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
	all = slices.DeleteFunc(all, func(l *Live) bool { return l.WorkTree != gitDir || !l.Runs() })
	switch len(all) {
	case 0:
		return nil, fmt.Errorf("%w: none runs in this work tree; `acta worklog start --task …` begins one", ErrNoSession)
	case 1:
		return all[0], nil
	}
	return nil, fmt.Errorf("%w: %d run in this work tree; name one with --session or ACTA_SESSION", ErrNoSession, len(all))
}

// isTestRun tells a command that runs tests, by the usual runners and by its words.
func isTestRun(command string) bool {
	return regexp.MustCompile(`(?i)(^|[^a-z])(pytest|tox|nox|jest|vitest|mocha|rspec|phpunit|ctest|unittest|tests?)($|[^a-z])`).MatchString(command)
}

// Wants reports whether a session of this tier records an action: changes of
// todos and sub-agents in all, edits and test runs in STRICT and STANDARD, nothing in
// EXEMPT. Of Bash only test runs are: see isTestRun.
func (l *Live) Wants(action Action, about string) bool {
	tier, _ := policy.ParseTier(l.Tier)
	switch {
	case tier == policy.Exempt:
		return false
	case action == Edit || action == Write:
		return tier >= policy.Standard
	case action == Bash:
		return tier >= policy.Standard && isTestRun(about)
	}
	return true
}

// WantsCheckpoint reports whether a session of this tier has a checkpoint of a phase: STRICT has all three, STANDARD that of the execution.
func (l *Live) WantsCheckpoint(phase string) bool {
	tier, _ := policy.ParseTier(l.Tier)
	return tier == policy.Strict || tier == policy.Standard && phase == "execution"
}

// Phases are those that end with a checkpoint.
func Phases() []string { return []string{"planning", "execution", "verification"} }

// moment is a line of a session's log: an entry, or its end.
type moment struct {
	Entry *Operation `json:"entry,omitempty"`
	End   *ending    `json:"end,omitempty"`
}

type ending struct {
	At      time.Time `json:"at"`
	Outcome Outcome   `json:"outcome"`
}

func (m moment) after(l link) any {
	return struct {
		link
		moment
	}{l, m}
}

// Add records entries. A Tear is what had to be mended first; it is valid beside an error.
func (l *Live) Add(ctx context.Context, entries ...Operation) (*Tear, error) {
	var lines []entry
	for i := range entries {
		lines = append(lines, moment{Entry: &entries[i]})
	}
	return l.journal().append(ctx, lines...)
}

// End ends the session. What others add from then on is still kept.
func (l *Live) End(ctx context.Context, at time.Time, outcome Outcome) (*Tear, error) {
	tear, err := l.journal().append(ctx, moment{End: &ending{at, outcome}})
	if err != nil {
		return tear, err
	}
	return tear, os.Remove(l.file(".running"))
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
	data, err := os.ReadFile(l.file(".jsonl"))
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
		var m moment
		switch err := json.Unmarshal(line, &m); {
		case err == nil && m.Entry != nil:
			all.entries = append(all.entries, *m.Entry)
		case err == nil && m.End != nil:
			all.end = m.End
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
		Version: Version, ID: l.ID, Task: l.Task, Tier: l.Tier, Started: Stamp(l.Started), Outcome: Running,
		Entries: append([]Operation{}, all.entries...),
	}
	if all.end != nil {
		at := Stamp(all.end.At)
		s.Completed, s.Outcome = &at, all.end.Outcome
	}
	n := 0
	for i := range s.Entries {
		if s.Entries[i].Action == Check {
			n++
			s.Entries[i].Details.Checkpoint = n
		}
	}
	s.sum()
	return s
}
