package lang

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/syntax"
)

// Rules are what code decides of a language. A language embeds Plain, and
// answers only what is otherwise with it than with most.
type Rules interface {
	// Alone lets nobody else parse until it is released, for a grammar that keeps state outside of a parse.
	Alone() (release func())
	// Read finds what a query would, for a language without a Grammar. errors are what it cannot read, in order;
	// it must be linear in src, or bound what it reads.
	Read(src []byte) (found []Mark, errors []Span)
	// Readable returns a file as the grammar can read it: what it cannot is replaced, byte by byte, so that nothing
	// moves. src must not be changed.
	Readable(src []byte) []byte

	// Locate finds the parts of a node captured as @function, @function.member, @class, @type or @scope; ok is false
	// when it defines nothing. It is asked for every such node: look at bytes first.
	Locate(capture string, n *syntax.Node, src []byte) (parts Parts, ok bool)
	// Capture returns the capture, without its @, that a node captured as @ask is; "" for none, as for most.
	Capture(n *syntax.Node, src []byte) string
	// Owner returns the type that a @receiver names.
	Owner(receiver string) string
	// Bound returns the symbol that the name of a @binding, in the field of that name, gives; "" when it defines none.
	Bound(field, name string) string
	// Member returns the symbol of a @binding that is none to Bound, but is one where its
	// function has a marker or says «not implemented»; "" when it never is.
	Member(field, name string) string

	// Probe says what a statement does: for a test, or at all.
	Probe(statement string) Effect
	// Titled finds the parts of a test that is named by its title, ok is false for what is none.
	Titled(n *syntax.Node, src []byte) (parts Parts, ok bool)
	// Silences finds where tests do not run, because a mark of the file or a call around them skips them. inComment
	// tells where a comment stands.
	Silences(src []byte, inComment func(at int) bool) []Span

	// HoldsCode reports whether a comment holds code: next is the line of code that follows it.
	HoldsCode(comment, next string) bool
	// IsUnfilled reports whether a @todo in the file of that path is nothing but a note that it is to be written.
	IsUnfilled(path, text string) bool
	// MayBeEmpty reports whether a file of this path is complete though empty.
	MayBeEmpty(path string) bool
}

// DefaultRules answers as most languages do.
type DefaultRules struct{}

var _ Rules = DefaultRules{}

// Alone keeps nobody from parsing.
func (DefaultRules) Alone() func() { return func() {} }

// Read finds nothing.
func (DefaultRules) Read([]byte) ([]Mark, []Span) { return nil, nil }

// Readable is the source as it is.
func (DefaultRules) Readable(src []byte) []byte { return src }

// Locate takes the fields name, body and receiver.
func (DefaultRules) Locate(capture string, n *syntax.Node, _ []byte) (Parts, bool) {
	if capture == "type" || capture == "scope" {
		return Parts{Name: At(n.Field("name")), ByField: true}, true
	}
	parts := Fields(n)
	parts.ByField = true
	return parts, true
}

// Capture knows none.
func (DefaultRules) Capture(*syntax.Node, []byte) string { return "" }

// Owner is the last name of what is written.
func (DefaultRules) Owner(receiver string) string { return TypeName(Without(receiver, '[', ']')) }

// Bound is the name.
func (DefaultRules) Bound(_, name string) string { return name }

// Member knows none.
func (DefaultRules) Member(_, _ string) string { return "" }

// Probe knows no statement.
func (DefaultRules) Probe(string) Effect { return Effective }

// Titled knows none.
func (DefaultRules) Titled(*syntax.Node, []byte) (Parts, bool) { return Parts{}, false }

// Silences knows no such place.
func (DefaultRules) Silences([]byte, func(int) bool) []Span { return nil }

// HoldsCode says no.
func (DefaultRules) HoldsCode(_, _ string) bool { return false }

// IsUnfilled reports a pair, NAME = VALUE, whose value is to be written.
func (DefaultRules) IsUnfilled(_, text string) bool {
	name, value, _ := strings.Cut(text, "=")
	return IsUnfilled(name, value)
}

// MayBeEmpty says no.
func (DefaultRules) MayBeEmpty(string) bool { return false }

// Named answers as Plain does, of definitions that have their names in nodes of some kinds.
type Named struct {
	DefaultRules
	In []string
}

// Locate finds the name alone: the last that stands in such a node, or the node itself.
func (r Named) Locate(_ string, n *syntax.Node, _ []byte) (parts Parts, ok bool) {
	for _, c := range n.NamedChildren() {
		if !slices.Contains(r.In, c.Type()) {
			continue
		}
		if last := c.LastNamedChild(); last != nil {
			c = last
		}
		return Parts{Name: At(c)}, true
	}
	return parts, false
}
