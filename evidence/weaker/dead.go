package weaker

import (
	"slices"
	"strings"
)

// deadens says why what stands in an expression cannot fail the test.
func (w *walker) deadens(e *expr) string {
	bare, script := e == w.bare, isScript(w.unit.file.Language)
	switch {
	case e.shape == operator && e.text == "||" && w.unit.file.Language == "bash":
		if right := e.parts[len(e.parts)-1].String(); right == "true" || right == "" {
			return swallowed
		}
	case e.shape != call:
	case e.parts[0].shape == dot && isListed("goes over", e.parts[0].text) && w.isNothing(e.parts[0].parts[0]):
		return overNothing
	case isListed("takes failures", lastName(e)), script && takesRejection(e),
		bare && goesBy(e, "takes failures", "gives failures"):
		return swallowed
	case bare && script && strings.HasPrefix(e.String(), "async"), bare && !w.mentions("waits") &&
		(goesBy(e, "spawns", "joins") || script && goesBy(e, "goes on", "joins") && chain(e)[0].name != "cy"):
		return unawaited
	}
	return ""
}

const overNothing = "the loop is over nothing"

// isNothing reports a value that holds nothing, as far as it is written: [], range(0), rows[:0].
func (w *walker) isNothing(e *expr) bool {
	return fits("holding nothing", e.with(w.locals)) ||
		strings.HasSuffix(flat(string(w.unit.file.Source[e.start:max(e.start, e.end)])), "[:0]")
}

// emptied says why the block of a clause cannot fail the test: it goes over nothing, or what stands before it takes all
// failures.
func (w *walker) emptied(c clause, e *expr) string {
	switch {
	case e.shape == operator && len(e.parts) == 2 && (e.text == "in" || e.text == ":") && isListed("loops", c.keyword):
		if w.isNothing(e.parts[1]) {
			return overNothing
		}
	case e.shape == call && lastName(e) == "suppress" && fits("broad", e.String()):
		return swallowed
	}
	return ""
}

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

// uncalled says that a statement is a function which nothing in its unit calls, or none awaits though it is async; or
// what Swift tries, whatever comes of it.
func (w *walker) uncalled(s *statement) string {
	if len(s.tokens) > 1 && s.tokens[0].text+s.tokens[1].text == "try?" {
		return swallowed
	}
	i := slices.IndexFunc(s.tokens, func(t token) bool { return t.text == "def" || t.text == "function" })
	if i < 0 || i > 1 || i+1 >= len(s.tokens) || s.tokens[i+1].sort != word || s == w.unit.body.statements[0] && i == 0 &&
		w.unit.name == s.tokens[i+1].text {
		return ""
	}
	name := s.tokens[i+1].text
	if w.unit.words[name] == 1 {
		return "nothing calls its function"
	}
	if i == 1 && w.unit.file.Language == "python" && !w.resumes(s, name) {
		return unawaited
	}
	return ""
}

// resumes reports whether what stands outside of an async function of a test may run it: it awaits or runs something,
// or hands the function on.
func (w *walker) resumes(s *statement, named string) bool {
	outside := strings.Replace(w.unit.text(), string(w.unit.file.Source[s.start:s.end]), "", 1)
	hands := func(m []string) bool { return m[2] == named && !isListed("spawns", strings.TrimSuffix(m[1], "(")) }
	return fits("resuming", strings.ReplaceAll(outside, named, "")) ||
		slices.ContainsFunc(regexpOf("handed").In(outside).FindAllStringSubmatch(outside, -1), hands)
}

// takesRejection reports a promise of which a function takes the failure and says nothing: f().catch(() => {}),
// f().then(g, () => {}).
func takesRejection(e *expr) bool {
	named, handlers := lastName(e), e.parts[1:]
	if e.parts[0].shape != dot || named != "catch" && named != "then" {
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
	return !fits("rethrows", says)
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
			lang == "ruby" && !fits("broad", caught) && !strings.ContainsAny(caught, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		if (untyped || fits("broad", caught)) &&
			!regexpOf("rethrows").Match(handler) {
			return swallowed
		}
	}
	return ""
}
