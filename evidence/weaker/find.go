package weaker

import (
	"bytes"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/syntax"
)

// file is one side of a changed file with its tests. The tree and the tokens are dropped once the tests are found.
type file struct {
	*evidence.Outline
	framework framework
	root      *block
	source    *source
	hasErrors bool
	groups    []group
	guards    []guardedSpan

	doubles     []double
	modules     map[string]string // of imported names
	importWords map[string]bool   // of the imports, and of the file's name
	hidingLines [][]int           // places of lines that may hide functions from the runner
	fileSkip    skip              // skips all its tests
	units       []*unit
	// helpers are functions with assertions that are not tests, by name.
	helpers map[string]*unit
}

type definition = evidence.OutlineDefinition

// group contains tests: a class, or, with a title, a call: describe("…", () => {…}).
type group struct {
	title, header string
	start, end    int
}

func (g group) contains(start, end int) bool { return g.start <= start && end <= g.end }

// unit is a test, or a function with assertions in a file of tests.
type unit struct {
	file          *file
	symbol        string
	name          string
	isTest        bool
	isTitled      bool // its name is a title
	start, end    int
	header        string // from its decorators to its body, and calls on it
	body          *block // nil once the unit is read
	yields        bool   // calling a generator runs nothing
	bodyStart     int
	skip          skip
	assertions    []*assertion
	rows          []string // the cases of its tables
	hasEmptyTable bool
	hasLoop       bool
	tables        []string // the heads of its loops, and what its cases are taken from
	words         map[string]int
	mentions      map[string]bool // identifiers and literals
	reachable     map[string]bool // mentions, and those of functions of the file that it calls
}

// openFile reads a file of a tree; nil if it cannot be read. The result is shared.
func openFile(ctx context.Context, tree *evidence.Tree, name string) (*file, error) {
	if tree == nil {
		return nil, nil
	}
	read, err := tree.Reading(ctx, name, "tests", func(o *evidence.Outline) any { return fileOf(o) })
	f, _ := read.(*file)
	return f, err
}

// clone returns a copy with its own units, which may be changed.
func (f *file) clone() *file {
	copy := *f
	copy.units = slices.Clone(f.units)
	for i, u := range f.units {
		unit := *u
		unit.file = &copy
		copy.units[i] = &unit
	}
	return &copy
}

func fileOf(o *evidence.Outline) *file {
	outline := *o // titles are added to its definitions
	outline.Definitions = slices.Clone(o.Definitions)
	f := &file{Outline: &outline, framework: frameworks()[o.Language],
		helpers: map[string]*unit{}}
	f.modules, f.importWords = f.readModules(), f.readImportWords()
	f.root, f.source = parse(o)
	for _, d := range f.Definitions {
		if d.IsClass {
			f.groups = append(f.groups, group{"", f.headOf(d), d.Outer, d.End})
		}
	}
	f.findGroups(f.root)
	f.findConditionalCode()
	f.hidingLines = f.framework.pattern("hides").FindAllIndex(f.Source)
	f.findUnits()
	f.hasErrors = o.Tree.Root().HasError()
	f.findDoubles()
	outline.Tree, f.source, f.root = nil, nil, nil
	return f
}

// isContainer reports whether a block may contain groups: that of a class or module, or one at the top of the file.
func (f *file) isContainer(at int) bool {
	for i := len(f.Definitions) - 1; i >= 0; i-- {
		if d := f.Definitions[i]; d.Outer <= at && at < d.End {
			return d.IsClass
		}
	}
	return true
}

func (f *file) findUnits() {
	if f.framework == nil {
		return
	}
	for i, d := range f.Definitions {
		holds := func(o evidence.OutlineDefinition) bool { return o.IsTitled && d.Outer < o.Outer && o.End <= d.End }
		if d.IsClass || f.isReplaced(d) || d.IsTitled && slices.ContainsFunc(f.Definitions[i+1:], holds) { // a group
			continue
		}
		u := f.unit(d)
		u.isTest = f.framework.collects(f, i, u)
		if !u.isTest && (f.unitAt(d.Outer) != nil || d.IsTitled) {
			continue
		}
		f.units = append(f.units, u)
	}
	f.fileSkip.scan(f.outside(), f.framework.pattern("fileskips"), f.framework.pattern("fileguards"))
	for _, tests := range []bool{false, true} { // helpers first: calls of them count as assertions
		for _, u := range f.units {
			if u.isTest != tests {
				continue
			}
			u.skip = f.skipOf(u)
			u.read()
			if !u.isTest && len(u.assertions) > 0 {
				f.helpers[u.name] = u
			}
		}
	}
	for _, u := range f.units {
		u.body, u.reachable = nil, u.mentions
		for _, helper := range f.units {
			if !helper.isTest && u.isTest && u.mentions[helper.name] {
				u.reachable = maps.Clone(u.reachable)
				maps.Copy(u.reachable, helper.mentions)
			}
		}
	}
}

func (f *file) outside() string {
	var b strings.Builder
	at := 0
	for _, u := range f.units {
		if u.isTest && u.start >= at {
			b.Write(f.Source[at:u.start])
			at = u.end
		}
	}
	b.Write(f.Source[at:])
	return b.String()
}

func (f *file) unit(d evidence.OutlineDefinition) *unit {
	u := &unit{file: f, name: d.Name, isTitled: d.IsTitled, symbol: d.Symbol, start: f.commentAbove(d.Outer), end: d.End}
	u.body = f.bodyOf(d)
	head := d.End
	if u.body != nil {
		head = u.body.start
	}
	u.bodyStart = max(head, u.start)
	u.header = string(f.Source[u.start:u.bodyStart])
	if u.isHook() || d.IsTitled {
		for _, g := range slices.Backward(f.groups) {
			if g.title != "" && g.contains(d.Outer, d.End) && g.start < d.Outer {
				u.symbol = g.title + " > " + u.symbol
			}
		}
	}
	if d.IsTitled {
		u.header += string(f.Source[d.End:f.lineEnd(d.End)])
	}
	return u
}

func (f *file) commentAbove(at int) int {
	above := bytes.TrimRight(f.Source[:at], " \t\r\n")
	if f.Language != "php" || !bytes.HasSuffix(above, []byte("*/")) {
		return at
	}
	if begin := bytes.LastIndex(above, []byte("/*")); begin >= 0 {
		return begin
	}
	return at
}

// bodyOf returns the widest block in a definition's body, or a block of its expression; nil if there is none.
func (f *file) bodyOf(d definition) *block {
	var widest *block
	for _, b := range f.source.blocks {
		if b.start >= max(d.Body-len("do "), d.Start) && b.end <= d.End &&
			(widest == nil || b.end-b.start > widest.end-widest.start) {
			widest = b
		}
	}
	if widest != nil || !d.IsTitled && d.Body < 0 {
		return widest
	}
	from := max(d.Body, d.Start)
	for n := range f.Tree.NodesAt(from) {
		if n.Start() >= from && n.End() <= d.End {
			return f.source.blockOf(n.Start(), n.End(), []*syntax.Node{n})
		}
	}
	return nil
}

func (c framework) collects(f *file, i int, u *unit) bool {
	d := f.Definitions[i]
	switch {
	case d.IsTitled:
		return c["titled"] != nil || c.matches("headers", u.header)
	case c["paths"] != nil && !c.matches("paths", f.Path), c.matches("elsewhere", f.Path), c.matches("hidden", u.header),
		f.isHidden(d):
		return false
	case c.matches("headers", u.header):
		return d.Parent < 0 || f.Language != "csharp" || !strings.Contains(u.header, "TestMethod") ||
			fits("of test class", f.headOf(f.Definitions[d.Parent]))
	case !c.matches("names", d.Name):
		return false
	case f.Language == "go":
		return c.matches("takes", u.header)
	case d.Parent < 0:
		return f.Language == "python"
	}
	owner := f.Definitions[d.Parent]
	return owner.IsClass && (c["owners"] == nil || c.matches("owners", f.headOf(owner)))
}

func (f *file) headOf(d definition) string {
	if d.Body < 0 {
		head, _, _ := strings.Cut(string(f.Source[d.Outer:d.End]), "{")
		return head
	}
	return string(f.Source[d.Outer:max(d.Outer, d.Body)])
}

func (f *file) line(at int) int {
	return 1 + bytes.Count(f.Source[:min(at, len(f.Source))], []byte{'\n'})
}

func (f *file) lineEnd(at int) int {
	if i := bytes.IndexByte(f.Source[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(f.Source)
}

// place returns the place of a range, with at most maxShown lines of it.
func (f *file) place(start, end int) Place {
	p := placeFrom(f.Path, f.Source[:end], start)
	p.EndLine = f.line(max(start, end-1))
	return p
}

const maxShown = 6

func baseName(name string) string {
	name = path.Base(name)
	return strings.TrimSuffix(name, path.Ext(name))
}

func titles(links []link) (all []string) {
	for _, l := range links {
		for _, e := range l.args {
			if e.shape == literal && strings.ContainsAny(e.text[:1], "\"'`@") {
				all = append(all, strings.Trim(e.text, "\"'`"))
			}
		}
	}
	return all
}

// titleOf returns the title of the group that calls make; ok is false if they make none.
func titleOf(links []link) (title string, ok bool) {
	at := slices.IndexFunc(links, func(l link) bool { return fits("group word", l.name) })
	if at < 0 || len(links[len(links)-1].args) == 0 {
		return "", false
	}
	if first := links[len(links)-1].args[0]; first.shape <= dot && isCapital(first.String()) {
		return first.String(), true
	}
	all := titles(links[at:])
	return strings.Join(all[:min(1, len(all))], ""), len(all) > 0
}

func (f *file) findGroups(b *block) {
	for _, s := range b.statements {
		var links []link
		if len(s.clauses) > 0 && len(s.clauses[0].head) > 0 {
			links = chain(s.clauses[0].head[0])
		}
		title, isGroup := titleOf(links)
		if isGroup {
			head, _, _ := bytes.Cut(f.Source[s.start:s.end], []byte{'\n'})
			f.groups = append(f.groups, group{title, string(head), s.start, s.end})
		}
		if len(links) > 0 && s.clauses[0].head[0].shape == call {
			f.define(s, links)
		}
		f.findGuards(s)
		for _, inner := range s.blocks {
			if isGroup || f.isContainer(inner.start) {
				f.findGroups(inner)
			}
		}
	}
}

// define adds the test or hook that calls make to the definitions, if the outline lacks it.
func (f *file) define(s *statement, links []link) {
	d := definition{Name: links[0].name, Outer: s.start, Start: s.start, End: s.end, Body: s.start, Parent: -1,
		IsTitled: f.framework.matches("titles", links[0].name)}
	if len(s.blocks) > 0 {
		d.Body = s.blocks[len(s.blocks)-1].start
	}
	switch all := titles(links); {
	case !d.IsTitled && f.framework.matches("hooks", d.Name):
	case !d.IsTitled, len(all) == 0, len(s.blocks) == 0, slices.ContainsFunc(f.Definitions, func(o definition) bool {
		return o.IsTitled && o.Outer == s.start
	}):
		return
	case f.Language == "ruby":
		d.Name = all[0]
	case len(links) > 1 && (links[1].name == "each" || links[1].name == "for"):
		d.Name = all[len(all)-1] // it follows the table
	default:
		return
	}
	d.Symbol = d.Name
	f.Definitions = append(f.Definitions, d)
}
