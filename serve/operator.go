package serve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo"
)

// alertEvery is how often a server that notifies looks for a lockdown.
const alertEvery = 30 * time.Second

// alert tells the operators of lockdowns at once and with every tick, until ctx is done, whether a page is open or not.
func (s *Server) alert(ctx context.Context, tick <-chan time.Time) {
	for last := ""; ; {
		if print, err := s.fullPrint(ctx); err == nil && print != last {
			if err := s.tellOperators(ctx); err == nil {
				last = print
			} else if ctx.Err() == nil && s.o.Warn != nil {
				s.o.Warn.Warn(fmt.Sprintf("an operator was not told of a lockdown; it is tried again in %v: %v", alertEvery, err))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
	}
}

// tellOperators tells of each actor who is in lockdown today, as the policy of each repository says, once a day.
func (s *Server) tellOperators(ctx context.Context) error {
	board, err := s.scores(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, r := range s.o.Repos {
		failed = append(failed, r.with(ctx, func(git *repo.Repo) error {
			o := &ledger.Operator{Repo: git, State: r.commonDir, Env: r.env, Agreed: true, Now: s.o.Scores.now()}
			var failed []error
			for _, a := range board.Actors {
				_, err := o.Tell(ctx, today(a.Actor, a.Days))
				failed = append(failed, err)
			}
			return errors.Join(failed...)
		}))
	}
	return errors.Join(failed...)
}
