package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// Outcome is what all of a body comes to. The zero value is that of a body that does something, or was not looked at.
type Outcome uint8

const (
	// Does: it does something, or was not looked at.
	Does    Outcome = iota
	Nothing         // every part of it does nothing
	Says            // all it does is say that it is not done
	Gives           // it gives back constants or its first argument, perhaps after logs; words decide
	Itself          // it calls itself with its own arguments
	Dead            // nothing that can be reached does anything, and something cannot be
)

// Sum is what a body does by itself, without what it calls.
type Sum struct {
	Outcome
	// Talks: it logs, prints or sleeps; Null: all it gives back is nothing.
	Talks, Null bool
	// Reads: it depends on, or prints, what it was given or computes. Shown: it prints or logs what it is given.
	Reads, Shown bool
	// Raises: it ends what goes on, without a word. Returned: a return without a value is in it.
	Raises, Returned bool
	// Endless: it goes round in a loop that does nothing, for ever.
	Endless bool
	// Shapes: it does something, but no more than to give back, in another shape, what it is given.
	Shapes bool
	// Strings are the literals in it, those of its documentation left out.
	Strings []lang.Span
}

// value judges an expression.
type value uint8

const (
	empty    value = iota // nothing at all: null, an empty list
	constant              // written out
	made                  // an object made of constants
	first                 // the first argument
	computed              // computed, without an effect
	talk                  // a log, a print, a sleep
	mutter                // one that says that the work is not done
	unmade                // an error that says that it is not done
	same                  // a call to itself with its own arguments
	act                   // it does something
)

// worth is what an expression is, and what that rests on.
type worth struct {
	value
	from Source
}

// judged is what was found of a body by itself.
type judged struct {
	Sum
	// works: it does something; what else was found is of no use then.
	works, unmade, itself, dead, imports bool
	// ways: it has branches. elsewhere: it names what it is neither given nor makes.
	ways, elsewhere bool
	// known is the most of what is given back, given how often something is, texts how that is written.
	known value
	given int
	texts []string
	// calls and bound count its calls and what gives names their values.
	calls, bound int
	// bounds are the names that patterns and loops give what they match, shared those of an outer scope.
	bounds, shared []string
}

// sum sums up a body by itself.
func (w *walk) sum() Sum {
	e := w.Sum
	e.Null = w.given > 0 && w.known == empty && !w.Reads && !w.Shown && !w.imports
	slices.Sort(w.texts)
	varied := (w.Reads || w.Shown) && len(slices.Compact(w.texts)) > 1
	switch {
	case w.works:
		return Sum{}
	case w.Shapes:
		return Sum{Shapes: !w.unmade && !w.itself && !w.dead && !w.imports && !w.elsewhere}
	case w.unmade:
		e.Outcome = Says
		if w.Reads || w.Shown {
			return Sum{} // a guard
		}
	case w.itself:
		e.Outcome = Itself
		if w.Reads || e.Talks || w.imports {
			return Sum{} // guarded, or of another that is imported under its name
		}
	case varied:
		return Sum{}
	case w.dead:
		e.Outcome = Dead
	case e.Null && w.ways && !e.Talks && !w.fn.Result, w.given == 0 && !e.Talks:
		if e.Outcome = Nothing; w.imports || w.tries() {
			return Sum{} // for its effect
		}
	default:
		e.Outcome = Gives
	}
	return e
}

// tries reports whether a local takes what was made or computed, and is not used: that it can be made is what was
// wanted.
func (w *walk) tries() bool {
	for _, l := range w.locals {
		if l.value > constant && !l.parameter {
			return true
		}
	}
	return false
}

// back notes what is given back.
func (w *walk) back(v value, text ...string) {
	switch v {
	case act:
		w.works = true
		return
	case computed:
		w.Shapes = true
		return
	case talk:
		w.Talks, v = true, empty
	case mutter, unmade:
		w.unmade, v = true, empty
	case same:
		w.itself = true
		return
	}
	w.given++
	w.known = max(w.known, v)
	w.texts = append(w.texts, text...)
}

// condition judges what it depends on what is done.
func (w *walk) condition(v worth) {
	w.works = w.works || v.value >= talk
	w.Reads = w.Reads || v.value >= first
}

// nested judges a definition in the body: one that nothing there names is dead.
func (w *walk) nested(t *facts.Term) {
	src, whole := w.file.Src, w.fn.At
	before, after := src[whole.Start:max(whole.Start, t.At.Start)], src[t.At.End:max(t.At.End, whole.End)]
	w.works = w.works || t.Text == "" ||
		lang.HasWord(string(before), t.Text) || lang.HasWord(string(after), t.Text)
	w.dead = true
}

// expression walks through a statement that is a value.
func (w *walk) expression(t *facts.Term, tail bool) (leaves bool) {
	text, keep := w.file.text(t), w.judged
	idle := t.Op == facts.Call && (w.assures(t) || w.runsNothing(t)) || tail && text == "()"
	if tail {
		w.give([]*facts.Term{t})
		if idle {
			w.judged = keep
		}
		return true
	}
	w.alone = t
	v := w.value(t).value
	if t.Op == facts.Operate && strings.Contains(t.Text, "<<") {
		w.act()
	}
	switch {
	case idle:
		w.judged = keep
		return false
	case t.Op == facts.Text:
		w.Strings = w.Strings[:len(keep.Strings)] // documentation
	case t.Op == facts.Literal && w.file.Language.Name == "bash": // its status is given back
		w.back(v, text)
		return false
	case t.Op == facts.Literal, t.Op == facts.Name, t.Op == facts.List, t.Op == facts.Empty:
	case v <= computed && !strings.HasPrefix(text, "void ") &&
		(v > constant || t.Op != facts.Operate || t.Text == "await" || strings.Contains(text, "/")):
		w.works = true // a call, or an operator: who writes it alone wants its effect
	}
	switch v {
	case first, computed:
		w.Reads = w.Reads || t.Op != facts.Name
	case talk:
		w.Talks = true
	case mutter:
		w.unmade = true
	case unmade:
		w.unmade = true
		return true
	case same:
		w.itself = true
	}
	return false
}

// raise judges a throw.
func (w *walk) raise(t *facts.Term) {
	if text := w.file.text(t); len(text) <= maxMessage && throwsUndone(text) {
		w.unmade = true
	} else {
		w.works = true
	}
}

// assert judges an assertion.
func (w *walk) assert(t *facts.Term) {
	condition := ""
	if len(t.Parts) > 0 {
		condition = w.file.text(t.Parts[0])
	}
	switch {
	case facts.IsFalse(condition) && lang.SaysUndone(lang.LiteralParts(w.file.text(t))):
		w.unmade = true
	case condition == "" || !holdsItself(condition):
		w.works = true
	}
}
