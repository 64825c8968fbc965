package lang

import (
	"strings"

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
