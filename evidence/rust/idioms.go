package rust

import (
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

const (
	// collection is a path to a collection of the standard library, or to a string.
	collection = `(?:\w+::)*(?:Vec|VecDeque|HashMap|HashSet|BTreeMap|BTreeSet|BinaryHeap|IndexMap)(?:::<[^()]*>)?`
	// empty is a value that holds nothing.
	empty = `(?:None|\(\s*\)|vec!\s*(?:\[\s*\]|\(\s*\))|&?(?:mut\s+)?\[\s*\]|` + collection + `::(?:new|default)\(\))`
	// constant is a value that stands for nothing yet.
	constant = `(?:` + empty + `|true|false|-?[01](?:\.0?)?(?:_?[iuf](?:8|16|32|64|128|size))?|""|(?:\w+::)*String::(?:new\(\)|from\(""\))|""\.(?:to_string|to_owned|into)\(\)|Default::default\(\))`
)

var (
	macro     = language.Lazy(`^((?:std::|core::|anyhow::|eyre::)?\w+)!\s*[(\[{]\s*`)
	pinned    = language.Lazy(`(?s)^(?:Box::pin|async_box)\s*\(\s*async\s+(?:move\s+)?\{\s*(.*?)\s*\}\s*\)$`)
	failure   = language.Lazy(`^Err\s*\(\s*`)
	variant   = language.Lazy(`^(?:\w+::)*\w*(?:Error|Err|Failure)::(?:NotImplemented|NotYetImplemented|Unimplemented|not_implemented|unimplemented)\b`)
	answers   = language.Lazy(`\b(?:Status|StatusCode|Response|ErrorKind::Unsupported)\b`)
	discard   = language.Lazy(`^let\s+_\w*\s*=\s*(?:&?\w+(?:\.\w+)*|\((?:\s*&?\w+(?:\.\w+)*\s*,?)*\s*\))\s*;?$`)
	endless   = language.Lazy(`^loop\s*\{\s*\}$`)
	returns   = language.Lazy(`^return\b\s*`)
	directive = language.Lazy("^//[/!]\\s*(?:```|~~~|#\\s|.*[;{}]\\s*$)|^//[~@]|^#!")
	ignored   = language.Lazy(`(?s)^#\[\s*(?:ignore\b|cfg_attr\s*\(.*\bignore\b)`)

	placeholder = language.Lazy(`^return\b\s*(?:(?:` + wrapped(constant) + `|\(\s*` + constant + `(?:\s*,\s*` + constant + `)+\s*\))\s*)?;?$`)
	nothing     = language.Lazy(`^return\b\s*(?:` + wrapped(empty) + `\s*)?;?$`)
)

// wrapped: a value may stand in Ok(…) or Some(…), and these in one another.
func wrapped(value string) string {
	return `(?:(?:Ok|Some)\s*\(\s*){0,2}` + value + `(?:\s*\)){0,2}`
}

// notImplemented reports a macro that panics and says so: todo! and unimplemented! by their names, others by their message.
func notImplemented(statement string) bool {
	m := macro.FindStringSubmatch(statement)
	if m == nil {
		return false
	}
	name := m[1][strings.LastIndexByte(m[1], ':')+1:]
	switch name {
	case "todo", "unimplemented":
		return true
	case "panic", "unreachable":
		content, _, ok := language.Literal(statement[len(m[0]):])
		return ok && language.SaysNotImplemented(content)
	}
	return false
}

// unwritten reports an error that is given back and says «not implemented», by
// its text or by the variant of an error type. An answer to a caller, a status or
// an unsupported operation, is none.
func unwritten(statement string) bool {
	expression := strings.TrimRight(statement[len(returns.FindString(statement)):], "; \t\r\n")
	if m := pinned.FindStringSubmatch(expression); m != nil {
		expression = m[1]
	}
	if notImplemented(expression) {
		return true
	}
	if m := macro.FindStringSubmatch(expression); m != nil {
		return strings.HasSuffix(m[1], "bail") && language.SaysUnwritten(expression[len(m[0]):])
	}
	call := failure.FindString(expression)
	if call == "" || answers.MatchString(expression) {
		return false
	}
	rest := expression[len(call):]
	return variant.MatchString(rest) || language.SaysUnwritten(rest)
}

// probe knows the assertions of the standard library, let _ = x and loop {}; nothing skips a test while it runs.
func probe(statement string) language.Effect {
	if discard.MatchString(statement) || endless.MatchString(statement) {
		return language.Idle
	}
	// What follows the values is a message and what it is formatted with.
	name, arguments, _, _ := language.Call(strings.Replace(statement, "!", "", 1))
	check := language.IsTrue
	if strings.HasSuffix(name, "_eq") {
		check = language.AreSame
	}
	if check.CannotFail(arguments) {
		return language.Vacuous
	}
	return language.Effective
}
