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

// scoreOptions are those that score and its commands share.
type scoreOptions struct {
	actor, ref, date, format string
	notify                   bool
}

func (o *scoreOptions) flags() []cli.Flag {
	return []cli.Flag{
		textFlag(&o.actor, "actor", "the score of `NAME`; without it that of all together"),
		textFlag(&o.ref, "ref", "what has landed on `REVISION`; else on the default branch, else on HEAD"),
		formatFlag(&o.format, "text", "json"),
	}
}

// dateFlag is --date.
func (o *scoreOptions) dateFlag() cli.Flag {
	return textFlag(&o.date, "date", "the score at the end of a day, `YYYY-MM-DD`; else of today")
}

// isToday reports whether what is asked for is where somebody stands now.
func (o *scoreOptions) isToday() bool { return o.date == "" && o.ref == "" }

func (o *scoreOptions) query() ledger.Query {
	return ledger.Query{Actor: o.actor, Ref: o.ref, Now: time.Now(), Date: o.date}
}

func (c command) score() *cli.Command {
	var o scoreOptions
	return &cli.Command{
		Name:        "score",
		Flags:       append(o.flags(), o.dateFlag(), notifyFlag(&o.notify)),
		Subcommands: []*cli.Command{c.scoreHistory(), c.scoreExplain(), c.scoreFeedback()},
		Action: func(ctx *cli.Context) error {
			if err := noName(ctx); err != nil {
				return err
			}
			scores, err := c.ledger().Days(ctx.Context, o.query())
			if err != nil {
				return scoreError(err)
			}
			today := scores[len(scores)-1]
			if o.ref == "" {
				c.sayAhead(ctx.Context)
			}
			if o.isToday() {
				defer c.tellOperator(ctx.Context, today, o.notify)
			}
			return c.answer(o.format, today, scoreText(today))
		},
	}
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

// notifyFlag lets a call run what the policy names, whether the user has agreed to that on this machine or not.
func notifyFlag(into *bool) cli.Flag {
	return boolFlag(into, "notify", "in this call, run what the policy names (score.notify, verifiers), agreed to or not")
}

// tellOperator tells the operator of today's score where it is a lockdown; ledger.Operator says how. What is in the
// way is a warning. No hook does this: a commit waits for nobody's mail.
// Agreed is what --notify says: run what the policy names, in this call.
func (c command) tellOperator(ctx context.Context, s ledger.Score, agreed bool) {
	if s.Penalty != score.Lockdown.String() {
		return
	}
	err := inRepo(ctx, func(r *repo.Repo) error {
		state, err := r.CommonDir(ctx)
		if err != nil {
			return err
		}
		o := &ledger.Operator{Repo: r, State: state, Env: os.Environ(), Agreed: agreed, Now: time.Now()}
		_, err = o.Tell(ctx, s)
		return err
	})
	if errors.Is(err, repo.ErrUntrusted) {
		c.warn("the operator was not told of the lockdown: %v; for this call alone: --notify", err)
	} else if err != nil {
		c.warn("the operator could not be told of the lockdown; the next command that sees it tries again: %v", err)
	}
}
