package evidence

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/evidence/language"
	"github.com/acta-git/acta/evidence/syntax"
)

// block judges statements that follow one another, and the arms after them. tail: the last of each is given back.
func (j *judgement) block(parts []*syntax.Node, tail bool) flow {
	last := len(parts) - 1
	for last >= 0 && (j.role(parts[last]) == language.Idles || j.role(parts[last]) == language.Arms) {
		last--
	}
	skip, left, end := false, false, goesOn
	for i, n := range parts {
		role := j.role(n)
		switch {
		case j.left < 0:
			return acts
		case role == language.Arms:
			if j.statement(n, tail) == acts {
				return acts
			}
			continue
		case left && role == language.Idles:
			continue
		case left:
			if j.dead = true; j.holdsYield(n) {
				return acts // a generator of nothing
			}
			continue
		case role == language.Disables:
			skip = skip || language.Disabled(j.text(n))
			continue
		case skip:
			j.dead, skip = true, false
			continue
		}
		if i < last && role == language.Transfers && j.text(n) == "return" &&
			bytes.IndexByte(j.src[n.End():max(n.End(), parts[i+1].Start())], '\n') < 0 {
			return j.give(j.value(parts[i+1]), j.text(parts[i+1])) // a grammar may part them
		}
		if end = j.statement(n, tail && i == last); end == acts {
			return acts
		}
		left = end == leaves
	}
	return end
}

// holdsYield reports whether a yield of the body's own stands in a node: it makes the function a generator, reached or not.
func (j *judgement) holdsYield(n *syntax.Node) bool {
	if j.grammar.Tail || !bytes.Contains(j.src[n.Start():n.End()], []byte("yield")) {
		return false
	}
	if strings.HasPrefix(n.Type(), "yield") {
		return true
	}
	if s := n.Symbol(); s < len(j.roles) && (j.roles[s] == language.Nests || j.roles[s] == language.Closes) {
		return false
	}
	return slices.ContainsFunc(n.NamedChildren(), j.holdsYield)
}

// isWord reports whether a text is one word of letters.
func isWord(text string) bool {
	return text != "" && text != "_" && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 && !strings.Contains(heads, " "+text+" ")
}

// heads are the words that blocks begin with; one alone has an empty block behind it.
const heads = ` default else do begin try catch rescue finally ensure unsafe `

func children(n *syntax.Node) []*syntax.Node {
	parts := make([]*syntax.Node, 0, 8)
	for i := range int(n.NamedChildCount()) {
		parts = append(parts, n.NamedChild(i))
	}
	return parts
}

// statement judges one statement; tail: its value is given back.
func (j *judgement) statement(n *syntax.Node, tail bool) flow {
	role := j.role(n)
	if end, ok := j.breaks(n); ok {
		return end
	}
	if j.drops(n) {
		return goesOn
	}
	if j.throwsBare(n) {
		j.raises = true
		return j.give(made)
	}
	switch role {
	case language.Acts:
		return acts
	case language.Idles, language.Jumps:
		if role == language.Idles && j.isWorded(n) && j.value(n) > constant {
			return acts
		}
		j.imports = j.imports || strings.HasPrefix(n.Type(), "import") || n.Type() == "use_declaration"
		return goesOn
	case language.Groups, language.Arms:
		return j.group(n, tail && !strings.HasPrefix(n.Type(), "ensure") && !strings.HasPrefix(n.Type(), "after"))
	case language.Branches:
		return j.branch(n, tail)
	case language.Loops:
		return j.loop(n)
	case language.Stands:
		parts := n.NamedChildren()
		if len(parts) == 1 {
			switch j.role(parts[0]) {
			case language.Selects:
				return acts // an accessor may act
			case language.Text:
				if len(parts[0].Type()) > 0 && j.value(parts[0]) <= constant && !tail {
					j.strings = j.strings[:max(0, len(j.strings)-1)] // documentation
					return goesOn
				}
			}
		}
		return j.block(parts, tail && !bytes.HasSuffix(j.src[n.Start():n.End()], []byte(";")))
	case language.Returns:
		return j.returns(n)
	case language.Transfers:
		return j.transfer(n)
	case language.Throws, language.Asserts, language.Prints:
		return j.speak(n, role)
	case language.Declares, language.Assigns:
		return j.bind(n, role == language.Declares)
	case language.Shares:
		for _, c := range n.NamedChildren() {
			j.shared = append(j.shared, j.text(c))
		}
		return goesOn
	case language.Nests:
		return j.nested(n, n.Field("name"))
	}
	if role == language.Calls && (j.assures(n) || j.runsNothing(n)) {
		return goesOn
	}
	if tail && j.isUnit(n) {
		return goesOn
	}
	v := j.value(n)
	if tail {
		return j.give(v, j.text(n))
	}
	if role == language.Written && j.isWorded(n) { // its status is given back
		j.given, j.texts = append(j.given, v), append(j.texts, j.text(n))
		return goesOn
	}
	if v <= computed && !strings.HasPrefix(j.text(n), "void ") && (v > constant || role != language.Computes || strings.Contains(j.text(n), "/")) && role != language.Written && role != language.Text && role != language.Refers && role != language.Holds {
		return acts // a call, or an operator: who writes it alone wants its effect
	}
	switch v {
	case first, computed:
		j.reads = j.reads || role != language.Refers
	case act:
		return acts
	case talk:
		j.talks = true
	case mutter:
		j.unmade = true
	case unmade:
		j.unmade = true
		return leaves
	case same:
		j.itself = true
	}
	return goesOn
}

// transfer judges a statement whose first word says what it is.
func (j *judgement) transfer(n *syntax.Node) flow {
	text := j.text(n)
	switch {
	case strings.HasPrefix(text, "return"):
		return j.returns(n)
	case strings.HasPrefix(text, "throw"):
		return j.speak(n, language.Throws)
	}
	return goesOn
}

// returns judges a return. One without a value gives nothing back.
func (j *judgement) returns(n *syntax.Node) flow {
	text := j.text(n)
	if text == "return 0" && n.Type() == "command" {
		return j.give(empty) // of a shell: that nothing failed
	}
	if strings.Trim(text, "; \t\r\n") == "return" {
		j.returned = true
		return leaves
	}
	if len(text) <= maxMessage && language.IsStatus(text) && language.SaysUndone(language.LiteralParts(text)) {
		j.unmade = true
		return leaves
	}
	return j.give(j.valueOf(j.parts(n)), text)
}

// give notes what is given back.
func (j *judgement) give(v value, text ...string) flow {
	switch v {
	case computed, act:
		return acts
	case talk:
		j.talks, v = true, empty
	case mutter, unmade:
		j.unmade, v = true, empty
	case same:
		j.itself = true
		return leaves
	}
	j.given = append(j.given, v)
	j.texts = append(j.texts, text...)
	return leaves
}

// speak judges a throw, an assertion or a print.
func (j *judgement) speak(n *syntax.Node, role language.Role) flow {
	text := j.text(n)
	if role == language.Asserts {
		parts := n.NamedChildren()
		if len(parts) > 0 && isFalse(j.text(parts[0])) && language.SaysUndone(language.LiteralParts(text)) {
			j.unmade = true
			return leaves
		}
		if len(parts) > 0 && holdsItself(j.text(parts[0])) {
			return goesOn
		}
		return acts
	}
	said := language.LiteralParts(text)
	if len(text) <= maxMessage && (role == language.Prints && (language.PrintsUndone(said) || language.SaysWould(said)) || role != language.Prints && throwsUndone(text)) {
		j.unmade = true
		if role == language.Throws {
			return leaves
		}
		return goesOn
	}
	if role == language.Throws || strings.HasPrefix(text, "exit") || strings.HasPrefix(text, "die") || j.valueOf(n.NamedChildren()) > computed {
		return acts
	}
	j.talks = true
	return goesOn
}

// holdsItself reports whether a condition is true whatever the code does.
func holdsItself(condition string) bool {
	condition = strings.Trim(condition, "() \t")
	left, right, ok := strings.Cut(condition, "==")
	return isTrue(condition) || ok && strings.TrimSpace(left) == strings.TrimSpace(right) && language.IsConstant(strings.TrimSpace(left))
}

// assures reports whether a call asserts what is true whatever the code does.
func (j *judgement) assures(n *syntax.Node) bool {
	callee, arguments := j.callOf(n)
	switch callee[strings.LastIndexByte(callee, '.')+1:] {
	case "assert", "Assert", "precondition", "require", "check":
		return len(arguments) > 0 && holdsItself(j.text(arguments[0]))
	}
	return false
}

// isUnit reports whether a last expression is the value of what gives back none: ().
func (j *judgement) isUnit(n *syntax.Node) bool {
	return j.role(n) == language.Written && strings.Trim(j.text(n), "() \t") == ""
}

// group judges the parts of a statement; every arm of a match may be the last of it.
func (j *judgement) group(n *syntax.Node, tail bool) flow {
	parts, worded := j.parts(n), j.isWorded(n)
	if text := strings.Trim(j.text(n), "{} \t\r\n;"); len(parts) == 0 && isWord(text) {
		if v := j.named(text); tail { // a word of the language
			return j.give(v, text)
		} else if v != empty {
			return acts
		}
	}
	kind := n.Type()
	if kind == "match_block" && len(parts) == 0 {
		return acts // nothing can get there, as the type of what is matched says
	}
	if kind == "with_item" && !strings.HasPrefix(strings.TrimPrefix(j.text(n), "contextlib."), "suppress(") {
		return acts
	}
	if kind == "with_item" {
		return goesOn
	}
	if isSequence(kind) || len(parts) < 2 && !worded && (len(parts) == 0 || !j.heads(n, parts[0])) {
		return j.block(parts, tail)
	}
	end := goesOn
	j.ways = true
	for i, part := range parts {
		if j.left < 0 {
			return acts
		}
		if j.isMatched(n, part) {
			if j.match(part) == acts {
				return acts
			}
			continue
		}
		switch role := j.role(part); role {
		case language.Groups, language.Arms, language.Branches, language.Loops, language.Stands, language.Returns, language.Throws, language.Transfers,
			language.Declares, language.Assigns, language.Nests, language.Asserts, language.Prints, language.Shares, language.Idles, language.Jumps:
			if j.statement(part, tail) == acts {
				return acts
			}
		default:
			if worded || i == 0 && holdsLock(kind) || j.heads(n, part) {
				if j.condition(part) == act {
					return acts
				}
			} else if j.statement(part, tail) == acts {
				return acts
			}
		}
	}
	return end
}

// heads reports whether a part of a statement is what is asked or matched there, no value of it.
func (j *judgement) heads(n, part *syntax.Node) bool {
	for _, name := range []string{"condition", "value", "pattern", "subject", "argument", "left", "right"} {
		if f := n.Field(name); f != nil && f.Start() == part.Start() && f.End() == part.End() {
			return name != "value" || !j.grammar.Tail || strings.HasPrefix(n.Type(), "case") ||
				n.NamedChild(int(n.NamedChildCount())-1).Start() > part.Start()
		}
	}
	if f := n.Field("expr"); f != nil && strings.HasPrefix(n.Type(), "switch") {
		return f.Start() == part.Start() && f.End() == part.End()
	}
	return false
}

// isSequence reports whether the parts of nodes of a kind follow one another; those of others are the ways that there are.
func isSequence(kind string) bool {
	switch kind {
	case "block", "statements", "compound_statement", "body", "then", "do", "else", "do_group", "elif_clause", "begin", "ensure", "subshell":
		return true
	}
	return strings.HasSuffix(kind, "_block") || strings.HasSuffix(kind, "body_statement") || strings.HasSuffix(kind, "_body") || strings.HasSuffix(kind, "do_statement")
}

// isMatched reports whether a part of an arm is what is matched there.
func (j *judgement) isMatched(n, part *syntax.Node) bool {
	f := n.Field("left")
	return f != nil && f == part && j.role(n) == language.Arms
}

// match judges a pattern: the names in it are given values; what it calls, save in a guard, acts.
func (j *judgement) match(n *syntax.Node) flow {
	switch j.role(n) {
	case language.Refers:
		if name := j.text(n); name != "_" && !isTypeName(name) {
			j.bounds, j.reads = append(j.bounds, name), true
		}
	case language.Calls, language.Acts:
		return acts
	default:
		for _, c := range n.NamedChildren() {
			if j.match(c) == acts {
				return acts
			}
		}
	}
	return goesOn
}

// isValue reports whether a node is an expression.
func (j *judgement) isValue(n *syntax.Node) bool {
	role := j.role(n)
	return role >= language.Written && role <= language.Makes
}

// parts are the children of a statement. Those of a call that is one are its arguments, and its blocks, without what it is called by.
func (j *judgement) parts(n *syntax.Node) []*syntax.Node {
	all := n.NamedChildren()
	if !j.isWorded(n) {
		return all
	}
	var parts []*syntax.Node
	target, method := n.Field("target"), n.Field("method")
	for _, c := range all {
		switch kind := c.Type(); {
		case target != nil && c == target, method != nil && c == method, kind == "command_name":
		case kind == "arguments", kind == "argument_list", kind == "keywords":
			for _, a := range c.NamedChildren() {
				if a.Type() != "keywords" {
					parts = append(parts, a)
					continue
				}
				for _, pair := range a.NamedChildren() {
					if v := pair.Field("value"); v != nil {
						parts = append(parts, v)
					}
				}
			}
		default:
			parts = append(parts, c)
		}
	}
	return parts
}

// condition judges an expression on which it depends what is done.
func (j *judgement) condition(n *syntax.Node) value {
	v := j.value(n)
	if v >= talk {
		return act
	}
	if v >= first {
		j.reads = true
	}
	return v
}

// counts is a loop that only counts to a small number.
var counts = language.Lazy(`^for\s*\(?\s*((int|let|var|auto)\s+)?\$?\w+\s*:?=\s*\d+;\s*\$?\w+\s*<=?\s*\d{1,2};\s*(\$?\w+\+\+|\+\+\$?\w+)\s*\)?\s*\{\s*\}$`)

// loop judges a loop. One that waits for a condition acts.
func (j *judgement) loop(n *syntax.Node) flow {
	if counts.MatchString(j.text(n)) {
		return goesOn
	}
	condition := n.Field("condition")
	if condition != nil && j.condition(condition) > constant {
		return acts
	}
	j.endless = j.endless || isEndless(j.text(n), condition == nil || isTrue(j.text(condition)))
	never := condition != nil && isFalse(j.text(condition))
	known := j.bound
	if never {
		if j.holdsYield(n) {
			return acts
		}
		for _, part := range n.NamedChildren() {
			j.dead = j.dead || part.Start() >= condition.End() && j.hasContent(part)
		}
		return goesOn
	}
	parts := j.parts(n)
	if len(parts) > 1 && parts[0].Type() == "enumerators" {
		parts = append(children(parts[0]), parts[1:]...)
	}
	for i, part := range parts {
		if condition != nil && part.Start() == condition.Start() || j.isVariable(n, part) {
			continue
		}
		if right := part.Field("right"); right != nil && part.Type() == "range_clause" && j.value(right) <= constant {
			continue
		}
		if i == 0 && j.isWorded(n) && j.role(part) == language.Assigns { // a comprehension
			if j.statement(part, false) == acts {
				return acts
			}
			known = j.bound
		} else if j.isValue(part) {
			if v := j.value(part); v > computed || v >= first && !j.grammar.Spent {
				return acts
			}
			j.reads = true // how often it runs
		} else if name, of := j.each(part); name != nil {
			j.locals[j.text(name)] = constant
			if of != nil && j.value(of) >= first {
				return acts
			}
		} else if j.statement(part, false) == acts {
			return acts
		}
	}
	if j.bound > known {
		return acts // it counts, or waits
	}
	return goesOn
}

// each returns the name that a loop gives each element, and what they are elements of where that stands beside it; nil where
// a part of a loop is something else.
func (j *judgement) each(n *syntax.Node) (name, of *syntax.Node) {
	parts := n.NamedChildren()
	if j.role(n) != language.Declares || len(parts) == 0 || len(parts) > 2 || j.role(parts[0]) != language.Refers {
		return nil, nil
	}
	if len(parts) == 2 {
		of = parts[1]
	}
	return parts[0], of
}

// isVariable reports whether a part of a loop is the variable that it gives its values, which is one of the body.
func (j *judgement) isVariable(n, part *syntax.Node) bool {
	for _, name := range []string{"var", "variable", "pattern"} {
		if f := n.Field(name); f != nil && f == part && j.role(part) == language.Refers {
			j.bounds = append(j.bounds, j.text(part))
			return true
		}
	}
	return false
}

// endless is how a loop begins that no condition ends, where the condition has no node of its own.
var endless = language.Lazy(`^(loop\b|do\b|for\s*(\{|\(\s*;\s*;\s*\)|;;)|while\b)`)

// isEndless reports whether nothing ends a loop; always: it has no condition, or one that is true.
func isEndless(loop string, always bool) bool {
	return always && endless.MatchString(loop) && !hasWord(loop, "break")
}

// nested judges a definition in the body: one that nothing there names is dead.
func (j *judgement) nested(n, name *syntax.Node) flow {
	if name == nil {
		name = j.firstName(n)
	}
	if n.Type() == "decorated_definition" || name == nil || j.grammar.Nested {
		return acts
	}
	word := j.text(name)
	at := stretch{n.Start(), n.End()}
	before, after := string(j.src[j.whole.start:at.start]), string(j.src[at.end:max(at.end, j.whole.end)])
	if hasWord(before, word) || hasWord(after, word) {
		return acts
	}
	j.dead = true
	return goesOn
}

// firstName returns the first part of a definition that is a name, where the grammar does not say which is.
func (j *judgement) firstName(n *syntax.Node) *syntax.Node {
	for _, c := range n.NamedChildren() {
		if j.role(c) == language.Refers {
			return c
		}
	}
	return nil
}
