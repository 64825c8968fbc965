package evidence

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
)

// decideEffect decides by what a body does, in the order of the classes: nothing, says so, pretends, calls itself,
// dead, constant. It reports false for a body that does something else.
func (m *model) decideEffect(d *definition) bool {
	if d.name == "_" {
		return false // its body only has to compile
	}
	if d.hollow >= 0 && !d.substantial && d.effect.Outcome == flow.OnlyDeadCode {
		return false // it holds a stub, and no more
	}
	switch d.effect.Outcome {
	case flow.DoesNothing:
		if m.settle(d, m.reasonOf(d)); d.status == stub && !d.effect.result {
			m.excuse(d, m.whyEmpty(d))
		}
	case flow.SaysNotDone:
		m.settle(d, reasonNotImplemented)
		switch {
		case m.isOverridden(d):
			m.excuse(d, "says that it is not implemented, and a subclass implements it")
		case d.parent < 0 && m.oneOfMany:
			m.excuse(d, "says that it is not implemented, in a file for some builds only")
		}
	case flow.CallsItself:
		d.status, d.why = vague, "only calls itself with its own arguments"
	case flow.OnlyDeadCode:
		d.status, d.why = vague, "does nothing that can be reached"
	case flow.ReturnsConstant:
		return m.decideGiven(d) || m.decideDoubt(d)
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

// excuse makes a stub unclear for a reason; "" is none.
func (m *model) excuse(d *definition, why string) {
	if d.status == stub && why != "" {
		d.status, d.why = vague, why
	}
}

// whyEmpty says why an empty function may have to be there; "" for no reason.
func (m *model) whyEmpty(d *definition) string {
	switch {
	case m.isOnPurpose(d):
		return "says that it is empty on purpose"
	case d.effect.nameless && !m.isMacro(d):
		return "is empty, and names its parameters as unused"
	case m.isShared(d):
		return "is empty, and another type may demand it"
	case d.parent < 0 && m.oneOfMany:
		return "is empty in a file for some builds only"
	case holdsDoubles(m.path) && d.own&setOf(real, weak) != 0:
		return "does nothing, in a test's file"
	case m.isDemanded(d):
		return "may be empty on purpose: its type or framework demands it"
	}
	return ""
}

// pretends reports whether a function says in a comment that it does not do the real work, and is not there to pretend.
func (m *model) pretends(d *definition) bool {
	return d.kind == function && m.hasComment(d, lang.ContrastsWithRealWork) && !holdsDoubles(m.path) &&
		!lang.HasListedWord("pretending", m.path+" "+m.ownerOf(d)+" "+d.name)
}

// ownerOf is the name of the type that a definition belongs to, "" without one.
func (m *model) ownerOf(d *definition) string {
	if m.isMember(d) {
		return m.definitions[d.parent].name
	}
	return d.owner
}

// decideDoubt makes unclear what nothing that it is given has a part in, where nothing demands that it be so.
func (m *model) decideDoubt(d *definition) bool {
	if m.isClause(d) {
		return false
	}
	switch d.effect.doubt {
	case "":
		return false
	case flow.OnlyPassesThrough:
		if !m.isOneOfAKind(d) || !m.isFree(d) {
			return false
		}
	case flow.EchoesUndone:
		if !m.isLeft(d) {
			return false
		}
	case flow.OnlyPrints:
		if !m.isFree(d) || lang.HasListedWord("shows", d.name) {
			return false
		}
	case flow.DropsValue:
	default:
		if m.oneOfMany || !m.isFree(d) {
			return false
		}
	}
	m.unsure(d, d.effect.doubt)
	return d.exempt == ""
}

// hasComment reports whether a comment of a body says something.
func (m *model) hasComment(d *definition, says func(comment string) bool) bool {
	return d.body >= 0 && slices.ContainsFunc(within(m.comments, m.toLineEnd(stretch{d.body, d.bodyEnd})),
		func(c stretch) bool { return says(m.of(c)) })
}

// unsure makes a definition unclear for a reason, unless the language says that it is complete.
func (m *model) unsure(d *definition, why string) {
	if d.exempt = m.exemption(d); d.exempt == "" {
		d.status, d.why = vague, why
	}
}

// decideGiven decides on what gives back constants: words say whether it pretends.
func (m *model) decideGiven(d *definition) bool {
	switch {
	case m.isLeft(d):
		m.settle(d, placeholderReturn)
	case m.isClause(d):
	case d.effect.ReturnsNull && !d.effect.Logs:
		m.unsure(d, "")
	default:
		return false
	}
	return true
}

// isOneOfAKind reports whether a function that gives back what it is given has no reason to: no subclass may
// override it, its type says nothing, and neither its name nor a comment says that this is what it is for.
func (m *model) isOneOfAKind(d *definition) bool {
	header := m.headerText(d)
	return (d.parent < 0 || static.MatchString(header)) && !strings.ContainsAny(header, "<[") &&
		!m.isOnPurpose(d) && !lang.HasListedWord("identity", d.name)
}

var static = lang.Lazy(`\bstatic\b`)

// isFree reports whether nothing demands the parameters of a function: no base or interface of its class, and nothing
// that registers it.
func (m *model) isFree(d *definition) bool {
	if holdsDoubles(m.path) || slices.ContainsFunc(m.decoratorsOf(d), demands) || d.member && !m.isMember(d) ||
		overrides.MatchString(m.headerText(d)) {
		return false
	}
	return d.parent < 0 || m.isMember(d) && !m.hasBase(d.parent) && !m.isOverridden(d)
}

// demands reports whether a decorator may ask for the parameters of what it registers. Those of a command are its own,
// as is the event of a listener.
func demands(decorator string) bool { return !registers.MatchString(decorator) }

var registers = lang.Lazy(`(?i)command|option|argument|listener|subscri`)

// isOverridden reports whether a method of d's name does something in another class of the file, whose header names the
// class of d.
func (m *model) isOverridden(d *definition) bool {
	return d.parent >= 0 && slices.ContainsFunc(m.namesakes(d), func(i int) bool {
		o, base := &m.definitions[i], m.definitions[d.parent].name
		if o.kind != function || o.parent < 0 || o.effect.Outcome != flow.DoesWork {
			return false
		}
		derived := &m.definitions[o.parent]
		return derived.name != base && derived.kind == class && slices.Contains(derived.header.Bases, base)
	})
}

// hasBase reports whether the header of a class names a base or an interface.
func (m *model) hasBase(class int) bool {
	d := &m.definitions[class]
	return len(d.header.Bases) > 0 || heritage.MatchString(lang.WithoutBrackets(m.headerText(d), '(', ')'))
}

// heritage is how the header of a class names its bases, where the grammar does not tell.
var heritage = lang.Lazy(`\b(extends|implements|for|with|where)\b|[^:]:\s*[\w@]|<\s*[A-Z]`)

// isClause reports whether a function is one of several of its name: which of them runs, their patterns or types
// decide.
func (m *model) isClause(d *definition) bool {
	return slices.ContainsFunc(m.namesakes(d), func(i int) bool {
		return m.definitions[i].symbol == d.symbol && m.definitions[i].start != d.start
	})
}

// maxOfOneName is how many definitions of one name are compared with each other; more is a file made to take time.
const maxOfOneName = 200

// namesakes are the definitions of d's name, by their index.
func (m *model) namesakes(d *definition) []int {
	if m.byName == nil {
		m.byName = map[string][]int{}
		for i := range m.definitions {
			name := m.definitions[i].name
			if len(m.byName[name]) < maxOfOneName {
				m.byName[name] = append(m.byName[name], i)
			}
		}
	}
	return m.byName[d.name]
}

// isOnPurpose reports whether what is empty says that it is meant to be, in a comment in it, above it or beside it, or
// by its owner's name; or whether another class of the file has a method of its name, which overrides it.
func (m *model) isOnPurpose(d *definition) bool {
	at := m.toLineEnd(stretch{d.outer, d.end})
	notes := within(m.comments, at)
	if len(slices.DeleteFunc(slices.Clone(notes),
		func(c stretch) bool { return !codeMarks.MatchString(m.of(c)) })) >= commentedOut {
		notes = nil
	}
	before := m.overlapping(m.comments, stretch{m.trimEnd(0, d.outer), d.outer})
	if slices.ContainsFunc(before, func(c stretch) bool { return lang.MarksWorkLeft(m.of(c)) }) {
		return false
	}
	if slices.ContainsFunc(notes, func(c stretch) bool { return lang.IsDeliberate(m.of(c)) }) {
		return true
	}
	for _, s := range slices.Concat(before, notes, within(m.docstrings, at)) {
		if onPurpose.MatchString(m.of(s)) {
			return true
		}
	}
	owner := m.ownerOf(d)
	if d.member && owner == "" && !m.isMember(d) {
		if owner = d.object; lang.NamesTestDouble(owner) {
			return true
		}
	}
	return lang.HasListedWord("idle", owner) || m.isOverridden(d)
}

// commentedOut is how many comments that look like code are code that was taken out, whose words say nothing of what is
// left.
const commentedOut = 3

// isBare reports whether nothing stands in a body but brackets, the word for nothing, and notes in plain words.
func (m *model) isBare(d *definition) bool {
	isCode := func(c stretch) bool { return codeMarks.MatchString(m.of(c)) }
	return d.own&^setOf(bracket, comment, passes, ellipsis, docstring, dropped) == 0 &&
		!slices.ContainsFunc(within(m.comments, stretch{d.body, d.bodyEnd}), isCode)
}

// codeMarks is what stands in code, and not in notes.
var codeMarks = lang.Lazy(`[={}]|;\s*$|\w\(.*\)?\s*$|\w\.\w+\(|^\W*return\b`)

// onPurpose is how documentation says that nothing is to be done, or that what it stands beside is not used any more.
var onPurpose = lang.Lazy(`(?i)\bno-?op\b|\b(does|do|doing) nothing\b|\b(intentional|deliberate)ly\b` +
	`|\bon purpose\b|\bleft (empty|blank)\b|\bsuppress(es)? the (parent|base|super|default|inherited)\b` +
	`|\bnon-?op\b|\bdeprecated\b` +
	`|\bno longer (used|needed|does)\b|\bkept for (backward|compat)|\boverrid(e|es|den) (it|this|by|in)\b` +
	`|\b(may|can|might) (be )?overrid(e|den)\b|\bnothing to (do|clean|release|close|tear|free|dispose|flush)\b`)

// isLeft reports whether a comment or string of a body says that its work is left.
func (m *model) isLeft(d *definition) bool {
	at := m.toLineEnd(stretch{d.body, d.bodyEnd})
	if d.body < 0 {
		at = stretch{d.start, m.toLineEnd(d.value).end}
	}
	isLeft := func(c stretch) bool { return lang.SaysWorkIsLeft(m.of(c)) }
	opens := func(s stretch) bool { return lang.OpensWithMarker(m.of(s)) }
	if slices.ContainsFunc(within(m.comments, at), isLeft) || slices.ContainsFunc(within(m.docstrings, at), opens) {
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
		return len(text) <= maxPlaceholder && !isCode.MatchString(text) && strings.Contains(text, " ") &&
			!strings.ContainsAny(text, "(\n") && says(text)
	})
}

// isCode is how a text begins that is a statement, which may be given back by what writes code.
var isCode = lang.Lazy(`^\W*(raise|throw|panic|fatalError|error|return|def|function|func|class)\b`)
