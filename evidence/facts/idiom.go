package facts

import (
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// maxIdiom is the length of the longest idiom, in bytes.
const maxIdiom = 80

const emptyArguments = `(?:<[^()]*>|\[[^()]*\])?(?:\(\s*\)|\{\s*\})+`

// emptyValue matches expressions that make an empty value, by the names in several standard libraries.
var emptyValue = lang.Lazy(`^(?:new\s+[\w.]+\[0?\](?:\s*\{\s*\})?` +
	`|new\s+[\w.]*(?:List|Map|Set|Deque|Queue|Stack|Dictionary|Collection)` + emptyArguments +
	`|(?:\w+(?:\.|::))*(?:Array|Hash|Linked|Mutable|Tree|BTree)?` +
	`(?:List|Map|Set|HashSet|Seq|Vector|Vec|Option|Stream|Sequence|Iterator)` + emptyArguments +
	`|std::(?:map|set|vector|list|unordered_map|optional)` + emptyArguments +
	`|(?:list|dict|set|frozenset|tuple)\(\s*\)|vec!\s*[\[({]\s*[\])}]` +
	`|(?:Vec|String|\w*Map|\w*Set|VecDeque)(?:::<[^()]*>)?::new\(\s*\)` +
	`|(?:[A-Z]\w*\.)*(?:empty\w*|Empty)` + emptyArguments +
	`|(?:List|Set|Map|Stream|IntStream|EnumSet)\.(?:<[^()]*>)?of\(\s*\)` +
	`|(?:list|map|set|array|sequence|flow|(?:mutable|array|hash|linked)(?:List|Map|Set))Of(?:<[^()]*>)?\(\s*\)` +
	`|EmptyView\(\s*\)|Promise\.resolve\(\s*\)` +
	`|(?:\w+\.)*(?:Seq|List|Map|Set|Vector|Array|Option|Stream|LazyList|Iterator|Iterable)\.empty(?:\[[^()]*\])?` +
	`|(?:Future|IO|ZIO|F|Task)\.(?:unit|none)` +
	`|(?:Value)?Task\.CompletedTask|(?:std::)?nullopt|None|Nil|default!?(?:\([^()]*\))?!?|<>\s*</>|\[:\])$`)

func isEmptyValue(text string) bool {
	if IsNull(text) || len(text) > maxIdiom || strings.IndexByte(")}]>!tlepyk", text[len(text)-1]) < 0 {
		return false // quick check
	}
	if last := text[len(text)-1]; last == ')' || last == '}' { // as are calls with arguments
		before := strings.TrimRight(text[:len(text)-1], "\t\n\f\r ")
		if (before == "" || strings.IndexByte("([{", before[len(before)-1]) < 0) && !strings.HasPrefix(text, "default") {
			return false
		}
	}
	return emptyValue.MatchString(text)
}

// actingPart matches parts of an expression that may do something: a call, a literal with parts, an index.
var actingPart = lang.Lazy("[\\w)]\\s*[({]|[<\\[\"\n;]")

func (r *Reader) discardsValue(n *syntax.Node) bool {
	// First bytes of (void), std, let, UNUSED, Q_UNUSED, ignore_unused and its namespaces.
	if n.End()-n.Start() > maxIdiom || n.End() == n.Start() || strings.IndexByte("(slUQibdf", r.Src[n.Start()]) < 0 {
		return false
	}
	text := strings.TrimRight(r.Text(n), "; \t\r\n")
	if !strings.Contains(text, "void") && !strings.Contains(text, "_ = ") && !strings.Contains(text, "ignore") &&
		!strings.Contains(text, "UN") {
		return false
	}
	name, argument, ok := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	if ok && name != "" && !strings.Contains(argument, ",") {
		return lang.InList("drops", name[strings.LastIndexAny(name, ".:")+1:]) && !actingPart.MatchString(argument)
	}
	for _, cast := range []string{"(void)", "std::ignore = ", "let _ = "} {
		if rest, ok := strings.CutPrefix(text, cast); ok {
			return !actingPart.MatchString(rest)
		}
	}
	return false
}
