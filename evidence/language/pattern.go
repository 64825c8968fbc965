package language

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first used: a
// command that judges nothing must not pay for thirty of them when it starts.
// It is safe for concurrent use.
type Pattern struct {
	compile func() *regexp.Regexp
}

// IsSet tells a pattern from the zero value, which matches nothing.
func (p Pattern) IsSet() bool { return p.compile != nil }

// Lazy returns the pattern of a regular expression, which must be valid.
func Lazy(expression string) Pattern {
	return Pattern{compile: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
}

// Regexp is the compiled expression, for what no method here answers.
func (p Pattern) Regexp() *regexp.Regexp { return p.compile() }

// MatchString reports whether text holds a match.
func (p Pattern) MatchString(text string) bool { return p.IsSet() && p.compile().MatchString(text) }

// Match is MatchString for bytes.
func (p Pattern) Match(text []byte) bool { return p.compile().Match(text) }

// FindString returns the leftmost match, "" without one.
func (p Pattern) FindString(text string) string { return p.compile().FindString(text) }

// FindAllString returns all matches, nil without one.
func (p Pattern) FindAllString(text string) []string { return p.compile().FindAllString(text, -1) }

// FindIndex returns where the leftmost match in text begins and ends, nil without one.
func (p Pattern) FindIndex(text []byte) []int { return p.compile().FindIndex(text) }

// FindAllIndex returns where all matches begin and end, nil without one.
func (p Pattern) FindAllIndex(text []byte) [][]int { return p.compile().FindAllIndex(text, -1) }

// FindSubmatchIndex returns where the leftmost match in text and its groups begin and end, nil without one.
func (p Pattern) FindSubmatchIndex(text []byte) []int { return p.compile().FindSubmatchIndex(text) }

// FindStringSubmatch returns the leftmost match and its groups, nil without one.
func (p Pattern) FindStringSubmatch(text string) []string {
	return p.compile().FindStringSubmatch(text)
}

// FindStringSubmatchIndex returns where the leftmost match and its groups begin and end, nil without one.
func (p Pattern) FindStringSubmatchIndex(text string) []int {
	return p.compile().FindStringSubmatchIndex(text)
}

// ReplaceAllString returns text with every match replaced; $ in by is special as in package regexp.
func (p Pattern) ReplaceAllString(text, by string) string {
	return p.compile().ReplaceAllString(text, by)
}

// Blank returns src with the groups of every match replaced by blanks; src itself is not changed.
func (p Pattern) Blank(src []byte) []byte {
	out := src
	for _, m := range p.compile().FindAllSubmatchIndex(src, -1) {
		for g := 2; g < len(m); g += 2 {
			for i := m[g]; i < m[g+1]; i++ {
				out = Writable(src, out)
				out[i] = ' '
			}
		}
	}
	return out
}
