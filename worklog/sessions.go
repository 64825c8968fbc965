package worklog

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/repo"
)

// Standing says where a session is known from.
type Standing string

// OfHistory is a session that only commits tell of.
const OfHistory Standing = "history"

// Listed is a session of a repository.
type Listed struct {
	*Session
	State Standing
	// Name is the Session trailer of its commits, where that is not the id.
	Name string
}

// ErrNoSession is a session that is not known here.
var ErrNoSession = errors.New("there is no such session here")

// Sessions lists the sessions of a repository, the oldest first. release is the
// one that judges.
func Sessions(ctx context.Context, r *repo.Repo, release string) (all []Listed, warnings []string, err error) {
	told, warnings, err := FromHistory(ctx, r, "HEAD", release)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range told {
		l := Listed{Session: &t.Session, State: OfHistory}
		if t.Name != t.ID {
			l.Name = t.Name
		}
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b Listed) int { return cmp.Compare(a.Started, b.Started) })
	return all, warnings, nil
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

// row is a session as a list shows it.
type row struct {
	ID         string   `json:"session_id" yaml:"session_id"`
	State      Standing `json:"state" yaml:"state"`
	Name       string   `json:"name,omitempty" yaml:"name,omitempty"`
	Task       string   `json:"task_description" yaml:"task_description"`
	Tier       string   `json:"tier" yaml:"tier"`
	Started    string   `json:"started_at" yaml:"started_at"`
	Completed  *string  `json:"completed_at" yaml:"completed_at"`
	Outcome    Outcome  `json:"outcome" yaml:"outcome"`
	Operations int      `json:"total_operations" yaml:"total_operations"`
}

// WriteList prints a list of sessions in one of Formats.
func WriteList(w io.Writer, all []Listed, format string) error {
	rows := make([]row, len(all))
	for i, l := range all {
		rows[i] = row{l.ID, l.State, l.Name, l.Task, l.Tier, l.Started, l.Completed, l.Outcome, l.Summary.Operations}
	}
	var b bytes.Buffer
	switch format {
	case "json":
		out, err := indented(rows)
		if err != nil {
			return err
		}
		b.Write(out)
	case "yaml":
		out, err := toYAML(&rows)
		if err != nil {
			return err
		}
		b.Write(out)
	case "markdown":
		b.WriteString("| session | state | outcome | tier | operations | task |\n| --- | --- | --- | --- | --- | --- |\n")
		for _, r := range rows {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %s |\n", r.ID, r.State, r.Outcome, r.Tier, r.Operations, diag.MarkdownText(r.about()))
		}
	case "text":
		for _, r := range rows {
			line := fmt.Sprintf("%s  %-7s  %-11s  %-8s  %3d  %s", r.ID, r.State, r.Outcome, r.Tier, r.Operations, diag.OneLine(r.about()))
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	default:
		return fmt.Errorf("there is no format %q for a list of sessions", format)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (r row) about() string {
	if r.Name != "" {
		return r.Task + " (" + r.Name + ")"
	}
	return r.Task
}
