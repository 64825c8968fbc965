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

func scoreQuery(call *cli.Context) ledger.Query {
	return ledger.Query{Actor: call.String("actor"), Ref: call.String("ref"), Now: time.Now(), Date: call.String("date")}
}

func isToday(q ledger.Query) bool { return q.Date == "" && q.Ref == "" }

func (c command) runScore(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	q := scoreQuery(call)
	scores, err := c.ledger().Days(ctx, q)
	if err != nil {
		return scoreError(err)
	}
	today := scores[len(scores)-1]
	if q.Ref == "" {
		if notice, err := ledger.UnlandedNotice(ctx, r); err == nil && notice != "" {
			c.Stderr.Printf("acta: %s\n", notice)
		}
	}
	if isToday(q) {
		defer c.notifyOperator(ctx, call, r, today)
	}
	return c.answer(call.String("format"), today, scoreText(today))
}

func (c command) ledger() ledger.Store {
	return &ledger.Repositories{Dirs: []string{"."}, Warn: c}
}

func scoreError(err error) error {
	_, isDate := errors.AsType[*ledger.DateError](err)
	if isDate || errors.Is(err, ledger.ErrNobody) || errors.Is(err, ledger.ErrAgent) {
		return usageError{err}
	}
	return err
}

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
		fmt.Fprintf(&b, "local     %+d of the points are known only to this machine\n", s.Local)
	}
	return b.String()
}

// notifyOperator notifies the operator of today's score if it is a lockdown; see ledger.Operator. Failures are
// warnings. Hooks do not do this: commits must not wait for mail. --notify agrees to run the policy's program.
func (c command) notifyOperator(ctx context.Context, call *cli.Context, r *repo.Repo, s ledger.Score) {
	if s.Penalty != score.Lockdown.String() {
		return
	}
	state, err := r.CommonDir(ctx)
	if err == nil {
		o := &ledger.Operator{Repo: r, State: state, Env: os.Environ(), HasAgreed: call.Bool("notify"), Now: time.Now()}
		_, err = o.Notify(ctx, s)
	}
	if errors.Is(err, repo.ErrUntrusted) {
		c.warn("the operator was not told of the lockdown: %v; for this call alone: --notify", err)
	} else if err != nil {
		c.warn("the operator could not be told of the lockdown; the next command that reads the score tries again: %v", err)
	}
}

func (c command) runScoreHistory(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	n, q := call.Int("days"), scoreQuery(call)
	if n < 1 || n > 3660 {
		return usagef("--days must be from 1 to 3660, not %d", n)
	}
	q.PastDays = n - 1
	scores, err := c.ledger().Days(ctx, q)
	if err != nil {
		return scoreError(err)
	}
	if isToday(q) {
		defer c.notifyOperator(ctx, call, r, scores[len(scores)-1])
	}
	return c.answer(call.String("format"), scores, chart(scores))
}

const chartWidth = 40

func chart(scores []ledger.Score) string {
	most := 1 // the points of the longest bar
	for _, s := range scores {
		most = max(most, s.Target, s.Points(), -s.Points())
	}
	columns := func(points int) int {
		if points == 0 {
			return 0
		}
		return max(1, points*chartWidth/most)
	}
	var b strings.Builder
	for _, s := range scores {
		if s.Score == nil {
			fmt.Fprintf(&b, "%s  no score\n", s.Date)
			continue
		}
		bar := strings.Repeat("-", columns(max(0, -*s.Score)))
		if n := columns(max(0, *s.Score)); *s.Score >= 0 {
			bar = strings.Repeat("#", n) + strings.Repeat(".", max(0, columns(s.Target)-n))
		}
		line := fmt.Sprintf("%s %5d of %3d  %-11s  %s", s.Date, *s.Score, s.Target, s.Tier(), bar)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func (c command) runScoreExplain(call *cli.Context) error {
	q := scoreQuery(call)
	q.Date = call.Args().First()
	points, err := c.ledger().Points(call.Context, q)
	if err != nil {
		return scoreError(err)
	}
	return c.answer(call.String("format"), append([]ledger.Point{}, points...), pointsText(points))
}

func pointsText(points []ledger.Point) string {
	var b strings.Builder
	sum := 0
	for _, p := range points {
		sum += p.Points
		words := []string{fmt.Sprintf("%+4d  %s", p.Points, p.Label)}
		if p.IsContradiction {
			words[0] += ", contradiction"
		}
		words = append(words, p.Actor)
		for _, w := range []string{p.Unit, p.Item} {
			if w != "" {
				words = append(words, w)
			}
		}
		if p.Commit != "" {
			words = append(words, fmt.Sprintf("(%.12s)", p.Commit))
		}
		if p.IsLocal {
			words = append(words, "[local]")
		}
		b.WriteString(report.OneLine(strings.Join(words, "  ")) + "\n")
		if p.Reason != "" {
			b.WriteString("      " + report.OneLine(p.Reason) + "\n")
		}
	}
	fmt.Fprintf(&b, "%+4d  in all\n", sum)
	return b.String()
}

func (c command) runFeedback(ctx context.Context, call *cli.Context, r *repo.Repo) error {
	vote := call.Args().First()
	if vote != ledger.Up && vote != ledger.Down {
		return usagef("feedback must be up or down, not %q", vote)
	}
	by := call.String("by")
	if by == "" {
		var err error
		if by, err = person(ctx, r); err != nil {
			return err
		}
	}
	effect, err := c.ledger().AddFeedback(ctx, ledger.Vote{
		Word: vote, At: time.Now(), Voter: by, Actor: call.String("actor"), Commit: call.String("commit"),
	})
	c.printRemarks("", effect.Warnings, nil)
	if errors.Is(err, repo.ErrNotFound) || errors.Is(err, ledger.ErrActor) {
		return usageError{err}
	}
	if err != nil {
		return scoreError(err)
	}
	s := effect.Score
	defer c.notifyOperator(ctx, call, r, s)
	return c.answer(call.String("format"), votedScore{s.Actor, effect.Delta, s.Points()},
		fmt.Sprintf("%+d for %s: score %d, target %d\n", effect.Delta, report.OneLine(s.Actor), s.Points(), s.Target))
}

// person is the caller's name in git. ACTA_ACTOR names an agent, not a person.
func person(ctx context.Context, r *repo.Repo) (string, error) {
	const key = "user.name"
	config, err := r.Config(ctx, key)
	if err != nil {
		return "", err
	}
	if name := config[key]; name != "" {
		return name, nil
	}
	if names, err := r.Author(ctx); err == nil && names[0] != "" {
		return names[0], nil
	}
	return "", usagef("git does not know your name; give it with --by NAME")
}
