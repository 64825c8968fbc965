package javascript

import (
	"cmp"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

var (
	// The functions that define a test in Jest, Vitest, Mocha, Jasmine, AVA, Playwright, node:test, QUnit and Deno.
	testCall = lang.Lazy(`^(?:await\s+)?(?:Deno\.)?([xf]?(?:it|test)|x?specify` +
		`|QUnit)((?:\s*\.\s*\w+)*)\s*(?:<[^()]*>\s*)?[(` + "`" + `]`)
	disabled = lang.Lazy(`\b(skip|todo)\b`)
	expected = lang.Lazy(`^(?:await\s+)?expect\s*\(`)
	matcher  = lang.Lazy(`^\s*\.\s*(\w+(?:\s*\.\s*\w+)*)\s*(\(|;?\s*$)`)
	checks   = lang.Lazy(`^(?:assert|t)(?:\.(\w+))?\s*\(`)
)

// silent is a group of tests that is skipped: describe.skip("…", () => {…}).
var silent = lang.Lazy(`\b(?:x(?:describe|context|suite)|(?:describe|context|suite)(?:\.\w+)*\.(?:skip` +
	`|todo))\s*(?:\.each\s*\([^()]*\)\s*)?\(`)

// Silences finds the groups that are skipped; one in another is part of it.
func (Rules) Silences(src []byte, inComment func(at int) bool) []lang.Span {
	return lang.CallsIn(src, silent, inComment)
}

// titles are the beginnings of testCall.
func titles() []string {
	return []string{"it", "test", "xit", "xtest", "fit", "ftest", "specify", "xspecify",
		"await it", "await test", "QUnit.", "Deno."}
}

// Titled finds the parts of it("adds", () => {…}) and its kin. A test that has
// no function, or is called skip or todo, does not run.
func (Rules) Titled(n *syntax.Node, src []byte) (parts lang.Parts, ok bool) {
	text := src[n.Start():n.End()]
	m := testCall.FindStringSubmatch(string(text[:min(len(text), maxHead)]))
	if m == nil || !isTestModifier(m[2]) {
		return parts, false
	}
	call := n.NamedChild(0)
	if call != nil && call.Type() == "await_expression" {
		call = call.NamedChild(0)
	}
	if call == nil || call.Type() != "call_expression" {
		return parts, false
	}
	arguments := call.Field("arguments")
	if arguments == nil || arguments.NamedChildCount() == 0 {
		return parts, false
	}
	title := arguments.NamedChild(0)
	first := title
	for first.Type() == "binary_expression" { // "adds " + name
		first = first.NamedChild(0)
	}
	if kind := first.Type(); kind != "string" && kind != "template_string" {
		return parts, false
	}
	parts.Name = lang.Span{Start: first.Start() + 1, End: first.End() - 1}
	parts.Skips = strings.HasPrefix(m[1], "x") || disabled.MatchString(m[2])
	body, found := bodyOf(arguments)
	if !found {
		return parts, false
	}
	if body == nil { // it("adds") alone, of what is to come; but test("x") may call any function
		if (m[1] == "test" || m[1] == "QUnit") && !parts.Skips {
			return parts, false
		}
		parts.Body = lang.Span{Start: arguments.End() - 1, End: arguments.End()}
		parts.Skips = true
		return parts, true
	}
	parts.Body, parts.Expression = lang.At(body), body.Type() != "statement_block"
	return parts, true
}

// maxHead is how far the call of a test is looked for, in bytes.
const maxHead = 100

// isTestModifier tells it.only from test.describe and test.beforeEach.
func isTestModifier(modifiers string) bool {
	for word := range strings.SplitSeq(modifiers, ".") {
		switch strings.TrimSpace(word) {
		case "", "test", "only", "skip", "todo", "concurrent", "sequential", "serial", "failing", "fails",
			"fixme", "slow", "each", "if", "runIf", "skipIf":
		default:
			return false
		}
	}
	return true
}

// bodyOf returns the body of the function that a test is given, nil where it is given none;
// found is false where something else is given, which may be a function as well.
func bodyOf(arguments *syntax.Node) (body *syntax.Node, found bool) {
	found = true
	for i := 1; i < int(arguments.NamedChildCount()); i++ {
		switch argument := arguments.NamedChild(i); argument.Type() {
		case "arrow_function", "function_expression", "function", "generator_function":
			return argument.Field("body"), true
		case "comment":
		default:
			found = false
		}
	}
	return nil, found
}

// Probe knows assertions of Jest's, Chai's, AVA's and node's kinds that are given constants.
func (Rules) Probe(statement string) lang.Effect {
	if begin := expected.FindString(statement); begin != "" {
		actual, rest, ok := lang.Arguments(statement[len(begin):])
		if ok && len(actual) == 1 && expects(actual[0], rest) {
			return lang.Vacuous
		}
		return lang.Effective
	}
	m := checks.FindStringSubmatch(statement)
	if m == nil {
		return lang.Effective
	}
	arguments, rest, ok := lang.Arguments(statement[len(m[0]):])
	if ok && strings.Trim(rest, " \t\r\n;") == "" && assertion(cmp.Or(m[1], "ok")).CannotFail(arguments) {
		return lang.Vacuous
	}
	return lang.Effective
}

// expects reports whether what follows expect(actual) holds of it whatever the code does.
func expects(actual, rest string) bool {
	m := matcher.FindStringSubmatch(rest)
	if m == nil {
		return false
	}
	arguments := []string{actual}
	if m[2] == "(" {
		given, after, ok := lang.Arguments(rest[len(m[0]):])
		if !ok || strings.Trim(after, " \t\r\n;") != "" {
			return false
		}
		arguments = append(arguments, given...)
	}
	return matches(strings.Join(strings.Fields(strings.ReplaceAll(m[1], ".", " ")), ".")).CannotFail(arguments)
}

// matches are the matchers of Jest and Chai.
var matches = lang.Checks(`
same: toBe toEqual toStrictEqual toBeCloseTo to.equal to.eql to.deep.equal to.be.equal to.eq to.strictEqual
true: toBeTruthy toBeTrue to.be.true to.be.ok to.be.truthy
false: toBeFalsy toBeFalse to.be.false to.not.be.ok
null: toBeNull to.be.null toBeUndefined to.be.undefined
something: toBeDefined not.toBeNull not.toBeUndefined to.exist to.not.be.null`)

// assertion is what assert.name, or AVA's and tap's t.name, says.
var assertion = lang.Checks(`
true: ok isTrue isOk true truthy
false: isFalse isNotOk false falsy notOk
null: isNull isUndefined
something: exists isDefined
same: equal strictEqual deepEqual deepStrictEqual is same equals`)
