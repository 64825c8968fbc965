package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/snapshot"
)

func (c command) planDiff() *cli.Command {
	var format string
	return &cli.Command{
		Name:  "diff",
		Flags: []cli.Flag{formatFlag(&format, "text", "json")},
		Action: atMost(1, func(ctx *cli.Context) error {
			return inRepo(ctx.Context, func(r *repo.Repo) error { return c.runDiff(ctx.Context, r, ctx.Args().First(), format) })
		}),
	}
}

func (c command) runDiff(ctx context.Context, r *repo.Repo, between, format string) error {
	from, to, err := ends(between)
	if err != nil {
		return err
	}
	path, before, after, err := plansOf(ctx, r, from, to)
	if err != nil {
		return refusedBy(err)
	}
	moves := plan.Diff(before, after)
	var lines []string
	if len(moves) > 0 {
		lines = lineDiff(planLines(before), planLines(after))
	}
	if format == "json" {
		return c.printDiffJSON(path, moves, lines)
	}
	for _, m := range moves {
		c.Stdout.Printf("%s\n", m)
	}
	if len(lines) > 0 {
		c.Stdout.Printf("\n--- %s\n+++ %s\n", path, path)
		for _, line := range lines {
			c.Stdout.Printf("%s\n", line)
		}
	}
	return nil
}

// ends are the two commits of A..B; to is "" for the work tree.
func ends(between string) (from, to string, err error) {
	from, to, isRange := strings.Cut(between, "..")
	switch {
	case strings.HasPrefix(to, "."):
		return "", "", usagef("plan diff takes A..B, and not A...B")
	case from == "":
		from = "HEAD"
	}
	if isRange && to == "" {
		to = "HEAD"
	}
	return from, to, nil
}

func plansOf(ctx context.Context, r *repo.Repo, from, to string) (path string, before, after *plan.Unit, err error) {
	if from == "HEAD" { // which need not be there yet
		_, before, err = snapshot.Head(r).Plan(ctx)
	} else {
		_, before, err = snapshot.At(r, from).Plan(ctx)
	}
	if err != nil {
		return "", nil, nil, err
	}
	if to == "" {
		path, after, err = snapshot.WorkTree(r).Plan(ctx)
	} else {
		path, after, err = snapshot.At(r, to).Plan(ctx)
	}
	return path, before, after, err
}

func (c command) printDiffJSON(path string, moves []plan.Move, lines []string) error {
	answer := planDiff{path, []planMove{}, append([]string{}, lines...)}
	for _, m := range moves {
		answer.Moves = append(answer.Moves, planMove{m.Kind, m.Unit, m.Key, m.From, m.To, m.String()})
	}
	return diag.WriteLine(c.Stdout, answer)
}

// planLines are the lines of a plan as acta writes it; none where there is no plan.
func planLines(root *plan.Unit) []string {
	if root == nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(plan.Write(root)), "\n"), "\n")
}

// around is how many unchanged lines are shown around a change.
const around = 3

// maxCompared is how many lines, between what is the same at both ends, are compared one by one: some seconds' work.
const maxCompared = 10_000

// lineDiff compares lines, in the unified form: hunks with their headers.
func lineDiff(before, after []string) []string {
	same, tail := 0, 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	for tail < min(len(before), len(after))-same && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	all := signed(nil, ' ', before[:same])
	all = append(all, compared(before[same:len(before)-tail], after[same:len(after)-tail])...)
	return hunks(signed(all, ' ', before[len(before)-tail:]))
}

// compared are the lines of both, each with its sign.
func compared(before, after []string) []string {
	if len(before)+len(after) > maxCompared {
		return signed(signed(nil, '-', before), '+', after)
	}
	return signedLines(text(before), text(after))
}

// text are lines as a file has them.
func text(lines []string) string { return strings.Join(append(slices.Clone(lines), ""), "\n") }

// signedLines are the lines of two texts, each with its sign.
func signedLines(before, after string) (all []string) {
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0 // the answer must not depend on the clock
	a, b, lines := differ.DiffLinesToRunes(before, after)
	for _, part := range differ.DiffCharsToLines(differ.DiffMainRunes(a, b, false), lines) {
		sign := map[diffmatchpatch.Operation]byte{
			diffmatchpatch.DiffDelete: '-', diffmatchpatch.DiffInsert: '+', diffmatchpatch.DiffEqual: ' ',
		}[part.Type]
		all = signed(all, sign, slices.Collect(strings.Lines(part.Text)))
	}
	return all
}

func signed(all []string, sign byte, lines []string) []string {
	for _, line := range lines {
		all = append(all, string(sign)+strings.TrimRight(line, "\r\n"))
	}
	return all
}

// hunks leaves out what is far from a change, and says where the rest stands.
func hunks(all []string) []string {
	shown := make([]bool, len(all))
	for i, line := range all {
		if line[0] != ' ' {
			for j := max(i-around, 0); j < min(i+around+1, len(all)); j++ {
				shown[j] = true
			}
		}
	}
	var out []string
	a, b := 1, 1
	for i := 0; i < len(all); {
		if !shown[i] {
			a, b, i = a+1, b+1, i+1
			continue
		}
		end, gone, come := i, 0, 0
		for ; end < len(all) && shown[end]; end++ {
			if all[end][0] != '+' {
				gone++
			}
			if all[end][0] != '-' {
				come++
			}
		}
		out = append(out, fmt.Sprintf("@@ -%s +%s @@", stretch(a, gone), stretch(b, come)))
		out = append(out, all[i:end]...)
		a, b, i = a+gone, b+come, end
	}
	return out
}

// stretch is where lines stand; of no lines, behind which one.
func stretch(start, n int) string {
	if n == 0 {
		start--
	}
	return fmt.Sprintf("%d,%d", start, n)
}
