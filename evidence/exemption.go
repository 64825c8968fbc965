package evidence

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

// exemption asks the language why the definition is complete though empty.
func (m *model) exemption(d *definition) string {
	if isNoop(d) {
		return "noop"
	}
	described := m.describeWithin(d)
	described.Source, described.At = m.text.bytes, d.outer
	described.Body = m.of(d.value)
	if d.body >= 0 {
		described.Body = m.of(stretch{d.body, d.bodyEnd})
	}
	described.NotImplemented = d.own.has(notImplemented) || d.effect.outcome == says
	described.Empty = d.own&^setOf(bracket, comment) == 0 && d.hollow < 0 && d.value == (stretch{}) && d.effect.outcome != gives && !d.effect.returned
	described.Marked = m.marked(d) || d.effect.outcome == gives && d.reason == PlaceholderReturn
	described.Endless = d.effect.endless
	described.Described = d.own.has(docstring) && d.own&^setOf(docstring, bracket, comment) == 0 && d.hollow < 0
	gives := d.effect.result && (d.effect.outcome == nothing || d.reason == PlaceholderReturn)
	word := m.grammar.Exempt(described)
	if word == "" && d.header != nil {
		word = m.facts(d, described).Word(m.grammar.Complete)
	}
	disguised := d.effect.outcome == nothing && d.nature == function && !m.isBare(d)
	if word != "" && !(isIdle(word) && (gives || disguised)) {
		return word
	}
	if gives {
		return ""
	}
	if standsIn(described) {
		return "stand_in"
	}
	if d.member && !described.Marked && m.isDefault(d) {
		return "default"
	}
	return ""
}

// isIdle reports whether a word of exemption says that there is nothing to do, which is never so where something is to be given back.
func isIdle(word string) bool {
	return slices.Contains([]string{"overridable", "deliberate", "teardown", "visitor", "listener", "accessor", "anonymous", "stand_in", "disabled"}, word)
}

// isDefault reports whether a member stands directly in an object of defaults.
func (m *model) isDefault(d *definition) bool {
	if !m.grammar.Defaults.IsSet() {
		return false
	}
	if m.defaults == nil {
		m.defaults = m.findDefaults()
	}
	around := m.overlapping(m.defaults, stretch{d.outer, d.outer + 1})
	return len(around) > 0 && (d.parent < 0 || m.definitions[d.parent].outer < around[0].start)
}

// findDefaults returns the arguments of the calls that are given defaults; one that stands in another is part of it.
func (m *model) findDefaults() []stretch {
	found := []stretch{}
	for at := 0; at < len(m.kinds); {
		call := m.grammar.Defaults.FindIndex(m.text.bytes[at:])
		if call == nil {
			break
		}
		s := stretch{at + call[1] - 1, at + call[1]}
		for depth := 1; depth > 0 && s.end < len(m.kinds); s.end++ {
			switch b := m.text.bytes[s.end]; {
			case m.kinds[s.end]&kindMask == comment:
			case b == '(':
				depth++
			case b == ')':
				depth--
			}
		}
		found, at = append(found, s), s.end
	}
	return found
}

// standsIn: a member of a null object or a test double does nothing, as its owner's name says.
func standsIn(d language.Definition) bool {
	if d.Class || d.NotImplemented || d.Marked {
		return false
	}
	return language.StandsIn(d.Owner) || d.Parent != nil && d.Parent.Class && language.StandsIn(d.Parent.Name)
}

// isNoop: a function that is called noop does what its name says.
func isNoop(d *definition) bool {
	if d.nature != function || d.own.has(notImplemented) || d.effect.outcome == says || d.effect.outcome == gives && !d.effect.null || d.effect.returned && d.reason == PlaceholderReturn {
		return false
	}
	switch strings.Trim(strings.ToLower(d.name), "_") {
	case "nop", "noop", "no_op", "donothing", "do_nothing":
		return true
	}
	return false
}

func (m *model) describe(d *definition) language.Definition {
	end := d.body
	if end < 0 {
		end = d.end
	}
	return language.Definition{
		Path: m.path, Name: d.name, Owner: d.owner, Class: d.nature == class, Title: d.title,
		Header: m.of(stretch{d.outer, end}), Decorators: m.decoratorsOf(d),
	}
}

// describeWithin describes a definition with all that encloses it.
func (m *model) describeWithin(d *definition) language.Definition {
	described := m.describe(d)
	for inner, at := &described, d.parent; at >= 0; inner, at = inner.Parent, m.definitions[at].parent {
		outer := m.describe(&m.definitions[at])
		inner.Parent = &outer
	}
	return described
}

func (m *model) decoratorsOf(d *definition) []string {
	var texts []string
	for _, at := range within(m.decorators, stretch{d.outer, d.nameAt}) {
		texts = append(texts, m.of(at))
	}
	return texts
}

// isOption reports whether a definition is an empty callback among the options
// that a function passes on: f({onError() {}}) is the function's own code.
func (m *model) isOption(d *definition) bool {
	return d.member && d.parent >= 0 && m.definitions[d.parent].nature == function && m.definitions[d.parent].status == sound
}
