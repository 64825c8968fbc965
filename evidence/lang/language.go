// Package lang is the description of one programming language: what the
// engine in package evidence must know of it and cannot know of all. A language
// is one folder beside this one, which holds a Language value, its tree-sitter
// query, its cases, and stubs.txt: what counts as a stub in it, an idiom a line.
//
// # The query
//
// It runs once over every file. Each line is a pattern of a single node, «(kind)
// @capture», and a kind has one capture: such a query is read in microseconds and
// run in one pass, where compiling one with children takes a hook's whole time. What stands in the node's
// fields is looked up for the few nodes that need it. The captures are the same in every language:
//
//	@function   a function or method definition, with the fields name, body and receiver
//	@class      a class definition, with name and body
//	@type       any other definition that has a name and no body of statements
//	@scope      a named block that holds definitions (an interface, a namespace)
//	@value      a function without a name of its own, with body
//	@value.class the same of a class
//	@function.member a method that may also stand in an object literal
//	@binding.N.V what gives the value in its field V the name in its field N; the value is its last child
//	@member.N.V the same in an object literal
//	@default.V  what makes the value in its field V the default export
//	@comment, @import, @decorator
//	@todo       a value or a text that may be nothing but a note that it is to be written: Unfilled decides
//	@heading    a heading, which has no substance beside such a note alone
//	@content    text: what looks like a bracket in it is none
//	@bracket    a keyword that only opens or closes a block: "end" @bracket names an anonymous token
//	@probe      a statement that may be an assertion that cannot fail, skip a test, or throw a value away: Probe decides
//	@expression a statement that is one expression: bare strings, ... and bare names are looked for among them
//	@pass       a statement that does nothing
//	@throw      a statement that may say that the work is not done: package flow decides
//	@handler    what takes what is thrown: one that makes nothing of it is noted
//	@ask        a node that is one of these by its text, in grammars where all is a call: Capture decides
//
// What no capture covers is code.
package lang

import (
	sitter "github.com/smacker/go-tree-sitter"

	"github.com/acta-git/acta/evidence/syntax"
)

// Language describes one language. Name, and Grammar, or Rules that read, must be set; what needs no code is told by
// language.txt of its folder: see Describe.
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
	// Grammar is the tree-sitter grammar; nil for a language that Rules.Read reads.
	Grammar *sitter.Language
	// Seconds are the fields that a node of the grammar may be in its parent beside another one; see syntax.NewGrammar.
	Seconds []string
	// Query is what the query has besides query.scm of Folders.
	Query string
	// Indented: bodies are stretches of indented lines, not of braces.
	Indented bool
	// Judged: bodies are judged by what they do, with the roles that follow.
	Judged bool
	// Roles are the roles of node kinds, where they are others than in all languages, each a list of words.
	Roles map[Role]string
	// Words are the roles of calls, operators and declarations by the word that they are known by, before those of their
	// kinds: in some languages all is a call. The word of a call is what it calls, «.name» where it has a receiver.
	Words map[Role]string
	// Callees are names of functions, where they mean something else than in all languages.
	Callees map[Callee]string
	// Tail: the last expression of a body is given back without a return.
	Tail bool
	// Scoped: an assignment to a name makes it one of the body.
	Scoped bool
	// NamesCall: a name that is no variable calls a method; TypesCalled: a call of a type's name makes an object;
	// Unqualified: a method calls those of its object by their names alone; Macros: log macros stand alone.
	NamesCall, TypesCalled, Unqualified, Macros bool
	// Clauses: a function may have several bodies, one of which the patterns of its parameters choose.
	Clauses bool
	// Terse: a method without a result whose body is {} on its header's line is empty because others demand it.
	Terse bool
	// Nested: a definition in a body acts; Spent: a loop over a value without a body does nothing.
	Nested, Spent bool
	// Modifiers are the words that may stand before a definition, on its line, and belong to its header (export, const,
	// …).
	Modifiers []string
	// NameIn are the kinds of nodes in which a definition has its name, for a language in which no field does.
	NameIn []string
	// Builtins are functions and types that it has itself, as tests use them on what they make.
	Builtins []string
	// Strings are the node types of string literals, those that may span lines among them.
	Strings []string

	// Defaults is the beginning of a call, its opening bracket last, to which members of an object that do nothing are
	// given as defaults.
	Defaults Pattern
	// Spelt has in its groups what may be left out of a name or command without a change of what it means: see Plain.
	Spelt Pattern
	// Newer is what its grammar does not know: see AsRead.
	Newer []Newer
	// Directive is a comment or a bare string that is an instruction to a tool.
	Directive Pattern
	// Idle, Skipping and Vacuous are statements of Probes that do so; see Effect. Probe is asked about all others.
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
	// Annotated: what Readable blanks says something of the definition that follows, as a decorator does.
	Annotated bool
	// Tests are such conditions of what is a test, and no helper: Probe is heard only in tests. None: it is not told.
	Tests []string
	// Private are such conditions of functions that nothing outside of the repository can name, and that run only where
	// somebody names them. None: it is not told.
	Private []string
	// Constructs: what has the name of its class makes objects of it.
	Constructs bool
	// Probes are the beginnings of the statements, captured as @throw, @expression or @probe, that Probe is asked about.
	Probes []string
	// Titles are the beginnings of an @expression that may be a test named by its title: it("adds", () => {…}).
	Titles []string

	// Data: no definition of the language could be a stub; all that is not blank, comment or TODO is substance.
	Data bool
	// Prose: the text is prose, which shows nothing for an item of kind code.
	Prose bool

	// Complete are the words for what is complete though empty, as complete.txt of its folder says.
	Complete []Word
}

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
func (l *Language) AsRead(src []byte) []byte { return l.Readable(ReadableAs(l.Plain(src), l.Newer)) }

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
	return l.Probe(statement)
}

// Mark is a stretch that Read finds, under the name of a capture.
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
