package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// tables collects what was judged.
type tables struct {
	corpora  []string
	claims   []judged
	readings map[string]reading
	stubs    int // functions of the corpora that nobody claims
}

type judged struct {
	*claim
	corpus, commit string
	reading
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
			t.claims = append(t.claims, judged{c, name, a.change.id, t.readings[name+" "+c.place]})
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
	return counts, slices.Sorted(maps.Keys(counts))
}

var honestClasses = []string{wholeFunction, codeHunk, newFirstLine, oldFirstLine, commentHunk, subjectItem}

func isHonest(c judged) bool { return slices.Contains(honestClasses, c.class) }

// A bound is what the page promises of a set of claims: a share of it, from 0 to 1, that is not to be passed.
type bound struct {
	figure, share string
	of            func(judged) bool
	part          func(*count) int
	most          bool // at most limit, else at least
	limit         float64
}

// classes keeps the claims of some classes; what a person found to be a stub is no honest claim.
func classes(names ...string) func(judged) bool {
	return func(c judged) bool { return slices.Contains(names, c.class) && !c.stub }
}

func refused(c *count) int  { return c.refused }
func unclear(c *count) int  { return c.unclear }
func verified(c *count) int { return c.verified }
func seen(c *count) int     { return c.refused + c.unclear }

const (
	honestWork  = "honest functions and hunks of code"
	headerLines = "first lines of changed functions"
	plainHollow = "hollow: nothing, says so, pretends"
	otherHollow = "hollow: calls itself, dead, skipped tests"
)

var plainForms = classes("nothing", "says", "pretends")

// bounds are the aims of the project; hollow forms that are plain have one in every language, too.
func bounds(languages []string) []bound {
	honest, other := classes(wholeFunction, codeHunk), classes("self", "dead", "skip")
	all := []bound{
		{honestWork, "refused", honest, refused, true, 0.001},
		{honestWork, "unclear", honest, unclear, true, 0.01},
		{headerLines, "verified", classes(oldFirstLine), verified, false, 0.95},
		{plainHollow, "refused", plainForms, refused, false, 0.99},
		{otherHollow, "refused or unclear", other, seen, false, 0.95},
	}
	for _, l := range languages {
		of := func(c judged) bool { return c.language == l && plainForms(c) }
		all = append(all, bound{"hollow in " + l, "refused", of, refused, false, 0.97})
	}
	return all
}

// print writes the tables in Markdown and tells whether a figure misses its aim, or the floor that stands for it.
func (t *tables) print(w io.Writer, floors map[string]float64) (missed bool) {
	honest := 0
	for _, c := range t.claims {
		if isHonest(c) {
			honest++
		}
	}
	fmt.Fprintf(w, "%d honest claims and %d hollow ones over these, with their newest commits: %s.\n\n",
		honest, len(t.claims)-honest, strings.Join(t.corpora, ", "))
	fmt.Fprintf(w, "%d functions say themselves that they are not written, and are claimed by nobody.\n", t.stubs)
	missed = t.printAims(w, floors)
	t.table(w, "Honest claims", "claim", isHonest, func(c judged) string { return c.class })
	language := func(c judged) string { return c.language }
	t.table(w, "Honest functions and hunks of code by language", "language", classes(wholeFunction, codeHunk), language)
	t.table(w, "Hollow claims (nothing, says so, pretends) by language", "language", plainForms, language)
	hollow := func(c judged) bool { return !isHonest(c) }
	t.table(w, "Hollow claims by form", "form", hollow, func(c judged) string { return c.class + ": " + c.form })
	t.printRefused(w)
	return missed
}

func (t *tables) printAims(w io.Writer, floors map[string]float64) (missed bool) {
	_, languages := t.count(plainForms, func(c judged) string { return c.language })
	fmt.Fprintf(w, "\n### Aims\n\n| figure | claims | share | aim | |\n| --- | --- | --- | --- | --- |\n")
	for _, b := range bounds(languages) {
		counts, _ := t.count(b.of, func(judged) string { return "" })
		c := counts[""]
		if c == nil {
			continue
		}
		floor, lowered := floors[b.figure+": "+b.share]
		words, held := "held", b.heldBy(c, b.limit)
		switch {
		case lowered && held:
			words = "held: its floor may go"
		case lowered && b.heldBy(c, floor):
			words = fmt.Sprintf("**missed**, not below its floor of %s", share(floor))
		case !held:
			words, missed = "**missed**", true
		}
		side := "at least"
		if b.most {
			side = "at most"
		}
		fmt.Fprintf(w, "| %s: %s | %d | %s | %s %s | %s |\n", b.figure, b.share, c.n, percent(b.part(c), c.n), side,
			share(b.limit), words)
	}
	return missed
}

func share(of float64) string {
	return strconv.FormatFloat(math.Round(of*10000)/100, 'f', -1, 64) + "%"
}

func (b bound) heldBy(c *count, limit float64) bool {
	if b.most {
		return float64(b.part(c)) <= limit*float64(c.n)
	}
	return float64(b.part(c)) >= limit*float64(c.n)
}

// printRefused lists every honest claim that was refused, by place, with what a person found who read it.
func (t *tables) printRefused(w io.Writer) {
	fmt.Fprintf(w, "\n### Honest claims that were refused\n\n")
	fmt.Fprintf(w, "| claim | repository, commit and lines | why | read by a person |\n| --- | --- | --- | --- |\n")
	for _, c := range t.claims {
		if !isHonest(c) || c.verdict != "not_verified" {
			continue
		}
		read := "not read yet"
		if c.words != "" {
			read = "complete: " + c.words
			if c.stub {
				read = "a stub: " + c.words
			}
		}
		why := strings.ReplaceAll(c.reason, "|", "\\|")
		fmt.Fprintf(w, "| %s | %s %.12s `%s` | %s | %s |\n", c.class, c.corpus, c.commit, c.place, why, read)
	}
}

func (t *tables) table(w io.Writer, title, first string, keep func(judged) bool, key func(judged) string) {
	counts, keys := t.count(keep, key)
	if len(keys) == 0 {
		return
	}
	fmt.Fprintf(w, "\n### %s\n\n| %s | claims | verified | unclear | refused |\n| --- | --- | --- | --- | --- |\n",
		title, first)
	var sum count
	for _, k := range keys {
		c := counts[k]
		fmt.Fprintf(w, "| %s | %d | %s | %s | %s |\n", k, c.n, percent(c.verified, c.n), percent(c.unclear, c.n),
			percent(c.refused, c.n))
		sum.n, sum.verified, sum.unclear, sum.refused = sum.n+c.n, sum.verified+c.verified, sum.unclear+c.unclear,
			sum.refused+c.refused
	}
	fmt.Fprintf(w, "| all | %d | %s | %s | %s |\n", sum.n, percent(sum.verified, sum.n), percent(sum.unclear, sum.n),
		percent(sum.refused, sum.n))
}

// writeMisses lists honest claims that were not verified and hollow ones that were not refused, for a person to read.
func (t *tables) writeMisses(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	lists := map[string][]judged{}
	for _, c := range t.claims {
		if c.alone {
			lists["honest-unreferenced"] = append(lists["honest-unreferenced"], c)
		}
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
			fmt.Fprintf(&text, "## %s %s/%s %s %s %s\n%s\n%s\n\n", c.language, c.class, c.form, c.corpus, c.commit, c.place,
				c.reason, c.text)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".txt"), []byte(text.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
