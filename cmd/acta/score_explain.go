package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/ledger"
)

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
			if o.format == "json" {
				return diag.WriteIndented(c.Stdout, append([]ledger.Point{}, points...))
			}
			_, err = io.WriteString(c.Stdout, pointsText(points))
			return err
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
		b.WriteString(diag.OneLine(strings.Join(words, "  ")) + "\n")
		if p.Why != "" {
			b.WriteString("      " + diag.OneLine(p.Why) + "\n")
		}
	}
	fmt.Fprintf(&b, "%+4d  in all\n", sum)
	return b.String()
}
