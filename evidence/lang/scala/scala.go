// Package scala describes Scala, 2 and 3, to package evidence.
//
// A stub is a def whose body is empty or only says that it is not implemented, as a
// block or as an expression (= ???); what stubs.txt lists. A val or given
// that is ??? is one as well. A lambda is an expression, and no definition, save
// the block of a test with a title.
//
// What is complete though empty is listed in complete.txt. Declarations
// without a body, and classes, objects and traits without one, are no stubs.
package scala

import (
	"bytes"
	"slices"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/scala"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of Scala.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "scala",
		Folders: []string{"scala", "jvm"},
		Grammar: grammar.GetLanguage(),
		Probes:  append(lang.JVMProbes(), "true ", "false ", "1 "),
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

var (
	shouldBe = lang.Lazy(`^(\S+)\s+(?:(?:should|must)(?:Be|Equal)|(?:should|must)\s+(?:be|equal)|===` +
		`|shouldEqual)\s*\(?\s*([^\s()]+)\s*\)?$`)
	skips    = lang.Lazy(`^(?:\{\s*(?:pending|cancel\(.*\))\s*\}|cancel\(.*\)|assume\(\s*false\b.*\))$`)
	succeeds = lang.Lazy(`^\{\s*(?:succeed|ok|success)\s*\}$`)
	titled   = lang.Lazy(`^(?:test|testAsync|it|they|describe|context|feature|scenario|Feature|Scenario|ignore` +
		`|property|suite|group)\s*\(\s*"`)

	templates = []string{"template_body", "with_template_body", "enum_body"}
	groups    = []string{"in", "ignore", "is", "should", "when", "can", "must", "which", "that", ">>", "!"}
)

// Capture tells tests with a title and values that are ??? from what is none.
func (rules) Capture(n *syntax.Node, src []byte) string {
	text := src[n.Start():n.End()]
	switch n.Type() {
	case "package_clause":
		if n.Field("body") == nil {
			return "import"
		}
		return ""
	case "val_definition":
		if bytes.HasSuffix(text, []byte("???")) {
			return "function"
		}
		return ""
	case "given_definition":
		if body := n.Field("body"); body != nil && slices.Contains(templates, body.Type()) {
			return "class"
		}
		return "function"
	case "infix_expression":
		if text[len(text)-1] == '}' && (text[0] == '"' || bytes.HasPrefix(text, []byte("it ")) ||
			bytes.HasPrefix(text, []byte("they "))) {
			return "function"
		}
		return "probe"
	}
	if titled.MatchString(string(text[:min(len(text), 40)])) {
		return "function"
	}
	return "throw"
}

func (rules) Locate(_ string, n *syntax.Node, src []byte) (lang.Parts, bool) {
	parts := lang.Parts{Name: lang.At(n.Field("name"))}
	body := n.Field("body")
	switch n.Type() {
	case "call_expression":
		return titledCall(n, src)
	case "infix_expression":
		return titledInfix(n, src)
	case "val_definition":
		if pattern := n.Field("pattern"); pattern != nil && pattern.Type() == "identifier" {
			parts.Name = lang.At(pattern)
		}
		body = n.Field("value")
	case "function_definition":
		parts.Receiver = givenBody(n, src)
	}
	setBody(&parts, n, body, src)
	return parts, parts.Name != (lang.Span{})
}

// setBody tells a block, with braces or indented, from an expression in its place.
func setBody(parts *lang.Parts, n, body *syntax.Node, src []byte) {
	parts.Body = lang.At(body)
	switch {
	case body == nil:
	case slices.Contains(templates, body.Type()):
		if src[parts.Body.Start] == ':' {
			parts.Body.Start++
		}
	case body.Type() == "block":
	case body.Type() == "indented_block":
		for c := range n.Children() {
			if c.Type() == "=" {
				parts.Body.Start = c.End() // with the comments above the first statement
			}
		}
	default:
		parts.Expression = true
	}
}

// givenBody returns the type of the anonymous class that a def stands in. The
// grammar reads «new A(x) with B {…}» as an operator between new A(x) and a call B {…}.
func givenBody(def *syntax.Node, src []byte) lang.Span {
	body := def.Parent()
	if body == nil || body.Parent() == nil {
		return lang.Span{}
	}
	switch made := body.Parent(); {
	case body.Type() == "template_body" && made.Type() == "instance_expression":
		return lang.At(made.NamedChild(0))
	case body.Type() == "block" && made.Type() == "call_expression" && isMixed(made.Parent(), src):
		return lang.At(made.Field("function"))
	}
	return lang.Span{}
}

// isMixed reports whether a node is the operator «with».
func isMixed(n *syntax.Node, src []byte) bool {
	if n == nil || n.Type() != "infix_expression" {
		return false
	}
	operator := n.Field("operator")
	return operator != nil && operator.Content(src) == "with"
}

// titledCall finds the parts of test("adds") { … }.
func titledCall(n *syntax.Node, src []byte) (lang.Parts, bool) {
	callee, block := n.Field("function"), n.Field("arguments")
	if callee == nil || block == nil || callee.Type() != "call_expression" {
		return lang.Parts{}, false
	}
	arguments := callee.Field("arguments")
	if arguments == nil || arguments.NamedChildCount() == 0 {
		return lang.Parts{}, false
	}
	title := arguments.NamedChild(0)
	if title.Type() == "field_expression" { // "adds".ignore
		title = title.Field("value")
	}
	return test(title, block, src)
}

// titledInfix finds the parts of "adds" in { … } and of it should "add" in { … }.
func titledInfix(n *syntax.Node, src []byte) (lang.Parts, bool) {
	operator := n.Field("operator")
	if operator == nil || !slices.Contains(groups, operator.Content(src)) {
		return lang.Parts{}, false
	}
	return test(lastString(n.Field("left")), n.Field("right"), src)
}

// lastString returns the last string of a chain of infix operators.
func lastString(n *syntax.Node) *syntax.Node {
	for n != nil && n.Type() == "infix_expression" {
		if right := n.Field("right"); right != nil && right.Type() == "string" {
			return right
		}
		n = n.Field("left")
	}
	return n
}

func test(title, block *syntax.Node, src []byte) (lang.Parts, bool) {
	if title == nil || block == nil || title.Type() != "string" || block.Type() != "block" &&
		block.Type() != "colon_argument" {
		return lang.Parts{}, false
	}
	parts := lang.Parts{Name: lang.At(title), Body: lang.At(block), Title: true}
	content := strings.Trim(title.Content(src), `"`)
	parts.Name.Start += strings.Index(title.Content(src), content)
	parts.Name.End = parts.Name.Start + len(content)
	if block.Type() == "colon_argument" {
		parts.Body.Start++
	}
	// A block that is one word is read as a whole: pending, succeed.
	parts.Expression = block.NamedChildCount() == 1 && rules{}.Probe(block.Content(src)) != lang.Effective
	return parts, content != ""
}

func (rules) Probe(statement string) lang.Effect {
	if m := shouldBe.FindStringSubmatch(statement); m != nil {
		if m[1] == m[2] && lang.IsConstant(m[1]) {
			return lang.Vacuous
		}
		return lang.Effective
	}
	switch {
	case skips.MatchString(statement):
		return lang.Skipping
	case succeeds.MatchString(statement):
		return lang.Vacuous
	}
	return lang.JVMEffect(statement)
}
