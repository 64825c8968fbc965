package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tables collects what was judged.
type tables struct {
	corpora []string
	claims  []judged
}

type judged struct {
	*claim
	corpus, commit string
}

func (t *tables) add(root, repository string, acts []*act) {
	name := filepath.Base(root)
	if name == "repo" || name == ".git" {
		name = filepath.Base(filepath.Dir(root))
	}
	at := ""
	if repository != "" {
		if id, err := git(repository, "rev-parse", "HEAD"); err == nil {
			at = " at " + id[:12]
		}
	}
	t.corpora = append(t.corpora, name+at)
	for _, a := range acts {
		for _, c := range a.claims {
			t.claims = append(t.claims, judged{c, name, a.change.id})
		}
	}
}

// count are claims by verdict.
type count struct{ n, verified, unclear, refused int }

func (c *count) add(verdict string) {
	c.n++
	switch verdict {
	case "verified":
		c.verified++
	case "unclear":
		c.unclear++
	case "not_verified":
		c.refused++
	}
}

func percent(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f%%", 100*float64(part)/float64(whole))
}

func (t *tables) count(keep func(judged) bool, key func(judged) string) (map[string]*count, []string) {
	counts := map[string]*count{}
	for _, c := range t.claims {
		if !keep(c) {
			continue
		}
		k := key(c)
		if counts[k] == nil {
			counts[k] = &count{}
		}
		counts[k].add(c.verdict)
	}
	keys := make([]string, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return counts, keys
}

var honestClasses = []string{wholeFunction, codeHunk, newFirstLine, oldFirstLine, commentHunk}

func isHonest(c judged) bool { return slices.Contains(honestClasses, c.class) }

// An aim is what docs/precision.md promises of a set of claims. Shares are of the whole, from 0 to 1; a negative one is none.
type aim struct {
	title   string
	of      func(judged) bool
	refused float64 // at most
	unclear float64 // at most
	caught  float64 // refused, at least
	seen    float64 // refused or unclear, at least
	passed  float64 // verified, at least
}

func classes(names ...string) func(judged) bool {
	return func(c judged) bool { return slices.Contains(names, c.class) }
}

// aims are those of the project: honest work is refused in at most 0.1% and unclear in at most 1% of its claims.
var aims = []aim{
	{title: "honest functions and hunks of code", of: classes(wholeFunction, codeHunk), refused: 0.001, unclear: 0.01, caught: -1, seen: -1, passed: -1},
	{title: "first lines of changed functions", of: classes(oldFirstLine), refused: -1, unclear: -1, caught: -1, seen: -1, passed: 0.95},
	{title: "hollow: nothing, says so, pretends", of: classes("nothing", "says", "pretends"), refused: -1, unclear: -1, caught: 0.99, seen: -1, passed: -1},
	{title: "hollow: calls itself, dead, skipped tests", of: classes("self", "dead", "skip"), refused: -1, unclear: -1, caught: -1, seen: 0.95, passed: -1},
}

// byLanguage is the least share of the plain hollow forms that each language refuses.
const byLanguage = 0.97

func (a aim) missedBy(c *count) bool {
	share := func(n int) float64 { return float64(n) / float64(max(c.n, 1)) }
	return a.refused >= 0 && share(c.refused) > a.refused || a.unclear >= 0 && share(c.unclear) > a.unclear ||
		a.caught >= 0 && share(c.refused) < a.caught || a.seen >= 0 && share(c.refused+c.unclear) < a.seen || a.passed >= 0 && share(c.verified) < a.passed
}

// print writes the tables in Markdown and tells whether a figure misses its aim.
func (t *tables) print(w io.Writer) (missed bool) {
	fmt.Fprintf(w, "%d claims over %s.\n", len(t.claims), strings.Join(t.corpora, ", "))
	t.table(w, "Honest claims", "claim", isHonest, func(c judged) string { return c.class })
	t.table(w, "Honest functions and hunks of code by language", "language", classes(wholeFunction, codeHunk), func(c judged) string { return c.language })
	hollow := func(c judged) bool { return !isHonest(c) }
	t.table(w, "Hollow claims by form", "form", hollow, func(c judged) string { return c.class + ": " + c.form })
	plainForms := classes("nothing", "says", "pretends")
	t.table(w, "Hollow claims (nothing, says so, pretends) by language", "language", plainForms, func(c judged) string { return c.language })
	fmt.Fprintf(w, "\n## Aims\n\n| figure | claims | refused | unclear | verified | aim |\n| --- | --- | --- | --- | --- | --- |\n")
	say := func(title string, c *count, bad bool) {
		held := "held"
		if bad {
			held, missed = "**missed**", true
		}
		fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %s |\n", title, c.n, percent(c.refused, c.n), percent(c.unclear, c.n), percent(c.verified, c.n), held)
	}
	for _, a := range aims {
		counts, _ := t.count(a.of, func(judged) string { return "" })
		if c := counts[""]; c != nil {
			say(a.title, c, a.missedBy(c))
		}
	}
	counts, languages := t.count(plainForms, func(c judged) string { return c.language })
	for _, l := range languages {
		c := counts[l]
		say("hollow in "+l, c, float64(c.refused) < byLanguage*float64(c.n))
	}
	return missed
}

func (t *tables) table(w io.Writer, title, first string, keep func(judged) bool, key func(judged) string) {
	counts, keys := t.count(keep, key)
	if len(keys) == 0 {
		return
	}
	fmt.Fprintf(w, "\n## %s\n\n| %s | claims | verified | unclear | refused |\n| --- | --- | --- | --- | --- |\n", title, first)
	var sum count
	for _, k := range keys {
		c := counts[k]
		fmt.Fprintf(w, "| %s | %d | %s | %s | %s |\n", k, c.n, percent(c.verified, c.n), percent(c.unclear, c.n), percent(c.refused, c.n))
		sum.n, sum.verified, sum.unclear, sum.refused = sum.n+c.n, sum.verified+c.verified, sum.unclear+c.unclear, sum.refused+c.refused
	}
	fmt.Fprintf(w, "| all | %d | %s | %s | %s |\n", sum.n, percent(sum.verified, sum.n), percent(sum.unclear, sum.n), percent(sum.refused, sum.n))
}

// writeMisses lists honest claims that were not verified and hollow ones that were not refused, for a person to read.
func (t *tables) writeMisses(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	lists := map[string][]judged{}
	for _, c := range t.claims {
		switch {
		case isHonest(c) && c.verdict == "not_verified":
			lists["honest-refused"] = append(lists["honest-refused"], c)
		case isHonest(c) && c.verdict == "unclear":
			lists["honest-unclear"] = append(lists["honest-unclear"], c)
		case !isHonest(c) && c.verdict != "not_verified":
			lists["hollow-"+c.verdict] = append(lists["hollow-"+c.verdict], c)
		}
	}
	for name, list := range lists {
		slices.SortStableFunc(list, func(a, b judged) int {
			return cmp.Or(cmp.Compare(a.language, b.language), cmp.Compare(a.class, b.class), cmp.Compare(a.form, b.form))
		})
		var text strings.Builder
		for _, c := range list {
			fmt.Fprintf(&text, "## %s %s/%s %s %s %s\n%s\n%s\n\n", c.language, c.class, c.form, c.corpus, c.commit, c.place, c.reason, c.text)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".txt"), []byte(text.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
