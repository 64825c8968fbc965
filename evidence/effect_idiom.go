package evidence

import (
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// What the standard libraries of several languages call the same thing is known by its text.

const arguments = `(?:<[^()]*>|\[[^()]*\])?(?:\(\s*\)|\{\s*\})+`

// emptied is what makes a value that holds nothing.
var emptied = lang.Lazy(`^(?:new\s+[\w.]+\[0?\](?:\s*\{\s*\})?` +
	`|new\s+[\w.]*(?:List|Map|Set|Deque|Queue|Stack|Dictionary|Collection)` + arguments +
	`|(?:\w+(?:\.|::))*(?:Array|Hash|Linked|Mutable|Tree|BTree)?` +
	`(?:List|Map|Set|HashSet|Seq|Vector|Vec|Option|Stream|Sequence|Iterator)` + arguments +
	`|std::(?:map|set|vector|list|unordered_map|optional)` + arguments +
	`|(?:list|dict|set|frozenset|tuple)\(\s*\)|vec!\s*[\[({]\s*[\])}]` +
	`|(?:Vec|String|\w*Map|\w*Set|VecDeque)(?:::<[^()]*>)?::new\(\s*\)` +
	`|(?:[A-Z]\w*\.)*(?:empty\w*|Empty)` + arguments +
	`|(?:List|Set|Map|Stream|IntStream|EnumSet)\.(?:<[^()]*>)?of\(\s*\)` +
	`|(?:list|map|set|array|sequence|flow|(?:mutable|array|hash|linked)(?:List|Map|Set))Of(?:<[^()]*>)?\(\s*\)` +
	`|EmptyView\(\s*\)|Promise\.resolve\(\s*\)` +
	`|(?:\w+\.)*(?:Seq|List|Map|Set|Vector|Array|Option|Stream|LazyList|Iterator|Iterable)\.empty(?:\[[^()]*\])?` +
	`|(?:Future|IO|ZIO|F|Task)\.(?:unit|none)` +
	`|(?:Value)?Task\.CompletedTask|(?:std::)?nullopt|None|Nil|default!?(?:\([^()]*\))?!?|<>\s*</>|\[:\])$`)

// wraps are the callees whose result holds nothing where they are given nothing.
const wraps = ` resolve FromResult successful completedFuture Ok `

// settles are the callees that hand a value on as the result of a task that is done, as an async function gives back
// the value itself.
const settles = ` Promise.resolve Task.FromResult ValueTask.FromResult Future.successful ` +
	`CompletableFuture.completedFuture `

// isEmptied reports whether an expression makes a value that holds nothing.
func isEmptied(text string) bool {
	if text == "" || len(text) > maxPlaceholder || strings.IndexByte(")}]>!tlepyk", text[len(text)-1]) < 0 {
		return false // most, and cheaply told
	}
	return emptied.MatchString(text)
}

// holdsNothing reports whether what is given to a call is something that holds nothing.
func (j *judgement) holdsNothing(arguments []*syntax.Node) bool {
	for _, a := range arguments {
		if text := j.Text(a); !facts.IsNull(text) && !isEmptied(text) {
			return false
		}
	}
	return len(arguments) > 0
}

// drops are the macros and functions that only keep a compiler from naming what is not used.
const drops = ` UNUSED Q_UNUSED UNREFERENCED_PARAMETER ignore_unused UNUSED_PARAM UNUSED_ARG `

// acting is an expression that may do something: a call, a literal with parts, an index.
var acting = lang.Lazy("[\\w)]\\s*[({]|[<\\[\"\n;]")

// drops reports whether a statement throws a value away, and does no more.
func (j *judgement) drops(n *syntax.Node) bool {
	if n.End()-n.Start() > maxPlaceholder {
		return false
	}
	switch j.Src[n.Start()] {
	// Of (void), std, let, UNUSED, Q_UNUSED, ignore_unused and its name spaces.
	case '(', 's', 'l', 'U', 'Q', 'i', 'b', 'd', 'f':
		return throwsAway(j.Text(n))
	}
	return false
}

func throwsAway(text string) bool {
	text = strings.TrimRight(text, "; \t\r\n")
	if !strings.Contains(text, "void") && !strings.Contains(text, "_ = ") && !strings.Contains(text, "ignore") &&
		!strings.Contains(text, "UN") {
		return false
	}
	if name, arguments, rest, ok := lang.Call(text); ok && rest == "" && len(arguments) == 1 {
		return strings.Contains(drops, " "+name+" ") && !acting.MatchString(arguments[0])
	}
	for _, cast := range []string{"(void)", "std::ignore = ", "let _ = "} {
		if rest, ok := strings.CutPrefix(text, cast); ok {
			return !acting.MatchString(rest)
		}
	}
	return false
}

// ends are the beginnings of what bareThrow matches.
var ends = []string{"throw", "abort", "exit", "std::", "_exit", "fatalError", "preconditionFailure"}

// throwsBare reports whether a statement ends what goes on, and says nothing of why.
func (j *judgement) throwsBare(n *syntax.Node) bool {
	return n.End()-n.Start() <= maxPlaceholder && lang.HasPrefix(j.Src, n.Start(), ends...) &&
		bareThrow.MatchString(j.Text(n))
}

// neverHolds reports whether an assertion is one that fails wherever it is reached.
func neverHolds(name, text string) bool {
	switch name {
	case "assert", "precondition", "Q_ASSERT", "static_assert", "g_assert", "ASSERT":
		_, arguments, _, ok := lang.Call(text)
		return ok && len(arguments) > 0 && (facts.IsFalse(arguments[0]) || strings.HasPrefix(arguments[0], `!"`) ||
			strings.HasPrefix(arguments[0], "0 &&") || strings.HasPrefix(arguments[0], "false &&"))
	}
	return false
}

var (
	// bareThrow ends what goes on, and says nothing of why: work that is left, where a comment says so, or a refusal.
	bareThrow = lang.Lazy(`^(?:throw\s+(?:new\s+)?(?:[\w.]+\.)?` +
		`(?:UnsupportedOperation|Runtime|IllegalState|NotSupported|InvalidOperation)?Exception\(\s*\)` +
		`|(?:std::)?(?:abort|exit|_exit|fatalError|preconditionFailure)\(\s*\d*\s*\)|exit \d+)[;\s]*$`)
	// undoneName is a name for what is not implemented, outside of any text.
	undoneName = lang.Lazy("(?i)^[^\"'`]*(?:\\b|_|[a-z])(?:not_?(?:yet_?)?implemented|unimplemented)" +
		"_?(?:yet)?_?(?:error|exception)?\\b")
	// elsewhere is what a message says that leaves out a system, not work.
	elsewhere = lang.Lazy(`(?i)\bplatform|\bwindows\b|\bjruby\b|\bOS\b|\b(?:this|your) system\b`)
	// untested is a test without a block.
	untested = lang.Lazy(`^(?:it|specify|test)\b\s*\(?\s*(?:"[^"]*"|'[^']*')\s*\)?$`)
	// sureThrow is a statement that can be nothing else: no guard says so by the name of what it throws.
	sureThrow = lang.Lazy(`^(?:(?:throw|raise|fail)\b\s*\(?\s*(?:new\s+)?(?:[\w$]*[.:\\]+)*` +
		`(?:not_implemented|NotImplemented|NotYetImplemented|Unimplemented)\w*|(?:todo|unimplemented)!|TODO\(` +
		`|throw\s+(?:new\s+)?Error\(\s*["'` + "`" + `]|error\(\s*["']|panic!?\(\s*["(]|fatalError\(|\?\?\?)`)
)

// streams is how C++ prints, logs and fails with operators.
var streams = lang.Lazy(`^(?:std::)?(?:cout|cerr|clog)\s*<<|^\w*LOG\w*\([A-Z]+\)\s*<<` +
	`|^(?:FAIL|ADD_FAILURE|GTEST_FAIL)\(\)\s*<<`)

// breaks judges what ends a generator: it gives back nothing.
func (j *judgement) breaks(n *syntax.Node) (end outlet, ok bool) {
	if n.Type() == "yield_statement" && strings.HasPrefix(j.Text(n), "yield break") {
		return j.give(empty), true
	}
	return goesOn, false
}

// throwsUndone reports whether what is thrown says by its name or its text that the work is not done.
func throwsUndone(text string) bool {
	said := lang.LiteralParts(text)
	return (lang.ThrowsUndone(text) || undoneName.MatchString(text)) &&
		(!elsewhere.MatchString(said) || lang.SaysUndone(said))
}
