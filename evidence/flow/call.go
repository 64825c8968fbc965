package flow

import (
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// call is what a call rests on; one that nothing is known of acts.
func (w *walk) call(t *facts.Term) Source {
	callee := strings.TrimPrefix(t.Text, "await ")
	name := lastName(callee)
	qualifier := strings.TrimRight(callee[:len(callee)-len(name)], ".:->?! ")
	switch of := t.Parts[0]; {
	case name == "", slices.ContainsFunc(t.Parts[1:], works):
		w.act()
		return Held
	case len(t.Parts) == 1 && of.Op == facts.Name && of.At == t.At && isPlain(name) &&
		!strings.Contains(w.file.text(t), "("):
		return w.member(&facts.Term{Op: facts.Member, Text: name, At: t.At, Parts: t.Parts})
	}
	switch w.file.Language.CallOf(callee, name) {
	case lang.Talks, lang.Shows:
		return w.talk(t)
	case lang.Writes:
		if len(t.Parts) < 2 || !lang.IsStandardStream(w.file.text(t.Parts[1])) {
			w.act()
		}
		return w.talk(t)
	case lang.Sleeps:
		if name == "setTimeout" {
			w.act() // what it runs later is not followed
		}
		w.sleep(t.Parts[1:])
		return 0
	case lang.Undone, lang.Raises, lang.Runs:
		if strings.EqualFold(name, "exit") && len(t.Parts) == 2 && w.file.text(t.Parts[1]) == "0" {
			w.left = true // all went well
			return 0
		}
		w.act()
		return Held
	case lang.Builds:
		return w.built(t)
	}
	if lang.Known("responds", name) {
		v := w.values(t.Parts[1:])
		w.Undone = w.Undone || v == 0 && lang.SaysUndone(lang.LiteralParts(w.file.text(t)))
		w.Result, w.Gives, w.Answers = w.Result|v, true, true
		return v
	}
	if fn := w.helper(name, qualifier); fn != nil {
		return w.follow(fn, t)
	}
	return w.known(t, callee, name, qualifier)
}

// works reports whether what is given to a call is a function that is written there, and that has a body.
func works(t *facts.Term) bool {
	t = t.Alone()
	return t.Op == facts.Closure && !isHollow(t)
}

func isPlain(name string) bool { return strings.IndexFunc(name, unicode.IsPunct) <= 0 }

// lastName is the name that a call ends with.
func lastName(callee string) string { return callee[strings.LastIndexAny(callee, ".:>\\ \n")+1:] }

func (w *walk) talk(t *facts.Term) Source {
	w.values(t.Parts)
	w.Talks = true
	return 0
}

// known is what a call rests on that is known by its name, or made on what the body has made.
func (w *walk) known(t *facts.Term, callee, name, qualifier string) Source {
	switch {
	case hasWord("random", callee):
		w.Chances++
		return Chance | looked(w.values(t.Parts[1:]))
	case lang.Known("clocks", name), callee == "Date":
		w.values(t.Parts)
		return Clock
	case lang.Known("empties", name):
		return condition(w.values(t.Parts))
	case lang.Known("lengths", name):
		return looked(w.values(t.Parts))
	case lang.Known("same", name):
		return w.values(t.Parts)
	case facts.IsTypeName(name) && (w.file.Language.TypesCalled || isCollection(name)):
		return w.built(t)
	case lang.Known("formats", name), qualifier == "" && slices.Contains(w.file.Language.Builtins, name),
		qualifier != "" && isGetter(name) && w.value(t.Parts[0])&(Given|Whole) != 0:
		v := looked(w.values(t.Parts))
		if w.alone == t && v&Given != 0 {
			w.act() // who does not use what it gives back wants what else it does
		}
		return v
	case w.made[qualifier]:
		if w.locals[qualifier]&Chance != 0 {
			w.Chances++
		}
		w.locals[qualifier] |= w.values(t.Parts[1:])
		w.matters = true
		return w.locals[qualifier]
	}
	if text := w.file.text(t); len(text) <= maxTold && hasWord("tells", callee) &&
		lang.SaysUndone(lang.LiteralParts(text)) && w.values(t.Parts)&^Held == 0 {
		w.Undone = true // alert("Not implemented yet")
		return 0
	}
	w.act()
	return Held
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

// sleep notes that the body waits. How long it waits may be what it is for.
func (w *walk) sleep(arguments []*facts.Term) {
	for _, a := range arguments {
		if a.Op != facts.Closure && w.value(a)&(Given|Whole) != 0 {
			w.act()
		}
		if a.Op != facts.Closure && a.Op != facts.Name {
			break // what follows may cancel it
		}
	}
	w.Sleeps = true
}

// sleeps notes a promise that a timer keeps: new Promise((done) => setTimeout(done, 100)).
func (w *walk) sleeps(t *facts.Term) bool {
	if t.Op != facts.Make || !strings.HasSuffix(t.Text, "Promise") || len(t.Parts) == 0 {
		return false
	}
	for t = t.Parts[0]; t.Op == facts.List || t.Op == facts.Closure || t.Op == facts.Block; t = t.Parts[0] {
		if len(t.Parts) != 1 {
			return false
		}
	}
	if t.Op != facts.Call || t.Text != "setTimeout" || len(t.Parts) < 3 {
		return false
	}
	w.sleep(t.Parts[2:])
	return true
}

// looked is what is made of a value that was looked into.
func looked(v Source) Source {
	if v&Whole != 0 {
		v |= Given
	}
	return v
}

// built is what an object rests on that is made of arguments.
func (w *walk) built(t *facts.Term) Source {
	v := w.values(t.Parts[1:])
	if w.tell(t.Parts[1:]); w.alone == t && v&(Given|Whole) != 0 {
		w.act()
	}
	if on := w.value(t.Parts[0]); on&^Held != 0 {
		v |= on
	}
	if hasWord("random", t.Text) {
		v |= Chance
	}
	return v
}

// helper is the function of the file that a call means, nil where it may be another.
func (w *walk) helper(name, qualifier string) *Function {
	fn := w.file.Functions[name]
	if fn != nil {
		fn.read()
	}
	own := slices.Contains(w.fn.Self, qualifier) || fn != nil && slices.Contains(fn.Self, qualifier)
	if qualifier == "" {
		own = fn != nil && (!fn.Method || w.file.Language.Unqualified)
	}
	if !own {
		return nil
	}
	if _, local := w.locals[name]; local {
		return nil
	}
	return fn
}

// follow walks through a helper with the arguments of a call.
func (w *walk) follow(fn *Function, t *facts.Term) Source {
	var given []Source
	for _, part := range t.Parts[1:] {
		given = append(given, w.value(part))
	}
	if w.Acts || len(w.open) > maxHelpers {
		w.act()
		return Held
	}
	w.Helpers = append(w.Helpers, fn)
	if fn == w.fn || fn.Long {
		w.act() // another of its name, or a recursion
		return Held
	}
	if w.open[fn] {
		return 0 // they go round in a circle
	}
	inner := &walk{file: w.file, fn: fn, open: w.open, steps: w.steps}
	w.open[fn] = true
	inner.run(fn, given)
	delete(w.open, fn)
	w.Acts = inner.Acts || inner.Stores
	w.Helpers = append(w.Helpers, inner.Helpers...)
	w.Talks, w.Sleeps = w.Talks || inner.Talks, w.Sleeps || inner.Sleeps
	if inner.Flag != "" {
		w.Flag = inner.Flag
	}
	return inner.Result
}

// hasWord reports whether a word of what is called stands in a list: random, or Toast of Toast.makeText.
func hasWord(list, callee string) bool {
	parts := strings.FieldsFunc(callee, func(r rune) bool { return r > 0x7f || !lang.IsWordByte(byte(r)) })
	return slices.ContainsFunc(parts, func(part string) bool { return lang.KnowsWord(list, part) })
}

// isCollection reports whether a name is that of a collection's type, or of a function that makes one; what builds a
// text is one.
func isCollection(name string) bool {
	name, _, _ = strings.Cut(name, "<")
	name = strings.TrimSpace(name)
	last := strings.LastIndexFunc(name, unicode.IsUpper)
	return lang.Known("collections", name) || last > 0 && lang.Known("collections", name[last:])
}
