package weaker

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/lang"
)

// strength is how much an assertion demands; greater is more.
type strength int

const (
	unknown   strength = iota
	tautology          // it holds whatever the code does
	nonNull
	truthy
	bound       // an order, an alternative, or a negation
	typed       // a type, a variant, a shape
	pattern     // a part, a prefix, a length, an expression of text
	approximate // a value within a tolerance
	exact       // a value
	structure   // a value with its type, or all of its fields
)

var strengthNames = strings.Split("something,nothing,that something is there,that it is true,a bound,a type or shape,"+
	"a part or pattern,a value within a tolerance,an exact value,an exact structure", ",")

func (s strength) String() string { return strengthNames[s] }

// matcher is what the name of an assertion demands.
type matcher struct {
	strength   strength
	isNegative bool
	// isUnary: it has a subject and no expected value.
	isUnary bool
	// isThrow: its subject is code that must throw.
	isThrow         bool
	negatedStrength strength
}

//go:embed matchers.txt
var matchersText string

// strengthWords are the names of the strengths in matchers.txt.
var strengthWords = strings.Fields("unplaced tautology nonnull truthy bound typed pattern approximate exact structure")

// matchers are the entries of matchers.txt: by kind (name, operator, double, predicate), and by word.
var matchers = sync.OnceValue(func() map[string]map[string]matcher {
	all := map[string]map[string]matcher{}
	for _, w := range lang.Table(matchersText) {
		words := strings.Fields(w.Name)
		kind, flags := words[0], words[1:]
		if all[kind] == nil {
			all[kind] = map[string]matcher{}
		}
		m := matcher{strength: strength(slices.Index(strengthWords, flags[len(flags)-1])),
			isUnary: slices.Contains(flags, "alone"), isThrow: slices.Contains(flags, "fails")}
		m = m.invertIf(slices.Contains(flags, "not"))
		for name := range strings.FieldsSeq(w.Text) {
			if kind == "operator" {
				name = strings.ReplaceAll(name, "_", " ")
			}
			all[kind][name] = m
		}
	}
	return all
})

// matcherOf returns the matcher of a name; ok is false if the name is not an assertion's.
func matcherOf(name string) (m matcher, ok bool) {
	key := normalize(strings.TrimRight(name, "!?"))
	names := matchers()["name"]
	if m, ok = names[key]; ok || key == "" {
		return m, ok
	}
	if m, ok = names[strings.TrimSuffix(key, "f")]; ok { // testify's Equalf
		return m, true
	}
	for _, negation := range wordList("before denied matchers") {
		if rest, found := strings.CutPrefix(key, negation); found {
			if m, ok = matcherOf(rest); ok {
				return m.invertIf(true), true
			}
		}
	}
	for _, before := range wordList("before matchers") {
		if rest, found := strings.CutPrefix(key, before); found && rest != "" {
			return matcherOf(rest)
		}
	}
	return m, false
}

// invertIf returns the negation of a matcher if isNegated: to exclude a value is only a bound.
func (m matcher) invertIf(isNegated bool) matcher {
	if !isNegated {
		return m
	}
	m.isNegative = !m.isNegative
	strength := m.strength
	switch {
	case m.negatedStrength != unknown:
		m.strength = m.negatedStrength
	case m.strength == exact && m.isUnary:
		m.strength = nonNull
	case m.strength == nonNull:
		m.strength, m.isUnary = exact, true
	case m.strength > bound:
		m.strength = bound
	}
	m.negatedStrength = strength
	return m
}
