// Package flow follows what a body does with what it is given: whether anything of that reaches what it gives back, or
// an effect. It knows no language: it reads the terms of package facts.
package flow

import (
	"slices"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Source is what a value rests on, a set of bits. The zero value is what is written out.
type Source uint8

const (
	// Given: what a parameter holds.
	Given Source = 1 << iota
	// whole: a parameter, handed on as it came.
	whole
	// There: whether a parameter is there, or empty, or how long it is.
	There
	// held: the object's state, or a name of the file or of another.
	held
	// chance: a random number.
	chance
	// clock: the time.
	clock
	// named: a constant that is defined elsewhere, given back by its name.
	named
)

// real are the sources that make a value one that the body works for.
const real = Given | held

// Function is a function of a file.
type Function struct {
	Name   string
	Params []string
	// Named is how many of them have a name that does not say that they are not used.
	Named int
	// Nameless: it has parameters, and none of them has a name.
	Nameless bool
	// Answers are those of its parameters that are either true or false: to ask whether they are there is to read them.
	Answers []string
	// Method: it is called on something, also where that is not written.
	Method bool
	// Self are the names of its object.
	Self []string
	// Tail: the last of its statements is given back. Expression: it is one expression.
	Tail, Expression bool
	// Alone is the name that it has to itself alone, in a function expression; Owners what its own name may be written
	// after: its type, or the object that it is given to.
	Alone  string
	Owners []string
	// Header is what stands before its body, At where that is. Result: the header says that it gives something back.
	Header string
	At     lang.Span
	Result bool
	// Long: it is too long, or too odd, to be followed.
	Long bool
	// Whole is its node, nil where none is needed.
	Whole *syntax.Node
	// Body is what it does.
	Body *facts.Term
	// Unread fills the fields but Name where the function is first followed; nil once they are filled.
	Unread Reader
}

// Reader reads a function.
type Reader interface{ Read(*Function) }

func (fn *Function) read() {
	if unread := fn.Unread; unread != nil {
		fn.Unread = nil
		unread.Read(fn)
	}
}

// File is what the functions of a file may rest on.
type File struct {
	Language *lang.Language
	Src      []byte
	// Functions are those of the file by their names; of several of one name none is known.
	Functions map[string]*Function
	flags     map[string]bool
	imported  map[string]bool // the names that it imports from what is no tool for tests
}

// text is how a term is written.
func (f *File) text(t *facts.Term) string { return string(f.Src[t.At.Start:t.At.End]) }

// Effect is what a body does with what it is given.
type Effect struct {
	// Acts: it does what cannot be followed, or what others see.
	Acts bool
	// Result is what it gives back rests on, and what it asks before it does.
	Result Source
	// Gives: it gives something back. Prints: it prints or logs. Sleeps: it waits.
	Gives, Prints, Sleeps bool
	// Helpers are the functions of the file that it rests on, and that do not act; Flag is a name that is false for ever,
	// and keeps it from something.
	Helpers []*Function
	Flag    string
	// Ways is how often something is given back; Varies: it is not always the same constant.
	Ways   int
	Varies bool
	// Undone: it says that it is not done, to whoever it tells.
	Undone bool
	// Turns: a parameter as it came decides which way it goes; Tells: it gives back what is neither nothing nor a truth
	// value. A flag that chooses between two answers does both.
	Turns, Tells bool
	// Literals are the numbers and texts that stand in the lists and objects of the body; Chances its random numbers.
	Literals, Chances int
	// Answers: it gives back by answering a request. Passes: all that it gives back are parameters as they came.
	// Stores: all that it does is to keep what it is given in its object. Looks: it takes something out of what it is
	// given.
	Answers, Passes, Stores, Looks bool
}

const (
	// maxHelpers is how deep helpers are followed.
	maxHelpers = 4
	// maxSteps is how many terms of one body, and of its helpers, are looked at.
	maxSteps = 2000
)

// Body goes through one function of the file.
func (f *File) Body(fn *Function) (Sum, Effect) {
	fn.read()
	if fn.Body.Op == facts.Unknown {
		return Sum{}, Effect{Acts: true}
	}
	w := &walk{file: f, fn: fn, steps: new(int), open: map[*Function]bool{fn: true}}
	w.Passes, w.Acts = !fn.Expression, fn.Long
	given := make([]Source, len(fn.Params))
	for i, name := range fn.Params {
		if given[i] = whole; slices.Contains(fn.Answers, name) {
			given[i] = Given
		}
	}
	w.run(fn, given)
	return w.sum(), w.Effect
}

// SaysUndone reports whether a statement does nothing but say that the work is not done.
func (f *File) SaysUndone(t *facts.Term) bool {
	w := f.alone(t, nil)
	w.statement(t, false)
	return !w.works && w.unmade
}

// Idles reports whether statements do nothing with what has the names bounds, and end nothing.
func (f *File) Idles(t *facts.Term, bounds []string) bool {
	w := f.alone(t, bounds)
	w.block(t.Parts, false)
	return !w.works && !w.Raises
}

// alone is a walk through statements outside of what they stand in.
func (f *File) alone(t *facts.Term, bounds []string) *walk {
	return &walk{file: f, fn: &Function{At: t.At}, locals: map[string]local{}, steps: new(int),
		Effect: Effect{Acts: true}, judged: judged{bounds: bounds}}
}
