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

// fold reads parts as one expression, split at the weakest operator. The tree has done most of it, except in Rust's
// macros.
func (s *source) fold(parts []part) *expr {
	parts = withoutStops(parts)
	if len(parts) == 0 || s.depth > maxDepth {
		return &expr{shape: list}
	}
	s.depth++
	defer func() { s.depth-- }()
	if s.isCommand(parts) {
		return s.command(s.operand(parts[0]), parts[1:])
	}
	if len(split(parts)) > 1 {
		return join(list, "", s.foldAll(parts)...)
	}
	if at := s.weakestOperator(parts); at > 0 {
		return s.binary(parts[at], s.fold(parts[:at]), s.fold(parts[at+1:]))
	}
	return s.prefix(parts)
}

// binary returns an operation; with a name as operator it is a call, a.shouldBe(b). The matchers of a subject bind
// weakest: a should be > 5.
func (s *source) binary(op part, left, right *expr) *expr {
	if s.hasInfixCalls && left.shape == call && len(left.parts) == 2 &&
		(strings.HasPrefix(left.parts[0].text, "should") || strings.HasPrefix(left.parts[0].text, "must")) {
		return join(call, "", left.parts[0], s.binary(op, left.parts[1], right))
	}
	if precedence[op.text] == 0 {
		return join(call, "", join(dot, op.text, left), right)
	}
	return join(operator, op.text, left, right)
}

func (s *source) foldAll(parts []part) (all []*expr) {
	for _, item := range split(parts) {
		all = append(all, s.fold(item))
	}
	if len(all) == 1 && all[0].shape == list && all[0].text == "" {
		return all[0].parts
	}
	return all
}

// split splits parts at commas outside brackets.
func split(parts []part) (all [][]part) {
	from, depth := 0, 0
	for i, p := range parts {
		switch {
		case opens(p.token):
			depth++
		case closes(p.token):
			depth--
		case depth <= 0 && p.kind == mark && (p.text == "," || p.text == ";"):
			all = append(all, parts[from:i])
			from = i + 1
		}
	}
	all = append(all, parts[from:])
	return slices.DeleteFunc(all, func(item []part) bool { return len(withoutStops(item)) == 0 })
}

func opens(t token) bool { return t.kind == mark && (t.text == "(" || t.text == "[" || t.text == "{") }

func closes(t token) bool { return t.kind == mark && (t.text == ")" || t.text == "]" || t.text == "}") }

func (s *source) weakestOperator(parts []part) (at int) {
	depth, least, operand := 0, 100, false
	for i := 0; i < len(parts)-1; i++ {
		p, next := parts[i], parts[i+1]
		power := precedence[p.text]
		switch {
		case opens(p.token):
			depth++
		case closes(p.token):
			depth--
		case depth == 0 && operand && power > 0 && power < least+min(power-1, 1) && !s.isMember(p) && !s.isMember(next) &&
			(p.kind == mark || p.kind == word):
			at, least = i, power
		}
		operand = p.kind != mark || closes(p.token) || operand && power == 0
	}
	return at
}

// isCommand reports whether parts begin with the callee of a call without brackets.
func (s *source) isCommand(parts []part) bool {
	if len(parts) < 2 || parts[0].kind != word ||
		!isListed("commands", parts[0].text) && (parts[0].text != "assert" || s.Language != "python") {
		return false
	}
	next := parts[1]
	return next.kind != mark || opens(next.token) || !s.isMember(next) && (precedence[next.text] == 0 ||
		strings.Contains("-*&", next.text))
}

func (s *source) operand(p part) *expr {
	switch {
	case p.expr != nil:
		return p.expr
	case p.block != nil:
		return &expr{shape: body, block: p.block, start: p.block.start, end: p.block.end}
	case p.node != nil && isListed("generics", p.node.Type()):
		text := strings.Trim(p.node.Content(s.Source), "<>")
		return &expr{shape: ident, text: text, start: p.node.Start(), end: p.node.End()}
	case p.node != nil:
		return s.fold(s.parts(p.node))
	}
	e := &expr{shape: ident, text: p.text, start: p.start, end: p.end}
	if p.kind == text || p.kind == number {
		e.shape = literal
	}
	return e
}

// bracket reads the bracket at the beginning of parts, and returns the parts after it.
func (s *source) bracket(parts []part) (inner *expr, rest []part) {
	depth, end := 0, 0
	for i, p := range parts {
		if opens(p.token) {
			depth++
		} else if closes(p.token) {
			depth--
		}
		if end = i; depth == 0 {
			break
		}
	}
	inner = &expr{shape: list, text: parts[0].text, start: parts[0].start, end: parts[end].end}
	inner.parts = s.foldAll(parts[1:max(1, end)])
	return inner, parts[end+1:]
}

// prefix reads an operand with the operators before and the members after it. Only operators that change the value are
// kept.
func (s *source) prefix(parts []part) *expr {
	p := parts[0]
	operand, empty := s.operand(p), &expr{shape: ident, start: p.start, end: p.end}
	switch {
	case opens(p.token):
		inner, rest := s.bracket(parts)
		if len(rest) > 0 && (len(inner.parts) == 0 && inner.text == "[" || rest[0].kind == word || rest[0].kind == text) {
			return s.fold(rest) // a type, or a cast
		}
		return s.postfix(inner, rest)
	case len(parts) == 1:
		return operand
	case p.text == "!" || p.text == "not":
		return join(operator, "!", empty, s.fold(parts[1:]))
	case p.kind == mark && p.text == "-":
		return join(operator, "-", empty, s.fold(parts[1:]))
	case p.kind == mark:
		return s.fold(parts[1:])
	}
	return s.postfix(operand, parts[1:])
}

// postfix reads members, calls and indexes after an operand.
func (s *source) postfix(left *expr, rest []part) *expr {
	for len(rest) > 0 {
		p := rest[0]
		right := left // the last part read
		switch {
		case s.isMember(p) && len(rest) > 1 && !opens(rest[1].token):
			right = s.operand(rest[1])
			left, rest = member(left, right), rest[2:]
		case opens(p.token):
			right, rest = s.bracket(rest)
			left = s.apply(left, right)
		case p.kind == mark:
			rest = rest[1:]
		case p.node != nil && isListed("generics", p.node.Type()):
			right, rest = s.operand(p), rest[1:]
			left = join(index, "<", left, right)
		case p.kind == word && s.hasInfixCalls && len(rest) > 1:
			return s.binary(p, left, s.fold(rest[1:]))
		default:
			if right = s.operand(p); right.shape != body && (right.shape != list || right.text == "" || right.text == "[" &&
				right.start != left.end) {
				end := slices.IndexFunc(rest, func(p part) bool { return p.block != nil })
				if end < 0 {
					end = len(rest)
				}
				rest[0].expr = right
				left, rest = s.command(left, rest[:end]), rest[end:]
				continue
			}
			left, rest = s.apply(left, right), rest[1:]
		}
		left.end = max(left.end, right.end)
	}
	return left
}

// member returns a member of an operand; its name may have type arguments.
func member(left, right *expr) *expr {
	if right.shape == index {
		return join(index, right.text, append([]*expr{member(left, right.parts[0])}, right.parts[1:]...)...)
	}
	return join(dot, right.String(), left)
}

func (s *source) apply(left, right *expr) *expr {
	switch {
	case right.shape == body && left.shape == call:
		left.parts = append(left.parts, right)
		return left
	case right.shape == list && right.text == "(":
		return join(call, "", append([]*expr{left}, right.parts...)...)
	case right.shape == list && right.text == "[":
		return join(index, "[", append([]*expr{left}, right.parts...)...)
	}
	return join(call, "", left, right)
}

func (s *source) command(left *expr, rest []part) *expr {
	return join(call, bareCall, append([]*expr{left}, s.foldAll(rest)...)...)
}

func join(s shape, text string, parts ...*expr) *expr {
	e := &expr{shape: s, text: text, parts: parts}
	for i, part := range parts {
		if i == 0 || part.start < e.start && part.end > 0 {
			e.start = part.start
		}
		e.end = max(e.end, part.end)
	}
	return e
}
