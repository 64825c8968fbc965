package evidence

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// block judges statements that follow one another, and the arms after them. tail: the last of each is given back.
func (j *judgement) block(parts []*syntax.Node, tail bool) outlet {
	last := len(parts) - 1
	for last >= 0 && (j.Role(parts[last]) == lang.Idles || j.Role(parts[last]) == lang.Arms) {
		last--
	}
	skip, left, end := false, false, goesOn
	for i, n := range parts {
		role := j.Role(n)
		switch {
		case j.Left < 0:
			return acts
		case role == lang.Arms:
			if j.statement(n, tail) == acts {
				return acts
			}
			continue
		case left && role == lang.Idles:
			continue
		case left:
			if j.dead = true; j.holdsYield(n) {
				return acts // a generator of nothing
			}
			continue
		case role == lang.Disables:
			skip = skip || lang.Disabled(j.Text(n))
			continue
		case skip:
			j.dead, skip = true, false
			continue
		}
		if i < last && role == lang.Transfers && j.Text(n) == "return" &&
			bytes.IndexByte(j.Src[n.End():max(n.End(), parts[i+1].Start())], '\n') < 0 {
			return j.give(j.value(parts[i+1]), j.Text(parts[i+1])) // a grammar may part them
		}
		if end = j.statement(n, tail && i == last); end == acts {
			return acts
		}
		left = end == leaves
	}
	return end
}

// holdsYield reports whether a yield of the body's own stands in a node: it makes the function a generator, reached or
// not.
func (j *judgement) holdsYield(n *syntax.Node) bool {
	if j.grammar.Tail || !bytes.Contains(j.Src[n.Start():n.End()], []byte("yield")) {
		return false
	}
	if strings.HasPrefix(n.Type(), "yield") {
		return true
	}
	if s := n.Symbol(); s < len(j.Roles) && (j.Roles[s] == lang.Nests || j.Roles[s] == lang.Closes) {
		return false
	}
	return slices.ContainsFunc(n.NamedChildren(), j.holdsYield)
}

// isWord reports whether a text is one word of letters.
func isWord(text string) bool {
	return text != "" && text != "_" && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 &&
		!strings.Contains(heads, " "+text+" ")
}

// statement judges one statement; tail: its value is given back.
func (j *judgement) statement(n *syntax.Node, tail bool) outlet {
	role := j.Role(n)
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
	case lang.Acts:
		return acts
	case lang.Idles, lang.Jumps:
		if role == lang.Idles && j.IsWorded(n) && j.value(n) > constant {
			return acts
		}
		j.imports = j.imports || strings.HasPrefix(n.Type(), "import") || n.Type() == "use_declaration"
		return goesOn
	case lang.Groups, lang.Arms:
		return j.group(n, tail && !strings.HasPrefix(n.Type(), "ensure") && !strings.HasPrefix(n.Type(), "after"))
	case lang.Branches:
		return j.branch(n, tail)
	case lang.Loops:
		return j.loop(n)
	case lang.Stands:
		return j.stands(n, tail)
	case lang.Returns:
		return j.returns(n)
	case lang.Transfers:
		return j.transfer(n)
	case lang.Throws, lang.Asserts, lang.Prints:
		return j.speak(n, role)
	case lang.Declares, lang.Assigns:
		return j.bind(n, role == lang.Declares)
	case lang.Shares:
		for _, c := range n.NamedChildren() {
			j.shared = append(j.shared, j.Text(c))
		}
		return goesOn
	case lang.Nests:
		return j.nested(n, n.Field("name"))
	}
	return j.expression(n, role, tail)
}

// stands judges a statement that is what it holds.
func (j *judgement) stands(n *syntax.Node, tail bool) outlet {
	parts := n.NamedChildren()
	if len(parts) == 1 {
		switch j.Role(parts[0]) {
		case lang.Selects:
			return acts // an accessor may act
		case lang.Text:
			if len(parts[0].Type()) > 0 && j.value(parts[0]) <= constant && !tail {
				j.strings = j.strings[:max(0, len(j.strings)-1)] // documentation
				return goesOn
			}
		}
	}
	return j.block(parts, tail && !bytes.HasSuffix(j.Src[n.Start():n.End()], []byte(";")))
}

// expression judges a statement that is a value.
func (j *judgement) expression(n *syntax.Node, role lang.Role, tail bool) outlet {
	if role == lang.Calls && (j.assures(n) || j.runsNothing(n)) {
		return goesOn
	}
	if tail && j.isUnit(n) {
		return goesOn
	}
	v := j.value(n)
	if tail {
		return j.give(v, j.Text(n))
	}
	if role == lang.Written && j.IsWorded(n) { // its status is given back
		j.given, j.texts = append(j.given, v), append(j.texts, j.Text(n))
		return goesOn
	}
	if v <= computed && !strings.HasPrefix(j.Text(n), "void ") &&
		(v > constant || role != lang.Computes || strings.Contains(j.Text(n), "/")) && role != lang.Written &&
		role != lang.Text && role != lang.Refers && role != lang.Holds {
		return acts // a call, or an operator: who writes it alone wants its effect
	}
	switch v {
	case first, computed:
		j.reads = j.reads || role != lang.Refers
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
func (j *judgement) transfer(n *syntax.Node) outlet {
	text := j.Text(n)
	switch {
	case strings.HasPrefix(text, "return"):
		return j.returns(n)
	case strings.HasPrefix(text, "throw"):
		return j.speak(n, lang.Throws)
	}
	return goesOn
}

// returns judges a return. One without a value gives nothing back.
func (j *judgement) returns(n *syntax.Node) outlet {
	text := j.Text(n)
	if text == "return 0" && n.Type() == "command" {
		return j.give(empty) // of a shell: that nothing failed
	}
	if strings.Trim(text, "; \t\r\n") == "return" {
		j.returned = true
		return leaves
	}
	if len(text) <= maxMessage && lang.IsStatus(withoutLiterals(text)) &&
		lang.SaysUndone(lang.LiteralParts(text)) {
		j.unmade = true
		return leaves
	}
	return j.give(j.valueOf(j.Parts(n)), text)
}

// give notes what is given back.
func (j *judgement) give(v value, text ...string) outlet {
	switch v {
	case act:
		return acts
	case computed:
		j.shapes = true
		return leaves
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
func (j *judgement) speak(n *syntax.Node, role lang.Role) outlet {
	text := j.Text(n)
	if role == lang.Asserts {
		parts := n.NamedChildren()
		if len(parts) > 0 && facts.IsFalse(j.Text(parts[0])) && lang.SaysUndone(lang.LiteralParts(text)) {
			j.unmade = true
			return leaves
		}
		if len(parts) > 0 && holdsItself(j.Text(parts[0])) {
			return goesOn
		}
		return acts
	}
	said := lang.LiteralParts(text)
	if len(text) <= maxMessage && (role == lang.Prints && (lang.PrintsUndone(said) || lang.SaysWould(said)) ||
		role != lang.Prints && throwsUndone(text)) {
		j.unmade = true
		if role == lang.Throws {
			return leaves
		}
		return goesOn
	}
	printed := j.valueOf(n.NamedChildren())
	if role == lang.Throws || strings.HasPrefix(text, "exit") || strings.HasPrefix(text, "die") || printed > computed {
		return acts
	}
	j.talks, j.shown = true, j.shown || printed >= first
	return goesOn
}

// holdsItself reports whether a condition is true whatever the code does.
func holdsItself(condition string) bool {
	condition = strings.Trim(condition, "() \t")
	left, right, ok := strings.Cut(condition, "==")
	return facts.IsTrue(condition) || ok && strings.TrimSpace(left) == strings.TrimSpace(right) &&
		lang.IsConstant(strings.TrimSpace(left))
}

// assures reports whether a call asserts what is true whatever the code does.
func (j *judgement) assures(n *syntax.Node) bool {
	callee, arguments := j.CallOf(n)
	switch callee[strings.LastIndexByte(callee, '.')+1:] {
	case "assert", "Assert", "precondition", "require", "check":
		return len(arguments) > 0 && holdsItself(j.Text(arguments[0]))
	}
	return false
}

// isUnit reports whether a last expression is the value of what gives back none: ().
func (j *judgement) isUnit(n *syntax.Node) bool {
	return j.Role(n) == lang.Written && strings.Trim(j.Text(n), "() \t") == ""
}

// counts is a loop that only counts to a small number.
var counts = lang.Lazy(`^for\s*\(?\s*((int|let|var` +
	`|auto)\s+)?\$?\w+\s*:?=\s*\d+;\s*\$?\w+\s*<=?\s*\d{1,2};\s*(\$?\w+\+\+|\+\+\$?\w+)\s*\)?\s*\{\s*\}$`)

// endless is how a loop begins that no condition ends, where the condition has no node of its own.
var endless = lang.Lazy(`^(loop\b|do\b|for\s*(\{|\(\s*;\s*;\s*\)|;;)|while\b)`)
