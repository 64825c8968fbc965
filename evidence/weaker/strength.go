package weaker

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
)

// strength is how much an assertion demands; the greater demands more. Zero is an assertion that cannot be placed.
type strength int

const (
	unplaced  strength = iota
	tautology          // it holds whatever the code does
	nonNull
	truthy
	bound       // an order, an alternative, or that something is not so
	typed       // a type, a variant, a shape
	pattern     // a part, a prefix, a length, an expression of text
	approximate // a value within a tolerance
	exact       // a value
	structure   // a value with its type, or all of its fields
)

var strengthNames = strings.Split("something,nothing,that something is there,that it is true,a bound,a type or shape,"+
	"a part or pattern,a value within a tolerance,an exact value,an exact structure", ",")

func (s strength) String() string { return strengthNames[s] }

// matcher is what a name of an assertion demands.
type matcher struct {
	strength strength
	// negative: it demands that something is not so.
	negative bool
	// unary: it has a subject and no expectation.
	unary bool
	// throws: the subject is code that is to fail.
	throws bool
	// denies is the strength of what a negation denies.
	denies strength
}

//go:embed matchers.txt
var matchersText string

// strengthWords are what matchers.txt calls the strengths.
var strengthWords = strings.Fields("unplaced tautology nonnull truthy bound typed pattern approximate exact structure")

// matchers are those of matchers.txt: by what they are (name, operator, double, predicate), and by their words.
var matchers = sync.OnceValue(func() map[string]map[string]matcher {
	all := map[string]map[string]matcher{}
	for _, w := range lang.Table(matchersText) {
		said := strings.Fields(w.Name)
		of, how := said[0], said[1:]
		if all[of] == nil {
			all[of] = map[string]matcher{}
		}
		m := matcher{strength: strength(slices.Index(strengthWords, how[len(how)-1])),
			unary: slices.Contains(how, "alone"), throws: slices.Contains(how, "fails")}
		m = m.inverted(slices.Contains(how, "not"))
		for name := range strings.FieldsSeq(w.Text) {
			if of == "operator" {
				name = strings.ReplaceAll(name, "_", " ")
			}
			all[of][name] = m
		}
	}
	return all
})

// matcherOf returns what a name demands; ok is false for a name that is no assertion's.
func matcherOf(named string) (m matcher, ok bool) {
	key := plain(strings.TrimRight(named, "!?"))
	names := matchers()["name"]
	if m, ok = names[key]; ok || key == "" {
		return m, ok
	}
	if m, ok = names[strings.TrimSuffix(key, "f")]; ok { // testify's Equalf
		return m, true
	}
	for _, not := range listed("before denied matchers") {
		if rest, found := strings.CutPrefix(key, not); found {
			if m, ok = matcherOf(rest); ok {
				return m.inverted(true), true
			}
		}
	}
	for _, before := range listed("before matchers") {
		if rest, found := strings.CutPrefix(key, before); found && rest != "" {
			return matcherOf(rest)
		}
	}
	return m, false
}

// inverted is what the negation of a matcher demands, where it is denied: that a value is another one is but a bound.
func (m matcher) inverted(denied bool) matcher {
	if !denied {
		return m
	}
	m.negative = !m.negative
	was := m.strength
	switch {
	case m.denies != unplaced:
		m.strength = m.denies
	case m.strength == exact && m.unary:
		m.strength = nonNull
	case m.strength == nonNull:
		m.strength, m.unary = exact, true
	case m.strength > bound:
		m.strength = bound
	}
	m.denies = was
	return m
}
