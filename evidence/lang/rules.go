package lang

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence/syntax"
)

// Rules are the decisions about a language that need code. A language embeds DefaultRules, and overrides what is
// special.
type Rules interface {
	// LockParser keeps others from parsing until release, for a grammar with global state.
	LockParser() (release func())
	// SyntaxErrorAt returns the place of the first syntax error of a file, -1 if there is none, for a language without
	// a Grammar. It must be linear in src, or bound what it reads.
	SyntaxErrorAt(src []byte) int
	// Readable replaces what the grammar cannot read, byte by byte, so that nothing moves. It must not change src.
	Readable(src []byte) []byte

	// Locate refines the parts that tags.scm finds; ok is false if the node defines nothing.
	Locate(n *syntax.Node, src []byte, parts Parts) (refined Parts, ok bool)
	// Owner returns the type that a @receiver names.
	Owner(receiver string) string
	// BoundSymbol returns the symbol that a @binding defines, from the name in its field; "" if it defines none.
	BoundSymbol(field, name string) string
}

// DefaultRules fit most languages.
type DefaultRules struct{}

var _ Rules = DefaultRules{}

// LockParser locks nothing.
func (DefaultRules) LockParser() func() { return func() {} }

// SyntaxErrorAt finds no error.
func (DefaultRules) SyntaxErrorAt([]byte) int { return -1 }

// Readable returns the source unchanged.
func (DefaultRules) Readable(src []byte) []byte { return src }

// Locate returns the parts unchanged.
func (DefaultRules) Locate(_ *syntax.Node, _ []byte, parts Parts) (Parts, bool) { return parts, true }

// Owner returns the type without arguments and qualifiers: T for (t *T[K]), B for a::B<T>:: and a.B. Quoted words are
// an address.
func (DefaultRules) Owner(receiver string) string {
	for strings.Contains(receiver, "/*") { // a comment
		before, rest, _ := strings.Cut(receiver, "/*")
		_, after, _ := strings.Cut(rest, "*/")
		receiver = before + after
	}
	owner := WithoutBrackets(WithoutArguments(receiver), '[', ']')
	switch i := strings.IndexByte(owner, '('); {
	case i > 0:
		owner = owner[:i]
	case strings.Contains(owner, "->"), i == 0 && strings.ContainsAny(owner, "."), strings.HasPrefix(receiver, "(["):
		return ""
	case strings.Contains(owner, `"`):
		return strings.Join(strings.Fields(strings.ReplaceAll(owner, `"`, " ")), ".")
	}
	return TypeName(strings.TrimRight(owner, ": \t\r\n),"))
}

// BoundSymbol returns the name.
func (DefaultRules) BoundSymbol(_, name string) string { return name }

// Role is what a node of a body means to package facts, the same in all languages. A kind without a role does
// something.
type Role uint8

// The roles, in the order of roleNames; roles.txt says what each means.
const (
	Acts Role = iota
	Idles
	Groups
	Arms
	Stands
	Branches
	Loops
	Written
	Holds
	Text
	Refers
	Computes
	Wraps
	Selects
	Calls
	Makes
	Returns
	Throws
	Asserts
	Prints
	Declares
	Assigns
	Shares
	Nests
	Closes
	Transfers
	Jumps
	Disables
)

//go:embed roles.txt
var rolesText string

// roleNames are the names of the roles in roles.txt, in order.
var roleNames = strings.Fields(`acts idles groups arms stands branches loops written holds text refers computes
	wraps selects calls makes returns throws asserts prints declares assigns shares nests closes transfers jumps
	disables`)

// Roles returns the common roles of the kinds of all grammars, from roles.txt. Language.Roles overrides them.
var Roles = sync.OnceValue(func() map[string]Role {
	all := map[string]Role{}
	for _, w := range Table(rolesText) {
		addWords(all, w.Text, Role(slices.Index(roleNames, w.Name)))
	}
	return all
})

// addWords gives each of the words that has none yet a value.
func addWords[V any](all map[string]V, words string, value V) {
	for word := range strings.FieldsSeq(words) {
		if _, ok := all[word]; !ok {
			all[word] = value
		}
	}
}

// directiveReach is how far around a definition IsVariant looks for directives, in bytes: a branch is rarely longer.
const directiveReach = 8000

// IsVariant reports whether a byte stands in a branch of a conditional compilation that has other branches, or under a
// negated condition (#ifndef): code that does nothing here may work in the other variant. Include guards do not count.
func IsVariant(src []byte, at int) bool {
	from := max(0, at-directiveReach)
	src, at = src[from:min(len(src), at+directiveReach)], at-from
	cut := from > 0
	if bytes.IndexByte(src, '#') < 0 {
		return false
	}
	var open []bool // for each enclosing condition: whether it has another branch
	inner := 0      // conditions that begin after at
	end := 0
	for line := range bytes.Lines(src) {
		begin, word := end, bytes.TrimLeft(line, " \t")
		if end += len(line); len(word) == 0 || word[0] != '#' {
			continue
		}
		if begin > at && slices.Contains(open, true) {
			return true
		}
		word = bytes.TrimLeft(word[1:], " \t")
		last := len(open) - 1
		switch isIf, isElse := HasPrefix(word, 0, "if"), HasPrefix(word, 0, "el"); {
		case isIf && begin < at:
			open = append(open, patternOf("negated condition").Match(line) && !patternOf("header guard").Match(src[begin:]))
		case isIf:
			inner++
		case isElse && inner > 0 || !isElse && !HasPrefix(word, 0, "end"):
		case inner > 0:
			inner--
		case isElse && last >= 0:
			open[last] = true
		case isElse && cut:
			open = append(open, true) // its #if is out of reach
		case last >= 0 && !isElse:
			open = open[:last]
		}
	}
	return slices.Contains(open, true)
}

// Hollow is how to hollow out a function: a statement before its body returns a value, so that the body does not run.
type Hollow struct {
	// Return is the statement. %s stands for the value, and %b for the body if the statement encloses it. If it is
	// empty, functions of the language are never hollowed out.
	Return string
	// Results are the values to return, by declared result.
	Results []HollowResult
}

// HollowResult lists the values for results that Declared matches, the likeliest first. An empty value returns nothing.
type HollowResult struct {
	Declared Pattern
	Values   []string
}

// newHollow reads «hollow: STATEMENT», and below it lines «RESULT => VALUE | VALUE».
func newHollow(w Entry) Hollow {
	h := Hollow{Return: w.Text}
	for _, line := range w.Lines {
		result, values, _ := strings.Cut(line, "=>")
		g := HollowResult{Declared: Lazy(strings.TrimSpace(result))}
		for value := range strings.SplitSeq(values, " | ") {
			g.Values = append(g.Values, strings.TrimSpace(value))
		}
		h.Results = append(h.Results, g)
	}
	return h
}

// Values returns the values to try for a declared result. $ in a value becomes the result itself.
func (h Hollow) Values(result string) []string {
	for _, g := range h.Results {
		if !g.Declared.MatchString(result) {
			continue
		}
		var all []string
		for _, value := range g.Values {
			all = append(all, strings.ReplaceAll(value, "$", result))
		}
		return all
	}
	return nil
}

// IsAround reports whether the statement encloses the body.
func (h Hollow) IsAround() bool { return strings.Contains(h.Return, "%b") }

// Statement returns the statement that returns a value.
func (h Hollow) Statement(value, body string) string {
	return strings.NewReplacer("%s", value, "%b", body).Replace(h.Return)
}
