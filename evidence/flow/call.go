package flow

import (
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

const (
	// maxMessage is the longest statement that may say that it is not done, and maxIdiom the longest that is told by its
	// text, in bytes.
	maxMessage = 1000
	maxIdiom   = 80
)

// called is a call that is looked at.
type called struct {
	*facts.Term
	// name is its own, qualifier what stands before that.
	name, qualifier string
	// text is how all of it is written, said the texts in it.
	text, said string
	kind       lang.Callee
	// arguments are what it is given; all is what they come to, each what each of them rests on.
	arguments []*facts.Term
	all       worth
	each      []Source
}

// call is what a call comes to; one that nothing is known of acts.
func (w *walk) call(t *facts.Term) worth {
	c := &called{Term: t, name: lastName(t.Text), text: w.file.text(t), arguments: t.Parts[1:]}
	c.qualifier = strings.TrimRight(strings.TrimPrefix(t.Text[:len(t.Text)-len(c.name)], "await "), ".:->?! ")
	c.kind, c.said = w.file.Language.CalleeOf(t.Text, c.name), w.said(c.text)
	w.calls++
	keep := w.judged
	for _, a := range c.arguments {
		v := w.value(a)
		c.all, c.each = worth{max(c.all.value, v.value), c.all.from | v.from}, append(c.each, v.from)
	}
	v := act
	switch {
	case w.calls > lang.MaxCalls, c.name == "", len(c.text) > maxMessage:
	case strings.Count(c.text, "\n") <= 2 && w.ends(c):
		w.judged = keep
		v = unmade
	case w.isItself(c):
		v = same
	case c.all.value <= unmade:
		v = w.comesTo(c)
	}
	return worth{v, w.restsOn(c)}
}

// lastName is the name that a call ends with.
func lastName(callee string) string { return callee[strings.LastIndexAny(callee, ".:>\\ \n")+1:] }

// said is the text in a call.
func (w *walk) said(text string) string {
	if w.file.Language.Name == "bash" { // where a text needs no quotes
		_, words, _ := strings.Cut(text, " ")
		return strings.Trim(words, ` "'`)
	}
	return lang.LiteralParts(text)
}

// comesTo is what a call is by itself.
func (w *walk) comesTo(c *called) value {
	given, callee := c.all.value, c.Text
	switch {
	case w.neverHolds(c) && lang.SaysUndone(c.said):
		return unmade
	case lang.InList("wraps", c.name) && len(c.arguments) > 0 &&
		!slices.ContainsFunc(c.arguments, holdsSomething):
		return empty
	case c.kind == lang.Undone, lang.IsStatus(c.text) && (lang.SaysUndone(c.said) || w.answers(c.name)):
		return unmade
	case c.kind == lang.Raises:
		if given == unmade || w.unmade {
			return unmade
		}
		return act
	case c.kind == lang.Writes && !lang.IsStandardStream(c.text):
		return act
	case c.kind == lang.Talks, c.kind == lang.Shows, c.kind == lang.Writes:
		if lang.PrintsUndone(c.said) || lang.SaysWhatWouldBeDone(c.said) {
			return mutter
		}
		if given >= talk || callee == "print" && (strings.HasPrefix(c.text, "exit") || strings.HasPrefix(c.text, "die")) {
			return act
		}
		w.Shown = w.Shown || given >= first
		return talk
	case c.kind == lang.Sleeps &&
		!slices.ContainsFunc(w.fn.Params, func(name string) bool { return lang.HasWord(c.text, name) }):
		return talk
	case c.kind == lang.Builds, w.file.Language.Is("typescalled") && facts.IsTypeName(c.name):
		return max(made, given)
	case len(c.arguments) == 0 && w.isAsked(c):
		return computed
	case lang.PrintsUndone(c.said) && lang.NamesLogCall(c.name):
		return mutter
	case undoneName.MatchString(callee) && facts.IsTypeName(c.name):
		return empty // a status that says so
	}
	return act
}

// holdsSomething reports whether what is given to a call is more than something that holds nothing.
func holdsSomething(t *facts.Term) bool {
	t = t.Alone()
	return t.Op != facts.Empty && !isNull(t)
}

// isAsked reports whether a call without arguments asks a parameter for a part of it, by its name: getId, or id in a
// language whose attributes are calls.
func (w *walk) isAsked(c *called) bool {
	of, _, ok := strings.Cut(c.Text, ".")
	return ok && slices.Contains(w.fn.Params, strings.Trim(of, "&*?")) && getter.MatchString(c.name)
}

var getter = lang.Lazy(`^(?:get[A-Z]\w*|id|name|key|email|size|length|count|code|title|to_?[sS](?:tr(?:ing)?)?)$`)

// answers reports whether a call of this name answers a request; what is called after the answer is written to give it.
func (w *walk) answers(name string) bool {
	return lang.InList("answers", strings.ToLower(strings.ReplaceAll(name, "_", ""))) && !undoneName.MatchString(w.fn.Name)
}

// ends reports whether a call raises or makes an error that says that the work is not done.
func (w *walk) ends(c *called) bool {
	if c.kind != lang.Raises && !lang.MakesError(c.Text) {
		return false
	}
	return lang.SaysUndone(c.said) || strings.TrimRight(c.name, "!") == "panic" && lang.SaysNotImplemented(c.said) ||
		undoneName.MatchString(c.text[min(len(c.Text), len(c.text)):]) && !otherSystem.MatchString(c.said)
}

// isItself reports whether a call means the definition that it stands in, and gives it just its own parameters.
func (w *walk) isItself(c *called) bool {
	fn := w.fn
	if c.name != fn.Name && c.name != fn.Alone || strings.ContainsAny(c.text[:min(len(c.text), len(c.Text)+1)], "!?<[") {
		return false
	}
	is := fn.Method && slices.Contains(fn.Self, c.qualifier) || slices.Contains(fn.Owners, c.qualifier)
	if c.qualifier == "" {
		is = !fn.Method || w.file.Language.Is("unqualified") || c.name == fn.Alone
	}
	if !is || len(fn.Params) == 0 && len(c.arguments) == 1 && strings.Trim(w.file.text(c.arguments[0]), `"`) == "$@" {
		return is
	}
	if len(c.arguments) != len(fn.Params) {
		return false
	}
	for i, a := range c.arguments {
		text := strings.TrimLeft(w.file.text(a), "*&.")
		label, _, ok := strings.Cut(text, ":")
		if ok && w.file.Language.Is("unqualified") && !lang.HasWord(fn.Header, label) {
			return false // the label of another
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

// runsNothing reports whether a call only runs a function that is written there, and that does nothing: func() {}(),
// pcall(function() end), synchronized(this) { }.
func (w *walk) runsNothing(t *facts.Term) bool {
	parts, ran := t.Parts, t.Text == ""
	if !ran {
		if parts = parts[1:]; w.file.Language.CalleeOf(t.Text, lastName(t.Text)) != lang.Runs {
			return false
		}
	}
	for _, part := range parts {
		switch part = part.Alone(); {
		case part.Op == facts.Call || part.Op == facts.Unknown || part.Op == facts.Closure && !isHollow(part):
			return false
		case part.Op == facts.Closure:
			ran = true
		}
	}
	return ran
}

// isHollow reports whether a function without a name has nothing in it.
func isHollow(t *facts.Term) bool {
	return !slices.ContainsFunc(t.Parts, func(body *facts.Term) bool {
		return body.Op != facts.Block || len(body.Parts) > 0
	})
}

// isWork reports whether what is given to a call is a function that is written there, and that has a body.
func isWork(t *facts.Term) bool {
	t = t.Alone()
	return t.Op == facts.Closure && !isHollow(t)
}

// restsOn is what a call rests on.
func (w *walk) restsOn(c *called) Source {
	switch of := c.Parts[0]; {
	case c.name == "", slices.ContainsFunc(c.arguments, isWork):
		w.act()
		return held
	case len(c.arguments) == 0 && of.Op == facts.Name && of.At == c.At && isPlain(c.name) &&
		!strings.Contains(c.text, "("):
		return w.aloof(&facts.Term{Op: facts.Member, Text: c.name, At: c.At, Parts: c.Parts})
	}
	switch c.kind {
	case lang.Talks, lang.Shows:
		return w.prints(c)
	case lang.Writes:
		if len(c.arguments) == 0 || !lang.IsStandardStream(w.file.text(c.arguments[0])) {
			w.act()
		}
		return w.prints(c)
	case lang.Sleeps:
		if c.name == "setTimeout" {
			w.act() // what it runs later is not followed
		}
		w.sleep(c.arguments)
		return 0
	case lang.Undone, lang.Raises, lang.Runs:
		if w.left = isDone(c.text); w.left {
			return 0
		}
		w.act()
		return held
	case lang.Builds:
		return w.built(c)
	}
	if lang.InList("responds", c.name) {
		w.Undone = w.Undone || c.all.from == 0 && lang.SaysUndone(c.said)
		w.Result, w.Gives, w.Answers = w.Result|c.all.from, true, true
		return c.all.from
	}
	if fn := w.helper(c.name, c.qualifier); fn != nil {
		return w.follow(fn, c.each)
	}
	return w.knows(c)
}

// aloof is what an expression rests on that is no part of what the body is by itself.
func (w *walk) aloof(t *facts.Term) (from Source) {
	w.unjudged(func() { from = w.value(t).from })
	return from
}

// isPlain reports whether a name is one word, but for a mark before it.
func isPlain(name string) bool { return strings.IndexFunc(name, unicode.IsPunct) <= 0 }

func (w *walk) prints(c *called) Source {
	w.aloof(c.Parts[0])
	w.Prints = true
	return 0
}

// knows is what a call rests on that is known by its name, or made on what the body has made.
func (w *walk) knows(c *called) Source {
	switch {
	case hasWord("random", c.Text):
		w.Chances++
		return chance | looked(c.all.from)
	case lang.InList("clocks", c.name):
		w.aloof(c.Parts[0])
		return clock
	case lang.InList("empties", c.name):
		return present(c.all.from | w.aloof(c.Parts[0]))
	case lang.InList("lengths", c.name):
		return looked(c.all.from | w.aloof(c.Parts[0]))
	case lang.InList("same", c.name):
		return c.all.from | w.aloof(c.Parts[0])
	case facts.IsTypeName(c.name) && (w.file.Language.Is("typescalled") || isCollection(c.name)):
		return w.built(c)
	case lang.InList("formats", c.name), c.qualifier == "" && slices.Contains(w.file.Language.Builtins, c.name),
		c.qualifier != "" && isGetter(c.name) && w.aloof(c.Parts[0])&(Given|whole) != 0:
		v := looked(c.all.from | w.aloof(c.Parts[0]))
		if w.alone == c.Term && v&Given != 0 {
			w.act() // who does not use what it gives back wants what else it does
		}
		return v
	case w.locals[c.qualifier].made:
		l := w.locals[c.qualifier]
		if l.from&chance != 0 {
			w.Chances++
		}
		l.from |= c.all.from
		w.locals[c.qualifier], w.matters = l, true
		return l.from
	}
	if len(c.text) <= maxTold && hasWord("tells", c.Text) && lang.SaysUndone(c.said) &&
		(c.all.from|w.aloof(c.Parts[0]))&^held == 0 {
		w.Undone = true // alert("Not implemented yet")
		return 0
	}
	w.act()
	return held
}

// maxTold is the longest call that may only tell somebody something, in bytes.
const maxTold = 200

// isGetter reports whether a method of this name only tells something of its object.
func isGetter(name string) bool {
	for _, begin := range []string{"get", "has", "is", "to", "as", "Get", "Has", "Is"} {
		if rest, ok := strings.CutPrefix(name, begin); ok && (rest == "" || rest[0] == '_' || facts.IsTypeName(rest)) {
			return true
		}
	}
	return false
}

// built is what an object rests on that is made of arguments.
func (w *walk) built(c *called) Source {
	v := c.all.from
	if w.tell(c.arguments); w.alone == c.Term && v&(Given|whole) != 0 {
		w.act()
	}
	if on := w.aloof(c.Parts[0]); on&^held != 0 {
		v |= on
	}
	return v
}

// hasWord reports whether a word of what is called stands in a list: random, or Toast of Toast.makeText.
func hasWord(list, callee string) bool {
	parts := strings.FieldsFunc(callee, func(r rune) bool { return r > 0x7f || !lang.IsWordByte(byte(r)) })
	return slices.ContainsFunc(parts, func(part string) bool { return lang.HasListedWord(list, part) })
}

// isCollection reports whether a name is that of a collection's type, or of a function that makes one; what builds a
// text is one.
func isCollection(name string) bool {
	name, _, _ = strings.Cut(name, "<")
	name = strings.TrimSpace(name)
	last := strings.LastIndexFunc(name, unicode.IsUpper)
	return lang.InList("collections", name) || last > 0 && lang.InList("collections", name[last:])
}
