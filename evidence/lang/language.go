// Package lang describes programming languages: everything about a language that package evidence cannot know of all
// languages. Each language is a folder beside this file with its tags.scm, pack.txt and test cases, and with Go code
// where data is not enough.
//
// # The tags
//
// tags.scm holds tree-sitter patterns. The outermost capture says what a node is; the first matching pattern decides,
// but an @owner may be something else as well. Text without a capture is code.
//
//	@definition.function   a function or method definition
//	@definition.class      a class definition
//	@definition.type       any other named definition without a body of statements
//	@definition.interface  a named block of definitions (an interface, a namespace)
//	@definition.method     a method that may also stand in an object literal
//	@test, @test.skipped   a test with a title, and one that does not run
//	@owner      gives the methods in its @body their @receiver
//	@value      a function without a name of its own, with body
//	@value.class the same for a class
//	@binding.N.V gives the value in its field V the name in its field N; the value is its last child
//	@member.N.V the same in an object literal
//	@default.V  makes the value in its field V the default export
//	@comment, @import, @decorator
//	@todo       a text that may be only a placeholder: see IsUnfilled
//	@pair       a key and a value that may be such a placeholder
//	@heading    a heading; with only placeholders below it has no substance
//	@content    text: brackets in it do not count
//	@bracket    a keyword that only opens or closes a block: "end" @bracket names an anonymous token
//	@probe      a statement that may be an assertion that cannot fail, skip a test, or discard a value
//	@expression a statement that is one expression: bare strings, ... and bare names are among them
//	@pass       a statement that does nothing
//	@docstring  documentation that is not a comment
//	@throw      a statement that may say that the work is not done: package flow decides
//
// Inside, @name or @test.title is the name (its last part counts), @receiver the owner, @body the body, @value an
// expression in place of a body; a body begins after @after. Without @name, the fields name, body and receiver are
// used. «#through! @capture field …» replaces a capture by the innermost node that these fields lead to.
package lang

import (
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/evidence/syntax"
	sitter "github.com/smacker/go-tree-sitter"
)

// Language describes one language. Name, and Grammar or Tokens, must be set; pack.txt sets most other fields: see
// Describe.
type Language struct {
	Rules
	// Name is the language's name in results, lower case.
	Name string
	// Folders hold the texts that describe it, the nearest first; by default the folder of its Name.
	Folders []string
	// Grammar is the tree-sitter grammar; nil for a language that is read with Tokens.
	Grammar *sitter.Language
	// SecondFields are fields that a node may be in its parent beside another one; see syntax.NewGrammar.
	SecondFields []string
	// Tags are patterns beside those of the tags.scm in Folders.
	Tags string
	// Roles are the roles of node kinds that differ from the common ones.
	Roles map[string]Role
	// Words are roles of calls, operators and declarations by name, which outrank the roles of their kinds: in some
	// languages everything is a call. The word of a call is its callee, «.name» after a receiver.
	Words map[string]Role
	// Callees are names of functions that mean something else than in other languages.
	Callees map[string]Callee
	// Traits are:
	//	data         its definitions cannot be stubs; all but blanks, comments and TODOs is substance
	//	prose        prose, which shows nothing for an item of kind code
	//	tail         a body returns its last expression
	//	scoped       an assignment to a name makes it local
	//	namescall    a name that is no variable calls a method
	//	typescalled  calling a type's name makes an object
	//	unqualified  a method calls other methods of its object without a qualifier
	//	terse        a one-line method {} without a result is empty because an interface demands it
	Traits []string
	// Modifiers are the words that may precede a definition on its line and belong to its header (export, const, …).
	Modifiers []string
	// Stubs documents the idioms of stubs, one a line; Empties are globs of files that are complete though empty.
	Stubs, Empties []string
	// Builtins are functions and types of the language that tests use on their own values.
	Builtins []string
	// Strings are the node types of string literals, including those that span lines.
	Strings []string

	// Optional matches, in its groups, text that may be omitted from a name or command without changing its meaning:
	// see Plain.
	Optional Pattern
	// NewSyntax is syntax that the grammar does not know: see Parsable.
	NewSyntax []NewSyntax
	// Directive matches a comment or bare string that instructs a tool.
	Directive Pattern
	// Idle, Skipping and Vacuous match statements of Probes with that Effect; see also cannotFail.
	Idle, Skipping, Vacuous Pattern
	// SkipDecorator matches a decorator that skips a test.
	SkipDecorator Pattern
	// Handler matches the beginning of a handler that catches failed assertions. If unset, assertions throw nothing.
	Handler Pattern
	// Orphans are conditions on Facts, like those of an Entry, for members whose class may have been misread: there a
	// method reads like a function. They apply to stubs in files with syntax errors. A stub that matches is unclear, as
	// is one with an error between it and its enclosing definition.
	Orphans []string
	// Tests are conditions that tell tests from helpers: only tests are probed. Without them everything may be a test.
	Tests []string
	// Private are conditions for functions that nothing outside the repository can call, and that run only if some code
	// names them.
	Private []string
	// Probes are beginnings of statements, captured as @throw, @expression or @probe, whose EffectOf is asked.
	Probes []string
	// SkipStart matches text that skips the tests after it, or the tests inside the call whose bracket it ends with.
	SkipStart Pattern
	// Tokens read a language without a Grammar. Lines that are indented below a TextStart are text: see Marks.
	Tokens, TextStart Pattern
	// TodoFrame matches text that may surround a @todo placeholder.
	TodoFrame Pattern
	// Unparsable matches, in its groups, text that the grammar cannot read, JoinedName text that it reads as one name.
	Unparsable, JoinedName Pattern

	// Hollow hollows out functions; BuildFailure matches what tools print if code cannot be built or parsed.
	Hollow       Hollow
	BuildFailure Pattern

	// Complete are the reasons why empty definitions are complete, from pack.txt.
	Complete []Entry
}

// Is reports whether the language has a trait.
func (l *Language) Is(way string) bool { return slices.Contains(l.Traits, way) }

// IsCode reports whether it is neither data nor prose.
func (l *Language) IsCode() bool { return !l.Is("data") && !l.Is("prose") }

// Effect is what a statement does, as the name of its capture; "" if it is not a known probe.
type Effect string

const (
	Vacuous  Effect = "vacuous" // an assertion that cannot fail
	Skipping Effect = "skips"   // it skips the test
	Idle     Effect = "dropped" // it does nothing, like discarding a value
)

// Parsable returns a file as the grammar can read it: Plain, without NewSyntax, and Readable.
func (l *Language) Parsable(src []byte) []byte {
	src = l.Unparsable.Blank(replaceNewSyntax(l.Plain(src), l.NewSyntax))
	return l.Readable(l.JoinedName.Replace(src, func(b byte) byte {
		if IsWordByte(b) {
			return b
		}
		return '_'
	}))
}

// EffectOf returns the effect of a statement that begins with one of Probes.
func (l *Language) EffectOf(statement string) Effect {
	switch {
	case l.Idle.MatchString(statement):
		return Idle
	case l.Skipping.MatchString(statement):
		return Skipping
	case l.Vacuous.MatchString(statement), l.cannotFail(statement):
		return Vacuous
	}
	return ""
}

// Mark is a span found by Marks, with the name of its capture.
type Mark struct {
	Capture string
	Span
}

// Span is a range of bytes, [Start, End). The zero value means none.
type Span struct{ Start, End int }

// At returns the span of a node, the zero Span for nil.
func At(n *syntax.Node) Span {
	if n == nil {
		return Span{}
	}
	return Span{n.Start(), n.End()}
}

// Parts are the parts of a definition, as Locate finds them. Name must be set.
type Parts struct {
	// Body is the content of the definition, with or without delimiters; none for a declaration.
	Name, Body Span
	// Receiver is the text that Owner turns into the type that owns the definition.
	Receiver Span
	// IsByField: they are the fields of the node; Body may be an expression instead of a block.
	IsByField bool
	// IsExpression: Body is one expression instead of a block.
	IsExpression bool
	// Whole is the definition if that is more than its node: a getter with the property above it. It ends with the
	// node.
	Whole Span
	// IsTitle: Name is a string, the title of a test, not a symbol.
	IsTitle bool
	// IsSkipped: the test says that it does not run (it.skip, test.todo). With substance in its body it is still a
	// test.
	IsSkipped bool
}

// Files returns the extensions of a language's files, with the dot and in lower case, and whole names of files without
// one, from the first lines of its pack.txt.
func Files(text string) (extensions, names []string) {
	head, _, _ := strings.Cut(text, "\n\n")
	for _, w := range Table(head) {
		switch w.Name {
		case "extensions":
			extensions = strings.Fields(w.Text)
		case "names":
			names = strings.Fields(w.Text)
		}
	}
	return extensions, names
}

// Describe fills the unset fields of a language from the text of a pack.txt: its own, or that of a language that it
// builds on. The text must be valid. Its lines are those of Table:
//
//	extensions: .c .h          first of all, then names: see Files
//	traits: tail scoped        a list
//	role acts: KINDS           also «word loops: NAMES» and «callee builds: NAMES»
//	stub: IDIOM
//	complete NAME: REASON      with conditions below
//	probes:                    with the beginning of a statement a line
//	tests:                     with a condition a line; also private and orphans
//	directive:                 with a regular expression, which may span lines; so are all Patterns
//	new-syntax:                with "Word" "After" "Replacement" and Match a line
//	hollow: STATEMENT          with «RESULT => VALUE | VALUE» a line
func (l *Language) Describe(text string) {
	lists := map[string]*[]string{"modifiers": &l.Modifiers, "strings": &l.Strings, "builtins": &l.Builtins,
		"second-fields": &l.SecondFields, "empties": &l.Empties, "traits": &l.Traits, "tests": &l.Tests,
		"private": &l.Private, "orphans": &l.Orphans}
	patterns := map[string]*Pattern{"directive": &l.Directive, "skip-decorator": &l.SkipDecorator,
		"handler": &l.Handler, "optional": &l.Optional, "idle": &l.Idle, "skipping": &l.Skipping, "vacuous": &l.Vacuous,
		"skip-start": &l.SkipStart, "unparsable": &l.Unparsable, "joined-name": &l.JoinedName,
		"tokens": &l.Tokens, "text-start": &l.TextStart, "todo-frame": &l.TodoFrame, "build-failure": &l.BuildFailure}
	if l.Roles == nil {
		l.Roles, l.Words, l.Callees = map[string]Role{}, map[string]Role{}, map[string]Callee{}
	}
	var stubs []string
	var complete []Entry
	for _, w := range Table(text) {
		kind, name, _ := strings.Cut(strings.TrimSuffix(w.Name, ":"), " ")
		switch kind {
		case "extensions", "names":
		case "complete":
			w.Name = name
			complete = append(complete, w)
		case "stub":
			stubs = append(stubs, w.Text)
		case "hollow":
			if l.Hollow.Return == "" {
				l.Hollow = newHollow(w)
			}
		case "probes":
			l.Probes = append(l.Probes, w.Lines...)
		case "role":
			addWords(l.Roles, w.Text, Role(slices.Index(roleNames, name)))
		case "word":
			addWords(l.Words, w.Text, Role(slices.Index(roleNames, name)))
		case "callee":
			addWords(l.Callees, w.Text, Callee(name))
		case "new-syntax":
			l.addNewSyntax(w.Lines)
		default:
			if list := lists[kind]; list == nil {
				patterns[kind].add(strings.Join(w.Lines, ""))
			} else if *list == nil {
				*list = append(strings.Fields(w.Text), w.Lines...)
			}
		}
	}
	if l.Stubs = append(stubs, l.Stubs...); l.Complete == nil {
		l.Complete = complete
	}
}

func (l *Language) addNewSyntax(lines []string) {
	for _, line := range lines {
		var parts [3]string
		for i := range parts {
			quoted, _ := strconv.QuotedPrefix(line)
			parts[i], _ = strconv.Unquote(quoted)
			line = strings.TrimLeft(line[len(quoted):], " ")
		}
		n := NewSyntax{Word: parts[0], After: parts[1], Replacement: parts[2], Match: Lazy(line)}
		l.NewSyntax = append(l.NewSyntax, n)
	}
}

// add adds an alternative to a pattern, which may be unset.
func (p *Pattern) add(text string) {
	if p.IsSet() {
		text = p.String() + "|" + text
	}
	*p = Lazy(text)
}
