package facts

import (
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// maxIdiom is the longest of what is told by its text, in bytes.
const maxIdiom = 80

const arguments = `(?:<[^()]*>|\[[^()]*\])?(?:\(\s*\)|\{\s*\})+`

// emptied is what makes a value that holds nothing. What the standard libraries of several languages call the same
// thing is known by its text.
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

// isEmptied reports whether an expression makes a value that holds nothing.
func isEmptied(text string) bool {
	if IsNull(text) || len(text) > maxIdiom || strings.IndexByte(")}]>!tlepyk", text[len(text)-1]) < 0 {
		return false // most, and cheaply told
	}
	if last := text[len(text)-1]; last == ')' || last == '}' { // as are calls with arguments
		before := strings.TrimRight(text[:len(text)-1], "\t\n\f\r ")
		if (before == "" || strings.IndexByte("([{", before[len(before)-1]) < 0) && !strings.HasPrefix(text, "default") {
			return false
		}
	}
	return emptied.MatchString(text)
}

// acting is an expression that may do something: a call, a literal with parts, an index.
var acting = lang.Lazy("[\\w)]\\s*[({]|[<\\[\"\n;]")

// throwsAway reports whether a statement throws a value away, and does no more.
func (r *Reader) throwsAway(n *syntax.Node) bool {
	// Of (void), std, let, UNUSED, Q_UNUSED, ignore_unused and its name spaces.
	if n.End()-n.Start() > maxIdiom || n.End() == n.Start() || strings.IndexByte("(slUQibdf", r.Src[n.Start()]) < 0 {
		return false
	}
	text := strings.TrimRight(r.Text(n), "; \t\r\n")
	if !strings.Contains(text, "void") && !strings.Contains(text, "_ = ") && !strings.Contains(text, "ignore") &&
		!strings.Contains(text, "UN") {
		return false
	}
	name, given, ok := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	if ok && name != "" && !strings.Contains(given, ",") {
		return lang.InList("drops", name[strings.LastIndexAny(name, ".:")+1:]) && !acting.MatchString(given)
	}
	for _, cast := range []string{"(void)", "std::ignore = ", "let _ = "} {
		if rest, ok := strings.CutPrefix(text, cast); ok {
			return !acting.MatchString(rest)
		}
	}
	return false
}
