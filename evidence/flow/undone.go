package flow

import (
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

func (w *walk) throwsWithoutReason(t *facts.Term) bool {
	return (t.Op == facts.Raise || t.Op == facts.Call || t.Op == facts.Block) && t.Span.End-t.Span.Start <= maxIdiom &&
		t.Span.End > t.Span.Start && strings.IndexByte("tase_fp", w.file.Src[t.Span.Start]) >= 0 &&
		fits("bare throw", w.file.text(t))
}

// throwsUndone reports whether an error says by its name or text that the work is not done.
func throwsUndone(text string) bool {
	said := lang.LiteralParts(text)
	return (lang.ThrowsUndone(text) || fits("undone name", text)) &&
		(!fits("other system", said) || lang.SaysUndone(said))
}

func (w *walk) alwaysFails(c *callSite) bool {
	switch c.name {
	case "assert", "precondition", "Q_ASSERT", "static_assert", "g_assert", "ASSERT":
		first := w.file.text(firstOf(c.args))
		return facts.IsFalse(first) || strings.HasPrefix(first, `!"`) || strings.HasPrefix(first, "0 &&") ||
			strings.HasPrefix(first, "false &&")
	}
	return false
}

func isAlwaysTrue(condition string) bool {
	condition = strings.Trim(condition, "() \t")
	left, right, ok := strings.Cut(condition, "==")
	return facts.IsTrue(condition) || ok && strings.TrimSpace(left) == strings.TrimSpace(right) &&
		lang.IsConstant(strings.TrimSpace(left))
}

func (w *walk) assertsTautology(t *facts.Term) bool {
	switch t.Text[strings.LastIndexByte(t.Text, '.')+1:] {
	case "assert", "Assert", "precondition", "require", "check":
		return len(t.Parts) > 1 && isAlwaysTrue(w.file.text(t.Parts[1]))
	}
	return false
}

func isSuccessfulExit(text string) bool { return fits("successful exit", text) }
