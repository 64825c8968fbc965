package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
)

// decideEffect decides by what a body does, in this order: nothing, says so, pretends, calls itself, dead, constant. It
// returns false if the body does something else.
func (m *model) decideEffect(d *definition) bool {
	if d.name == "_" {
		return false // its body only has to compile
	}
	if d.effect.Outcome == flow.OnlyDeadCode && (d.hollow != nil && !d.hasSubstance || fits("type test", m.path)) {
		return false // only a stub is in it, or only the compiler reads it
	}
	switch d.effect.Outcome {
	case flow.DoesNothing:
		if m.decideEmpty(d, m.reasonOf(d)); d.status == stub && !d.effect.hasResult {
			m.makeVague(d, m.emptyReason(d))
		}
	case flow.SaysNotDone:
		m.decideEmpty(d, reasonNotImplemented)
		switch {
		case m.isOverridden(d):
			m.makeVague(d, "says that it is not implemented, and a subclass implements it")
		case d.parent == nil && m.isForSomeBuilds:
			m.makeVague(d, "says that it is not implemented, in a file for some builds only")
		}
	case flow.CallsItself:
		if m.mayCallNamesake(d) {
			return false
		}
		d.status, d.why = vague, "only calls itself with its own arguments"
	case flow.OnlyDeadCode:
		d.status, d.why = vague, "does nothing that can be reached"
	case flow.ReturnsConstant:
		return m.decideConstant(d) || m.decideDoubt(d)
	default:
		switch {
		case d.effect.Reshapes && m.hasComment(d, lang.AdmitsWorkLeft):
			m.unsure(d, "only reshapes its input, and a comment says that it is not the real work")
		case m.pretends(d):
			m.unsure(d, "says in a comment that it is not the real work")
		default:
			return m.decideDoubt(d)
		}
	}
	return true
}

// mayCallNamesake reports whether a function that seems to call itself may call another of its name: a method of the
// type that it extends, or an overload. Of 39 such functions in 21 repositories, three called themselves.
func (m *model) mayCallNamesake(d *definition) bool {
	header, outer := m.headerText(d), ""
	if d.parent != nil {
		outer = m.headerText(d.parent)
	}
	switch m.grammar.Name {
	case "scala":
		return d.name == "this" || m.isClause(d)
	case "rust":
		isHere := slices.ContainsFunc([]string{"struct ", "enum ", "union "}, func(kind string) bool {
			return lang.HasWord(string(m.text.bytes), kind+m.ownerOf(d))
		})
		return fits("extends a type", outer) && (!isHere || len(m.namesakes(d)) > 1) // its methods are here then
	case "kotlin":
		return fits("extends a type", header)
	case "swift":
		return strings.Contains(header, "...") || lang.HasWord(outer, "extension") && strings.Contains(header, " = ")
	}
	return false
}

func (m *model) makeVague(d *definition, why string) {
	if d.status == stub && why != "" {
		d.status, d.why = vague, why
	}
}

// emptyReason says why an empty function may be needed; "" if there is no reason.
func (m *model) emptyReason(d *definition) string {
	switch {
	case m.isOnPurpose(d):
		return "says that it is empty on purpose"
	case d.effect.isNameless && !m.isMacroArgument(d):
		return "is empty, and names its parameters as unused"
	case m.isInterfaceMethod(d):
		return "is empty, and another type may demand it"
	case d.parent == nil && m.isForSomeBuilds:
		return "is empty in a file for some builds only"
	case holdsDoubles(m.path) && d.ownKinds&setOf(real, weak) != 0:
		return "does nothing, in a test's file"
	case m.isDemanded(d):
		return "may be empty on purpose: its type or framework demands it"
	}
	return ""
}

// pretends reports whether a function says in a comment that it does not do the real work, and is not meant to pretend.
func (m *model) pretends(d *definition) bool {
	return d.kind == function && m.hasComment(d, lang.ContrastsWithRealWork) && !m.isToPretend(d) &&
		!lang.HasListedWord("pretending", m.path)
}

// isToPretend reports whether a definition is meant to stand in for another, as its name, its owner or its folder says.
func (m *model) isToPretend(d *definition) bool {
	return holdsDoubles(m.path) || lang.HasListedWord("pretending", m.ownerOf(d)+" "+d.name)
}

func (m *model) ownerOf(d *definition) string {
	if m.isMember(d) {
		return d.parent.name
	}
	return d.owner
}

// decideDoubt makes a function unclear if flow doubts it, and nothing else requires its form.
func (m *model) decideDoubt(d *definition) bool {
	if m.isClause(d) {
		return false
	}
	if d.effect.futility == "" {
		d.effect.futility = m.unreadFields(d)
	}
	if d.effect.futility != "" {
		m.unsure(d, d.effect.futility)
		return d.exempt == ""
	}
	switch d.effect.doubt {
	case "":
		return false
	case flow.OnlyPassesThrough:
		if !m.saysLeft(d) && (!m.isSuspectIdentity(d) || !m.hasFreeParams(d)) {
			return false
		}
	case flow.EchoesUndone:
		if !m.saysLeft(d) {
			return false
		}
	case flow.OnlyPrints:
		if !m.hasFreeParams(d) || lang.HasListedWord("shows", d.name) || lang.HasListedWord("printers", m.ownerOf(d)) {
			return false
		}
	case flow.DropsValue:
	case flow.EmptyHandler:
		pretends := func(decorator string) bool { return lang.HasListedWord("pretending", decorator) }
		if m.isToPretend(d) || slices.ContainsFunc(m.decoratorsOf(d), pretends) || fits("override words", m.headerText(d)) {
			return false
		}
	case flow.OnlySleeps:
		if holdsDoubles(m.path) {
			return false
		}
	default:
		if m.isForSomeBuilds || !m.hasFreeParams(d) ||
			d.effect.doubt == flow.OnlyChecksPresence &&
				(fits("type guard", m.headerText(d)) || lang.HasListedWord("presence", d.name)) {
			return false
		}
	}
	m.unsure(d, d.effect.doubt)
	return d.exempt == ""
}

func (m *model) hasComment(d *definition, says func(comment string) bool) bool {
	return d.body >= 0 && m.anySays(within(m.comments, m.toLineEnd(stretch{d.body, d.bodyEnd})), says)
}

// unsure makes a definition unclear for a reason, unless it is exempt.
func (m *model) unsure(d *definition, why string) {
	if d.exempt = m.exemption(d); d.exempt == "" {
		d.status, d.why = vague, why
	}
}

// decideConstant judges a function that returns constants: words say whether it pretends.
func (m *model) decideConstant(d *definition) bool {
	switch {
	case m.saysLeft(d):
		m.decideEmpty(d, placeholderReturn)
	case m.isClause(d):
	case d.effect.ReturnsNull && !d.effect.Logs:
		m.unsure(d, "")
	default:
		return false
	}
	return true
}

// isSuspectIdentity reports whether a function that returns its argument has no apparent reason: no subclass may
// override it, its type says nothing, and neither does its name or a comment.
func (m *model) isSuspectIdentity(d *definition) bool {
	header := m.headerText(d)
	return (d.parent == nil || fits("static word", header)) && !strings.ContainsAny(header, "<[") &&
		!m.isOnPurpose(d) && !lang.HasListedWord("identity", d.name)
}

// hasFreeParams reports whether nothing prescribes the parameters of a function: no base or interface of its class, and
// no registration. In Kotlin a function says that it overrides one of a base.
func (m *model) hasFreeParams(d *definition) bool {
	if holdsDoubles(m.path) || slices.ContainsFunc(m.decoratorsOf(d), mayFixParams) || d.isMember && !m.isMember(d) ||
		fits("override words", m.headerText(d)) {
		return false
	}
	return d.parent == nil || m.isMember(d) && (!m.hasBase(d.parent) || m.grammar.Name == "kotlin") && !m.isOverridden(d)
}

// mayFixParams reports whether a decorator may prescribe parameters. A command chooses its own, and so does a listener
// of an event.
func mayFixParams(decorator string) bool { return !fits("own params decorator", decorator) }

// isOverridden reports whether a subclass in the file has a method of d's name that does something.
func (m *model) isOverridden(d *definition) bool {
	return d.parent != nil && slices.ContainsFunc(m.namesakes(d), func(o *definition) bool {
		return o.kind == function && o.effect.Outcome == flow.DoesWork && m.isMember(o) && o.parent.name != d.parent.name &&
			slices.Contains(o.parent.header.Bases, d.parent.name)
	})
}

func (m *model) hasBase(d *definition) bool {
	return len(d.header.Bases) > 0 || fits("bases in header", lang.WithoutBrackets(m.headerText(d), '(', ')'))
}

// isClause reports whether a function is one of several with its name, chosen by pattern or type.
func (m *model) isClause(d *definition) bool {
	return slices.ContainsFunc(m.namesakes(d), func(o *definition) bool {
		return o.symbol == d.symbol && o.object == d.object && o.start != d.start
	})
}

// maxOfOneName bounds how many definitions of one name are compared: more is a file made to take time.
const maxOfOneName = 200

func (m *model) namesakes(d *definition) []*definition {
	if m.byName == nil {
		m.byName = map[string][]*definition{}
		for _, o := range m.definitions {
			if len(m.byName[o.name]) < maxOfOneName {
				m.byName[o.name] = append(m.byName[o.name], o)
			}
		}
	}
	return m.byName[d.name]
}

// isOnPurpose reports whether an empty definition says that it is meant to be empty, in a comment or by its owner's
// name, or whether a subclass in the file overrides it.
func (m *model) isOnPurpose(d *definition) bool {
	at := m.toLineEnd(stretch{d.outer, d.end})
	notes := within(m.comments, at)
	if len(slices.DeleteFunc(slices.Clone(notes),
		func(c stretch) bool { return !fits("code marks", m.of(c)) })) >= commentedOut {
		notes = nil
	}
	before := m.overlapping(m.comments, stretch{m.trimEnd(0, d.outer), d.outer})
	if m.anySays(before, lang.MarksWorkLeft) {
		return false
	}
	if m.anySays(notes, lang.IsDeliberate) ||
		m.anySays(slices.Concat(before, notes, within(m.docstrings, at)), patternOf("on purpose").MatchString) {
		return true
	}
	owner := m.ownerOf(d)
	if d.isMember && owner == "" && !m.isMember(d) {
		if owner = d.object; lang.NamesTestDouble(owner) {
			return true
		}
	}
	return lang.HasListedWord("idle", owner) || m.isOverridden(d)
}

// commentedOut is how many comments must look like code to be code that is commented out, whose words do not count.
const commentedOut = 3

// hasOnlyNotes reports whether a body holds only brackets, the word for nothing, and notes in plain words.
func (m *model) hasOnlyNotes(d *definition) bool {
	return d.ownKinds&^setOf(bracket, comment, passes, ellipsis, docstring, discarded) == 0 &&
		!m.anySays(within(m.comments, stretch{d.body, d.bodyEnd}), patternOf("code marks").MatchString)
}

// saysLeft reports whether a comment or string in a body says that its work is left.
func (m *model) saysLeft(d *definition) bool {
	at := m.toLineEnd(stretch{d.body, d.bodyEnd})
	if d.body < 0 {
		at = stretch{d.start, m.toLineEnd(d.value).end}
	}
	if m.anySays(within(m.comments, at), lang.SaysWorkIsLeft) ||
		m.anySays(within(m.docstrings, at), lang.OpensWithMarker) {
		return true
	}
	says := lang.SaysUndone
	if d.effect.Logs {
		if says = lang.PrintsWorkIsLeft; d.effect.PrintsInput {
			return false // a report of what it found
		}
	}
	return slices.ContainsFunc(d.effect.Strings, func(s lang.Span) bool {
		text := m.of(stretchOf(s))
		return len(text) <= maxPlaceholder && !fits("code start", text) && strings.Contains(text, " ") &&
			!strings.ContainsAny(text, "(\n") && says(text)
	})
}

// Stub is a function or method whose body has no substance.
type Stub struct {
	// Line is the first line without decorators.
	Line, EndLine int
	Symbol        string
	Language      string
	Reason        StubReason
	// Exempt says why the definition is complete though empty (abstract, overload, protocol, …); "" if it is not.
	Exempt string
}

// StubReason is why a body has no substance.
type StubReason string

const (
	emptyBody            StubReason = "empty_body"         // no statement at all
	pass                 StubReason = "pass"               // only statements that do nothing, such as Python's pass
	reasonEllipsis       StubReason = "ellipsis"           // only Python's «...»
	docstringOnly        StubReason = "docstring_only"     // only its own documentation
	reasonNotImplemented StubReason = "not_implemented"    // an error, a log or a print says that it is not implemented
	todoOnly             StubReason = "todo_only"          // only a note that the work is left
	placeholderReturn    StubReason = "placeholder_return" // it returns a constant, and says that work is left
	vacuousTest          StubReason = "vacuous_test"       // a test with only assertions that cannot fail
	skippedTest          StubReason = "skipped_test"       // a test that only skips itself
)

// model is the model of a file, nil if its language has no stubs. Bodies that wants does not select may be unjudged.
// Errors are those of Functions.
func (f Source) model(ctx context.Context, c *Cache, wants bodyFilter) (*model, error) {
	g := grammarOf(f.Path)
	if g == nil {
		return nil, ErrNoLanguage
	}
	if !g.IsCode() {
		return nil, nil // it has no stubs
	}
	if whole, ok := c.orNew(f.ID).models.known(f.key(g)); ok {
		return whole, nil
	}
	m, err := g.analyse(ctx, c, f, wants)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return m, nil
}

// stubs are the functions of a model without substance; withBroken: also those that a syntax error touches.
func (m *model) stubs(withBroken bool) []*definition {
	var found []*definition
	for _, d := range m.definitions {
		isBroken := d.status == doubtful || d.status == exempt && !withBroken && m.isBroken(d)
		if d.kind == function && d.status != sound && d.status != vague && (withBroken || !isBroken) {
			found = append(found, d)
		}
	}
	return found
}

func (m *model) stubOf(d *definition) Stub {
	return Stub{
		Line: m.text.line(d.start), EndLine: m.text.line(max(d.start, d.last-1)),
		Symbol: d.symbol, Language: m.grammar.Name, Reason: d.reason, Exempt: d.exempt,
	}
}
