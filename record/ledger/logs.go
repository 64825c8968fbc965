package ledger

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/record/heartbeat"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

func (s *Repositories) readLogs(dir string, out *contents) error {
	read := []func(dir string) (journal.State, error){out.addRefused, out.addHeartbeats, out.addVotes}
	for i, name := range []string{"audit", "heartbeat", "feedback"} {
		state, err := read[i](dir)
		if err != nil {
			return fmt.Errorf("the %s log cannot be read: %w", name, err)
		}
		if state.Fault != nil {
			s.warn(brokenLog(state.Path, state.Fault))
		}
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

// addRefused adds the refused claims of the audit log: entries of hooks with a verdict for which hooks refuse. dir is
// the folder of the repository's state, as below.
func (out *contents) addRefused(dir string) (journal.State, error) {
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
	return readLog(journal.Audit(dir), (*journal.Entry).IsByHook, candidates, add)
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

func (out *contents) addHeartbeats(dir string) (journal.State, error) {
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
	return readLog(journal.Heartbeats(dir), hasCommand(heartbeat.LogCommand), candidates, add)
}

func (out *contents) addVotes(dir string) (journal.State, error) {
	candidates := map[string][]string{"vote": {`"down"`, `"up"`}}
	add := func(_ int, e *journal.Entry, v Vote, isVoid bool) {
		v.At, v.Commit, v.IsLocal, v.IsVoid = e.Time, e.Commit, true, isVoid && v.Word == Up
		if v.isValid() {
			out.votes = append(out.votes, v)
		}
	}
	return readLog(journal.Feedback(dir), hasCommand(feedbackCmd), candidates, add)
}

// ErrActor means that the feedback's actor is not a valid name.
var ErrActor = errors.New("this is not an actor's name")

// CheckActor says what is wrong with the name of a vote's actor. Lists and databases cannot show or store control
// characters.
func (v *Vote) CheckActor() error {
	if len(v.Actor) > policy.MaxName {
		return fmt.Errorf("%w: %.40q… is longer than %d bytes", ErrActor, v.Actor, policy.MaxName)
	}
	if !utf8.ValidString(v.Actor) || strings.ContainsFunc(v.Actor, unicode.IsControl) {
		return fmt.Errorf("%w: %q holds a control character or is not UTF-8", ErrActor, v.Actor)
	}
	return nil
}

// feedbackRef holds the votes on commits as git notes, a line for each vote, sorted.
const feedbackRef = "refs/notes/acta-feedback"

const feedbackCmd = "score feedback"

// The words of votes, as commands and notes write them.
const (
	Up   = "up"
	Down = "down"
)

// NewVoteID is 16 random hex digits.
func NewVoteID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}

const maxID = 100

func (v *Vote) isValid() bool {
	return (v.Word == Up || v.Word == Down) && v.ID != "" && len(v.ID) <= maxID && v.Actor != "" && !v.At.IsZero()
}

// Worth is the vote's points.
func (v *Vote) Worth() int {
	if v.Word == Up {
		return score.ThumbUp
	}
	return score.ThumbDown
}

// noteVotes reads the votes in notes. Other lines are skipped: anybody may write notes.
func noteVotes(ctx context.Context, r *repo.Repo) ([]Vote, error) {
	notes, err := r.Notes(ctx, feedbackRef)
	if err != nil {
		return nil, fmt.Errorf("the feedback in %s cannot be read: %w", feedbackRef, err)
	}
	var votes []Vote
	for commit, note := range notes {
		for line := range strings.Lines(string(note)) {
			var v Vote
			if json.Unmarshal([]byte(line), &v) != nil || !v.isValid() {
				continue
			}
			v.Commit = string(commit)
			votes = append(votes, v)
		}
	}
	return votes, nil
}

// keepVote writes a vote to the log and, if it is about a commit, to the notes. A failed note is a warning.
func keepVote(ctx context.Context, r *repo.Repo, dir string, v Vote) (warnings []string, err error) {
	by := journal.Caller{Actor: journal.Agent, Name: v.Voter}
	params := map[string]any{"id": v.ID, "vote": v.Word, "by": v.Voter, "actor": v.Actor}
	warnings, err = journal.Feedback(dir).Append(ctx, by,
		v.At, journal.Action{Cmd: feedbackCmd, Params: params, Commit: v.Commit})
	if err != nil {
		return warnings, fmt.Errorf("the vote is not kept: %w", err)
	}
	if v.Commit == "" {
		return warnings, nil
	}
	inNote := v
	inNote.Commit = "" // the note is that commit's
	line, err := json.Marshal(inNote)
	if err != nil {
		return warnings, err
	}
	note := repo.NoteLine{
		Ref: feedbackRef, Commit: repo.ID(v.Commit), Line: string(line), Name: v.Voter, When: v.At,
		Message: fmt.Sprintf("Feedback: %s for %s\n", v.Word, v.Actor),
	}
	if err := r.AddNote(ctx, note); err != nil {
		warnings = append(warnings,
			fmt.Sprintf("the vote counts on this machine only, because its note was not written: %v", err))
	}
	return warnings, nil
}
