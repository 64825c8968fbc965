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
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// Origin says where a session is known from.
type Origin string

// The origins. FromRunning is a session of this repository's local state that has not
// ended; FromRef one that stands in refs/worklog, or has ended here; FromSummary one
// of which refs/worklog-summary holds the summary; FromHistory one that only commits tell of.
const (
	FromRunning Origin = "running"
	FromRef     Origin = "stored"
	FromSummary Origin = "summary"
	FromHistory Origin = "history"
)

// Listed is a session of a repository.
type Listed struct {
	*Session
	State Origin
	// Name is the Session trailer of its commits, where that is not the id.
	Name string
}

// ErrNoSession is a session that is not known here.
var ErrNoSession = errors.New("there is no such session here")

// Sessions lists the sessions of a repository, the oldest first: those of its local
// state, those that its refs hold, and those that commits alone tell of. What commits tell of a
// session that is recorded, and its record lacks, is added to it. commonDir is the
// git directory that the work trees share.
func Sessions(ctx context.Context, r *repo.Repo, commonDir string) (all []Listed, warnings []string, err error) {
	h, err := judge.NewHistory(r, nil).Record(ctx, "HEAD")
	if err != nil {
		return nil, nil, err
	}
	return SessionsWith(ctx, r, commonDir, h)
}

// SessionsWith is Sessions for who has the record of HEAD's history already.
func SessionsWith(
	ctx context.Context, r *repo.Repo, commonDir string, h *judge.Record,
) (all []Listed, warnings []string, err error) {
	all, warnings, err = recorded(ctx, r, commonDir)
	if err != nil {
		return nil, warnings, err
	}
	rewritten, err := journal.Rewrites(commonDir)
	if err != nil {
		warnings = append(warnings, err.Error())
	}
	known := map[landedKey]bool{}
	for i := range all {
		maps.Copy(known, all[i].landed(rewritten))
	}
	warnings = append(warnings, h.Warnings...)
	for _, t := range fromHistory(h, known) {
		if i := slices.IndexFunc(all, func(l Listed) bool { return l.ID == t.ID }); i >= 0 {
			all[i].complete(t.Entries, rewritten)
			continue
		}
		l := Listed{Session: &t.Session, State: FromHistory}
		if t.Name != t.ID {
			l.Name = t.Name
		}
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b Listed) int { return cmp.Compare(a.Started, b.Started) })
	return all, warnings, nil
}

// recorded are the sessions of the local state, those of the refs that are not among them, and those that were summed
// up.
func recorded(ctx context.Context, r *repo.Repo, commonDir string) (all []Listed, warnings []string, err error) {
	live, err := LiveSessions(commonDir)
	if err != nil {
		warnings = append(warnings, fmt.Sprintf("the sessions that run here cannot be read: %v", err))
	}
	here := map[string]bool{}
	for _, l := range live {
		if l.Switches.NoWorklog {
			continue // it verifies, and records nothing
		}
		s, unread, err := l.Session()
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("session %s cannot be read: %v", l.ID, err))
			continue
		}
		if unread > 0 {
			warnings = append(warnings, Unread(l.ID, unread))
		}
		if lost := l.Lost(); lost != "" {
			warnings = append(warnings, lost)
		}
		here[l.ID] = true
		standing := FromRef
		if s.Outcome == Running {
			standing = FromRunning
		}
		all = append(all, Listed{Session: s, State: standing})
	}
	refs, err := r.Refs(ctx, refPrefix, SummaryPrefix)
	if err != nil {
		return nil, warnings, err
	}
	var stand []Listed // before those of the local state, which are the youngest
	for _, ref := range refs {
		id, isLog := strings.CutPrefix(ref.Name, refPrefix)
		if id = strings.TrimPrefix(id, SummaryPrefix); here[id] || !IsSessionID(id) {
			continue
		}
		s, err := stored(ctx, r, ref, id)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("%s cannot be read: %v", ref.Name, err))
			continue
		}
		here[s.ID] = true
		standing := FromRef
		if s.isSummary = !isLog; s.isSummary {
			standing = FromSummary
		}
		stand = append(stand, Listed{Session: s, State: standing})
	}
	return slices.Concat(stand, all), warnings, nil
}

// Unread says that lines of a session's log are left out.
func Unread(id string, lines int) string {
	return fmt.Sprintf("%d line(s) of the log of session %s cannot be read and are left out", lines, id)
}

// stored reads the session of an id, or its summary, that a ref holds.
func stored(ctx context.Context, r *repo.Repo, ref repo.Ref, id string) (*Session, error) {
	c, err := r.Commit(ctx, string(ref.ID))
	if err != nil {
		return nil, err
	}
	tree := r.Snapshot(c.Tree)
	e, err := tree.Entry(ctx, worklogFile)
	if err != nil {
		return nil, err
	}
	data, err := tree.Blob(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	s, err := ReadSession(data)
	if err == nil && s.ID != id {
		err = fmt.Errorf("it holds the worklog of session %s", s.ID)
	}
	return s, err
}

// landed are those that the session has as entries. rewritten maps commits to what they were rewritten into.
func (l *Listed) landed(rewritten map[string]string) map[landedKey]bool {
	known := map[landedKey]bool{}
	for i := range l.Entries {
		if d := &l.Entries[i].Details; d.Commit != "" {
			known[landedKey{d.Commit, d.Unit}], known[landedKey{rewritten[d.Commit], d.Unit}] = true, true
		}
	}
	return known
}

// complete adds what commits tell and the record lacks, by its time; what is recorded keeps its order, since commits
// may bear whatever time they were given. rewritten maps commits to what they were rewritten into.
func (l *Listed) complete(told []Operation, rewritten map[string]string) {
	known := l.landed(rewritten)
	for _, e := range told {
		if !known[landedKey{e.Details.Commit, e.Details.Unit}] {
			at := slices.IndexFunc(l.Entries, func(o Operation) bool { return o.Time > e.Time })
			if at < 0 {
				at = len(l.Entries)
			}
			l.Entries = slices.Insert(l.Entries, at, e)
		}
	}
	if !l.isSummary { // else the summary tells of more than is there
		l.addUp()
	}
}

// Find is the session of an id, or of a name that commits give it.
func Find(all []Listed, name string) (*Session, error) {
	for _, l := range all {
		if l.ID == name || l.Name != "" && l.Name == name {
			return l.Session, nil
		}
	}
	return nil, fmt.Errorf("%w: %q; `acta worklog list` shows those that are", ErrNoSession, name)
}

// Row is a session as a list shows it.
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
func WriteList(w io.Writer, all []Listed, isJSON bool) error {
	rows := make([]Row, len(all))
	for i, l := range all {
		rows[i] = Row{l.ID, l.State, l.Name, l.Task, l.Tier, l.Started, l.Completed, l.Outcome, l.Summary.Operations}
	}
	var out []byte
	for _, r := range rows {
		line := fmt.Sprintf("%s  %-7s  %-11s  %-8s  %3d  %s", r.ID, r.State, r.Outcome, r.Tier, r.Operations,
			report.OneLine(r.about()))
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

func (r Row) about() string {
	if r.Name != "" {
		return r.Task + " (" + r.Name + ")"
	}
	return r.Task
}
