package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/snapshot"
)

// caught counts the changes of one language and form: those found without an excuse, those with one, all.
type caught struct{ found, noted, all int }

func (c caught) add(o caught) caught {
	return caught{c.found + o.found, c.noted + o.noted, c.all + o.all}
}

// recall counts what is found of the changes that are made, by language and form.
type recall struct{ counts map[string]map[string]caught }

func newRecall() *recall { return &recall{map[string]map[string]caught{}} }

func (r *recall) add(o *recall) {
	for language, forms := range o.counts {
		for form, c := range forms {
			r.count(language, form, c)
		}
	}
}

func (r *recall) count(language, form string, c caught) {
	if r.counts[language] == nil {
		r.counts[language] = map[string]caught{}
	}
	r.counts[language][form] = r.counts[language][form].add(c)
}

// maxSource is the largest file that is changed, in bytes.
const maxSource = 200_000

// perFile is how many tests of a file are changed in one form at most, so that many files are.
const perFile = 3

// mutant is one change of one test, or of its file.
type mutant struct {
	form, path    string
	before, after []byte
	line          int
	// renamed is what the file is called then; whole: what it names of the tree is read as well.
	renamed string
	whole   bool
}

// measure changes tests of the newest commit of a repository.
func (r *recall) measure(ctx context.Context, dir string, s *options, misses *list) error {
	all, err := readDialects()
	if err != nil {
		return err
	}
	git, paths, err := open(ctx, dir)
	if err != nil {
		return err
	}
	defer git.Close()
	done := map[string]int{}
	for _, name := range paths {
		d := dialectOf(all, name, s.languages)
		if d == nil && !weaker.IsSnapshot(name) {
			continue
		}
		src, err := snapshot.File(ctx, git.newest, name)
		if err != nil {
			return err
		}
		if src == nil || len(src) > maxSource {
			continue
		}
		mutants, language := snapshotMutants(name, src), mainLanguage(paths)
		if d != nil {
			language = d.name
			if mutants, err = d.mutants(ctx, git, name, src); err != nil {
				return err
			}
		}
		here := map[string]int{}
		for _, m := range mutants {
			key := language + m.form
			if done[key] == s.mutants || here[m.form] == perFile {
				continue
			}
			done[key]++
			here[m.form]++
			place := fmt.Sprintf("%s:%s:%d\t%s", nameOf(dir), m.path, m.line, firstDifference(m))
			if err := r.judge(ctx, language, m.form, place, misses, git.changed(m)); err != nil {
				return err
			}
		}
	}
	return nil
}

// changed is the change that a mutant is: of a tree of one file, where nothing else matters.
func (r *reader) changed(m mutant) weaker.Change {
	if m.whole {
		after := r.with(map[string][]byte{m.path: m.after})
		return weaker.Change{Before: &r.newest, After: after, Paths: []string{m.path}}
	}
	after := m.path
	if m.renamed != "" {
		after = m.renamed
	}
	return weaker.Change{Before: r.single(m.path, m.before), After: r.single(after, m.after),
		Paths: slices.Compact([]string{m.path, after})}
}

// judge counts one change.
func (r *recall) judge(ctx context.Context, language, form, place string, misses *list, change weaker.Change) error {
	account, err := weaker.Compare(ctx, change)
	if err != nil {
		return err
	}
	c, excuse := caught{all: 1}, ""
	for i, w := range account.Weakenings {
		switch {
		case w.Excuse == "":
			c.found, c.noted = 1, 0
		case i == 0:
			c.noted, excuse = 1, w.Message+"\t"+w.Excuse
		}
	}
	r.count(language, form, c)
	if c.found > 0 {
		return nil
	}
	return misses.add("%s\t%s\t%s\t%s", language, form, place, excuse)
}

// firstDifference is the first line of the later side that the earlier one has not.
func firstDifference(m mutant) string {
	b, a := strings.Split(string(m.before), "\n"), strings.Split(string(m.after), "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			was := ""
			if i < len(b) {
				was = strings.TrimSpace(b[i])
			}
			return was + "\t" + strings.TrimSpace(a[i])
		}
	}
	return ""
}

// single is a tree of one file, with the manifests of packages that stand in the newest commit: they tell the runner.
func (r *reader) single(name string, src []byte) *evidence.Tree {
	tree := r.with(map[string][]byte{name: src})
	tree.Files = alone{tree.Files, name}
	return tree
}

type alone struct {
	evidence.Files
	name string
}

func (a alone) Stat(ctx context.Context, at string) (evidence.Entry, error) {
	if at != a.name && path.Base(at) != "package.json" {
		return evidence.Entry{}, nil
	}
	return a.Files.Stat(ctx, at)
}

func (a alone) Paths(context.Context) ([]string, error) { return []string{a.name}, nil }

func dialectOf(all []dialect, name, only string) *dialect {
	language := languageOf(name)
	i := slices.IndexFunc(all, func(d dialect) bool {
		return d.name == language && d.path.MatchString(name) &&
			(only == "" || slices.Contains(strings.Split(only, ","), language))
	})
	if i < 0 {
		return nil
	}
	return &all[i]
}

// mutants are all changes of the tests of a source, the first assertion of each test changed in every form that
// fits it.
func (d *dialect) mutants(ctx context.Context, git *reader, name string, src []byte) (all []mutant, err error) {
	o, err := git.single(name, src).Outline(ctx, name)
	if o == nil || err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(slices.Clone(o.Definitions), func(def evidence.OutlineDefinition) bool {
		return def.IsClass || def.Body < 0 || def.IsTitled && !d.titled || !d.test.Match(src[def.Outer:def.Body])
	})
	for _, def := range found {
		at, end := d.firstAssertion(src, def)
		if at < 0 {
			continue
		}
		put := func(form string, from, to int, text string) {
			if string(src[from:to]) == text {
				return
			}
			all = append(all, mutant{form: form, path: name, before: src, line: 1 + bytes.Count(src[:from], []byte{'\n'}),
				after: slices.Concat(src[:from], []byte(text), src[to:])})
		}
		put(formRemoved, def.Outer, def.End, "")
		put(formDropped, at, end, "")
		if double, ok := d.importedDouble(src, def, string(src[at:end])); ok {
			all = append(all, mutant{form: formDouble, path: name, before: src, after: double, whole: true})
		}
		for _, c := range d.changes {
			from, to := at, end
			switch c.of {
			case "header":
				from, to = def.Outer, def.Body
			case "first":
				from = bytes.LastIndexByte(src[:d.firstStatement(src, def)], '\n') + 1
				indent := src[from : from+len(src[from:])-len(bytes.TrimLeft(src[from:], " \t"))]
				put(c.form, from, from, string(indent)+c.by[0].to+"\n")
				continue
			case "line":
			default:
				continue
			}
			// Where a test has no siblings, nothing is lost by a focus on it.
			if text, ok := apply(c.by, string(src[from:to])); ok && (c.form != formFocused || len(found) > 1) {
				put(c.form, from, to, text)
			}
		}
	}
	if len(all) > 0 {
		all = append(all, d.ofFile(name, src)...)
	}
	return all, nil
}

// ofFile are the changes of a whole file, or of its name.
func (d *dialect) ofFile(name string, src []byte) (all []mutant) {
	for _, c := range d.changes {
		m := mutant{form: c.form, path: name, before: src, after: src, line: 1}
		ok := false
		switch c.of {
		case "name":
			m.renamed, ok = apply(c.by, name)
		case "file":
			var after string
			after, ok = apply(c.by, string(src))
			m.after = []byte(after)
			ok = ok && after != string(src)
		}
		if ok {
			all = append(all, m)
		}
	}
	return all
}

// firstAssertion finds the first line of a test that is one whole assertion; -1 without one.
func (d *dialect) firstAssertion(src []byte, def evidence.OutlineDefinition) (start, end int) {
	for at := def.Body; at < def.End; {
		line := src[at:def.End]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		if d.assertion.Match(line) && at > def.Body && balanced(line) && !constant.Match(line) &&
			!continues(src[def.Body:at]) {
			return at, at + len(line)
		}
		at += len(line) + 1
	}
	return -1, -1
}

// constant is an assertion that holds whatever the code does: nothing is lost where it goes.
var constant = regexp.MustCompile(`(?i)^\s*(?:[\w.]+\.)?(?:assert|ok|is_?true|assert_?true|true|expect)!?[ (]\s*` +
	`(?:[\w.]+,\s*)?(?:true|1)\s*[,)]|^\s*assert True\b`)

// continues reports whether what stands before a line goes on in it: var e =.
func continues(before []byte) bool {
	before = bytes.TrimRight(before, " \t\r\n")
	return len(before) > 0 && bytes.IndexByte([]byte("=+-*/(,.&|?:["), before[len(before)-1]) >= 0 &&
		!bytes.HasSuffix(before, []byte("*/")) && (before[len(before)-1] != ':' || !bytes.HasSuffix(before, []byte("):")))
}

func balanced(line []byte) bool {
	depth := 0
	for _, b := range line {
		switch b {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

// firstStatement is where the first line of the body begins that says something.
func (d *dialect) firstStatement(src []byte, def evidence.OutlineDefinition) int {
	at := def.Body
	if i := bytes.IndexByte(src[at:def.End], '\n'); i >= 0 && (d.name != "python" || src[at] != ' ' &&
		src[at] != '\n') && d.name != "python" {
		at += i + 1
	}
	for at < def.End && (src[at] == ' ' || src[at] == '\t' || src[at] == '\n' || src[at] == '\r') {
		at++
	}
	return at
}

// table is a line for each language, a column for each form.
func (r *recall) table() string {
	forms := map[string]bool{}
	for _, of := range r.counts {
		for form := range of {
			forms[form] = true
		}
	}
	order := slices.SortedFunc(maps.Keys(forms), func(a, b string) int {
		var x, y int
		_, _ = fmt.Sscan(a, &x)
		_, _ = fmt.Sscan(b, &y)
		return 100*(x-y) + strings.Compare(a, b)
	})
	var b strings.Builder
	b.WriteString("| | " + strings.Join(order, " | ") + " |\n|" + strings.Repeat(" --- |", len(order)+1) + "\n")
	for _, language := range slices.Sorted(maps.Keys(r.counts)) {
		b.WriteString("| " + language)
		for _, form := range order {
			c := r.counts[language][form]
			if c.all == 0 {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(&b, " | %.0f%% of %d", 100*float64(c.found)/float64(c.all), c.all)
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

// byForm is a line for each form, a column for each language, with how many are found of how many.
func (r *recall) byForm() string {
	languages := slices.Sorted(maps.Keys(r.counts))
	rows := map[string]map[string]caught{}
	for _, language := range languages {
		for form, c := range r.counts[language] {
			for _, row := range []string{form, "all"} {
				if rows[row] == nil {
					rows[row] = map[string]caught{}
				}
				rows[row][language] = rows[row][language].add(c)
				rows[row]["all"] = rows[row]["all"].add(c)
			}
		}
	}
	var b strings.Builder
	languages = append(languages, "all")
	b.WriteString("| form | " + strings.Join(languages, " | ") + " |\n|")
	b.WriteString(strings.Repeat(" --- |", len(languages)+1) + "\n")
	order := slices.DeleteFunc(slices.Sorted(maps.Keys(rows)), func(row string) bool { return row == "all" })
	for _, row := range append(order, "all") {
		b.WriteString("| " + strings.ReplaceAll(row, "|", "&#124;"))
		for _, language := range languages {
			c := rows[row][language]
			switch {
			case c.all == 0:
				b.WriteString(" |")
				continue
			case row == "all":
				fmt.Fprintf(&b, " | %.0f%% of %d", 100*float64(c.found)/float64(c.all), c.all)
			default:
				fmt.Fprintf(&b, " | %d of %d", c.found, c.all)
			}
			if c.noted > 0 {
				fmt.Fprintf(&b, ", %d noted", c.noted)
			}
		}
		b.WriteString(" |\n")
	}
	return b.String()
}
