package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/report"
)

// historyDays is how many days are shown where nobody says: today and seven before.
const historyDays = 8

func (c command) scoreHistory() *cli.Command {
	var o scoreOptions
	var n int
	return &cli.Command{
		Name: "history",
		Flags: append(o.flags(), o.dateFlag(), notifyFlag(&o.notify), &cli.IntFlag{
			Name: "days", Usage: "so many days, `N`, today's among them", Value: historyDays, Destination: &n,
			Action: func(_ *cli.Context, got int) error {
				if got < 1 || got > 3660 {
					return usagef("--days must be from 1 to 3660, not %d", got)
				}
				return nil
			},
		}),
		Action: atMost(0, func(ctx *cli.Context) error {
			q := o.query()
			q.Before = n - 1
			scores, err := c.ledger().Days(ctx.Context, q)
			if err != nil {
				return scoreError(err)
			}
			if o.isToday() {
				defer c.tellOperator(ctx.Context, scores[len(scores)-1], o.notify)
			}
			return c.answer(o.format, scores, newChart(scores).String())
		}),
	}
}

// chart shows scores as bars, a line a day.
type chart struct {
	scores []ledger.Score
	most   int // what the longest bar stands for
}

// chartWidth is that of the bars, in columns.
const chartWidth = 40

func newChart(scores []ledger.Score) chart {
	c := chart{scores: scores, most: 1}
	for _, s := range scores {
		c.most = max(c.most, s.Target)
		if s.Score != nil {
			c.most = max(c.most, *s.Score, -*s.Score)
		}
	}
	return c
}

func (c chart) String() string {
	var b strings.Builder
	for _, s := range c.scores {
		if s.Score == nil {
			fmt.Fprintf(&b, "%s  no score\n", s.Date)
			continue
		}
		line := fmt.Sprintf("%s %5d of %3d  %-11s  %s", s.Date, *s.Score, s.Target, s.Tier(), c.bar(*s.Score, s.Target))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func (c chart) bar(score, target int) string {
	if score < 0 {
		return strings.Repeat("-", c.columns(-score))
	}
	n := c.columns(score)
	return strings.Repeat("#", n) + strings.Repeat(".", max(0, c.columns(target)-n))
}

// columns is how long a bar of so many points is; what is not 0 shows.
func (c chart) columns(points int) int {
	if points == 0 {
		return 0
	}
	return max(1, points*chartWidth/c.most)
}

func (c command) scoreExplain() *cli.Command {
	var o scoreOptions
	return &cli.Command{
		Name:  "explain",
		Flags: o.flags(),
		Action: atMost(1, func(ctx *cli.Context) error {
			o.date = ctx.Args().First()
			points, err := c.ledger().Points(ctx.Context, o.query())
			if err != nil {
				return scoreError(err)
			}
			return c.answer(o.format, append([]ledger.Point{}, points...), pointsText(points))
		}),
	}
}

// pointsText is a line a point, why below it, and the sum.
func pointsText(points []ledger.Point) string {
	var b strings.Builder
	sum := 0
	for _, p := range points {
		sum += p.Points
		words := []string{fmt.Sprintf("%+4d  %s", p.Points, p.What)}
		if p.Contradiction {
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
		if p.Local {
			words = append(words, "[local]")
		}
		b.WriteString(report.OneLine(strings.Join(words, "  ")) + "\n")
		if p.Why != "" {
			b.WriteString("      " + report.OneLine(p.Why) + "\n")
		}
	}
	fmt.Fprintf(&b, "%+4d  in all\n", sum)
	return b.String()
}
