package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge/score"
	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// scoreQuery is what a command asks for.
func scoreQuery(call *cli.Context) ledger.Query {
	return ledger.Query{Actor: call.String("actor"), Ref: call.String("ref"), Now: time.Now(), Date: call.String("date")}
}

// isToday reports whether what is asked for is where somebody stands now.
func isToday(q ledger.Query) bool { return q.Date == "" && q.Ref == "" }

func (c command) runScore(call *cli.Context) error {
	if err := noName(call); err != nil {
		return err
	}
	q := scoreQuery(call)
	scores, err := c.ledger().Days(call.Context, q)
	if err != nil {
		return scoreError(err)
	}
	today := scores[len(scores)-1]
	if q.Ref == "" {
		c.sayAhead(call.Context)
	}
	if isToday(q) {
		defer c.tellOperator(call, today)
	}
	return c.answer(call.String("format"), today, scoreText(today))
}

// ledger is the ledger of the repository here.
func (c command) ledger() ledger.Store {
	return &ledger.Repositories{Dirs: []string{"."}, Warn: c}
}

// sayAhead says that there is work which has not landed. Where that cannot be known nothing is said.
func (c command) sayAhead(ctx context.Context) {
	_ = inRepo(ctx, func(r *repo.Repo) error {
		said, err := ledger.NotLandedYet(ctx, r)
		if err == nil && said != "" {
			c.Stderr.Printf("acta: %s\n", said)
		}
		return err
	})
}

// scoreError makes a usage error of what was asked for in a way that has no answer.
func scoreError(err error) error {
	_, isDate := errors.AsType[*ledger.DateError](err)
	if isDate || errors.Is(err, ledger.ErrNobody) || errors.Is(err, ledger.ErrAgent) {
		return usageError{err}
	}
	return err
}

// scoreText is a score for people.
func scoreText(s ledger.Score) string {
	if s.Score == nil {
		return "no score yet: there is no history to count\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "score     %d, target %d, floor %d\n", *s.Score, s.Target, s.Floor)
	fmt.Fprintf(&b, "tier      penalty %s, reward %s\n", s.Penalty, s.Reward)
	fmt.Fprintf(&b, "interval  %d minutes\n", s.Interval)
	fmt.Fprintf(&b, "streak    %s\n", report.Plural(s.Streak, "day"))
	fmt.Fprintf(&b, "failures  %d not verified, %s; %d verified, %d unclear\n", s.NotVerified,
		report.Plural(s.Contradictions, "contradiction"), s.Verified, s.Unclear)
	l := s.Lifetime
	fmt.Fprintf(&b, "lifetime  %s, %d verified, %d not verified, %s\n", report.Plural(l.Points, "point"), l.Verified,
		l.NotVerified, report.Plural(l.Contradictions, "contradiction"))
	if s.Local != 0 {
		fmt.Fprintf(&b, "local     %+d of the points, which only this machine knows of\n", s.Local)
	}
	return b.String()
}

// tellOperator tells the operator of today's score where it is a lockdown; ledger.Operator says how. What is in the
// way is a warning. No hook does this: a commit waits for nobody's mail.
// With --notify what the policy names is run in this call, agreed to or not.
func (c command) tellOperator(call *cli.Context, s ledger.Score) {
	if s.Penalty != score.Lockdown.String() {
		return
	}
	ctx := call.Context
	err := inRepo(ctx, func(r *repo.Repo) error {
		state, err := r.CommonDir(ctx)
		if err != nil {
			return err
		}
		o := &ledger.Operator{Repo: r, State: state, Env: os.Environ(), Agreed: call.Bool("notify"), Now: time.Now()}
		_, err = o.Tell(ctx, s)
		return err
	})
	if errors.Is(err, repo.ErrUntrusted) {
		c.warn("the operator was not told of the lockdown: %v; for this call alone: --notify", err)
	} else if err != nil {
		c.warn("the operator could not be told of the lockdown; the next command that sees it tries again: %v", err)
	}
}
