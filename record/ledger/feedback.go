package ledger

import (
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
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
)

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
