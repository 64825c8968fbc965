package lang

import (
	"regexp"
	"strings"
	"sync"
)

// Pattern is a regular expression that is compiled when a text has what it requires: a command that judges little must
// not pay for thirty of them. A quick search for required literals precedes each match. It is safe for concurrent use.
type Pattern struct{ *expression }

type expression struct {
	text     string
	compiled sync.Once
	re       *regexp.Regexp

	known    sync.Once
	literals literals // that each match has
	folds    bool     // they are in lower case
}

// IsSet tells a pattern from the zero value, which matches nothing.
func (p Pattern) IsSet() bool { return p.expression != nil }

// Lazy returns the pattern of a regular expression, which must be valid.
func Lazy(text string) Pattern { return Pattern{&expression{text: text}} }

// mayMatch reports whether a text has what each match contains.
func (e *expression) mayMatch(text string) bool {
	e.known.Do(func() { e.literals, e.folds = requiredLiterals(e.text) })
	return e.folds && strings.ContainsAny(text, foldsBeyondASCII) || e.literals.in(lowered(text, e.folds))
}

// In returns the compiled expression for use on text, or one that matches nothing if text cannot match.
func (p Pattern) In(text string) *regexp.Regexp {
	if !p.IsSet() || !p.mayMatch(text) {
		return matchNothing
	}
	p.compiled.Do(func() { p.re = regexp.MustCompile(p.text) })
	return p.re
}

// InBytes is In for bytes.
func (p Pattern) InBytes(text []byte) *regexp.Regexp {
	if !p.IsSet() {
		return matchNothing
	}
	return p.In(string(text))
}

// matchNothing never matches, and fails at once.
var matchNothing = regexp.MustCompile(`\A\z.`)

// String is the expression.
func (p Pattern) String() string { return p.text }

// MatchString reports whether text holds a match.
func (p Pattern) MatchString(text string) bool { return p.In(text).MatchString(text) }

// Match is MatchString for bytes.
func (p Pattern) Match(text []byte) bool { return p.InBytes(text).Match(text) }

// FindString returns the leftmost match, "" without one.
func (p Pattern) FindString(text string) string { return p.In(text).FindString(text) }

// FindAllString returns all matches, nil without one.
func (p Pattern) FindAllString(text string) []string { return p.In(text).FindAllString(text, -1) }

// FindIndex returns where the leftmost match in text begins and ends, nil without one.
func (p Pattern) FindIndex(text []byte) []int { return p.InBytes(text).FindIndex(text) }

// FindAllIndex returns where all matches begin and end, nil without one.
func (p Pattern) FindAllIndex(text []byte) [][]int { return p.InBytes(text).FindAllIndex(text, -1) }

// FindStringSubmatch returns the leftmost match and its groups, nil without one.
func (p Pattern) FindStringSubmatch(text string) []string {
	return p.In(text).FindStringSubmatch(text)
}

// ReplaceAllString returns text with every match replaced; $ in by is special as in package regexp.
func (p Pattern) ReplaceAllString(text, by string) string {
	return p.In(text).ReplaceAllString(text, by)
}

// Blank returns src with the groups of every match replaced by blanks; src itself is not changed.
func (p Pattern) Blank(src []byte) []byte { return p.Replace(src, func(byte) byte { return ' ' }) }

// Replace is Blank with a byte for each byte of a group.
func (p Pattern) Replace(src []byte, by func(byte) byte) []byte {
	out := src
	for _, m := range p.InBytes(src).FindAllSubmatchIndex(src, -1) {
		for g := 2; g < len(m); g += 2 {
			for i := m[g]; i < m[g+1]; i++ {
				out = Writable(src, out)
				out[i] = by(src[i])
			}
		}
	}
	return out
}

// Patterns are the named expressions of an embedded Table, read on first use.
type Patterns struct {
	Text *string

	once   sync.Once
	all    []NamedPattern
	byName map[string]Pattern
}

// NamedPattern is one of Patterns with its name.
type NamedPattern struct {
	Name string
	Pattern
}

// All returns the patterns in the order of the text.
func (p *Patterns) All() []NamedPattern {
	p.once.Do(func() {
		p.byName = map[string]Pattern{}
		for _, w := range Table(*p.Text) {
			n := NamedPattern{strings.TrimSuffix(w.Name, ":"), Lazy(strings.Join(w.Lines, ""))}
			p.all, p.byName[n.Name] = append(p.all, n), n.Pattern
		}
	})
	return p.all
}

// Fits reports whether the pattern of a name matches a text.
func (p *Patterns) Fits(name, text string) bool { return p.Named(name).MatchString(text) }

// Named returns the pattern of a name, which must exist.
func (p *Patterns) Named(name string) Pattern {
	p.All()
	found, ok := p.byName[name]
	if !ok {
		panic("there is no pattern " + name)
	}
	return found
}
