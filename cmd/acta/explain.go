package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/rules"
)

func (c command) runExplain(call *cli.Context) error {
	id, format := call.Args().First(), call.String("format")
	rules := rules.Rules()
	switch {
	case id == "" && format == "markdown":
		writeRules(c.Stdout, rules)
		return nil
	case id == "":
		for _, r := range rules {
			c.Stdout.Printf("%-40s %s\n", r.ID, r.Page().Title)
		}
		return nil
	}
	var known []string
	for _, r := range rules {
		if r.ID == id {
			writeRule(c.Stdout, r)
			return nil
		}
		known = append(known, r.ID)
	}
	return usagef("there is no rule %q; `acta explain` lists them%s", id, policy.DidYouMean(id, known))
}

func writeRules(w io.Writer, rules []*rules.Rule) {
	fmt.Fprint(w, "# Rules\n\nEvery rule that Acta reports: what it means, what to do, how severe it is in each tier\n"+
		"([policy.md](policy.md)), and an example: a commit message and the finding. `acta explain RULE` prints the\n"+
		"whole example. `acta explain --format markdown` prints this page.\n\n")
	for _, r := range rules {
		fmt.Fprintf(w, "[%s](#%s)\n", r.ID, r.ID)
	}
	for _, r := range rules {
		page := r.Page()
		fmt.Fprintf(w, "\n## %s\n\n%s. %s\n\n%s.\n\n", r.ID, upperFirst(page.Title), page.Doc, upperFirst(tiersOf(r)))
		fmt.Fprintf(w, "```\n%s```\n", shortExample(r.ID, page.Example))
	}
}

// tiersOf lists a rule's severities in a line: «error in STRICT, warning in STANDARD and LIGHT».
func tiersOf(r *rules.Rule) string {
	var all []string
	words := severities(r)
	for i, severity := range words {
		if severity == "off" || slices.Contains(words[:i], severity) {
			continue
		}
		var names []string
		for k, other := range words {
			if other == severity {
				names = append(names, policy.Tiers[k].String())
			}
		}
		last := len(names) - 1
		list := strings.TrimPrefix(strings.Join(names[:last], ", ")+" and "+names[last], " and ")
		all = append(all, severity+" in "+list)
	}
	return strings.Join(all, ", ")
}

// shortExample returns the messages of an example, and the finding of the rule with its hint.
func shortExample(id string, example []txtar.File) string {
	var messages, finding strings.Builder
	for _, f := range example {
		switch f.Name {
		case "message":
			messages.WriteString(strings.TrimRight(string(f.Data), "\n") + "\n\n")
		case "said":
			within := false
			for line := range strings.Lines(string(f.Data)) {
				if !strings.HasPrefix(line, " ") {
					within = finding.Len() == 0 && strings.Contains(line, "["+id+"]")
				}
				if within && !strings.HasPrefix(line, "    (") { // that line repeats task and item
					finding.WriteString(line)
				}
			}
		}
	}
	return messages.String() + finding.String()
}

func severities(r *rules.Rule) (words [4]string) {
	for i, t := range policy.Tiers {
		s, milder := r.Severity.In(t), r.MilderSeverity.In(t)
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

func writeRule(w io.Writer, r *rules.Rule) {
	page, s := r.Page(), severities(r)
	fmt.Fprintf(w, "## %s\n\n%s.\n\n%s\n\n", r.ID, upperFirst(page.Title), page.Doc)
	fmt.Fprintf(w, "Since %s. STRICT: %s, STANDARD: %s, LIGHT: %s, EXEMPT: %s.\n", r.Since, s[0], s[1], s[2], s[3])
	later := false
	for _, f := range page.Example {
		kind, of, _ := strings.Cut(f.Name, " ")
		if title := sections[kind]; later && title.later != "" {
			fmt.Fprintf(w, "\n"+title.later+"\n\n```\n%[2]s```\n", of, f.Data)
		} else {
			fmt.Fprintf(w, "\n"+title.first+"\n\n```\n%[2]s```\n", of, f.Data)
		}
		later = later || kind == "message"
	}
}

// sections are the headings of an example's parts; later is for those of a following commit.
var sections = map[string]struct{ first, later string }{
	"policy":  {first: "The policy, `.acta.yaml`:"},
	"plan":    {first: "The registered checklist of T01:"},
	"leases":  {first: "Leased in the repository:"},
	"runs":    {first: "Recorded in the session:"},
	"before":  {first: "Before the commit, `%[1]s`:"},
	"commit":  {"In the commit, `%[1]s`:", "In a later commit, `%[1]s`:"},
	"report":  {first: "The report that `--%[1]s` names:"},
	"message": {"The message:", "Its message:"},
	"said":    {first: "What acta says:"},
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
