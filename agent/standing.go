package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/acta-git/acta/ledger"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/score"
	"github.com/acta-git/acta/worklog"
)

// What is spent on the score at most: a person who waits for it at every prompt is worse off than a model that is not told.
const (
	startTime  = 3 * time.Second
	promptTime = time.Second
)

// tell gives the model a line of context: where its actor stands today. At the beginning of a session always, before a
// prompt where the tier is another than the normal one; nothing where there is no score, or the host takes no context there.
func (c *call) tell(ctx context.Context) error {
	most := startTime
	if c.kind == prompted {
		most = promptTime
	}
	if c.Host == Cursor && c.kind == prompted {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	s, err := c.score(ctx)
	if err != nil {
		c.answer.Warnings = append(c.answer.Warnings, fmt.Sprintf("the model is not told the score: %v", err))
		return nil
	}
	if s.Score != nil && (c.kind == begun || !isNormal(s)) {
		c.answer.Stdout = c.context(standing(s))
	}
	return nil
}

// score is today's of who works here: of the actor that is named, else of the author that commits would have.
func (c *call) score(ctx context.Context) (ledger.Score, error) {
	by, err := worklog.Identify(ctx, c.repo, worklog.By{Name: c.Getenv("ACTA_ACTOR"), Session: "none is asked for"})
	if err == nil && by.Name == "" {
		var author []string
		if author, err = c.repo.Author(ctx); err == nil {
			by.Name = author[0]
		}
	}
	if err != nil {
		return ledger.Score{}, err
	}
	store := &ledger.Repositories{
		Dirs: []string{cmp.Or(c.dir, ".")}, Env: repo.ForeignEnv(c.Env), Release: c.Release,
		State: func(context.Context, *repo.Repo) (string, error) { return c.common, nil },
	}
	days, err := store.Days(ctx, ledger.Query{Actor: by.Name, Now: c.Now})
	if err != nil {
		return ledger.Score{}, err
	}
	return days[len(days)-1], nil
}

// isNormal reports whether a score has neither a penalty nor a reward that says more than «on track».
func isNormal(s ledger.Score) bool {
	return s.Penalty == score.NoPenalty.String() && (s.Reward == score.NoReward.String() || s.Reward == score.Good.String())
}

// standing says in a line how a score stands, and what would change it.
func standing(s ledger.Score) string {
	line := fmt.Sprintf("acta: %s has %d points today, target %d", s.Actor, *s.Score, s.Target)
	costs := fmt.Sprintf("a claim that does not hold costs %d, one for an empty stub %d", -score.NotVerified, -score.NotVerified-score.Contradiction)
	switch {
	case isNormal(s):
		return line + ": on track. " + fmt.Sprintf("Each item that holds adds %d; ", score.VerifiedRequired) + costs + "."
	case s.Penalty == score.NoPenalty.String():
		return line + ": reward tier " + s.Reward + ", well done. Keep it: " + costs + "."
	}
	missing := -*s.Score
	for score.PenaltyOf(*s.Score+missing, s.Target) != score.NoPenalty {
		missing++
	}
	line += fmt.Sprintf(": penalty tier %s. %d points more end it: each item that holds adds %d; %s.", s.Penalty, missing, score.VerifiedRequired, costs)
	if s.Penalty == score.Escalated.String() || s.Penalty == score.Lockdown.String() {
		line += " Until then no task of the heartbeat is optional."
	}
	return line + " `acta check` before a commit costs nothing; `acta score explain` lists every point."
}

// context is the answer that gives the model a line, in the host's own form.
func (c *call) context(line string) string {
	answer := map[string]any{"additional_context": line}
	if c.Host != Cursor {
		answer = map[string]any{"hookSpecificOutput": map[string]string{"hookEventName": c.name, "additionalContext": line}}
	}
	out, err := json.Marshal(answer)
	if err != nil {
		c.answer.warn(err)
		return c.silent().Stdout
	}
	return string(out) + "\n"
}
