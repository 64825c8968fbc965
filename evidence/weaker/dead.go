package weaker

import "strings"

// deadens says why what stands in an expression cannot fail the test.
func (w *walker) deadens(e *expr) string {
	switch {
	case e.shape == call && emptyEach(e):
		return "the loop is over nothing"
	case e.shape == call && (strings.HasSuffix(lastName(e), "catch_unwind") || isListed("takes failures", lastName(e))):
		return "its failure is swallowed"
	case e.shape == call && w.takesRejection(e):
		return "its failure is swallowed"
	case e.shape == operator && e.text == "||" && len(e.parts) == 2 && w.unit.file.Language == "bash":
		if right := e.parts[1].String(); right == "true" || right == "" {
			return "its failure is swallowed"
		}
	}
	return ""
}

// takesRejection reports a promise of which a function takes the failure and says nothing: f().catch(() => {}),
// f().then(g, () => {}).
func (w *walker) takesRejection(e *expr) bool {
	named, handlers := lastName(e), e.parts[1:]
	if !isScript(w.unit.file.Language) || e.parts[0].shape != dot || named != "catch" && named != "then" {
		return false
	}
	if named == "then" {
		handlers = handlers[min(1, len(handlers)):]
	}
	if len(handlers) == 0 || !isClosure(handlers[0]) {
		return false
	}
	_, says, arrow := strings.Cut(handlers[0].String(), "=>")
	if !arrow {
		_, says, _ = strings.Cut(handlers[0].String(), "{")
	}
	return !rethrows.MatchString(says)
}
