package evidence

import (
	"slices"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
)

// kind is what one byte of a source stands for: the low four bits of the
// model's kinds. The high bits are flags of the definition around it.
type kind uint8

const (
	blank   kind = iota
	bracket      // a bracket, comma or semicolon outside of anything below
	comment
	weak // import, decorator, header of a definition
	real // everything that no pattern covers
	passes
	ellipsis
	notImplemented
	docstring // or another bare string
	dropped   // a value that is thrown away
	vacuous   // an assertion that cannot fail
	skips     // what skips a test
	kinds     // how many there are

	kindMask kind = 0x0f
	inStub   kind = 0x10 // of a definition that is a stub
	inExempt kind = 0x20 // of one that is complete though empty
	inDoubt  kind = 0x40 // of one that looks like a stub, but a syntax error touches it
	inSkip   kind = 0x80 // of a stub that is a skipped test, beside inStub
	inVague       = inDoubt | inSkip
)

// kindSet is a set of kinds, one bit each.
type kindSet uint16

func setOf(ks ...kind) kindSet {
	var s kindSet
	for _, k := range ks {
		s |= 1 << k
	}
	return s
}

func (s kindSet) has(k kind) bool { return s&(1<<k) != 0 }

type definitionKind uint8

const (
	function definitionKind = iota + 1
	class
	other
)

type status uint8

const (
	sound    status = iota // has substance, or no body
	stub                   // a body without substance
	exempt                 // the same, but complete
	doubtful               // the same, but a syntax error touches it
	vague                  // gives back nothing, and does nothing else
)

// definition is one definition of a file. Offsets are bytes.
type definition struct {
	kind         definitionKind
	name, symbol string
	// outer is where its decorators and modifiers begin, start its own node; last is the
	// end of what is not blank or comment in it, end the end of its node.
	outer, start, last, end int
	nameAt                  int
	// body and bodyEnd are its body, comments before its first statement included; body is -1 when it has none.
	body, bodyEnd int
	parent        int // index, -1 at the top
	owner         string
	// member: it may stand in an object literal, where a function around it makes it an option, no part of an interface.
	member   bool
	object   string // the name that this literal is given to
	skips    bool   // it is a test that does not run
	assigned bool   // it is given to a member
	title    bool   // the name is a string, no symbol
	// test: it is one, as the language said when it was asked.
	asked, test bool

	own         kindSet    // what stands in its body, outside of the definitions there
	valueReason StubReason // why the expression in the place of a body has no substance, "" when it has
	value       stretch    // that expression
	substantial bool       // a definition in its body has substance
	hollow      int        // index of the first stub in its body, -1 without one
	status      status
	reason      StubReason
	exempt      string
	effect      effect
	header      *lang.Facts
	why         string // why it is vague, "" where it only returns nothing
}

// model is a source as the engine sees it: plain values, no syntax tree. It is
// never changed once built, so it may be shared.
type model struct {
	grammar *grammar
	path    string
	text    text
	kinds   []kind
	// definitions are sorted by where they begin, the wider first.
	definitions []definition
	comments    []stretch
	docstrings  []stretch
	byName      map[string][]int // definitions by their names; made while the model is built
	oneOfMany   bool             // it is for some builds alone
	decorators  []stretch
	errors      []stretch
	broken      []stretch // error nodes
	literals    []stretch // strings and texts that may span lines
	doubt       []doubt   // of each byte, nil where all could be read
}

// newModel builds the model of what a parse found.
func newModel(g *grammar, path string, src text, s parsed) *model {
	m := newDefinitions(g, path, src, s)
	m.paintStatements(s.captures)
	m.noteBodies()
	m.decide()
	m.paintFlags()
	return m
}

// newDefinitions builds that part of a model that tells which definitions there are.
func newDefinitions(g *grammar, path string, src text, s parsed) *model {
	m := &model{
		grammar: g, path: path, text: src, kinds: make([]kind, len(src.bytes)),
		errors: s.errors, broken: s.broken, literals: s.literals, oneOfMany: isForSomeBuilds(path, src.bytes),
	}
	m.paintBytes()
	m.sortCaptures(s.captures)
	m.define(s.captures)
	m.enclose()
	m.noteDoubt(s.beside)
	return m
}

// inTest reports whether the innermost definition around a stretch is a test; a helper that stands in one is none.
func (m *model) inTest(s stretch) bool {
	if len(m.grammar.Tests) == 0 {
		return true
	}
	after, _ := slices.BinarySearchFunc(m.definitions, s.start+1, func(d definition, at int) int { return d.outer - at })
	i := after - 1
	for i >= 0 && m.definitions[i].end < s.end {
		i = m.definitions[i].parent
	}
	return i >= 0 && m.isTest(&m.definitions[i])
}

// isTest asks the language once whether a definition is a test.
func (m *model) isTest(d *definition) bool {
	if !d.asked {
		d.asked, d.test = true, m.headerFacts(d, 0).MatchAny(m.grammar.Tests)
	}
	return d.test
}

// defines reports whether a definition begins in a stretch.
func (m *model) defines(s stretch) bool {
	i, _ := slices.BinarySearchFunc(m.definitions, s.start, func(d definition, at int) int { return d.outer - at })
	return i < len(m.definitions) && m.definitions[i].outer < s.end
}

// maxPlaceholder is the longest return statement that can be a placeholder, in bytes.
const maxPlaceholder = 80

// maxMessage is the longest statement that is read for the words «not implemented», in bytes.
const maxMessage = 1000

func (m *model) of(s stretch) string { return string(m.text.bytes[s.start:s.end]) }

// noteBodies notes for each definition what stands in its body and not in one of the definitions there.
func (m *model) noteBodies() {
	next, inner := 0, -1
	for i, k := range m.kinds {
		for next < len(m.definitions) && m.definitions[next].outer <= i {
			inner = next
			next++
		}
		for inner >= 0 && m.definitions[inner].end <= i {
			inner = m.definitions[inner].parent
		}
		if inner >= 0 && k != blank {
			if d := &m.definitions[inner]; d.body >= 0 && i >= d.body && i < d.bodyEnd {
				d.own |= 1 << k
			}
		}
	}
}

// decide says of every definition whether it has substance, the inner ones first.
func (m *model) decide() {
	for i := len(m.definitions) - 1; i >= 0; i-- {
		d := &m.definitions[i]
		m.decideOne(d)
		if d.parent < 0 {
			continue
		}
		if parent := &m.definitions[d.parent]; d.status == stub && d.kind == function {
			parent.hollow = i
		} else {
			parent.substantial = true
		}
	}
}

func (m *model) decideOne(d *definition) {
	if m.decideEffect(d) {
		return
	}
	switch {
	case d.valueReason != "" && !d.substantial && !isNoop(d):
		m.settle(d, d.valueReason)
	case d.body < 0 || d.kind == other || d.substantial || d.own.has(real):
	case d.own.has(weak) && (d.kind == class || !m.leaves(d)): // what imports for its effect is complete
	default:
		m.settle(d, m.reasonOf(d))
	}
}

// settle says of a definition without substance whether it is a stub, complete, or beyond what the grammar could read.
// A class that holds only stubs is one when nothing makes it complete. What stands in a test's file, and is no test,
// may be a double.
func (m *model) settle(d *definition, reason StubReason) {
	d.reason = reason
	word := m.exemption(d)
	switch {
	case word != "" && d.kind == class && d.hollow >= 0:
	case word != "":
		d.exempt, d.status = word, exempt
	case m.isBroken(d), m.isOrphan(d):
		d.status = doubtful
	case d.kind == function && holdsDoubles(m.path) && !m.looksTest(d) && !m.isMacro(d) &&
		len(m.decoratorsOf(d)) == 0:
		d.status, d.why = vague, "does nothing, in a test's file"
	default:
		d.status = stub
	}
}

// leaves reports whether a body says that its work is left, so that imports beside it are for nothing.
func (m *model) leaves(d *definition) bool {
	return d.own&setOf(passes, ellipsis) != 0 || d.own.has(notImplemented) || m.marked(d)
}

// marked reports whether a comment of the body marks work that is left, or a docstring begins with such a marker.
func (m *model) marked(d *definition) bool {
	opens := func(s stretch) bool { return lang.OpensWithMarker(m.of(s)) }
	return m.hasTodo(d) || slices.ContainsFunc(within(m.docstrings, stretch{d.body, d.bodyEnd}), opens)
}

// within returns the stretches of a sorted list that begin in s.
func within(list []stretch, s stretch) []stretch {
	search := func(at int) int {
		i, _ := slices.BinarySearchFunc(list, at, func(e stretch, at int) int { return e.start - at })
		return i
	}
	from, to := search(s.start), search(s.end)
	return list[from:to]
}

// reasonOf says why a body has no substance. Of several, what says most about
// the intent decides: not_implemented, skipped_test, vacuous_test, placeholder_return, pass, ellipsis, then
// the reason of a stub that the body holds, todo_only, docstring_only, empty_body.
func (m *model) reasonOf(d *definition) StubReason {
	switch {
	case d.own.has(notImplemented):
		return reasonNotImplemented
	case d.own.has(skips):
		return skippedTest
	case d.own.has(vacuous):
		return vacuousTest
	case d.effect.Outcome == flow.DoesNothing && d.effect.HasBareReturn && m.marked(d):
		return placeholderReturn
	case d.own.has(passes):
		return pass
	case d.own.has(ellipsis):
		return reasonEllipsis
	case d.hollow >= 0:
		return m.definitions[d.hollow].reason
	case d.own.has(comment) && m.hasTodo(d):
		return todoOnly
	case d.own.has(docstring):
		return docstringOnly
	}
	return emptyBody
}

func (m *model) hasTodo(d *definition) bool {
	return slices.ContainsFunc(within(m.comments, stretch{d.body, d.bodyEnd}), func(c stretch) bool {
		return lang.MarksWorkLeft(m.of(c))
	})
}

// isSkipped reports whether a stub is a test that is skipped.
func (m *model) isSkipped(d *definition) bool {
	return d.own.has(skips) || d.valueReason == skippedTest || slices.ContainsFunc(m.decoratorsOf(d), m.skipsAlways)
}
