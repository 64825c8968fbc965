package flow

import (
	"slices"

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

// Sum is what a body does, told without following anything.
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

// outlet is how a statement ends.
type outlet uint8

const (
	goesOn outlet = iota
	leaves
	acts
)

// sum goes through one body.
type sum struct {
	Sum
	file   *File
	fn     *Function
	locals map[string]value
	shared []string
	bounds []string // the names that patterns and loops give what they match
	known  value    // the most of what is given back
	given  int
	texts  []string // of what is given back
	// calls and bound count its calls and what gives names their values.
	calls, bound                  int
	unmade, itself, dead, imports bool
	ways                          bool // it has branches
	elsewhere                     bool // it names what it is neither given nor makes
}

// Sum tells what a function of the file does, by its body alone.
func (f *File) Sum(fn *Function) Sum {
	fn.read()
	j := &sum{file: f, fn: fn, locals: map[string]value{}, bounds: fn.Matched}
	end := goesOn
	if fn.Body.Op == facts.Unknown {
		return Sum{}
	} else if fn.Expression {
		end = j.give(j.values(fn.Body.Parts), f.text(fn.Body))
	} else {
		end = j.statement(fn.Body, fn.Tail)
	}
	if end == acts {
		return Sum{}
	}
	return j.judge()
}

// SaysUndone reports whether a statement does nothing but say that the work is not done.
func (f *File) SaysUndone(t *facts.Term) bool {
	j := &sum{file: f, fn: &Function{}, locals: map[string]value{}}
	return j.statement(t, false) != acts && j.unmade
}

// Idles reports whether statements do nothing with what has the names bounds, and end nothing.
func (f *File) Idles(t *facts.Term, bounds []string) bool {
	j := &sum{file: f, fn: &Function{At: t.At}, locals: map[string]value{}, bounds: bounds}
	return j.block(t.Parts, false) != acts && !j.Raises
}

// judge sums up a body that acts nowhere.
func (j *sum) judge() Sum {
	e := j.Sum
	if j.Shapes {
		return Sum{Shapes: !j.unmade && !j.itself && !j.dead && !j.imports && !j.elsewhere}
	}
	e.Null = j.given > 0 && j.known == empty && !j.Reads && !j.Shown && !j.imports
	slices.Sort(j.texts)
	varied := (j.Reads || j.Shown) && len(slices.Compact(j.texts)) > 1
	switch {
	case j.unmade:
		e.Outcome = Says
		if j.Reads || j.Shown {
			return Sum{} // a guard
		}
	case j.itself:
		e.Outcome = Itself
		if j.Reads || e.Talks || j.imports {
			return Sum{} // guarded, or of another that is imported under its name
		}
	case varied:
		return Sum{}
	case j.dead:
		e.Outcome = Dead
	case e.Null && j.ways && !e.Talks && !j.fn.Result, j.given == 0 && !e.Talks:
		if e.Outcome = Nothing; j.imports || j.tries() {
			return Sum{} // for its effect
		}
	default:
		e.Outcome = Gives
	}
	return e
}

// tries reports whether a local takes what was made or computed, and is not used: that it can be made is what was
// wanted.
func (j *sum) tries() bool {
	for _, v := range j.locals {
		if v > constant {
			return true
		}
	}
	return false
}
