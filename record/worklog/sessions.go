package worklog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// Origin says where a session was found.
type Origin string

// The origins. FromRunning: this repository's local state, not ended. FromRef: refs/worklog, or ended here.
// FromSummary: only refs/worklog-summary has it. FromHistory: only commits mention it.
const (
	FromRunning Origin = "running"
	FromRef     Origin = "stored"
	FromSummary Origin = "summary"
	FromHistory Origin = "history"
)

// ListedSession is a session of a repository.
type ListedSession struct {
	*Session
	State Origin
	// Name is the Session trailer of its commits, if it is not the id.
	Name string
}

// ErrNoSession means that no such session is known or runs here; the errors that are it say which.
var ErrNoSession = errors.New("there is no such session here")

type noSessionError struct{ error }

// Is reports whether the target is ErrNoSession.
func (noSessionError) Is(target error) bool { return target == ErrNoSession }

func noSession(format string, args ...any) error { return noSessionError{fmt.Errorf(format, args...)} }

// Sessions lists the sessions of a repository, the oldest first, from its local state, its refs and its commits. ACTs
// and ADAPTs that a recorded session lacks are added to it. commonDir is the git directory that the work trees share.
func Sessions(ctx context.Context, r *repo.Repo, commonDir string) (all []ListedSession, warnings []string, err error) {
	h, err := judge.NewHistory(r, nil).Record(ctx, "HEAD")
	if err != nil {
		return nil, nil, err
	}
	return SessionsWith(ctx, r, commonDir, h)
}

// SessionsWith is Sessions with a given record of HEAD's history.
func SessionsWith(
	ctx context.Context, r *repo.Repo, commonDir string, h *judge.Record,
) (all []ListedSession, warnings []string, err error) {
	all, warnings, err = recordedSessions(ctx, r, commonDir)
	if err != nil {
		return nil, warnings, err
	}
	rewritten, err := journal.Rewrites(commonDir)
	if err != nil {
		warnings = append(warnings, err.Error())
	}
	known := map[partKey]bool{}
	for i := range all {
		maps.Copy(known, all[i].partKeys(rewritten))
	}
	warnings = append(warnings, h.Warnings...)
	for _, t := range fromHistory(h, known) {
		if i := slices.IndexFunc(all, func(l ListedSession) bool { return l.ID == t.ID }); i >= 0 {
			all[i].addFromCommits(t.Entries, rewritten)
			continue
		}
		all = append(all, t)
	}
	slices.SortStableFunc(all, func(a, b ListedSession) int { return cmp.Compare(a.Started, b.Started) })
	return all, warnings, nil
}

func recordedSessions(
	ctx context.Context, r *repo.Repo, commonDir string,
) (all []ListedSession, warnings []string, err error) {
	live, err := LocalSessions(commonDir)
	if err != nil {
		warnings = append(warnings, fmt.Sprintf("the sessions that run here cannot be read: %v", err))
	}
	here := map[string]bool{}
	for _, l := range live {
		if l.Switches.NoWorklog {
			continue // it records nothing
		}
		s, unread, err := l.Session()
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("session %s cannot be read: %v", l.ID, err))
			continue
		}
		if unread > 0 {
			warnings = append(warnings, UnreadWarning(l.ID, unread))
		}
		if lost := l.ReadWarning(); lost != "" {
			warnings = append(warnings, lost)
		}
		here[l.ID] = true
		origin := FromRef
		if s.Outcome == Running {
			origin = FromRunning
		}
		all = append(all, ListedSession{Session: s, State: origin})
	}
	refs, err := r.Refs(ctx, refPrefix, SummaryPrefix)
	if err != nil {
		return nil, warnings, err
	}
	var fromRefs []ListedSession // the local state's are younger
	for _, ref := range refs {
		id, isLog := strings.CutPrefix(ref.Name, refPrefix)
		if id = strings.TrimPrefix(id, SummaryPrefix); here[id] || !IsSessionID(id) {
			continue
		}
		s, err := readRef(ctx, r, ref, id)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("%s cannot be read: %v", ref.Name, err))
			continue
		}
		here[s.ID] = true
		origin := FromRef
		if s.isSummary = !isLog; s.isSummary {
			origin = FromSummary
		}
		fromRefs = append(fromRefs, ListedSession{Session: s, State: origin})
	}
	return slices.Concat(fromRefs, all), warnings, nil
}

// UnreadWarning says that lines of a session's log were skipped.
func UnreadWarning(id string, lines int) string {
	return fmt.Sprintf("%d line(s) of the log of session %s cannot be read and are left out", lines, id)
}

func readRef(ctx context.Context, r *repo.Repo, ref repo.Ref, id string) (*Session, error) {
	c, err := r.Commit(ctx, string(ref.ID))
	if err != nil {
		return nil, err
	}
	data, err := snapshot.File(ctx, snapshot.Tree(r, c.Tree), worklogFile)
	if err != nil {
		return nil, err
	}
	s, err := ReadSession(data)
	if err == nil && s.ID != id {
		err = fmt.Errorf("it holds the worklog of session %s", s.ID)
	}
	return s, err
}

func (l *ListedSession) partKeys(rewritten map[string]string) map[partKey]bool {
	known := map[partKey]bool{}
	for i := range l.Entries {
		if d := &l.Entries[i].Details; d.Commit != "" {
			known[partKey{d.Commit, d.Unit}], known[partKey{rewritten[d.Commit], d.Unit}] = true, true
		}
	}
	return known
}

// addFromCommits inserts operations that the record lacks, by their time. Recorded entries keep their order, since
// commits may have any date. rewritten maps commits to their replacements.
func (l *ListedSession) addFromCommits(operations []Operation, rewritten map[string]string) {
	known := l.partKeys(rewritten)
	for _, e := range operations {
		if !known[partKey{e.Details.Commit, e.Details.Unit}] {
			at := slices.IndexFunc(l.Entries, func(o Operation) bool { return o.Time > e.Time })
			if at < 0 {
				at = len(l.Entries)
			}
			l.Entries = slices.Insert(l.Entries, at, e)
		}
	}
	if !l.isSummary { // the entries of a summarized session are gone
		l.sumUp()
	}
}

// Find is the session with an id, or with a name from commits.
func Find(all []ListedSession, name string) (*Session, error) {
	for _, l := range all {
		if l.ID == name || l.Name != "" && l.Name == name {
			return l.Session, nil
		}
	}
	return nil, noSession("no session %q is known here; `acta worklog list` shows the known ones", name)
}

// Row is a session in a list.
type Row struct {
	ID         string  `json:"session_id"`
	State      Origin  `json:"state"`
	Name       string  `json:"name,omitempty"`
	Task       string  `json:"task_description"`
	Tier       string  `json:"tier"`
	Started    string  `json:"started_at"`
	Completed  *string `json:"completed_at"`
	Outcome    Outcome `json:"outcome"`
	Operations int     `json:"total_operations"`
}

// WriteList prints a list of sessions, as a table or as JSON.
func WriteList(w io.Writer, all []ListedSession, isJSON bool) error {
	rows := make([]Row, len(all))
	for i, l := range all {
		rows[i] = Row{l.ID, l.State, l.Name, l.Task, l.Tier, l.Started, l.Completed, l.Outcome, l.Summary.Operations}
	}
	var out []byte
	for _, r := range rows {
		line := fmt.Sprintf("%s  %-7s  %-11s  %-8s  %3d  %s", r.ID, r.State, r.Outcome, r.Tier, r.Operations,
			report.OneLine(r.title()))
		out = append(out, strings.TrimRight(line, " ")+"\n"...)
	}
	if isJSON {
		var err error
		if out, err = state.IndentedJSON(rows); err != nil {
			return err
		}
	}
	_, err := w.Write(out)
	return err
}

func (r Row) title() string {
	if r.Name != "" {
		return r.Task + " (" + r.Name + ")"
	}
	return r.Task
}
