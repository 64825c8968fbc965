package evidence

import (
	"slices"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
)

// kind is the kind of one byte of a source, in the low four bits. The high bits are flags of its definition.
type kind uint8

const (
	blank   kind = iota
	bracket      // a bracket, comma or semicolon outside of anything below
	comment
	weak // import, decorator, header of a definition
	real // everything else
	passes
	ellipsis
	notImplemented
	docstring // or another bare string
	discarded // a value that is thrown away
	vacuous   // an assertion that cannot fail
	skips     // what skips a test
	kinds     // how many there are

	kindMask kind = 0x0f
	inStub   kind = 0x10 // of a definition that is a stub
	inExempt kind = 0x20 // of one that is exempt
	inDoubt  kind = 0x40 // of a stub that a syntax error touches
	inSkip   kind = 0x80 // with inStub: of a skipped test
	inVague       = inDoubt | inSkip
)

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
	exempt                 // without substance, but complete
	doubtful               // without substance, but a syntax error touches it
	vague                  // unclear: why says why
)

// definition is one definition of a file. Offsets are bytes.
type definition struct {
	kind         definitionKind
	name, symbol string
	// outer is the start of its decorators and modifiers, start that of its node; last is the end without trailing blanks
	// and comments, end that of its node.
	outer, start, last, end int
	nameAt                  int
	// body and bodyEnd are its body, with comments before the first statement; body is -1 if it has none.
	body, bodyEnd int
	index         int         // in the model
	parent        *definition // nil at the top
	owner         string
	object        string // the name that its object literal is given to
	traits
	// isTitled: the name is a string, no symbol. isSkipped: it is a test that does not run.
	isTitled, isSkipped bool
	ownKinds            kindSet     // what stands in its body, outside of the definitions there
	valueReason         StubReason  // why the expression in the place of a body has no substance, "" when it has
	value               stretch     // that expression
	hasSubstance        bool        // a definition in its body has substance
	hollow              *definition // the first stub in its body
	status              status
	reason              StubReason
	exempt              string
	effect              effect
	why                 string // why it is vague, "" where it only returns nothing
}

// model is the analysis of a source, without its syntax tree. It is immutable once built, and may be shared.
type model struct {
	grammar *grammar
	path    string
	text    text
	kinds   []kind
	// definitions are sorted by where they begin, the wider first.
	definitions     []*definition
	comments        []stretch
	docstrings      []stretch
	byName          map[string][]*definition // made while the model is built
	unread          map[*definition]string   // as well: the result of unreadFields by class
	isForSomeBuilds bool                     // it is for some builds alone
	decorators      []stretch
	errors          []stretch
	errorNodes      []stretch   // error nodes
	certainties     []certainty // of each byte, nil where all could be read
}

func newDefinitions(g *grammar, path string, src text, s parseResult) *model {
	m := &model{
		grammar: g, path: path, text: src, kinds: make([]kind, len(src.bytes)),
		errors: s.errors, errorNodes: s.errorNodes, isForSomeBuilds: isForSomeBuilds(path, src.bytes),
	}
	m.paintBytes()
	m.sortCaptures(s.captures)
	for _, text := range s.strings {
		m.paint(text, real) // its brackets are text
	}
	m.define(s.captures)
	m.setParents()
	m.markUncertain(s.besideErrors)
	return m
}

// inTest reports whether the innermost definition around a stretch is a test; a helper inside a test is not.
func (m *model) inTest(s stretch) bool {
	if len(m.grammar.Tests) == 0 {
		return true
	}
	d := m.lastBefore(s.start + 1)
	for d != nil && d.end < s.end {
		d = d.parent
	}
	return d != nil && m.isTest(d)
}

func (m *model) lastBefore(at int) *definition {
	i, _ := slices.BinarySearchFunc(m.definitions, at, func(d *definition, at int) int { return d.outer - at })
	if i == 0 {
		return nil
	}
	return m.definitions[i-1]
}

func (m *model) isTest(d *definition) bool {
	return m.headerFacts(d, 0).MatchAny(m.grammar.Tests)
}

func (m *model) defines(s stretch) bool {
	d := m.lastBefore(s.end)
	return d != nil && d.outer >= s.start
}

const maxPlaceholder = 80

// maxMessage bounds a statement that is searched for «not implemented», in bytes.
const maxMessage = 1000

func (m *model) of(s stretch) string { return string(m.text.bytes[s.start:s.end]) }

func (m *model) setOwnKinds() {
	rest, inner := m.definitions, (*definition)(nil)
	for i, k := range m.kinds {
		for len(rest) > 0 && rest[0].outer <= i {
			inner, rest = rest[0], rest[1:]
		}
		for inner != nil && inner.end <= i {
			inner = inner.parent
		}
		if inner != nil && k != blank && inner.body >= 0 && i >= inner.body && i < inner.bodyEnd {
			inner.ownKinds |= 1 << k
		}
	}
}

// decide decides whether each definition has substance, inner ones first.
func (m *model) decide() {
	for _, d := range slices.Backward(m.definitions) {
		switch m.decideDefinition(d); {
		case d.parent == nil:
		case d.status == stub && d.kind == function:
			d.parent.hollow = d
		default:
			d.parent.hasSubstance = true
		}
	}
}

func (m *model) decideDefinition(d *definition) {
	if m.decideEffect(d) {
		return
	}
	switch {
	case d.valueReason != "" && !d.hasSubstance && !isNoop(d):
		m.decideEmpty(d, d.valueReason)
	case d.body < 0 || d.kind == other || d.hasSubstance || d.ownKinds.has(real):
	case d.ownKinds.has(weak) && (d.kind == class || !m.saysUnfinished(d)): // what imports for its effect is complete
	default:
		m.decideEmpty(d, m.reasonOf(d))
	}
}

// decideEmpty decides whether a definition without substance is a stub, exempt, or unclear. A class of only stubs is
// one if nothing exempts it. A function in a file of tests that is no test may be a double.
func (m *model) decideEmpty(d *definition, reason StubReason) {
	d.reason = reason
	word := m.exemption(d)
	switch {
	case word != "" && d.kind == class && d.hollow != nil:
	case word != "":
		d.exempt, d.status = word, exempt
	case m.isBroken(d), m.isOrphan(d):
		d.status = doubtful
	case d.kind == function && holdsDoubles(m.path) && !m.looksTest(d) && !m.isMacroArgument(d) &&
		len(m.decoratorsOf(d)) == 0:
		d.status, d.why = vague, "does nothing, in a test's file"
	default:
		d.status = stub
	}
}

// saysUnfinished reports whether a body says that its work is left, so that imports in it do not count.
func (m *model) saysUnfinished(d *definition) bool {
	return d.ownKinds&setOf(passes, ellipsis) != 0 || d.ownKinds.has(notImplemented) || m.hasMarker(d)
}

// hasMarker reports whether a comment of the body marks work that is left, or a docstring begins with a marker.
func (m *model) hasMarker(d *definition) bool {
	return m.hasTodo(d) || m.anySays(within(m.docstrings, stretch{d.body, d.bodyEnd}), lang.OpensWithMarker)
}

// anySays reports whether a text of a list says something.
func (m *model) anySays(list []stretch, says func(text string) bool) bool {
	return slices.ContainsFunc(list, func(s stretch) bool { return says(m.of(s)) })
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

// reasonOf says why a body has no substance. The most telling reason decides: not_implemented, skipped_test,
// vacuous_test, placeholder_return, pass, ellipsis, the reason of a nested stub, todo_only, docstring_only, empty_body.
func (m *model) reasonOf(d *definition) StubReason {
	switch {
	case d.ownKinds.has(notImplemented):
		return reasonNotImplemented
	case d.ownKinds.has(skips):
		return skippedTest
	case d.ownKinds.has(vacuous):
		return vacuousTest
	case d.effect.Outcome == flow.DoesNothing && d.effect.HasBareReturn && m.hasMarker(d):
		return placeholderReturn
	case d.ownKinds.has(passes):
		return pass
	case d.ownKinds.has(ellipsis):
		return reasonEllipsis
	case d.hollow != nil:
		return d.hollow.reason
	case d.ownKinds.has(comment) && m.hasTodo(d):
		return todoOnly
	case d.ownKinds.has(docstring):
		return docstringOnly
	}
	return emptyBody
}

func (m *model) hasTodo(d *definition) bool {
	return m.anySays(within(m.comments, stretch{d.body, d.bodyEnd}), lang.MarksWorkLeft)
}

func (m *model) isSkipped(d *definition) bool {
	return d.ownKinds.has(skips) || d.valueReason == skippedTest || slices.ContainsFunc(m.decoratorsOf(d), m.skipsAlways)
}
