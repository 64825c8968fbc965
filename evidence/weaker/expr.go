package weaker

import (
	"slices"
	"strings"
)

// Expressions of all languages are read alike; they differ in which words are operators, and in calls without brackets.
// Other code is read as an expression too, and gives unknown calls and operators.

type shape uint8

const (
	ident    shape = iota + 1
	literal        // text or number
	call           // parts[0] is called with parts[1:]
	dot            // member text of parts[0]
	index          // parts[0] at parts[1:]
	operator       // text between two parts; the first is empty before a prefix
	list           // text is its opening bracket
	body           // a block
)

type expr struct {
	shape      shape
	text       string
	parts      []*expr
	block      *block
	start, end int
}

// clause is a part of a statement: `if head {…}`, `catch head {…}`, or an expression without a keyword.
type clause struct {
	keyword string
	head    []*expr
	block   *block
}

var precedence = map[string]int{
	"=": 1, ":=": 1, "+=": 1, "-=": 1, "*=": 1, "/=": 1, ":": 1, "=>": 1, "->": 1, "?": 1, "<-": 1, "|>": 2,
	"||": 3, "or": 3, "??": 3, "?:": 3, "&&": 4, "and": 4,
	"==": 6, "!=": 6, "===": 6, "!==": 6, "<": 6, ">": 6, "<=": 6, ">=": 6, "in": 6, "not in": 6, "is": 6, "is not": 6,
	"instanceof": 6, "=~": 6, "!~": 6, "~=": 6, "<=>": 6, "<>": 6, "!in": 6, "!is": 6, "as": 6,
	"-eq": 6, "-ne": 6, "-gt": 6, "-lt": 6, "-ge": 6, "-le": 6,
	"|": 7, "^": 7, "&": 7, "..": 7, "..=": 7, "...": 7, "..<": 7, "<<": 7, ">>": 7, "+": 8, "-": 8, "~": 8,
	"*": 9, "/": 9, "%": 9,
	"//": 9, "**": 10,
}

// maxDepth bounds the depth of expressions; deeper ones are skipped.
const maxDepth = 400

// bareCall is the text of a call without brackets.
const bareCall = " "

// walk visits an expression and its parts, but not its blocks, until visit returns false.
func (e *expr) walk(visit func(e *expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	for _, part := range e.parts {
		part.walk(visit)
	}
}

// innermost returns a value without conversions: "a" for URL("a") and for new Text("a").
func (e *expr) innermost() string {
	for e.shape == call && len(e.parts) == 2 && e.parts[1].isValue() {
		e = e.parts[1]
	}
	return joinTexts(e.String())
}

// isConstant reports whether an expression consists of literals.
func (e *expr) isConstant() bool { return e.isMadeOf(false) }

// isValue reports whether it consists of literals and types made from them: new Foo(1), int8(100).
func (e *expr) isValue() bool { return e.isMadeOf(true) }

func (e *expr) isMadeOf(types bool) bool {
	if e == nil {
		return false
	}
	parts := e.parts
	switch e.shape {
	case ident:
		return e.text == "" || isListed("constants", e.text)
	case literal:
		return !isInterpolated(e.text)
	case call:
		callee := lastName(e)
		if !types || !isCapital(callee) && !isListed("made from literals", callee) && !strings.HasPrefix(callee, "From") {
			return false
		}
		parts = parts[1:]
	case dot, index, body:
		return false
	}
	return !slices.ContainsFunc(parts, func(part *expr) bool { return !part.isMadeOf(types) })
}

func isInterpolated(text string) bool {
	return strings.Contains(text, "${") || strings.Contains(text, "#{") || strings.Contains(text, `\(`) ||
		strings.HasPrefix(text, `"$`) || len(text) > 1 && text[0] == 'f' && strings.Contains(text, "{")
}
