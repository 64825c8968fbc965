package sees

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

var (
	// equals are the names of functions that say whether two values are the same, differs those that say the contrary.
	equals  = lang.Lazy(`^(__eq__|[eE]quals|Equal|==|eql\?|eq|isEqual|isEqualTo|is_equal|operator==|__contains__)$`)
	differs = lang.Lazy(`^(__ne__|ne|!=|operator!=)$`)
	// yes and no are bodies that answer the same whatever is asked.
	yes = lang.Lazy(`^[\s{:=]*(->\s*\w+\s*[{:]\s*)?(return\s+)?(True|true)\s*;?\s*}?\s*(end)?\s*$`)
	no  = lang.Lazy(`^[\s{:=]*(->\s*\w+\s*[{:]\s*)?(return\s+)?(False|false)\s*;?\s*}?\s*(end)?\s*$`)
	// lambdas are such functions of one line.
	lambdas = lang.Lazy(`\b__eq__\s*=\s*lambda[^:]*:\s*True\s*$|` +
		`(\b(equals|Equals?|isEqual(To)?|eql\?)|==) ?\([^()]*\)(\s*:\s*\w+\??)?\s*(=>?|->)\s*true\s*;?\s*$`)
	// first and last are words that the names of types begin or end with which are equal to everything on purpose, or
	// have one value.
	first = lang.Lazy(`^(any\w*|all|always|ignore|ignoring|wild|wildcard|empty|null|never|unit|nothing|none)$`)
	last  = lang.Lazy(`^(any|matcher|match|matches|wildcard|singleton|phantom|unit|never|nothing|none)$`)
)

// equalities finds functions that newly answer that everything is equal.
func (l *looker) equalities(before func() (*evidence.Outline, error)) error {
	for _, d := range l.o.Definitions {
		if d.Body < 0 || d.Class || !(equals.MatchString(d.Name) && yes.MatchString(l.body(l.o, d)) ||
			differs.MatchString(d.Name) && no.MatchString(l.body(l.o, d))) {
			continue
		}
		was, err := before()
		if err != nil {
			return err
		}
		if was != nil && l.stood(was, d) {
			continue
		}
		l.add("equal to everything", l.lineAt(d.Start), l.lineAt(d.End), d.Symbol, "it says that everything is equal")
		if isMatcher(d.Symbol) || l.o.Language == "rust" {
			l.found[len(l.found)-1].Excuse = "its type may have one value alone, or be a matcher"
		}
	}
	for i, line := range l.code {
		if lambdas.MatchString(line) && l.had[strings.TrimSpace(l.lines[i])] == 0 {
			l.add("equal to everything", i+1, i+1, strings.TrimSpace(line), "it says that everything is equal")
		}
	}
	return nil
}

// isMatcher reports a method of a type that its name calls a matcher, or one of a single value.
func isMatcher(symbol string) bool {
	if i := strings.LastIndexByte(symbol, '.'); i >= 0 {
		symbol = symbol[:i]
	}
	words := lang.Words(symbol[strings.LastIndexByte(symbol, '.')+1:])
	return len(words) > 0 && (first.MatchString(words[0]) || last.MatchString(words[len(words)-1]))
}

// body is the body of a definition without its comments.
func (l *looker) body(o *evidence.Outline, d evidence.OutlinedDefinition) string {
	text := string(o.Source[d.Body:d.End])
	if o != l.o {
		return text
	}
	first, last := l.lineAt(d.Body), l.lineAt(d.End)
	lines := append([]string{}, l.code[first-1:min(last, len(l.code))]...)
	if skip := d.Body - (strings.LastIndexByte(string(o.Source[:d.Body]), '\n') + 1); skip <= len(lines[0]) {
		lines[0] = lines[0][skip:]
	}
	return strings.Join(lines, "\n")
}

// stood reports whether the earlier version had a definition as it is.
func (l *looker) stood(before *evidence.Outline, d evidence.OutlinedDefinition) bool {
	return slices.ContainsFunc(before.Definitions, func(b evidence.OutlinedDefinition) bool {
		return b.Symbol == d.Symbol && b.Body >= 0 && yes.MatchString(l.body(before, b)) == yes.MatchString(l.body(l.o, d))
	})
}

var (
	// compared matches an equality with a literal, which is its group.
	compared = lang.Lazy(`(?:={2,3}|\bis\b|\beql\?)\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d[\d_.]*|` +
		`[\[({][^\[({]*[\])}])`)
	// answers matches a branch that gives a literal, which is its group.
	answers = lang.Lazy(`^[\s{:]*(?:return\s+)?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d[\d_.]*|` +
		`[\[({][^\[({]*[\])}]|true|false|True|False)\s*;?\s*}?\s*(?:end)?\s*$`)
	alternatives = lang.Lazy(`\|\||\bor\b`)
	// plain are literals that any code may ask for.
	plain = lang.Lazy(`^(-?[0-9]|-?10|100|""|''|\[\s*\]|\{\s*\}|\(\s*\)|.{0,2})$`)
)

// branches finds conditions that ask for the inputs of a test that comes with the code, and answer what it expects.
func (l *looker) branches(tests func() ([]*evidence.Outline, error)) (err error) {
	l.o.Tree.Walk(func(n *syntax.Node, _ int) bool {
		condition, answer := branchAt(n, l.o.Source)
		if condition == nil {
			return true
		}
		inputs := compared.FindAllString(condition.Content(l.o.Source))
		first := l.lineAt(n.Start())
		if l.had[strings.TrimSpace(l.lines[first-1])] > 0 {
			return true
		}
		literals := make([]string, len(inputs))
		for i, in := range inputs {
			literals[i] = compared.FindStringSubmatch(in)[1]
		}
		if alternatives.MatchString(condition.Content(l.o.Source)) {
			literals = slices.DeleteFunc(literals, plain.MatchString) // each stands alone
		}
		var all []*evidence.Outline
		if all, err = tests(); err != nil {
			return false
		}
		if test := expects(all, literals, answer); test != "" {
			l.add("answers a test", first, l.lineAt(n.End()), strings.TrimSpace(l.code[first-1]),
				"it answers «"+short(answer)+"» to the inputs of "+test)
		}
		return true
	})
	return err
}

// branchAt is the condition of a branch that asks for several literals, and the literal that it answers; nil where a
// node is none.
func branchAt(n *syntax.Node, src []byte) (condition *syntax.Node, answer string) {
	kind := n.Type()
	if kind != "if_statement" && kind != "elif_clause" && kind != "if" && kind != "if_expression" && kind != "elsif" {
		return nil, ""
	}
	condition = n.Field("condition")
	if condition == nil {
		condition = n.NamedChild(0)
	}
	then := condition
	for then != nil && (then == condition || !then.IsNamed() || then.IsExtra()) { // not every grammar names it
		then = then.NextSibling()
	}
	if then == nil {
		return nil, ""
	}
	asked := condition.Content(src)
	inputs := compared.FindAllString(asked) // one plain value may have an answer of its own
	if len(inputs) == 0 || len(inputs) == 1 && !strings.ContainsAny(inputs[0], "[({") || strings.Contains(asked, "!=") {
		return nil, ""
	}
	answered := answers.FindStringSubmatch(then.Content(src))
	if answered == nil {
		return nil, ""
	}
	return condition, answered[1]
}

// expects is the path of a test that has the inputs and the answer in one statement, "" without one. Literals that any
// code may ask for show nothing, but where there are several that differ.
func expects(tests []*evidence.Outline, inputs []string, answer string) string {
	telling := 0
	for _, in := range inputs {
		if !plain.MatchString(in) || in != inputs[0] {
			telling++
		}
	}
	if telling == 0 {
		return ""
	}
	for _, test := range tests {
		for line := range strings.Lines(string(test.Source)) {
			if holds(line, inputs, answer) {
				return test.Path
			}
		}
	}
	return ""
}

// holds reports whether a line has all inputs in their order, and the answer besides.
func holds(line string, inputs []string, answer string) bool {
	rest := line
	for _, in := range inputs {
		in = strings.Trim(in, `"'()`)
		i := strings.Index(rest, in)
		if i < 0 {
			return false
		}
		rest = rest[:i] + "\x00" + rest[i+len(in):]
	}
	return strings.Contains(rest, strings.Trim(answer, `"'`))
}
