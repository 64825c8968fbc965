package facts

import (
	_ "embed"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

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
