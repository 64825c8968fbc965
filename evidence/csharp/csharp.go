// Package csharp describes C# to package evidence.
//
// A stub is a method, constructor, accessor or operator whose body is empty or
// only says that it is not implemented, as a block or as an expression (=> throw
// …); what Language.Stubs lists. A property with accessors that have bodies holds
// them as a class holds its methods, and is a stub where all of them are. A lambda
// is an expression, and no definition.
//
// What is complete though empty is listed in Language.Complete. Members without a
// body (abstract, extern, partial, of an interface) and automatic properties are
// no stubs.
package csharp

import (
	_ "embed"
	"slices"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	grammar "github.com/smacker/go-tree-sitter/csharp"

	"github.com/acta-git/acta/evidence/language"
)

//go:embed query.scm
var query string

// Language returns the description of C#.
func Language() language.Language {
	return language.Language{
		Name:       "csharp",
		Extensions: []string{".cs", ".csx"},
		Grammar:    grammar.GetLanguage,
		Query:      query,
		Strings:    []string{"verbatim_string_literal", "raw_string_literal", "interpolated_string_expression", "string_literal"},

		Capture:        capture,
		Readable:       readable,
		Locate:         locate,
		Throws:         []string{"throw", "Assert.Fail("},
		NotImplemented: language.ThrowsUnwrittenClass,
		Unwritten:      unwritten,
		Placeholder:    isPlaceholder,
		Nothing:        nothing.MatchString,
		Probes:         []string{"Assert.", "ClassicAssert.", "Skip.", "true.Should", "false.Should", "throw", "_ = "},
		Probe:          probe,
		Directive:      directive.MatchString,
		Exempt:         exempt,
		Skips:          skip.MatchString,

		Judged:      true,
		Unqualified: true,
		Stubs: []string{
			"an empty body, or one that holds only comments, #region and #pragma",
			"throw new NotImplementedException(…), as a statement or as => throw …",
			"throw of an exception whose message says «not implemented» or «TODO», and nothing else; the same as Task.FromException",
			"throw new NotSupportedException() without a message, beside a TODO",
			"return of a constant, an empty collection or a completed task beside a TODO",
			"_ = parameter; and nothing else",
			"a property whose accessors are stubs",
			"a test that only asserts constants, passes or skips itself, or fails with «not implemented»",
			"an empty class, struct or enum without base, attribute or primary constructor",
		},
		Complete: []language.Word{
			{Word: "abstract", Why: "an empty abstract class; «not implemented» in a virtual member of one, or with a message that leaves it to subclasses"},
			{Word: "decorated", Why: "an empty class with an attribute, which fills it"},
			{Word: "default_constructor", Why: "a constructor without parameters, or a static one: serialisers make objects by it"},
			{Word: "delegates", Why: "a constructor whose initialiser, : base(…) or : this(…), does the work"},
			{Word: "deliberate", Why: "an override whose comment says that there is nothing to do, or a member that is documented to do nothing"},
			{Word: "event", Why: "add and remove of an event that an interface demands and nobody raises"},
			{Word: "migration", Why: "Up() or Down() of a migration that leaves the schema as it is"},
			{Word: "one_way", Why: "ConvertBack() of a WPF converter that says «not implemented»: its bindings only read"},
			{Word: "overridable", Why: "a virtual member, or a member of an interface with a body: it does nothing unless others override it"},
			{Word: "page", Why: "OnGet() of a Razor page, which shows the page"},
			{Word: "partial", Why: "a partial class, whose other parts are elsewhere, or a partial method, which generated code calls"},
			{Word: "primary_constructor", Why: "a class or struct whose primary constructor takes its content"},
			{Word: "private_constructor", Why: "a private or protected constructor: it only forbids new"},
			{Word: "record", Why: "a record, whose components are its content"},
			{Word: "stand_in", Why: "a member of a null object or a test double, as the name of its class says"},
			{Word: "subclass", Why: "an empty class with a base"},
			{Word: "teardown", Why: "Dispose(), Close(), Flush(), a finaliser and their like in a class with a base: callers demand them"},
		},
	}
}

// empty is a value that holds nothing.
const empty = `(?:null!?|default!?(?:\([^()]*\)!?)?|\[\s*\]|(?:System\.)?Array\.Empty<[^()]*>\(\s*\)|(?:System\.Linq\.)?Enumerable\.Empty<[^()]*>\(\s*\)|new\s+(?:[\w.]*(?:List|Dictionary|HashSet|Set|Queue|Stack|Collection)<[^()]*>)(?:\(\s*\)|\s*\{\s*\})+|new\s+[\w.]+(?:<[^()]*>)?\[0?\]\s*(?:\{\s*\})?)`

const constant = `(?:` + empty + `|(?:string|String)\.Empty|""|true|false|-?[01][uUlLfFdDmM]*|-?[01]\.0[fFdDmM]?|'\\0'|new\s*\(\s*\)|(?:Ok|NoContent|View|Page)\(\s*\)|Results\.(?:Ok|NoContent)\(\s*\))`

const task = `(?:Task|ValueTask)\.`

var (
	nothing     = language.Lazy(`^(?:return[\s(]*(?:` + empty + `|(?:await\s+)?` + task + `(?:CompletedTask|FromResult(?:<[^()]*>)?\(\s*` + empty + `\s*\)))?[\s)]*;?|yield\s+break\s*;?)$`)
	placeholder = language.Lazy(`^(?:return[\s(]*(?:` + constant + `|(?:await\s+)?` + task + `(?:CompletedTask|FromResult(?:<[^()]*>)?\(\s*` + constant + `\s*\)))?[\s)]*;?|yield\s+break\s*;?)$`)
	failed      = language.Lazy(`^return\s+(?:await\s+)?` + task + `FromException(?:<[^()]*>)?\(\s*`)
	discarded   = language.Lazy(`^_ = [\pL_@][\pL\pN_.]*\s*;?$`)
	should      = language.Lazy(`^(?:true\.Should\(\)\.BeTrue|false\.Should\(\)\.BeFalse)\([^()]*\)$`)
	skips       = language.Lazy(`^(?:Assert\.(?:Ignore|Inconclusive|Skip)\(|Skip\.If\(\s*true\b|Skip\.IfNot\(\s*false\b|throw new (?:[\w.]+\.)?(?:Skip|Ignore|Inconclusive|AssertInconclusive)Exception\b)`)
	constraint  = language.Lazy(`^(?:Is\.(?:True|Not\.False)|Is\.EqualTo\(\s*(.*?)\s*\))$`)
	directive   = language.Lazy(`(?i)^(#!|//\s*(ReSharper\b|<auto-generated|NOSONAR\b|csharpier-ignore|stylecop|language=|dotnet_|[-+]:cnd))`)
	skip        = language.Lazy(`\b(Ignore|Explicit)\b|\bSkip\s*=`)

	typeWord     = language.Lazy(`\b(class|struct|record|enum)\b`)
	constrained  = language.Lazy(`\bwhere\s[^:]*:[^{]*`)
	recordHeader = language.Lazy(`\brecord\b`)
	parameters   = language.Lazy(`\b(class|struct)\s+[\pL_@][\pL\pN_]*\s*\(`)
	staticMember = language.Lazy(`\bstatic\b`)
	virtual      = language.Lazy(`\bvirtual\b`)
	override     = language.Lazy(`\boverride\b`)
	partial      = language.Lazy(`\bpartial\b`)
	abstract     = language.Lazy(`\babstract\b`)
	hidden       = language.Lazy(`\b(private|protected)\b`)
	initialised  = language.Lazy(`\)\s*:\s*(base|this)\s*\(`)
	noParameters = language.Lazy(`\(\s*\)\s*$`)
	converter    = language.Lazy(`:.*\bI(Multi)?ValueConverter\b`)
	migration    = language.Lazy(`:\s*(\w+\.)*\w*Migration\b`)
	pageModel    = language.Lazy(`:\s*(\w+\.)*\w*PageModel\b`)
)

// capture tells a property whose accessors have bodies, which holds them as a
// class holds methods, from one that is an expression, and from one that only
// declares.
func capture(n *sitter.Node, src []byte) string {
	switch accessors := n.ChildByFieldName("accessors"); {
	case accessors == nil:
		return "function"
	case slices.ContainsFunc(children(accessors), func(c *sitter.Node) bool { return c.ChildByFieldName("body") != nil }):
		return "class"
	}
	return "type"
}

func children(n *sitter.Node) []*sitter.Node {
	all := make([]*sitter.Node, n.NamedChildCount())
	for i := range all {
		all[i] = n.NamedChild(i)
	}
	return all
}

func locate(_ string, n *sitter.Node, _ []byte) (language.Parts, bool) {
	parts := language.Parts{Name: language.At(nameOf(n))}
	body := n.ChildByFieldName("body")
	switch n.Type() {
	case "accessor_declaration":
		if body == nil {
			return parts, false
		}
	case "property_declaration", "indexer_declaration", "event_declaration":
		if body = n.ChildByFieldName("accessors"); body == nil {
			body = n.ChildByFieldName("value")
		}
	}
	if body != nil && body.Type() == "arrow_expression_clause" {
		body, parts.Expression = last(children(body)), true
	}
	parts.Body = language.At(body)
	return parts, parts.Name != (language.Span{})
}

// nameOf returns the node that a definition is known by: the sign of an operator, the type that a conversion gives, «this».
func nameOf(n *sitter.Node) *sitter.Node {
	switch n.Type() {
	case "operator_declaration":
		return n.ChildByFieldName("operator")
	case "conversion_operator_declaration":
		return n.ChildByFieldName("type")
	case "indexer_declaration":
		for i := range int(n.ChildCount()) {
			if c := n.Child(i); c.Type() == "this" {
				return c
			}
		}
	}
	return n.ChildByFieldName("name")
}

// last returns the last node that is no comment, nil without one.
func last(nodes []*sitter.Node) *sitter.Node {
	for _, n := range slices.Backward(nodes) {
		if n.Type() != "comment" {
			return n
		}
	}
	return nil
}

func unwritten(statement string) bool {
	if m := failed.FindString(statement); m != "" {
		thrown := "throw " + statement[len(m):]
		return language.ThrowsUnwrittenClass(thrown) || language.ThrowsUnwritten(thrown)
	}
	if rest, ok := strings.CutPrefix(statement, "Assert.Fail("); ok {
		return language.SaysUnwritten(rest)
	}
	return language.ThrowsUnwritten(strings.TrimPrefix(statement, "return "))
}

func isPlaceholder(statement string) bool {
	return placeholder.MatchString(statement) ||
		language.ThrowsBare(strings.TrimPrefix(statement, "return "), "NotSupportedException", "InvalidOperationException", "Exception")
}

// probe says what a statement does for a test of xUnit, NUnit or MSTest, and knows a value that is thrown away.
func probe(statement string) language.Effect {
	statement = strings.TrimRight(statement, "; \t\r\n")
	if discarded.MatchString(statement) {
		return language.Idle
	}
	if skips.MatchString(statement) {
		return language.Skipping
	}
	name, arguments, rest, ok := language.Call(statement)
	switch {
	case should.MatchString(statement),
		ok && rest == "" && name == "Pass",
		ok && rest == "" && language.AlwaysHolds(name, arguments),
		ok && rest == "" && name == "That" && holdsOfItself(arguments):
		return language.Vacuous
	}
	return language.Effective
}

// holdsOfItself: Assert.That(constant, Is.EqualTo(constant)).
func holdsOfItself(arguments []string) bool {
	if len(arguments) < 2 || !language.IsConstant(arguments[0]) {
		return false
	}
	m := constraint.FindStringSubmatch(arguments[1])
	return m != nil && (m[1] == arguments[0] || m[1] == "" && arguments[0] == "true")
}

func exempt(d language.Definition) string {
	switch {
	case d.Class:
		return exemptClass(d)
	case d.Marked && !d.NotImplemented:
		return ""
	case isConstructor(d):
		return exemptConstructor(d)
	case d.NotImplemented:
		return exemptUnwritten(d)
	}
	return idle(d)
}

func exemptClass(d language.Definition) string {
	header := declaration(d)
	switch {
	case !typeWord.MatchString(header):
		return "" // a property
	case recordHeader.MatchString(header):
		return "record"
	case abstract.MatchString(header):
		return "abstract"
	case partial.MatchString(header):
		return "partial"
	case parameters.MatchString(header):
		return "primary_constructor"
	case strings.Contains(header, ":"):
		return "subclass"
	case len(d.Decorators) > 0:
		return "decorated"
	}
	return ""
}

// declaration returns a header without attributes, type arguments and constraints.
func declaration(d language.Definition) string {
	return constrained.ReplaceAllString(language.WithoutArguments(d.Declaration()), "")
}

func isConstructor(d language.Definition) bool {
	return d.Parent != nil && d.Parent.Class && d.Parent.Name == d.Name && !strings.Contains(language.BeforeName(d), "void ")
}

func exemptConstructor(d language.Definition) string {
	header := d.Declaration()
	switch {
	case !d.Empty:
		return ""
	case strings.Contains(language.BeforeName(d), "~"):
		return "teardown"
	case initialised.MatchString(header):
		return "delegates"
	case hidden.MatchString(language.BeforeName(d)):
		return "private_constructor"
	case noParameters.MatchString(header):
		return "default_constructor"
	}
	return ""
}

// member returns the header of the member that a definition is, or is an accessor of, and the type around it.
func member(d language.Definition) (header string, around *language.Definition) {
	header, around = d.Declaration(), d.Parent
	if around != nil && around.Class && !typeWord.MatchString(declaration(*around)) {
		header, around = around.Declaration(), around.Parent
	}
	return header, around
}

// exemptUnwritten: «not implemented» is for others to write.
func exemptUnwritten(d language.Definition) string {
	header, around := member(d)
	switch {
	case d.Name == "ConvertBack" && around != nil && converter.MatchString(declaration(*around)):
		return "one_way"
	case language.LeftToSubclasses(d):
		return "abstract"
	case around != nil && isInterface(*around) && !d.Marked && !staticMember.MatchString(header):
		return "overridable"
	case around != nil && around.Class && !d.Marked && virtual.MatchString(header) && abstract.MatchString(declaration(*around)):
		return "abstract"
	}
	return ""
}

// idle: what does nothing, and says neither that it is not written nor that it is to be.
func idle(d language.Definition) string {
	header, around := member(d)
	overrides := override.MatchString(header)
	hasBase := around != nil && around.Class && strings.Contains(declaration(*around), ":")
	switch {
	case virtual.MatchString(header), around != nil && isInterface(*around) && !staticMember.MatchString(header):
		return "overridable"
	case partial.MatchString(header):
		return "partial"
	case around != nil && around.Class && language.StandsIn(around.Name):
		return "stand_in" // an accessor
	case (language.IsTeardown(d.Name) || d.Name == "StopAsync") && (overrides || hasBase):
		return "teardown"
	case d.Name == "add" || d.Name == "remove":
		return "event"
	case overrides && language.IsDeliberate(d.Body), language.DocumentsNothing(d):
		return "deliberate"
	case overrides && around != nil && (d.Name == "Down" || d.Name == "Up") && migration.MatchString(declaration(*around)):
		return "migration"
	case d.Name == "OnGet" && around != nil && pageModel.MatchString(declaration(*around)):
		return "page"
	}
	return ""
}

func isInterface(d language.Definition) bool {
	return !d.Class && strings.Contains(language.BeforeName(d), "interface ")
}
