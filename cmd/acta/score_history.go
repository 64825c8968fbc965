package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/record/ledger"
	"github.com/acta-git/acta/report"
)

func (c command) runScoreHistory(call *cli.Context) error {
	n, q := call.Int("days"), scoreQuery(call)
	if n < 1 || n > 3660 {
		return usagef("--days must be from 1 to 3660, not %d", n)
	}
	q.Before = n - 1
	scores, err := c.ledger().Days(call.Context, q)
	if err != nil {
		return scoreError(err)
	}
	if isToday(q) {
		defer c.tellOperator(call, scores[len(scores)-1])
	}
	return c.answer(call.String("format"), scores, newChart(scores).String())
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

func (c command) runScoreExplain(call *cli.Context) error {
	q := scoreQuery(call)
	q.Date = call.Args().First()
	points, err := c.ledger().Points(call.Context, q)
	if err != nil {
		return scoreError(err)
	}
	return c.answer(call.String("format"), append([]ledger.Point{}, points...), pointsText(points))
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
