package facts

import (
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Op is what a term is.
type Op uint8

const (
	// Unknown may do anything. Of a context its parts are what it is given.
	Unknown Op = iota
	// Nothing does nothing: a comment, pass, a value that is thrown away.
	Nothing
	// Import brings in what is defined elsewhere.
	Import
	// Dead is never reached, or never built.
	Dead
	// Define defines a function or a class of the name Text, which may be none. Its part is the Closure of a function.
	Define
	// Assert asserts that its first part holds.
	Assert
	// Share says that its parts are names of an outer scope.
	Share
	// Block holds statements that follow one another.
	Block
	// Bind gives the last of its parts to those before it.
	Bind
	// Declare gives it to new names.
	Declare
	// Return gives its parts back.
	Return
	// Jump leaves a loop, or one of its rounds.
	Jump
	// Raise ends what goes on with an error.
	Raise
	// Branch asks its first part, and does one of the others.
	Branch
	// Loop goes over its first part, or asks it, and does the others again and again.
	Loop
	// Try does its parts.
	Try
	// Handler does its parts with what was thrown before it; Text says what that is.
	Handler
	// Literal is written out.
	Literal
	// Empty makes something that holds nothing.
	Empty
	// Text is written out, but for its parts.
	Text
	// Name is a name.
	Name
	// Call calls Text on the first of its parts, a block without parts where there is none, with the others.
	Call
	// Make makes an object of the type Text with its parts.
	Make
	// Member is the member Text of its part.
	Member
	// Operate is the operator Text over its parts.
	Operate
	// List is made of its parts.
	List
	// Closure is a function without a name; its part is what it does, Text are its parameters.
	Closure
)

// Term is a statement or an expression.
type Term struct {
	Op    Op
	Text  string
	At    lang.Span
	Parts []*Term
}

// Alone is what stands alone in lists and blocks, or the term itself.
func (t *Term) Alone() *Term {
	for (t.Op == List || t.Op == Block) && len(t.Parts) == 1 {
		t = t.Parts[0]
	}
	return t
}

var nothing = &Term{Op: Nothing}

func (r *Reader) term(op Op, n *syntax.Node, text string, parts ...*Term) *Term {
	return &Term{op, text, lang.At(n), parts}
}
