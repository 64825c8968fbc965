package facts

import (
	_ "embed"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Op is what a term is.
type Op uint8

const (
	Unknown Op = iota // may do anything; the parts of a context are its arguments
	Nothing           // does nothing: a comment, pass, a discarded value
	Import            // imports definitions
	Dead              // never reached, or never built
	Define            // a function or class; Text is its name, or empty; the part of a function is its Closure
	Assert            // asserts that its first part holds
	Share             // says that its parts are names of an outer scope (global, nonlocal)
	Block             // holds statements that follow one another
	Bind              // assigns its last part to the parts before it
	Declare           // a Bind to new names
	Return            // returns its parts
	Jump              // leaves a loop, or one of its rounds
	Raise             // throws an error
	Branch            // does one of its parts but the first, which is the condition
	Loop              // repeats its parts but the first, which is the condition or the range
	Try               // does its parts
	Handler           // does its parts after an error; Text says which errors
	Literal           // a literal other than a string
	Empty             // makes something that holds nothing
	Text              // a string; its parts are interpolated
	Name              // a name
	Call              // calls Text on its first part (an empty Block if there is no receiver) with the others as arguments
	Make              // makes an object of the type Text with its parts
	Member            // the member Text of its part
	Operate           // the operator Text over its parts
	List              // holds its parts
	Closure           // an anonymous function; its part is the body, Text its parameters
)

// Term is a statement or an expression.
type Term struct {
	Op    Op
	Text  string
	Span  lang.Span
	Parts []*Term
}

// Single returns the only element of nested lists and blocks, or the term itself.
func (t *Term) Single() *Term {
	for (t.Op == List || t.Op == Block) && len(t.Parts) == 1 {
		t = t.Parts[0]
	}
	return t
}

var nothing = &Term{Op: Nothing}

func (r *Reader) term(op Op, n *syntax.Node, text string, parts ...*Term) *Term {
	return &Term{op, text, lang.At(n), parts}
}

const maxIdiom = 80

var (
	//go:embed patterns.txt
	patternsText string
	fits         = (&lang.Patterns{Text: &patternsText}).Fits
)

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
	return fits("empty value", text)
}

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
		return lang.InList("drops", name[strings.LastIndexAny(name, ".:")+1:]) && !fits("acting part", argument)
	}
	for _, cast := range []string{"(void)", "std::ignore = ", "let _ = "} {
		if rest, ok := strings.CutPrefix(text, cast); ok {
			return !fits("acting part", rest)
		}
	}
	return false
}
