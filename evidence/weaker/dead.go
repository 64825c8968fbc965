package weaker

import (
	"slices"
	"strings"
)

// deadExpression says why assertions in an expression cannot fail the test.
func (w *walker) deadExpression(e *expr) string {
	bare, script := e == w.statementExpr, isScript(w.unit.file.Language)
	switch {
	case e.shape == operator && e.text == "||" && w.unit.file.Language == "bash":
		if right := e.parts[1].String(); right == "true" || right == "" {
			return swallowed
		}
	case e.shape != call:
	case e.parts[0].shape == dot && isListed("goes over", e.parts[0].text) && w.isNothing(e.parts[0].parts[0]):
		return emptyLoop
	case isListed("takes failures", lastName(e)), script && takesRejection(e),
		bare && hasCallFrom(e, "takes failures", "gives failures"):
		return swallowed
	case bare && script && strings.HasPrefix(e.String(), "async"), bare && script && isListed("goes over", lastName(e)) &&
		len(e.parts) > 1 && strings.HasPrefix(e.parts[1].String(), "async"), bare && !w.hasListedWord("waits") &&
		(hasCallFrom(e, "spawns", "joins") || script && hasCallFrom(e, "goes on", "joins") && chain(e)[0].name != "cy"):
		return notAwaited
	}
	return ""
}

const emptyLoop = "the loop is over nothing"

// isNothing reports whether a value is visibly empty: [], range(0).
func (w *walker) isNothing(e *expr) bool { return fits("holding nothing", e.textWith(w.locals)) }

// deadBlock says why assertions in the block of a clause cannot fail: an empty loop, or swallowed failures.
func (w *walker) deadBlock(c clause, e *expr) string {
	switch {
	case e.shape == operator && (e.text == "in" || e.text == ":") && isListed("loops", c.keyword):
		if w.isNothing(e.parts[1]) {
			return emptyLoop
		}
	case e.shape == call && lastName(e) == "suppress" && fits("broad", e.String()):
		return swallowed
	}
	return ""
}

const notAwaited = "nothing waits for it"

func (w *walker) hasListedWord(list string) bool {
	return slices.ContainsFunc(wordList(list), func(word string) bool { return w.unit.words[word] > 0 })
}

// hasCallFrom reports whether a chain has a call from one list, by its name or with its receiver, and no link from
// another list.
func hasCallFrom(e *expr, list, without string) bool {
	found, receiver := false, ""
	for _, l := range chain(e) {
		if isListed(without, l.name) {
			return false
		}
		found = found || l.isCall && (isListed(list, l.name) || isListed(list, receiver+"."+l.name))
		receiver = l.name
	}
	return found
}

// deadStatement says why a statement cannot fail: a function that nothing calls or awaits, or Swift's try?.
func (w *walker) deadStatement(s *statement) string {
	if len(s.tokens) > 1 && s.tokens[0].text+s.tokens[1].text == "try?" {
		return swallowed
	}
	i := slices.IndexFunc(s.tokens, func(t token) bool { return t.text == "def" || t.text == "function" })
	if i < 0 || i > 1 || i+1 >= len(s.tokens) || s.tokens[i+1].kind != word || s == w.unit.body.statements[0] && i == 0 &&
		w.unit.name == s.tokens[i+1].text {
		return ""
	}
	name := s.tokens[i+1].text
	if w.unit.words[name] == 1 {
		return "nothing calls its function"
	}
	if i == 1 && w.unit.file.Language == "python" && !w.mayRun(s, name) {
		return notAwaited
	}
	return ""
}

// mayRun reports whether the rest of a test may run its async function: it awaits or runs something, or passes the
// function on.
func (w *walker) mayRun(s *statement, name string) bool {
	outside := strings.Replace(w.unit.text(), string(w.unit.file.Source[s.start:s.end]), "", 1)
	passes := func(m []string) bool { return m[2] == name && !isListed("spawns", strings.TrimSuffix(m[1], "(")) }
	return fits("resuming", strings.ReplaceAll(outside, name, "")) ||
		slices.ContainsFunc(regexpOf("handed").In(outside).FindAllStringSubmatch(outside, -1), passes)
}

// takesRejection reports whether a promise's failure is handled without a word: f().catch(() => {}), f().then(g, () =>
// {}).
func takesRejection(e *expr) bool {
	name, handlers := lastName(e), e.parts[1:]
	if e.parts[0].shape != dot || name != "catch" && name != "then" {
		return false
	}
	if name == "then" {
		handlers = handlers[min(1, len(handlers)):]
	}
	if len(handlers) == 0 || !isClosure(handlers[0]) {
		return false
	}
	_, code, arrow := strings.Cut(handlers[0].String(), "=>")
	if !arrow {
		_, code, _ = strings.Cut(handlers[0].String(), "{")
	}
	return !fits("rethrows", code)
}

const swallowed = "its failure is swallowed"

// swallowedBy says that a handler swallows every failure, "" if none does.
func (w *walker) swallowedBy(handlers []clause) string {
	for _, c := range handlers {
		if c.keyword != "catch" && c.keyword != "except" && c.keyword != "rescue" {
			continue
		}
		handler := []byte(nil)
		if c.block != nil {
			handler = w.unit.file.Source[c.block.start:c.block.end]
		}
		caught := keysOf(c.head, nil)
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
