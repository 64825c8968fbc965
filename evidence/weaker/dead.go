package weaker

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// deadens says why what stands in an expression cannot fail the test.
func (w *walker) deadens(e *expr) string {
	switch {
	case e.shape == call && emptyEach(e):
		return "the loop is over nothing"
	case e.shape == call && (strings.HasSuffix(lastName(e), "catch_unwind") || isListed("takes failures", lastName(e))):
		return swallowed
	case e.shape == call && w.takesRejection(e):
		return swallowed
	case e.shape == call && e == w.bare && goesBy(e, "takes failures", "gives failures"):
		return swallowed
	case e.shape == call && e == w.bare && !w.mentions("waits") && (goesBy(e, "spawns", "joins") ||
		isScript(w.unit.file.Language) && goesBy(e, "goes on", "joins") && chain(e)[0].name != "cy"):
		return unawaited
	case e.shape == call && e == w.bare && isScript(w.unit.file.Language) && strings.HasPrefix(e.String(), "async"):
		return unawaited
	case e.shape == operator && e.text == "||" && len(e.parts) == 2 && w.unit.file.Language == "bash":
		if right := e.parts[1].String(); right == "true" || right == "" {
			return swallowed
		}
	}
	return ""
}

// taken matches what stands before a coroutine that somebody takes.
var taken = lang.Lazy(`(?:\bawait|\breturn|[(,=\[])\s*$`)

const unawaited = "nothing waits for it"

// mentions reports whether the unit has a word of a list.
func (w *walker) mentions(list string) bool {
	return slices.ContainsFunc(listed(list), func(word string) bool { return w.unit.words[word] > 0 })
}

// goesBy reports whether a chain has a call of one list, by its name or with what it is called on, and no link of
// another one.
func goesBy(e *expr, list, without string) bool {
	found, on := false, ""
	for _, l := range chain(e) {
		if isListed(without, l.name) {
			return false
		}
		found = found || l.called && (isListed(list, l.name) || isListed(list, on+"."+l.name))
		on = l.name
	}
	return found
}

// uncalled says that a statement is a function which nothing in its unit calls, or none awaits though it is async.
func (w *walker) uncalled(s *statement) string {
	i := slices.IndexFunc(s.tokens, func(t token) bool { return t.text == "def" || t.text == "function" })
	if i < 0 || i > 1 || i+1 >= len(s.tokens) || s.tokens[i+1].sort != word || s == w.unit.body.statements[0] && i == 0 &&
		w.unit.name == s.tokens[i+1].text {
		return ""
	}
	name := s.tokens[i+1].text
	if w.unit.words[name] == 1 {
		return "nothing calls its function"
	}
	if i == 0 || w.unit.file.Language != "python" {
		return ""
	}
	for rest := w.unit.text(); ; {
		before, after, found := strings.Cut(rest, name)
		if !found {
			return unawaited
		}
		if taken.MatchString(before) {
			return ""
		}
		rest = after
	}
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

const swallowed = "its failure is swallowed"

// swallowed says that one of some handlers takes every failure and says nothing, "" where none does.
func (w *walker) swallowed(handlers []clause) string {
	for _, c := range handlers {
		if c.keyword != "catch" && c.keyword != "except" && c.keyword != "rescue" {
			continue
		}
		handler := []byte(nil)
		if c.block != nil {
			handler = w.unit.file.Source[c.block.start:c.block.end]
		}
		caught := keys(c.head, nil)
		lang := w.unit.file.Language
		untyped := isScript(lang) || lang == "swift" || len(c.head) == 0 ||
			lang == "ruby" && !broad.MatchString(caught) && !strings.ContainsAny(caught, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		if (untyped || broad.MatchString(caught)) &&
			!rethrows.Match(handler) {
			return swallowed
		}
	}
	return ""
}
