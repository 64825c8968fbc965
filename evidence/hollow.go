package evidence

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Hollowable is a function of a file that can be left without what it does.
type Hollowable struct {
	Symbol        string
	Line, EndLine int
	// Text is its own, from decorators and modifiers to its end.
	Text string
	// Forms are the ways to leave it without what it does, the likeliest first: the source with something in front of
	// its body that gives back at once. None where its language has no such form, or its body is one already.
	Forms []hollowForm

	body stretch
}

// hollowForm is a file in which one function does nothing.
type hollowForm struct {
	Source []byte
	// Gives is what the function gives back then, «nothing» or a value.
	Gives string
}

// Hollowables are the functions of a file that have a body, tests left out, in file order, and without their Forms.
// ErrNoLanguage where no grammar reads it.
func Hollowables(ctx context.Context, f Source) ([]Hollowable, error) {
	m, err := f.model(ctx, nil, nil)
	if m == nil || err != nil {
		return nil, err
	}
	var all []Hollowable
	for i := range m.definitions {
		d := &m.definitions[i]
		if d.kind != function || d.title || d.body < 0 && d.value == (stretch{}) ||
			len(m.grammar.Tests) > 0 && HoldsTests(f.Path) && m.isTest(d) {
			continue
		}
		first, last := m.linesOf(d)
		h := Hollowable{Symbol: d.symbol, Line: first, EndLine: last, Text: m.of(stretch{d.outer, d.end}), body: d.value}
		if d.body >= 0 {
			h.body = stretch{d.body, d.bodyEnd}
		}
		all = append(all, h)
	}
	return all, nil
}

// Fill finds the Forms of a function of the file. One that the grammar cannot read as it reads the file is left out.
func (h *Hollowable) Fill(ctx context.Context, f Source) error {
	g := grammarOf(f.Path)
	m, err := f.model(ctx, nil, nil)
	if err != nil {
		return err
	}
	s, err := g.parse(ctx, nil, blob{path: f.Path, src: f.Bytes}, nil)
	if err != nil {
		return err
	}
	h.Forms = hollowing{m, s.tree, h.body}.forms(ctx)
	return nil
}

// forms are the ways to leave the function without what it does.
func (c hollowing) forms(ctx context.Context) (all []hollowForm) {
	g, whole := c.grammar, c.text.bytes
	at, before, after := c.front()
	for _, value := range c.values() {
		out, statement := stretch{at, at}, before+g.Hollow.Statement(value, "")+after
		if isExpression := at < 0; isExpression {
			out, statement = c.body, value
		}
		if g.Hollow.IsAround() {
			if out = c.body; at >= 0 { // its block has an end
				out.end = out.start + len(strings.TrimSuffix(c.of(out), "end"))
			}
			statement = " " + g.Hollow.Statement(value, c.of(out)) + " "
		}
		if statement == "" || c.isAlready(at, value) {
			continue
		}
		src := slices.Concat(whole[:out.start], []byte(statement), whole[out.end:])
		read, err := g.parse(ctx, nil, blob{path: c.path, src: src}, nil)
		if err != nil || len(read.errors) > len(c.errors) {
			continue
		}
		all = append(all, hollowForm{Source: src, Gives: cmp.Or(strings.TrimSuffix(value, " as any"), "nothing")})
	}
	return all
}

// IsUnbuilt reports whether what a tool printed says that a file of this name could not be built or read.
func IsUnbuilt(path string, output []byte) bool {
	g := grammarOf(path)
	return g != nil && g.BuildFailure.IsSet() && g.BuildFailure.Match(output)
}

// hollowing is one function that is made hollow.
type hollowing struct {
	*model
	tree *syntax.Tree
	body stretch
}

// front is where a statement stands in front of all that the body does, and what is needed around it; -1 where the body
// is one expression. A docstring stays the first, and so does the call of a constructor's parent.
func (c hollowing) front() (at int, before, after string) {
	src := c.text.bytes
	at = c.body.start
	if isBlock := at < c.body.end && src[at] == '{'; isBlock {
		at++
		if call := c.callsParent(at); call > 0 {
			return call, "; ", " "
		}
		return at, " ", " "
	}
	if slices.ContainsFunc(c.definitions, func(d definition) bool { return d.value == c.body }) {
		return -1, "", ""
	}
	for at < c.body.end && c.kinds[at]&kindMask == docstring || c.isLeading(at) {
		at++
	}
	line := bytes.LastIndexByte(src[:at], '\n') + 1
	indent := string(src[line:at])
	if strings.TrimSpace(indent) != "" { // on the line of the header
		return at, "", "; "
	}
	return at, "", "\n" + indent
}

// isLeading reports whether a byte of the body is blank, or of a comment.
func (c hollowing) isLeading(at int) bool {
	return at < c.body.end && (c.isSpace(at) || c.kinds[at]&kindMask == comment)
}

// callsParent is where the call of another constructor ends that a body begins with, 0 without one.
func (c hollowing) callsParent(at int) int {
	for c.isLeading(at) {
		at++
	}
	rest := c.text.bytes[at:]
	if !bytes.HasPrefix(rest, []byte("super(")) && !bytes.HasPrefix(rest, []byte("this(")) {
		return 0
	}
	for n := range c.tree.NodesAt(at) {
		if n.Start() == at {
			return n.End()
		}
	}
	return 0
}

// resultFields are what grammars call the declared result of a function.
var resultFields = [...]string{"result", "return_type", "returns", "type"}

// values are what the function may give back. Of several results each is given.
func (c hollowing) values() []string {
	h := c.grammar.Hollow
	if h.IsAround() { // and what is declared is rare
		return h.Values(c.of(c.body))
	}
	var function, result *syntax.Node
	for n := range c.tree.NodesAt(c.body.start) {
		if n.Start() >= c.body.start {
			break
		}
		for _, name := range resultFields {
			if r := n.Field(name); r != nil && r.End() <= c.body.start {
				function, result = n, r
				break
			}
		}
	}
	if result == nil || !c.isOwn(function) {
		return h.Values(c.declaredBehind())
	}
	if several := c.several(result); several != nil {
		return joined(h, several)
	}
	return h.Values(c.declared(result))
}

// isOwn reports whether no other function stands between a node and the body.
func (c hollowing) isOwn(n *syntax.Node) bool {
	return !slices.ContainsFunc(c.definitions, func(d definition) bool {
		return d.kind == function && d.start > n.Start() && d.start < c.body.start && d.end >= c.body.end
	})
}

// declared is the declared result as the language writes it, with the stars that a declarator adds.
func (c hollowing) declared(result *syntax.Node) string {
	text := strings.TrimLeft(result.Content(c.text.bytes), ": \t->")
	for at := result.End(); at < c.body.start && strings.IndexByte("*& ", c.text.bytes[at]) >= 0; at++ {
		text += string(c.text.bytes[at])
	}
	return strings.TrimSpace(text)
}

// declaredBehind is what stands between the parameters and the body, for grammars that have no field for it.
func (c hollowing) declaredBehind() string {
	before := bytes.TrimRight(c.text.bytes[:c.body.start], " \t\n={>")
	sign := strings.TrimLeft(string(before[bytes.LastIndexByte(before, ')')+1:]), " ")
	if !strings.HasPrefix(sign, ":") && !strings.HasPrefix(sign, "->") {
		return ""
	}
	return strings.TrimSpace(strings.TrimLeft(sign, ":->"))
}

// several are the results of a list of them, nil of one; named results are given as they are, by "".
func (c hollowing) several(result *syntax.Node) []string {
	all := result.NamedChildren()
	if len(all) == 0 || all[0].Type() != "parameter_declaration" {
		return nil
	}
	var types []string
	for _, n := range all {
		if n.Field("name") != nil {
			return []string{""}
		}
		types = append(types, n.Content(c.text.bytes))
	}
	return types
}

// joined are the values of several results: the first of each, then the second; no kind of result has more.
func joined(h lang.Hollow, types []string) (all []string) {
	for i := range 2 {
		var each []string
		for _, t := range types {
			values := h.Values(t)
			if len(values) == 0 {
				return nil
			}
			each = append(each, values[min(i, len(values)-1)])
		}
		all = append(all, strings.Join(each, ", "))
	}
	return slices.Compact(all)
}

// isAlready reports whether the body only gives back that value, or does nothing behind what stays in front.
func (c hollowing) isAlready(at int, value string) bool {
	text := strings.Trim(c.of(stretch{max(at, c.body.start), c.body.end}), "{}; \t\r\n")
	return text == "" || text == value || text == "return "+value || text == "return" && value == ""
}

// Cited are the functions that lines cite: those that stand in them whole, without what stands in these; else the
// innermost around them. 0 and 0 are all lines.
func Cited(all []Hollowable, first, last int) []Hollowable {
	var inside, around []Hollowable
	for _, f := range all {
		isInner := func(g Hollowable) bool { return f.body.start > g.body.start && f.body.end <= g.body.end }
		switch {
		case first == 0 || first <= f.Line && f.EndLine <= last:
			if !slices.ContainsFunc(inside, isInner) {
				inside = append(inside, f)
			}
		case f.Line <= last && first <= f.EndLine:
			around = slices.DeleteFunc(around, isInner)
			around = append(around, f)
		}
	}
	if len(inside) > 0 {
		return inside
	}
	return around
}
