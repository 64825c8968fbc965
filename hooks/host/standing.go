package host

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

// What is spent on the score at most: a person who waits for it at every prompt is worse off than a model that is not
// told.
const (
	startTime  = 3 * time.Second
	promptTime = time.Second
)

// tellScore gives the model a line of context: where its actor stands today. At the beginning of a session always,
// before a prompt where the tier is another than the normal one; nothing where there is no score, or the host takes
// no context there.
func (c *call) tellScore(ctx context.Context) error {
	most := startTime
	if c.kind == prompted {
		most = promptTime
	}
	if _, ok := c.Host.context(c.name, ""); !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	s, err := c.score(ctx)
	if err != nil {
		c.answer.Warnings = append(c.answer.Warnings, fmt.Sprintf("the model is not told the score: %v", err))
		return nil
	}
	if line := s.Notice(); line != "" && (c.kind == begun || s.Tier() != "normal") {
		a, _ := c.Host.context(c.name, line)
		c.say(a)
	}
	return nil
}

// score is today's of who works here: of the actor that is named, else of the author that commits would have.
func (c *call) score(ctx context.Context) (ledger.Score, error) {
	by, err := worklog.Identify(ctx, c.repo, journal.By{Name: c.Env.Get("ACTA_ACTOR"), Session: "none is asked for"})
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
		Dirs: []string{cmp.Or(c.dir, ".")}, Env: repo.ForeignEnv(c.Env),
	}
	days, err := store.Days(ctx, ledger.Query{Actor: by.Name, Now: c.Now})
	if err != nil {
		return ledger.Score{}, err
	}
	return days[len(days)-1], nil
}
