package flow

import (
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

const (
	// maxMessage is the length of the longest statement that may say «not done», maxIdiom that of the longest idiom,
	// in bytes.
	maxMessage = 1000
	maxIdiom   = 80
)

type callSite struct {
	*facts.Term
	// name is the last name of the callee, qualifier the text before it.
	name, qualifier string
	// text is the text of the call, literals are the strings in it.
	text, literals string
	kind           lang.Callee
	// arguments is the combined flow of args, argSources the sources of each.
	args       []*facts.Term
	arguments  valueFlow
	argSources []Source
}

// call judges a call; an unknown call acts.
func (w *walk) call(t *facts.Term) valueFlow {
	c := &callSite{Term: t, name: lastName(t.Text), text: w.file.text(t), args: t.Parts[1:]}
	c.qualifier = strings.TrimRight(strings.TrimPrefix(t.Text[:len(t.Text)-len(c.name)], "await "), ".:->?! ")
	c.kind, c.literals = w.file.Language.CalleeOf(t.Text, c.name), w.callText(c.text)
	w.callCount++
	keep := w.bodyState
	for _, a := range c.args {
		v := w.value(a)
		c.arguments, c.argSources = valueFlow{max(c.arguments.valueKind, v.valueKind),
			c.arguments.sources | v.sources}, append(c.argSources, v.sources)
	}
	v := action
	switch {
	case w.callCount > lang.MaxCalls, c.name == "", len(c.text) > maxMessage:
	case strings.Count(c.text, "\n") <= 2 && w.raisesUndone(c):
		w.bodyState = keep
		v = undoneError
	case w.isSelfCall(c):
		v = selfCall
	case c.arguments.valueKind <= undoneError:
		v = w.kindOfCall(c)
	}
	return valueFlow{v, w.callSources(c)}
}

func lastName(callee string) string { return callee[strings.LastIndexAny(callee, ".:>\\ \n")+1:] }

func (w *walk) callText(text string) string {
	if w.file.Language.Name == "bash" { // strings need no quotes
		_, words, _ := strings.Cut(text, " ")
		return strings.Trim(words, ` "'`)
	}
	return lang.LiteralParts(text)
}

func (w *walk) kindOfCall(c *callSite) valueKind {
	argumentKind, callee := c.arguments.valueKind, c.Text
	switch {
	case w.alwaysFails(c) && lang.SaysUndone(c.literals):
		return undoneError
	case lang.InList("wraps", c.name) && len(c.args) > 0 &&
		!slices.ContainsFunc(c.args, hasContent):
		return empty
	case c.kind == lang.Undone,
		fits("not implemented status", c.text) && (lang.SaysUndone(c.literals) || w.answersRequest(c.name)):
		return undoneError
	case c.kind == lang.Raises:
		if argumentKind == undoneError || w.saysUndone {
			return undoneError
		}
		return action
	case c.kind == lang.Writes && !lang.IsStandardStream(c.text):
		return action
	case c.kind == lang.Talks, c.kind == lang.Shows, c.kind == lang.Writes:
		if lang.PrintsUndone(c.literals) || fits("would clause", c.literals) {
			return undoneLog
		}
		if argumentKind >= logging ||
			callee == "print" && (strings.HasPrefix(c.text, "exit") || strings.HasPrefix(c.text, "die")) {
			return action
		}
		w.PrintsInput = w.PrintsInput || argumentKind >= firstArgument
		return logging
	case c.kind == lang.Sleeps &&
		!slices.ContainsFunc(w.fn.Params, func(name string) bool { return lang.HasWord(c.text, name) }):
		return logging
	case c.kind == lang.Builds, w.file.Language.Is("typescalled") && facts.IsTypeName(c.name):
		return max(object, argumentKind)
	case len(c.args) == 0 && w.isParameterGetter(c):
		return computed
	case lang.PrintsUndone(c.literals) && fits("log call", c.name):
		return undoneLog
	case fits("undone name", callee) && facts.IsTypeName(c.name):
		return empty // a status like Unimplemented
	}
	return action
}

func hasContent(t *facts.Term) bool {
	t = t.Single()
	return t.Op != facts.Empty && !isNull(t)
}

// isParameterGetter reports whether a call without arguments reads a part of a parameter, by its name: getId, or id in
// a language where attributes are calls.
func (w *walk) isParameterGetter(c *callSite) bool {
	receiver, _, ok := strings.Cut(c.Text, ".")
	return ok && slices.Contains(w.fn.Params, strings.Trim(receiver, "&*?")) && fits("getter", c.name)
}

// answersRequest reports whether a call of this name answers a request, unless the function's name says that it is
// undone.
func (w *walk) answersRequest(name string) bool {
	return lang.InList("answers", strings.ToLower(strings.ReplaceAll(name, "_", ""))) && !fits("undone name", w.fn.Name)
}

// raisesUndone reports whether a call raises or makes an error that says that the work is not done.
func (w *walk) raisesUndone(c *callSite) bool {
	if c.kind != lang.Raises && !makesError(c.Text) || fits("error assertion", c.Text) {
		return false
	}
	return lang.SaysUndone(c.literals) ||
		strings.TrimRight(c.name, "!") == "panic" && lang.SaysNotImplemented(c.literals) ||
		fits("undone name", c.text[min(len(c.Text), len(c.text)):]) && !fits("other system", c.literals)
}

// isSelfCall reports whether a call calls its own function with exactly its own parameters.
func (w *walk) isSelfCall(c *callSite) bool {
	fn := w.fn
	if c.name != fn.Name && c.name != fn.InnerName ||
		strings.HasPrefix(c.Text, ".") || strings.ContainsAny(c.text[:min(len(c.text), len(c.Text)+1)], "!?<[") {
		return false
	}
	isOwn := fn.IsMethod && slices.Contains(fn.SelfNames, c.qualifier) ||
		slices.Contains(fn.Owners, c.qualifier) && w.file.Language.Name != "scala" // whose companion has its own methods
	if c.qualifier == "" {
		isOwn = !fn.IsMethod || w.file.Language.Is("unqualified") || c.name == fn.InnerName
	}
	if !isOwn || len(fn.Params) == 0 && len(c.args) == 1 && strings.Trim(w.file.text(c.args[0]), `"`) == "$@" {
		return isOwn
	}
	if len(c.args) != len(fn.Params) {
		return false
	}
	for i, a := range c.args {
		text := strings.TrimLeft(w.file.text(a), "*&.")
		label, _, ok := strings.Cut(text, ":")
		own := strings.TrimSpace(fn.declaration(fn.Params[i]))
		if !ok {
			label = "_"
		}
		external, _, _ := strings.Cut(own, " ") // Swift's label of the parameter
		if ok && w.file.Language.Is("unqualified") && !lang.HasWord(own, label) || w.file.Language.Name == "swift" &&
			(strings.TrimRight(external, ":") != label || strings.HasSuffix(own, "...")) {
			return false // another function's label
		}
		text = strings.TrimPrefix(text, "mut ")
		if k := strings.LastIndexAny(text, "=:"); k >= 0 && (text[k] == '=' || w.file.Language.Is("unqualified")) {
			text = strings.TrimSpace(text[k+1:])
		}
		if strings.TrimRight(text, ".") != fn.Params[i] {
			return false
		}
	}
	return true
}

// runsNothing reports whether a call only runs an empty closure: func() {}(), pcall(function() end), synchronized(this)
// { }.
func (w *walk) runsNothing(t *facts.Term) bool {
	parts, ran := t.Parts, t.Text == ""
	if !ran {
		if parts = parts[1:]; w.file.Language.CalleeOf(t.Text, lastName(t.Text)) != lang.Runs {
			return false
		}
	}
	for _, part := range parts {
		switch part = part.Single(); {
		case part.Op == facts.Call || part.Op == facts.Unknown || part.Op == facts.Closure && !isEmptyClosure(part):
			return false
		case part.Op == facts.Closure:
			ran = true
		}
	}
	return ran
}

func isEmptyClosure(t *facts.Term) bool {
	return !slices.ContainsFunc(t.Parts, func(body *facts.Term) bool {
		return body.Op != facts.Block || len(body.Parts) > 0
	})
}

func isFilledClosure(t *facts.Term) bool {
	t = t.Single()
	return t.Op == facts.Closure && !isEmptyClosure(t)
}

func (w *walk) callSources(c *callSite) Source {
	switch receiver := c.Parts[0]; {
	case c.name == "", slices.ContainsFunc(c.args, isFilledClosure):
		w.markActs()
		return fromState
	case len(c.args) == 0 && receiver.Op == facts.Name && receiver.Span == c.Span && isPlain(c.name) &&
		!strings.Contains(c.text, "("):
		return w.sourcesOf(&facts.Term{Op: facts.Member, Text: c.name, Span: c.Span, Parts: c.Parts})
	}
	switch c.kind {
	case lang.Talks, lang.Shows:
		return w.addPrint(c)
	case lang.Writes:
		if len(c.args) == 0 || !lang.IsStandardStream(w.file.text(c.args[0])) {
			w.markActs()
		}
		return w.addPrint(c)
	case lang.Sleeps:
		if c.name == "setTimeout" {
			w.markActs() // the callback is not followed
		}
		w.addSleep(c.args)
		return 0
	case lang.Undone, lang.Raises, lang.Runs:
		if w.hasLeft = isSuccessfulExit(c.text); w.hasLeft {
			return 0
		}
		w.markActs()
		return fromState
	case lang.Builds:
		return w.objectSources(c)
	}
	if lang.InList("responds", c.name) {
		w.SaysNotDone = w.SaysNotDone || c.arguments.sources == 0 && lang.SaysUndone(c.literals)
		w.ResultSources, w.ReturnsValue, w.AnswersRequest = w.ResultSources|c.arguments.sources, true, true
		return c.arguments.sources
	}
	if fn := w.helper(c.name, c.qualifier); fn != nil {
		return w.followHelper(fn, c.argSources)
	}
	return w.knownSources(c)
}

// sourcesOf returns the sources of an expression without judging it.
func (w *walk) sourcesOf(t *facts.Term) (from Source) {
	w.keepState(func() { from = w.value(t).sources })
	return from
}

// isPlain reports whether a name is one word, except for a sigil.
func isPlain(name string) bool { return strings.IndexFunc(name, unicode.IsPunct) <= 0 }

func (w *walk) addPrint(c *callSite) Source {
	w.sourcesOf(c.Parts[0])
	w.Prints = true
	return 0
}

// knownSources returns the sources of a call that is known by its name, or made on a local object.
func (w *walk) knownSources(c *callSite) Source {
	switch {
	case hasWord("random", c.Text):
		if w.RandomCount++; w.statementValue == c.Term && c.arguments.sources != 0 {
			w.markActs() // it shuffles its argument
		}
		return fromRandom | readInto(c.arguments.sources)
	case lang.InList("clocks", c.name):
		return fromClock | readInto(w.sourcesOf(c.Parts[0])&(FromParameter|wholeParameter)) // it may be given the clock
	case lang.InList("empties", c.name):
		return presenceOf(c.arguments.sources | w.sourcesOf(c.Parts[0]))
	case lang.InList("lengths", c.name):
		return readInto(c.arguments.sources | w.sourcesOf(c.Parts[0]))
	case lang.InList("same", c.name):
		return c.arguments.sources | w.sourcesOf(c.Parts[0])
	case facts.IsTypeName(c.name) && (w.file.Language.Is("typescalled") || isCollection(c.name)):
		return w.objectSources(c)
	case lang.InList("formats", c.name), c.qualifier == "" && slices.Contains(w.file.Language.Builtins, c.name),
		c.qualifier != "" && isGetter(c.name) && w.sourcesOf(c.Parts[0])&(FromParameter|wholeParameter) != 0:
		sources := readInto(c.arguments.sources | w.sourcesOf(c.Parts[0]))
		if w.statementValue == c.Term && sources&FromParameter != 0 {
			w.markActs() // its result is not used, so it is called for an effect
		}
		return sources
	case w.locals[c.qualifier].isOwnObject && !w.locals[c.qualifier].isStruct:
		l := w.locals[c.qualifier]
		if l.sources&fromRandom != 0 {
			w.RandomCount++
		}
		l.sources |= c.arguments.sources
		w.locals[c.qualifier], w.hasChange = l, true
		return l.sources
	}
	if len(c.text) <= maxNotice && hasWord("tells", c.Text) && lang.SaysUndone(c.literals) &&
		(c.arguments.sources|w.sourcesOf(c.Parts[0]))&^fromState == 0 {
		w.SaysNotDone = true // alert("Not implemented yet")
		return 0
	}
	w.markActs()
	return fromState
}

// maxNotice is the length of the longest call that may only notify somebody, in bytes.
const maxNotice = 200

// isGetter reports whether a method of this name only reads its object.
func isGetter(name string) bool {
	for _, begin := range []string{"get", "has", "is", "to", "as", "Get", "Has", "Is"} {
		if rest, ok := strings.CutPrefix(name, begin); ok && (rest == "" || rest[0] == '_' || facts.IsTypeName(rest)) {
			return true
		}
	}
	return false
}

func (w *walk) objectSources(c *callSite) Source {
	v := c.arguments.sources
	if w.countLiterals(c.args); w.statementValue == c.Term && v&(FromParameter|wholeParameter) != 0 {
		w.markActs()
	}
	if receiver := w.sourcesOf(c.Parts[0]); receiver&^fromState != 0 {
		v |= receiver
	}
	return v
}

// hasWord reports whether a word of a callee is in a list: random, or Toast of Toast.makeText.
func hasWord(list, callee string) bool {
	parts := strings.FieldsFunc(callee, func(r rune) bool { return r > 0x7f || !lang.IsWordByte(byte(r)) })
	return slices.ContainsFunc(parts, func(part string) bool { return lang.HasListedWord(list, part) })
}

// isCollection reports whether a name is that of a collection type, a string builder, or a function that makes one.
func isCollection(name string) bool {
	name, _, _ = strings.Cut(name, "<")
	name = strings.TrimSpace(name)
	last := strings.LastIndexFunc(name, unicode.IsUpper)
	return lang.InList("collections", name) || last > 0 && lang.InList("collections", name[last:])
}
