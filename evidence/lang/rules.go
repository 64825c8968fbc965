package lang

import (
	"strings"

	"github.com/acta-git/acta/evidence/syntax"
)

// Rules are what code decides of a language. A language embeds Plain, and
// answers only what is otherwise with it than with most.
type Rules interface {
	// Alone lets nobody else parse until it is released, for a grammar that keeps state outside of a parse.
	Alone() (release func())
	// Broken returns where a file of a language without a Grammar cannot be read any more, -1 where all of it can.
	// It must be linear in src, or bound what it reads.
	Broken(src []byte) int
	// Readable returns a file as the grammar can read it: what it cannot is replaced, byte by byte, so that nothing
	// moves. src must not be changed.
	Readable(src []byte) []byte

	// Locate refines the parts that tags.scm finds of a definition; ok is false where it defines nothing.
	Locate(n *syntax.Node, src []byte, parts Parts) (refined Parts, ok bool)
	// Owner returns the type that a @receiver names.
	Owner(receiver string) string
	// Bound returns the symbol that the name of a @binding, in the field of that name, gives; "" when it defines none.
	// assigns: it is one only where its function has a marker or says «not implemented».
	Bound(field, name string) (symbol string, assigns bool)
}

// DefaultRules answers as most languages do.
type DefaultRules struct{}

var _ Rules = DefaultRules{}

// Alone keeps nobody from parsing.
func (DefaultRules) Alone() func() { return func() {} }

// Broken says that all can be read.
func (DefaultRules) Broken([]byte) int { return -1 }

// Readable is the source as it is.
func (DefaultRules) Readable(src []byte) []byte { return src }

// Locate leaves the parts as they are.
func (DefaultRules) Locate(_ *syntax.Node, _ []byte, parts Parts) (Parts, bool) { return parts, true }

// Owner is what is written without its arguments and what qualifies it: T of (t *T[K]), B of a::B<T>:: and of a.B.
// Words in quotes are an address.
func (DefaultRules) Owner(receiver string) string {
	for strings.Contains(receiver, "/*") { // a comment
		before, rest, _ := strings.Cut(receiver, "/*")
		_, after, _ := strings.Cut(rest, "*/")
		receiver = before + after
	}
	owner := Without(WithoutArguments(receiver), '[', ']')
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

// Bound is the name.
func (DefaultRules) Bound(_, name string) (string, bool) { return name, false }
