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

// file is one side of a changed file, with its tests. What only finds them is let go once they are found: the tree, and
// the tokens outside of them.
type file struct {
	*evidence.Outline
	by     framework
	root   *block
	source *source
	// broken: not all of the file could be read.
	broken bool
	groups []group
	guards []guarded
	// doubles are what the file puts doubles in the place of.
	doubles []double
	imports *imports
	hiding  [][]int // where lines stand that may hide functions from the runner
	whole   skip    // what keeps all of its tests from running
	units   []*unit
	// asserting are the functions of the file that are no tests and hold assertions, by name.
	asserting map[string]*unit
}

type defined = evidence.OutlinedDefinition

// group is what holds tests: a class, or, with a title, a call: describe("…", () => {…}).
type group struct {
	title, header string
	start, end    int
}

// around reports whether a group holds what stands between two bytes.
func (g group) around(start, end int) bool { return g.start <= start && end <= g.end }

// unit is a test, or a function of a test's file that asserts.
type unit struct {
	file       *file
	symbol     string
	name       string
	test       bool
	titled     bool // its name is a title
	start, end int
	header     string // from its decorators to its body, and what is called on it
	body       *block // nil once the unit is read
	gives      bool   // it gives something out, which makes calls of it do nothing
	inner      int    // where its body begins
	skip       skip
	assertions []*assertion
	rows       []string // the cases of its tables
	bare       bool     // a table of it has no cases
	loops      bool
	words      map[string]int
	names      map[string]bool // what it calls and mentions, literals too
	reached    map[string]bool // names, and those of the functions of the file that it calls
}

// open reads a file of a tree; nil where it cannot be read. Others may be reading what is returned.
func open(ctx context.Context, tree *evidence.Tree, name string) (*file, error) {
	if tree == nil {
		return nil, nil
	}
	read, err := tree.Reading(ctx, name, func(o *evidence.Outline) any { return fileOf(o) })
	f, _ := read.(*file)
	return f, err
}

// clone is the file with units of its own, which may be changed.
func (f *file) clone() *file {
	own := *f
	own.units = slices.Clone(f.units)
	for i, u := range f.units {
		unit := *u
		unit.file = &own
		own.units[i] = &unit
	}
	return &own
}

// fileOf finds the tests of a file.
func fileOf(o *evidence.Outline) *file {
	own := *o // which gets titles as definitions
	own.Definitions = slices.Clone(o.Definitions)
	f := &file{Outline: &own, by: frameworks()[o.Language],
		asserting: map[string]*unit{}, imports: &imports{}}
	f.root, f.source = lower(o)
	for _, d := range f.Definitions {
		if d.Class {
			f.groups = append(f.groups, group{"", f.headOf(d), d.Outer, d.End})
		}
	}
	f.findGroups(f.root)
	f.findLeftOut()
	if hides := f.by.of("hides"); hides.IsSet() {
		f.hiding = hides.FindAllIndex(f.Source)
	}
	f.findUnits()
	f.broken = o.Tree.Root().HasError()
	f.findDoubles()
	own.Tree, f.source, f.root = nil, nil, nil
	return f
}

// isContainer reports whether a block may hold groups: that of a class or module, or one at the top of the file.
func (f *file) isContainer(at int) bool {
	for i := len(f.Definitions) - 1; i >= 0; i-- {
		if d := f.Definitions[i]; d.Outer <= at && at < d.End {
			return d.Class
		}
	}
	return true
}

// findUnits finds the tests and the functions beside them.
func (f *file) findUnits() {
	if f.by == nil {
		return
	}
	for i, d := range f.Definitions {
		holds := func(o evidence.OutlinedDefinition) bool { return o.Titled && d.Outer < o.Outer && o.End <= d.End }
		if d.Class || f.isReplaced(d) || d.Titled && slices.ContainsFunc(f.Definitions[i+1:], holds) { // a group
			continue
		}
		u := f.unit(d)
		u.test = f.by.collects(f, i, u)
		if !u.test && (f.inUnit(d) || d.Titled) {
			continue
		}
		f.units = append(f.units, u)
	}
	f.whole.look(f.outside(), f.by.of("fileskips"), f.by.of("fileguards"))
	for _, tests := range []bool{false, true} { // what helpers assert tells what calls of them are
		for _, u := range f.units {
			if u.test != tests {
				continue
			}
			u.skip = f.skipOf(u)
			u.read()
			if !u.test && len(u.assertions) > 0 {
				f.asserting[u.name] = u
			}
		}
	}
	for _, u := range f.units {
		u.body, u.reached = nil, u.names
		for _, helper := range f.units {
			if !helper.test && u.test && u.names[helper.name] {
				u.reached = maps.Clone(u.reached)
				maps.Copy(u.reached, helper.names)
			}
		}
	}
}

// outside is what stands outside of tests.
func (f *file) outside() string {
	var b strings.Builder
	at := 0
	for _, u := range f.units {
		if u.test && u.start >= at {
			b.Write(f.Source[at:u.start])
			at = u.end
		}
	}
	b.Write(f.Source[at:])
	return b.String()
}

// inUnit reports whether a definition stands in a function that is a unit already.
func (f *file) inUnit(d evidence.OutlinedDefinition) bool {
	return slices.ContainsFunc(f.units, func(u *unit) bool { return u.start <= d.Outer && d.End <= u.end })
}

func (f *file) unit(d evidence.OutlinedDefinition) *unit {
	u := &unit{file: f, name: d.Name, titled: d.Titled, symbol: d.Symbol, start: f.commentAbove(d.Outer), end: d.End}
	u.body = f.bodyOf(d)
	head := d.End
	if u.body != nil {
		head = u.body.start
	}
	u.inner = max(head, u.start)
	u.header = string(f.Source[u.start:u.inner])
	if u.isHook() || d.Titled {
		for _, g := range slices.Backward(f.groups) {
			if g.title != "" && g.around(d.Outer, d.End) && g.start < d.Outer {
				u.symbol = g.title + " > " + u.symbol
			}
		}
	}
	if d.Titled {
		u.header += string(f.Source[d.End:f.lineEnd(d.End)])
	}
	return u
}

// commentAbove returns where a comment of documentation begins that stands right above a definition.
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

// bodyOf returns the widest block in a definition's body, or what that is made of where it is an expression; nil
// without one.
func (f *file) bodyOf(d defined) *block {
	var widest *block
	for _, b := range f.source.blocks {
		if b.start >= max(d.Body-len("do "), d.Start) && b.end <= d.End &&
			(widest == nil || b.end-b.start > widest.end-widest.start) {
			widest = b
		}
	}
	if widest != nil || !d.Titled && d.Body < 0 {
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

// collects reports whether a framework runs a definition as a test.
func (c framework) collects(f *file, i int, u *unit) bool {
	d := f.Definitions[i]
	switch {
	case d.Titled:
		return c["titled"] != nil || c.tells("headers", u.header)
	case c["paths"] != nil && !c.tells("paths", f.Path), c.tells("elsewhere", f.Path), c.tells("hidden", u.header):
		return false
	case f.takesBack(d):
		return false
	case c.tells("headers", u.header):
		return d.Parent < 0 || f.Language != "csharp" || !strings.Contains(u.header, "TestMethod") ||
			fits("of test class", f.headOf(f.Definitions[d.Parent]))
	case !c.tells("names", d.Name):
		return false
	case f.Language == "go":
		return c.tells("takes", u.header)
	case d.Parent < 0:
		return f.Language == "python"
	}
	owner := f.Definitions[d.Parent]
	return owner.Class && (c["owners"] == nil || c.tells("owners", f.headOf(owner)))
}

// headOf is what stands before the body of a definition.
func (f *file) headOf(d defined) string {
	if d.Body < 0 {
		head, _, _ := strings.Cut(string(f.Source[d.Outer:d.End]), "{")
		return head
	}
	return string(f.Source[d.Outer:max(d.Outer, d.Body)])
}

// line returns the line, counted from 1, of a byte.
func (f *file) line(at int) int {
	return 1 + bytes.Count(f.Source[:min(at, len(f.Source))], []byte{'\n'})
}

// lineEnd is where the line of a byte ends.
func (f *file) lineEnd(at int) int {
	if i := bytes.IndexByte(f.Source[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(f.Source)
}

// place is where a stretch of the file stands, with at most maxShown lines of it.
func (f *file) place(start, end int) Place {
	p := Place{Path: f.Path, Line: f.line(start), EndLine: f.line(max(start, end-1))}
	lines := strings.SplitAfterN(strings.TrimRight(string(f.Source[start:end]), "\n"), "\n", maxShown+1)
	p.Text = strings.TrimRight(strings.Join(lines[:min(len(lines), maxShown)], ""), "\n")
	return p
}

// maxShown is how many lines of a place are shown.
const maxShown = 6

// base is the name of a file without its folders and ending.
func base(name string) string {
	name = path.Base(name)
	return strings.TrimSuffix(name, path.Ext(name))
}
