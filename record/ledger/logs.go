package ledger

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/record/heartbeat"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/report"
)

type logContent struct {
	rows  []Row
	votes []Vote
}

func (s *Repositories) readLogs(dir string, out *contents) error {
	read := []func(dir string) (logContent, journal.State, error){refusedRows, heartbeatRows, loggedVotes}
	for i, name := range []string{"audit", "heartbeat", "feedback"} {
		found, state, err := read[i](dir)
		if err != nil {
			return fmt.Errorf("the %s log cannot be read: %w", name, err)
		}
		if state.Fault != nil {
			s.warn(brokenLog(state.Path, state.Fault))
		}
		out.rows, out.votes = append(out.rows, found.rows...), append(out.votes, found.votes...)
	}
	return nil
}

func brokenLog(path string, f *journal.Fault) string {
	if f.Line > 0 {
		path += fmt.Sprintf(":%d", f.Line)
	}
	return fmt.Sprintf("%s: %s; nothing in this log counts in anybody's favour; run `acta audit verify`", path, f.Reason)
}

// readLog reads the params of a log's entries that are asked for, and skips those of another form. candidates are those
// of journal.Entry.OriginalParams. isVoid: the log was changed. Then nothing in it counts in anybody's favour, on any
// line: an editor can make all later lines fit. Entries against an actor still count.
func readLog[Params any](
	log journal.Log, isAskedFor func(*journal.Entry) bool, candidates map[string][]string,
	add func(index int, e *journal.Entry, p Params, isVoid bool),
) (journal.State, error) {
	entries, state, err := log.ReadVerified()
	for i := range entries {
		e, p := &entries[i], *new(Params)
		if isAskedFor(e) && json.Unmarshal(e.OriginalParams(candidates), &p) == nil {
			add(i, e, p, state.Fault != nil)
		}
	}
	return state, err
}

func hasCommand(name string) func(*journal.Entry) bool {
	return func(e *journal.Entry) bool { return e.Cmd == name }
}

// refusedClaim is what journal.ClaimParams writes.
type refusedClaim struct {
	Unit, Item, Evidence, Message, Actor string
	Verdict                              report.Verdict
	Contradiction, Optional              bool
}

// refusedRows reads the refused claims of the audit log: entries of hooks with a verdict for which hooks refuse.
func refusedRows(dir string) (out logContent, state journal.State, err error) {
	candidates := map[string][]string{
		"verdict": {`"not_verified"`, `"unclear"`}, "contradiction": {"true", "false"}, "optional": {"", "true"},
	}
	add := func(i int, e *journal.Entry, c refusedClaim, _ bool) {
		if c.Verdict == report.NotVerified || c.Verdict == report.Unclear {
			out.rows = append(out.rows, Row{
				Kind: score.Refused, Commit: e.Commit, Time: e.Time, Index: i, Actor: cmp.Or(c.Actor, e.Name),
				Unit: c.Unit, Item: c.Item, IsRequired: !c.Optional,
				Verdict: c.Verdict, IsContradiction: c.Contradiction, Evidence: c.Evidence, Reason: c.Message,
			})
		}
	}
	state, err = readLog(journal.Audit(dir), (*journal.Entry).IsByHook, candidates, add)
	return out, state, err
}

// loggedTask is what package heartbeat writes. Judged is false if no attempt was left, and the verdict is an earlier
// one; Again: the task was already verified that day in that work tree.
type loggedTask struct {
	ID, Verify, Reason                              string
	Verdict                                         report.Verdict
	Required, Checked, Contradiction, Judged, Again bool
}

// isCounted reports whether the verdict counts for or against the caller. Nobody promised an optional task whose box is
// open, so it costs nothing. A task that was already verified earns nothing again under another name; but a wrongly
// checked box is the caller's doing.
func (t *loggedTask) isCounted() bool {
	if t.Verdict == report.Verified {
		return t.Judged && !t.Again
	}
	return t.Verdict != 0 && (t.Checked || t.Required)
}

func heartbeatRows(dir string) (out logContent, state journal.State, err error) {
	candidates := map[string][]string{
		"verdict": {`"not_verified"`, `"unclear"`, `"verified"`}, "contradiction": {"true", "false"},
		"checked": {"true", "false"}, "required": {"true", "false"},
	}
	add := func(i int, e *journal.Entry, t loggedTask, isVoid bool) {
		if t.isCounted() {
			out.rows = append(out.rows, Row{
				Kind: score.Task, Time: e.Time, Index: i, Actor: e.Name, Item: t.ID, IsRequired: t.Required,
				Verdict: t.Verdict, IsContradiction: t.Contradiction, Evidence: t.Verify, Reason: t.Reason,
				IsVoid: isVoid && t.Verdict == report.Verified,
			})
		}
	}
	state, err = readLog(journal.Heartbeats(dir), hasCommand(heartbeat.LogCommand), candidates, add)
	return out, state, err
}

// loggedVotes reads the votes in a repository's log; dir is the folder of its state.
func loggedVotes(dir string) (out logContent, state journal.State, err error) {
	candidates := map[string][]string{"vote": {`"down"`, `"up"`}}
	add := func(_ int, e *journal.Entry, v Vote, isVoid bool) {
		v.At, v.Commit, v.IsLocal, v.IsVoid = e.Time, e.Commit, true, isVoid && v.Word == Up
		if v.isValid() {
			out.votes = append(out.votes, v)
		}
	}
	state, err = readLog(journal.Feedback(dir), hasCommand(feedbackCmd), candidates, add)
	return out, state, err
}
