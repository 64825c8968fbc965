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

// Hollowable is a function that can be hollowed out.
type Hollowable struct {
	Symbol        string
	Line, EndLine int
	// Text is its text, with decorators and modifiers.
	Text string
	// Forms are sources in which the function returns at once, the likeliest first. There are none if its language has no
	// such form, or its body is one already.
	Forms []hollowForm

	body stretch
}

// hollowForm is a file in which one function does nothing.
type hollowForm struct {
	Source []byte
	// Result is its result then, «nothing» or a value.
	Result string
}

// Hollowables are the functions of a file with a body, except tests, in file order, without Forms. The error is
// ErrNoLanguage if no grammar reads the file.
func Hollowables(ctx context.Context, f Source) ([]Hollowable, error) {
	m, err := f.model(ctx, nil, nil)
	if m == nil || err != nil {
		return nil, err
	}
	var all []Hollowable
	for _, d := range m.definitions {
		if d.kind != function || d.isTitled || d.body < 0 && d.value == (stretch{}) ||
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

// FindForms sets the Forms of a function. The error is that of Hollowables.
func (h *Hollowable) FindForms(ctx context.Context, f Source) error {
	g := grammarOf(f.Path)
	m, err := f.model(ctx, nil, nil)
	if err != nil {
		return err
	}
	s, err := g.parse(ctx, nil, Source{Path: f.Path, Bytes: f.Bytes}, nil)
	if err != nil {
		return err
	}
	h.Forms = hollower{m, s.tree, h.body}.forms()
	return nil
}

func (c hollower) forms() (all []hollowForm) {
	g, whole := c.grammar, c.text.bytes
	at, before, after := c.front()
	for _, value := range c.values() {
		out, statement := stretch{at, at}, before+g.Hollow.Statement(value, "")+after
		if isExpression := at < 0; isExpression {
			out, statement = c.body, value
		}
		if g.Hollow.IsAround() {
			if out = c.body; at >= 0 { // the block keeps its end
				out.end = out.start + len(strings.TrimSuffix(c.of(out), "end"))
			}
			statement = " " + g.Hollow.Statement(value, c.of(out)) + " "
		}
		if statement == "" || c.isAlreadyHollow(at, value) {
			continue
		}
		src := slices.Concat(whole[:out.start], []byte(statement), whole[out.end:])
		all = append(all, hollowForm{Source: src, Result: cmp.Or(strings.TrimSuffix(value, " as any"), "nothing")})
	}
	return all
}

// IsUnbuilt reports whether a tool's output says that a file could not be built or parsed.
func IsUnbuilt(path string, output []byte) bool {
	g := grammarOf(path)
	return g != nil && g.BuildFailure.IsSet() && g.BuildFailure.Match(output)
}

type hollower struct {
	*model
	tree *syntax.Tree
	body stretch
}

// front is the place for the first statement of the body, with the text needed around it; -1 if the body is one
// expression. A docstring, or the call of a parent's constructor, stays first.
func (c hollower) front() (at int, before, after string) {
	src := c.text.bytes
	at = c.body.start
	if isBlock := at < c.body.end && src[at] == '{'; isBlock {
		at++
		if call := c.callsParent(at); call > 0 {
			return call, "; ", " "
		}
		return at, " ", " "
	}
	if slices.ContainsFunc(c.definitions, func(d *definition) bool { return d.value == c.body }) {
		return -1, "", ""
	}
	for at < c.body.end && (c.kinds[at]&kindMask == docstring || src[at] == ';') || c.isLeading(at) {
		at++
	}
	line := bytes.LastIndexByte(src[:at], '\n') + 1
	indent := string(src[line:at])
	if strings.TrimSpace(indent) != "" { // same line as the header
		return at, "", "; "
	}
	return at, "", "\n" + indent
}

func (c hollower) isLeading(at int) bool {
	return at < c.body.end && c.isSpace(at)
}

// callsParent is the end of the call of another constructor at the beginning of the body, 0 if there is none.
func (c hollower) callsParent(at int) int {
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

var resultFields = [...]string{"result", "return_type", "returns", "type"}

// values returns the values to return, one for each of several results.
func (c hollower) values() []string {
	h := c.grammar.Hollow
	if h.IsAround() { // results are rarely declared
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
	if result == nil || !c.isInnermost(function) {
		return h.Values(c.resultAfterParams())
	}
	if several := c.resultTypes(result); several != nil {
		return joinResults(h, several)
	}
	return h.Values(c.declaredResult(result))
}

func (c hollower) isInnermost(n *syntax.Node) bool {
	return !slices.ContainsFunc(c.definitions, func(d *definition) bool {
		return d.kind == function && d.start > n.Start() && d.start < c.body.start && d.end >= c.body.end
	})
}

// declaredResult is the declared result as written, with the stars of its declarator.
func (c hollower) declaredResult(result *syntax.Node) string {
	text := strings.TrimLeft(result.Content(c.text.bytes), ": \t->")
	for at := result.End(); at < c.body.start && strings.IndexByte("*& ", c.text.bytes[at]) >= 0; at++ {
		text += string(c.text.bytes[at])
	}
	return strings.TrimSpace(text)
}

// resultAfterParams is the result between parameters and body, for grammars without a field for it.
func (c hollower) resultAfterParams() string {
	before := bytes.TrimRight(c.text.bytes[:c.body.start], " \t\n={>")
	sign := strings.TrimLeft(string(before[bytes.LastIndexByte(before, ')')+1:]), " ")
	if !strings.HasPrefix(sign, ":") && !strings.HasPrefix(sign, "->") {
		return ""
	}
	return strings.TrimSpace(strings.TrimLeft(sign, ":->"))
}

// resultTypes returns the types of several results, nil for one result; for named results, "".
func (c hollower) resultTypes(result *syntax.Node) []string {
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

// joinResults joins the values of several results: the first of each, then the second; no type has more.
func joinResults(h lang.Hollow, types []string) (all []string) {
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

func (c hollower) isAlreadyHollow(at int, value string) bool {
	text := strings.Trim(c.of(stretch{max(at, c.body.start), c.body.end}), "{}; \t\r\n")
	return text == "" || text == "end" || text == value || text == "return "+value || text == "return" && value == ""
}

// CitedFunctions returns the functions that lines cite: the outermost ones inside them, else the innermost around them.
// Lines 0 to 0 are all lines.
func CitedFunctions(all []Hollowable, first, last int) []Hollowable {
	var inside, enclosing []Hollowable
	for _, f := range all {
		isInner := func(g Hollowable) bool { return f.body.start > g.body.start && f.body.end <= g.body.end }
		switch {
		case first == 0 || first <= f.Line && f.EndLine <= last:
			if !slices.ContainsFunc(inside, isInner) {
				inside = append(inside, f)
			}
		case f.Line <= last && first <= f.EndLine:
			enclosing = slices.DeleteFunc(enclosing, isInner)
			enclosing = append(enclosing, f)
		}
	}
	if len(inside) > 0 {
		return inside
	}
	return enclosing
}
