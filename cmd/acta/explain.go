package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/policy"
)

func (c command) explain() *cli.Command {
	var format string
	return &cli.Command{
		Name:  "explain",
		Flags: []cli.Flag{formatFlag(&format, "text", "markdown")},
		Action: atMost(1, func(ctx *cli.Context) error {
			return c.runExplain(ctx.Context, ctx.Args().First(), format)
		}),
	}
}

func (c command) runExplain(ctx context.Context, id, format string) error {
	rules := check.Rules()
	switch {
	case id == "" && format == "markdown":
		return writeRules(ctx, c.Stdout, rules)
	case id == "":
		for _, r := range rules {
			c.Stdout.Printf("%-40s %s\n", r.ID, r.Page().Title)
		}
		return nil
	}
	for _, r := range rules {
		if r.ID == id {
			return writeRule(ctx, c.Stdout, r)
		}
	}
	var known []string
	for _, r := range rules {
		known = append(known, r.ID)
	}
	return usagef("there is no rule %q; `acta explain` lists them%s", id, policy.DidYouMean(id, known))
}

// writeRules prints the documentation of all rules as one Markdown page.
func writeRules(ctx context.Context, w io.Writer, rules []*check.Rule) error {
	fmt.Fprint(w,
		"# Rules\n\nPrinted by `acta explain --format markdown`. Every output below is what the tool says of the example "+
			"above it.\n")
	fmt.Fprint(w, "\n| rule | reports | STRICT | STANDARD | LIGHT | EXEMPT |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, r := range rules {
		s := severities(r)
		fmt.Fprintf(w, "| [`%s`](#%s) | %s | %s | %s | %s | %s |\n", r.ID, r.ID, r.Page().Title, s[0], s[1], s[2], s[3])
	}
	for _, r := range rules {
		fmt.Fprintln(w)
		if err := writeRule(ctx, w, r); err != nil {
			return err
		}
	}
	return nil
}

// severities are those of a rule in STRICT, STANDARD, LIGHT and EXEMPT, where they differ «error or warning».
func severities(r *check.Rule) (words [4]string) {
	for i, t := range []policy.Tier{policy.Strict, policy.Standard, policy.Light, policy.Exempt} {
		s, milder := r.Severity.In(t), r.Otherwise.In(t)
		switch {
		case s == 0:
			words[i] = "off"
		case milder != 0 && milder != s:
			words[i] = s.String() + " or " + milder.String()
		default:
			words[i] = s.String()
		}
	}
	return words
}

// writeRule prints a rule's page in Markdown: what it reports, an example, and what the tool says of it.
func writeRule(ctx context.Context, w io.Writer, r *check.Rule) error {
	result, err := judge.Example(ctx, r)
	if err != nil {
		return fmt.Errorf("the example of %s: %w", r.ID, err)
	}
	page, s := r.Page(), severities(r)
	fmt.Fprintf(w, "## %s\n\n%s.\n\n%s\n\n", r.ID, upperFirst(page.Title), page.Doc)
	fmt.Fprintf(w, "Since %s. STRICT: %s, STANDARD: %s, LIGHT: %s, EXEMPT: %s.\n", r.Since, s[0], s[1], s[2], s[3])
	e := page.Example
	if e.Policy != "" {
		fence(w, "The policy, `.acta.yaml`:", e.Policy)
	}
	if e.Plan != nil {
		var items strings.Builder
		for _, i := range e.Plan {
			fmt.Fprintf(&items, "%s\n", i.Text)
		}
		fence(w, "The registered checklist of T01:", items.String())
	}
	if e.Claims != nil {
		var claims strings.Builder
		for _, unit := range slices.Sorted(maps.Keys(e.Claims)) {
			fmt.Fprintf(&claims, "%s by %s\n", unit, e.Claims[unit])
		}
		fence(w, "Leased in the repository:", claims.String())
	}
	if e.Runs != nil {
		var runs strings.Builder
		for _, r := range e.Runs {
			fmt.Fprintf(&runs, "%s, exit code %d\n", r.Command, *r.Exit)
		}
		fence(w, "Recorded in the session:", runs.String())
	}
	for _, path := range slices.Sorted(maps.Keys(e.Base)) {
		fence(w, "Before the commit, `"+path+"`:", e.Base[path])
	}
	first := e.Commits[0]
	for _, path := range slices.Sorted(maps.Keys(first.Files)) {
		fence(w, "In the commit, `"+path+"`:", first.Files[path])
	}
	for _, kind := range slices.Sorted(maps.Keys(e.Reports)) {
		option := strings.ReplaceAll(kind, "_", "-")
		fence(w, "The report that `--"+option+"` names:", strings.TrimSuffix(e.Reports[kind], "\n")+"\n")
	}
	fence(w, "The message:", first.Message)
	for _, step := range e.Commits[1:] {
		for _, path := range slices.Sorted(maps.Keys(step.Files)) {
			fence(w, "In a later commit, `"+path+"`:", step.Files[path])
		}
		fence(w, "Its message:", step.Message)
	}
	var text strings.Builder
	if err := diag.WriteText(&text, &result.Report); err != nil {
		return err
	}
	fence(w, "What acta says:", text.String())
	return nil
}

func fence(w io.Writer, title, text string) {
	fmt.Fprintf(w, "\n%s\n\n```\n%s```\n", title, text)
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
