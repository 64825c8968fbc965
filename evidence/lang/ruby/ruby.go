// Package ruby describes Ruby to package evidence. What is a stub in it, and
// what is complete though empty, is said in stubs.txt and complete.txt.
//
// Ruby has no abstract methods: raise NotImplementedError stands for them by
// convention, and for a method that nobody has written. Only where something
// says which it is, the method is complete: its message, or its class.
package ruby

import (
	"strings"

	grammar "github.com/smacker/go-tree-sitter/ruby"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of Ruby.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "ruby",
		Grammar: grammar.GetLanguage(),
		Probes:  []string{"assert", "refute", "expect", "skip", "pending", "omit", "pass"},
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

var (
	bare      = lang.Lazy(`^(assert\w*|refute\w*)\s+(.*)$`)
	expecting = lang.Lazy(`^expect\(\s*([^()]*?)\s*\)\.to\s*\(?\s*(be_truthy|be_falsey|be_falsy|be_nil|(?:be|eq` +
		`|eql|equal)[ (]\s*([^()]*?)\s*\)?)\s*\)?$`)
)

// Capture: nearly all of Ruby is a call. Of these define, raise, import, skip and assert some.
func (rules) Capture(n *syntax.Node, src []byte) string {
	at := n.Start()
	switch src[at] {
	case 'r':
		switch {
		case lang.HasPrefix(src, at, "raise"):
			return "throw"
		case lang.HasPrefix(src, at, "require '", "require \"", "require_relative"):
			return "import"
		}
		return "probe" // refute
	case 'd', 'e', 'i', 's', 't':
		switch {
		case isTitled(n, src):
			return "function"
		case lang.HasPrefix(src, at, "it ", "it(", "specify ", "specify("):
			return ofStatement(n, src)
		}
		return "probe"
	case 'f', 'a':
		if lang.HasPrefix(src, at, "fail", "abort") {
			return "throw"
		}
		return "probe"
	case 'p', 'o':
		return "probe"
	}
	return ""
}

// ofStatement: a test without a block is one that nobody has written; nothing may follow it on its line.
func ofStatement(n *syntax.Node, src []byte) string {
	rest, _, _ := strings.Cut(string(src[n.End():min(len(src), n.End()+80)]), "\n")
	if rest = strings.TrimSpace(rest); rest != "" && rest[0] != '#' {
		return ""
	}
	return "throw"
}

// isTitled reports whether a call begins with the name of a method that takes a title and a block: a test's, or
// define_method.
func isTitled(n *syntax.Node, src []byte) bool {
	rest := src[n.Start():n.End()]
	i := 0
	for i < len(rest) && (rest[i] >= 'a' && rest[i] <= 'z' || rest[i] == '_') {
		i++
	}
	if i == len(rest) || rest[i] != ' ' && rest[i] != '(' {
		return false
	}
	switch string(rest[:i]) {
	case "it", "specify", "example", "scenario", "test", "should", "define_method":
		return n.Field("block") != nil
	}
	return false
}

func (rules) Locate(_ string, n *syntax.Node, src []byte) (lang.Parts, bool) {
	if n.Type() == "call" {
		return locateBlock(n, src)
	}
	name := n.Field("name")
	if name == nil {
		return lang.Parts{}, false
	}
	header := name
	for _, field := range []string{"parameters", "superclass"} {
		if child := n.Field(field); child != nil {
			header = child
		}
	}
	if name.Type() == "scope_resolution" {
		name = name.Field("name")
	}
	p := lang.Parts{Name: lang.At(name)}
	body := n.Field("body")
	if last := n.LastChild(); body != nil && last.End() == body.End() && last.Type() != "end" {
		p.Body, p.Expression = lang.At(body), true // def one = 1
		return p, true
	}
	p.Body = lang.Span{Start: header.End(), End: n.End()}
	return p, true
}

// locateBlock finds the parts of a test, or of a method that define_method makes.
func locateBlock(n *syntax.Node, src []byte) (lang.Parts, bool) {
	arguments, block := n.Field("arguments"), n.Field("block")
	if arguments == nil || block == nil || arguments.NamedChildCount() == 0 {
		return lang.Parts{}, false
	}
	var p lang.Parts
	first := arguments.NamedChild(0)
	switch defines := src[n.Start()] == 'd'; {
	case defines && first.Type() == "simple_symbol":
		p.Name = lang.At(first)
		p.Name.Start++
	case !defines && first.Type() == "string":
		p.Name, p.Title = lang.Quoted(src, lang.At(first)), true
	}
	header := block.Field("parameters")
	if header == nil {
		header = block.Child(0)
	}
	p.Body = lang.Span{Start: header.End(), End: block.End()}
	return p, p.Name != lang.Span{}
}

// Probe tells assertions of constants.
func (rules) Probe(statement string) lang.Effect {
	if m := expecting.FindStringSubmatch(statement); m != nil && meets(m[1], m[2], m[3]) {
		return lang.Vacuous
	}
	name, arguments, rest, ok := lang.Call(bare.ReplaceAllString(statement, "$1($2)"))
	if ok && rest == "" && (lang.AlwaysHolds(name, arguments) || refutes(name, arguments)) {
		return lang.Vacuous
	}
	return lang.Effective
}

// refutes reports whether a refutation of a constant, with or without a message, cannot fail.
func refutes(name string, arguments []string) bool {
	return name == "refute" && len(arguments) > 0 && isFalse(arguments[0])
}

func isFalse(value string) bool { return value == "nil" || value == "false" }

// meets reports whether a constant meets what is expected of it.
func meets(value, matcher, expected string) bool {
	if !lang.IsConstant(value) {
		return false
	}
	switch matcher {
	case "be_truthy":
		return !isFalse(value)
	case "be_falsey", "be_falsy":
		return isFalse(value)
	case "be_nil":
		return value == "nil"
	}
	return value == expected
}
