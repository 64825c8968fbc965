// Package lang is the description of one programming language: what the
// engine in package evidence must know of it and cannot know of all. A language
// is one folder beside this one, which holds its tags.scm, its pack.txt and its
// cases, and Go where nothing else can read it.
//
// # The tags
//
// tags.scm holds patterns of tree-sitter's queries. The outermost capture says what a node is, the first pattern that
// fits it alone; an @owner may be something besides. What no capture covers is code.
//
//	@definition.function   a function or method definition
//	@definition.class      a class definition
//	@definition.type       any other definition that has a name and no body of statements
//	@definition.interface  a named block that holds definitions (an interface, a namespace)
//	@definition.method     a method that may also stand in an object literal
//	@test, @test.skipped   a test that is known by a title, and one that does not run
//	@owner      what gives the methods in its @body the @receiver that they belong to
//	@value      a function without a name of its own, with body
//	@value.class the same of a class
//	@binding.N.V what gives the value in its field V the name in its field N; the value is its last child
//	@member.N.V the same in an object literal
//	@default.V  what makes the value in its field V the default export
//	@comment, @import, @decorator
//	@todo       a text that may be nothing but a note that it is to be written: see IsUnfilled
//	@pair       a key and its value, of which that may be so
//	@heading    a heading, which has no substance beside such a note alone
//	@content    text: what looks like a bracket in it is none
//	@bracket    a keyword that only opens or closes a block: "end" @bracket names an anonymous token
//	@probe      a statement that may be an assertion that cannot fail, skip a test, or throw a value away
//	@expression a statement that is one expression: bare strings, ... and bare names are looked for among them
//	@pass       a statement that does nothing
//	@docstring  documentation that is no comment
//	@throw      a statement that may say that the work is not done: package flow decides
//
// Inside, @name or @test.title is what it is known by, the last name of that, @receiver what it belongs to, @body its
// body, @value an expression in the place of one; a body begins behind @after. Without a @name they are the fields
// name, body and receiver. Of a capture «#through! field …» takes what it holds in one of the fields, as deep as it
// goes.
package lang

import (
	"slices"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/acta-git/acta/evidence/syntax"
)

// Language describes one language. Name, and Grammar or Tokens, must be set; what needs no code is told by
// pack.txt of its folder: see Describe.
type Language struct {
	Rules
	// Name is the language's name in results, lower case.
	Name string
	// Folders are those whose texts describe it, the nearest first; none: that of its Name.
	Folders []string
	// Extensions of file names, with the dot, lower case.
	Extensions []string
	// Names are whole file names of the language, for files without an extension of its own.
	Names []string
	// Grammar is the tree-sitter grammar; nil for a language that Tokens read.
	Grammar *sitter.Language
	// Seconds are the fields that a node of the grammar may be in its parent beside another one; see syntax.NewGrammar.
	Seconds []string
	// Tags is what the patterns are besides tags.scm of Folders.
	Tags string
	// Roles are the roles of node kinds, where they are others than in all languages, each a list of words.
	Roles map[Role]string
	// Words are the roles of calls, operators and declarations by the word that they are known by, before those of their
	// kinds: in some languages all is a call. The word of a call is what it calls, «.name» where it has a receiver.
	Words map[Role]string
	// Callees are names of functions, where they mean something else than in all languages.
	Callees map[Callee]string
	// Ways are words for how it reads:
	//	data         none of its definitions could be a stub; what is not blank, comment or TODO is substance
	//	prose        prose, which shows nothing for an item of kind code
	//	tail         the last expression of a body is given back without a return
	//	scoped       an assignment to a name makes it one of the body
	//	namescall    a name that is no variable calls a method
	//	typescalled  a call of a type's name makes an object
	//	unqualified  a method calls those of its object by their names alone
	//	terse        a method without a result whose body is {} on its header's line is empty because others demand it
	Ways []string
	// Modifiers are the words that may stand before a definition, on its line, and belong to its header (export, const,
	// …).
	Modifiers []string
	// Stubs says what is a stub, an idiom a line; Empties are the files that are complete though empty, as globs.
	Stubs, Empties []string
	// Builtins are functions and types that it has itself, as tests use them on what they make.
	Builtins []string
	// Strings are the node types of string literals, those that may span lines among them.
	Strings []string

	// Spelt has in its groups what may be left out of a name or command without a change of what it means: see Plain.
	Spelt Pattern
	// Newer is what its grammar does not know: see AsRead.
	Newer []Newer
	// Directive is a comment or a bare string that is an instruction to a tool.
	Directive Pattern
	// Idle, Skipping and Vacuous are statements of Probes that do so; see Effect and cannotFail.
	Idle, Skipping, Vacuous Pattern
	// Skips is a decorator that skips a test.
	Skips Pattern
	// Takes is how a handler begins that takes what a failed assertion throws. None: assertions throw nothing.
	Takes Pattern
	// Orphans are conditions on Facts, as a Word has them, of members whose class could not be read: the grammar could not
	// read what is around them, where a method reads like a function. They are asked of stubs, in files with syntax
	// errors. One that they hold of is unclear, as is one between which and what encloses it an error stands. None: not
	// asked.
	Orphans []string
	// Tests are such conditions of what is a test, and no helper: Probe is heard only in tests. None: it is not told.
	Tests []string
	// Private are such conditions of functions that nothing outside of the repository can name, and that run only where
	// somebody names them. None: it is not told.
	Private []string
	// Probes are the beginnings of the statements, captured as @throw, @expression or @probe, that Does is asked about.
	Probes []string
	// Silenced is how a source begins to skip the tests below it, or those in the call whose bracket it ends with.
	Silenced Pattern
	// Tokens read a language without a Grammar, and Deeper ends a line below which deeper ones are text: see Marks.
	Tokens, Deeper Pattern
	// Around is what may stand around a @todo that is nothing but a note.
	Around Pattern
	// Unknown has in its groups what the grammar cannot read, Joined what it is to read as one name.
	Unknown, Joined Pattern

	// Hollow is how a function is left without what it does, and Unbuilt what tools print where the code that they are to
	// run cannot be built or read.
	Hollow  Hollow
	Unbuilt Pattern

	// Complete are the words for what is complete though empty, as pack.txt of its folder says.
	Complete []Word
}

// Is reports whether a word is one of its Ways.
func (l *Language) Is(way string) bool { return slices.Contains(l.Ways, way) }

// IsCode reports whether it is neither data nor prose.
func (l *Language) IsCode() bool { return !l.Is("data") && !l.Is("prose") }

// Effect is what a statement does.
type Effect uint8

const (
	// Effective: it is no statement that Probe knows.
	Effective Effect = iota
	// Vacuous: an assertion that cannot fail.
	Vacuous
	// Skipping: it skips the test.
	Skipping
	// Idle: it does nothing anywhere, as a value that is thrown away.
	Idle
)

// AsRead returns a file as the grammar can read it: plain, without what is newer, and as Readable makes it.
func (l *Language) AsRead(src []byte) []byte {
	src = readableAs(l.Plain(src), l.Newer)
	if l.Unknown.IsSet() {
		src = l.Unknown.Blank(src)
	}
	if l.Joined.IsSet() {
		src = l.Joined.Replace(src, func(b byte) byte {
			if IsWordByte(b) {
				return b
			}
			return '_'
		})
	}
	return l.Readable(src)
}

// Does says what a statement does that begins with one of Probes.
func (l *Language) Does(statement string) Effect {
	switch {
	case l.Idle.MatchString(statement):
		return Idle
	case l.Skipping.MatchString(statement):
		return Skipping
	case l.Vacuous.MatchString(statement):
		return Vacuous
	}
	if cannotFail(statement) {
		return Vacuous
	}
	return Effective
}

// Mark is a stretch that Marks finds, under the name of a capture.
type Mark struct {
	Capture string
	Span
}

// Span is a stretch of bytes, [Start, End). The zero value is none.
type Span struct{ Start, End int }

// At returns the stretch of a node, none for nil.
func At(n *syntax.Node) Span {
	if n == nil {
		return Span{}
	}
	return Span{n.Start(), n.End()}
}

// Parts are the parts of a definition, as Locate finds them. Name must be set.
type Parts struct {
	// Body is what stands in the definition, with its delimiters or without; none for a declaration.
	Name, Body Span
	// Receiver is the text that Owner turns into the type that owns the definition.
	Receiver Span
	// ByField: they are the fields of the node, whose Body may be an expression in the place of a block.
	ByField bool
	// Expression: Body is one expression in the place of a block.
	Expression bool
	// Whole is the definition, where that is more than its node: a getter, and the property above it. It ends as the node
	// does.
	Whole Span
	// Title: Name is a string, the title of a test, and no symbol.
	Title bool
	// Skips: the test is one that does not run, as its own words say (it.skip, test.todo). With substance in its body it
	// is a test all the same.
	Skips bool
}
