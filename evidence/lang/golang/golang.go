// Package golang describes Go to package evidence: stubs and complete.txt say what
// is a stub, and what is complete though empty. A function declared without a body (assembly, linkname) is no stub;
// types, constants and interfaces have no bodies at all.
package golang

import (
	"bytes"
	"slices"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/golang"

	"github.com/acta-git/acta/evidence/lang"
)

// Language returns the description of Go.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "go",
		Folders: []string{"golang"}, // no package can be called go
		Grammar: grammar.GetLanguage(),
		Probes:  probes(),
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

var (
	inlineComment = lang.Lazy(`(?s)/\*.*?\*/`)
	receiverType  = lang.Lazy(`(?s)^\(\s*(?:[\pL\pN_,\s]*[\s,])?[*(\s]*([\pL_][\pL\pN_]*)\s*(?:\[.*\])?[\s,)]*\)$`)
	tested        = lang.Lazy(`^(?:([tbfs]|(?:s|suite)\.T\(\))\.(Skip|Skipf|SkipNow|Parallel|Helper|Log|Logf` +
		`|ReportAllocs)|(?:assert|require)\.(\w+))\(`)
)

// probes are the beginnings of what probe knows.
func probes() []string {
	begin := []string{"s.T().", "suite.T().", "assert.", "require."}
	for _, receiver := range []string{"t.", "b.", "f.", "s."} {
		for _, call := range []string{"Skip", "Parallel(", "Helper(", "Log", "ReportAllocs("} {
			begin = append(begin, receiver+call)
		}
	}
	return begin
}

func (rules) Owner(receiver string) string {
	if strings.Contains(receiver, "/*") {
		receiver = inlineComment.ReplaceAllString(receiver, " ")
	}
	m := receiverType.FindStringSubmatch(receiver)
	if m == nil {
		return ""
	}
	return m[1]
}

// Probe knows skips, the calls of package testing that only log or mark, and
// testify's assertions where they are given constants.
func (rules) Probe(statement string) lang.Effect {
	m := tested.FindStringSubmatch(statement)
	if m == nil {
		return lang.Effective // most, and cheaply told
	}
	arguments, rest, ok := lang.Arguments(statement[len(m[0]):])
	switch {
	case !ok || strings.Trim(rest, " \t\r\n;") != "":
	case strings.HasPrefix(m[2], "Skip"):
		return lang.Skipping
	case m[2] != "":
		if !slices.ContainsFunc(arguments, func(a string) bool { return !lang.IsConstant(a) }) {
			return lang.Vacuous // Parallel, Helper, Log
		}
	case len(arguments) > 0 && checks(strings.TrimSuffix(m[3], "f")).CannotFail(arguments[1:]):
		return lang.Vacuous
	}
	return lang.Effective
}

// checks are the assertions of testify, without the f of those that format a message.
var checks = lang.Checks(`
true: True
false: False
null: Nil NoError
something: NotNil NotEmpty
same: Equal EqualValues Exactly`)

// HoldsCode: the comment before import "C" is C source.
func (rules) HoldsCode(_, next string) bool { return strings.HasPrefix(next, `import "C"`) }

// maxOperand is how much of what a new( holds is looked at, in bytes: what is longer is no name.
const maxOperand = 128

// operand is what the grammar reads as the type of a new(T): it is older than Go 1.26, in which that may be an
// expression. A name is a type to it, and so is one with an index that looks like a type argument.
var operand = lang.Lazy(`^(?:[\s*(]|\[[^\]]*\]|map\[[^\]]*\]|<-|chan\b)*` +
	"(?:[\\pL_][\\pL\\pN_.]*(?:\\[[^\\d\"'`({+-][^\"'`({+-]*\\])?[\\s)]*\\)" +
	`|struct\s*\{|interface\s*\{|func\([^{]*$|\)|$)`)

// Readable makes new(expr) into a call of another name, which may have any argument.
func (rules) Readable(src []byte) []byte {
	out := src
	for i := 0; ; {
		next := bytes.Index(src[i:], []byte("new("))
		if next < 0 {
			return out
		}
		at := i + next
		i = at + len("new(")
		if at > 0 && lang.IsWordByte(src[at-1]) || operand.Match(src[i:min(len(src), i+maxOperand)]) {
			continue
		}
		out = lang.Writable(src, out)
		out[at+2] = 'W'
	}
}
