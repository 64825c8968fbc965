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
	// Unknown may do anything. The parts of a context are its arguments.
	Unknown Op = iota
	// Nothing does nothing: a comment, pass, a discarded value.
	Nothing
	// Import imports definitions.
	Import
	// Dead is never reached, or never built.
	Dead
	// Define defines a function or class; Text is its name, or empty. The part of a function is its Closure.
	Define
	// Assert asserts that its first part holds.
	Assert
	// Share says that its parts are names of an outer scope (global, nonlocal).
	Share
	// Block holds statements that follow one another.
	Block
	// Bind assigns its last part to the parts before it.
	Bind
	// Declare is a Bind to new names.
	Declare
	// Return returns its parts.
	Return
	// Jump leaves a loop, or one of its rounds.
	Jump
	// Raise throws an error.
	Raise
	// Branch does one of its parts but the first, which is the condition.
	Branch
	// Loop repeats its parts but the first, which is the condition or the range.
	Loop
	// Try does its parts.
	Try
	// Handler does its parts after an error; Text says which errors.
	Handler
	// Literal is a literal other than a string.
	Literal
	// Empty makes something that holds nothing.
	Empty
	// Text is a string; its parts are interpolated.
	Text
	// Name is a name.
	Name
	// Call calls Text on its first part (an empty Block if there is no receiver) with the others as arguments.
	Call
	// Make makes an object of the type Text with its parts.
	Make
	// Member is the member Text of its part.
	Member
	// Operate is the operator Text over its parts.
	Operate
	// List holds its parts.
	List
	// Closure is an anonymous function; its part is the body, Text its parameters.
	Closure
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
