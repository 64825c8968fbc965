package weaker

import (
	"slices"
	"strings"
)

// An expression is read alike in all languages: what differs is which words are operators, and what stands without
// brackets. What is no expression is read as one all the same, and comes out as calls and operators that nothing
// knows.

// shape is what an expression is.
type shape uint8

const (
	name     shape = iota + 1
	literal        // text or number
	call           // parts[0] is called with parts[1:]
	dot            // member text of parts[0]
	index          // parts[0] at parts[1:]
	operator       // text over one or two parts
	list           // text is its opening bracket
	body           // a block
)

// expr is an expression.
type expr struct {
	shape      shape
	text       string
	parts      []*expr
	block      *block
	start, end int
}

// clause is a part of a statement: `if head {…}`, `catch head {…}`, or, without a keyword, an expression.
type clause struct {
	keyword string
	head    []*expr
	block   *block
}

// powers are the binary operators by how strongly they bind.
var powers = map[string]int{
	"=": 1, ":=": 1, "+=": 1, "-=": 1, "*=": 1, "/=": 1, ":": 1, "=>": 1, "->": 1, "?": 1, "<-": 1, "|>": 2,
	"||": 3, "or": 3, "??": 3, "?:": 3, "&&": 4, "and": 4,
	"==": 6, "!=": 6, "===": 6, "!==": 6, "<": 6, ">": 6, "<=": 6, ">=": 6, "in": 6, "not in": 6, "is": 6, "is not": 6,
	"instanceof": 6, "=~": 6, "!~": 6, "~=": 6, "<=>": 6, "<>": 6, "!in": 6, "!is": 6, "as": 6,
	"-eq": 6, "-ne": 6, "-gt": 6, "-lt": 6, "-ge": 6, "-le": 6,
	"|": 7, "^": 7, "&": 7, "..": 7, "..=": 7, "...": 7, "..<": 7, "<<": 7, ">>": 7, "+": 8, "-": 8, "~": 8,
	"*": 9, "/": 9, "%": 9,
	"//": 9, "**": 10,
}

// maxDepth bounds how deep expressions are read; what lies deeper is passed over.
const maxDepth = 400

// bareCall is the text of a call without brackets.
const bareCall = " "

// walk visits an expression and all in it, without what stands in blocks, until visit returns false.
func (e *expr) walk(visit func(e *expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	for _, part := range e.parts {
		part.walk(visit)
	}
}

// inner is a value without the types that it is made into: "a" of URL("a") and of new Text("a").
func (e *expr) inner() string {
	for e.shape == call && len(e.parts) == 2 && e.parts[1].isValue() {
		e = e.parts[1]
	}
	return joined(e.String())
}

// isConstant reports whether an expression is made of literals alone.
func (e *expr) isConstant() bool { return e.consists(false) }

// isValue reports whether it is made of literals and of types that are made from them: new Foo(1), int8(100).
func (e *expr) isValue() bool { return e.consists(true) }

func (e *expr) consists(types bool) bool {
	if e == nil {
		return false
	}
	parts := e.parts
	switch e.shape {
	case name:
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
	return !slices.ContainsFunc(parts, func(part *expr) bool { return !part.consists(types) })
}

func isInterpolated(text string) bool {
	return strings.Contains(text, "${") || strings.Contains(text, "#{") || strings.Contains(text, `\(`) ||
		strings.HasPrefix(text, `"$`) || len(text) > 1 && text[0] == 'f' && strings.Contains(text, "{")
}
