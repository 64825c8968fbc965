// Package flow follows what a body does with its parameters: whether any reaches a result or an effect. It knows no
// language: it reads the terms of package facts.
package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Source is a set of origins of a value. The zero value is a literal.
type Source uint8

const (
	FromParameter     Source = 1 << iota // the content of a parameter
	wholeParameter                       // an unchanged parameter
	ParameterPresence                    // whether a parameter is null or empty, or its length
	fromState                            // the object's state, or a name outside the function
	fromRandom                           // a random number
	fromClock                            // the time
	namedConstant                        // a constant that is defined elsewhere, returned by its name
)

const workSources = FromParameter | fromState

// Function is a function of a file.
type Function struct {
	Name   string
	Params []string
	// NamedParams counts the parameters whose names do not say that they are unused.
	NamedParams int
	// HasOnlyNamelessParams: it has parameters, and none has a name.
	HasOnlyNamelessParams bool
	// BoolParams are its boolean parameters: checking their presence reads them.
	BoolParams []string
	// IsMethod: it has a receiver, if only implicitly.
	IsMethod bool
	// SelfNames are the names of its object.
	SelfNames []string
	// ReturnsLast: it returns its last statement's value. IsExpression: it is one expression.
	ReturnsLast, IsExpression bool
	// InnerName is its name in a function expression. Owners may qualify its name: its type, or the object that holds it.
	InnerName string
	Owners    []string
	// Header is the text before its body, Span its place. HasResult: the header declares a result.
	Header    string
	Span      lang.Span
	HasResult bool
	// IsTest: it is a test.
	IsTest bool
	// IsTooLong: it is too long or too odd to be followed.
	IsTooLong bool
	// Node is its node, nil if none is needed.
	Node *syntax.Node
	Body *facts.Term
	// Reader fills all fields but Name when the function is first followed; nil once they are filled.
	Reader Reader
}

// Reader reads a function.
type Reader interface{ Read() }

func (fn *Function) read() {
	if reader := fn.Reader; reader != nil {
		fn.Reader = nil
		reader.Read()
	}
}

// lends reports whether callers see a value that is assigned to a parameter. A constant that is assigned to an out
// parameter does not count: the compiler demands one.
func (fn *Function) lends(name string, value Source) bool {
	p := fn.declaration(name)
	return lang.HasWord(p, "ref") || lang.HasWord(p, "inout") || lang.HasWord(p, "out") && value != 0 ||
		strings.Contains(p, "&"+name) || strings.Contains(p, "& "+name)
}

// declaration returns the declaration of a parameter in the header: the last part with its name.
func (fn *Function) declaration(name string) (declared string) {
	for _, p := range strings.FieldsFunc(fn.Header, func(r rune) bool { return strings.ContainsRune("(,)", r) }) {
		if lang.HasWord(p, name) {
			declared = p
		}
	}
	return declared
}

// File is the context of the functions of a file.
type File struct {
	Language *lang.Language
	Src      []byte
	// HoldsTests: the file is there for tests.
	HoldsTests bool
	// Functions are the file's functions by name; ambiguous names are left out.
	Functions map[string]*Function
	flags     map[string]bool
	unread    map[string]bool // names that are only written
	imports   map[string]bool // imported names: true unless a test tool exports them
}

func (f *File) text(t *facts.Term) string { return string(f.Src[t.Span.Start:t.Span.End]) }

// Effect is what a body does with its parameters.
type Effect struct {
	// Acts: it does something visible to others or unknown.
	Acts bool
	// ResultSources are the sources of its result, and of the conditions for it.
	ResultSources Source
	// ReturnsValue: it returns a value other than null. Prints: it prints or logs. Sleeps: it waits.
	ReturnsValue, Prints, Sleeps bool
	// Helpers are functions of the file that it calls and that do not act. Flag is a name that is always false and
	// disables some of it. IsFlagPrivate: no other file can set it.
	Helpers       []*Function
	Flag          string
	IsFlagPrivate bool
	// ReturnCount counts its returns. Varies: they do not all return the same constant.
	ReturnCount int
	Varies      bool
	// IsDropped: it makes a value, and drops it by a statement of its own. TriesNothing: what it tries is empty.
	IsDropped, TriesNothing bool
	// SaysNotDone: it tells users or callers that it is not done. NeverSettles: it makes a promise that nothing settles.
	SaysNotDone, NeverSettles bool
	// BranchesOnParameter: an unchanged parameter is a condition. ReturnsContent: it returns a value that is neither
	// null nor a boolean. A flag that selects one of two results has both.
	BranchesOnParameter, ReturnsContent bool
	// LiteralCount counts literals in lists and objects of the body, RandomCount random numbers.
	LiteralCount, NumberCount, RandomCount int
	// SetsConstants: it sets parts of its object or of parameters to constants, or to the time.
	SetsConstants bool
	// AnswersRequest: it returns by answering a request. OnlyReturnsParameters: all results are unchanged parameters.
	// Stores: it stores parameters in its object. ReadsParameter: it reads the content of a parameter.
	AnswersRequest, OnlyReturnsParameters, Stores, ReadsParameter bool
}

const (
	// maxHelpers bounds how deep helpers are followed.
	maxHelpers = 4
	// maxSteps bounds how many terms of a body and its helpers are read.
	maxSteps = 2000
)

// Analyze judges a function of the file.
func (f *File) Analyze(fn *Function) (Summary, Effect) {
	fn.read()
	if fn.Body.Op == facts.Unknown {
		return Summary{}, Effect{Acts: true}
	}
	w := &walk{file: f, fn: fn, steps: new(int), open: map[*Function]bool{fn: true}}
	w.OnlyReturnsParameters, w.Acts = !fn.IsExpression, fn.IsTooLong
	sources := make([]Source, len(fn.Params))
	for i, name := range fn.Params {
		if sources[i] = wholeParameter; slices.Contains(fn.BoolParams, name) {
			sources[i] = FromParameter
		}
	}
	w.run(fn, sources)
	return w.summary(), w.Effect
}

// SaysUndone reports whether a statement only says that the work is not done.
func (f *File) SaysUndone(t *facts.Term) bool {
	w := f.fragment(t, nil)
	w.statement(t, false)
	return !w.doesWork && w.saysUndone
}

// DoesNothing reports whether statements do nothing with the bound names, and raise nothing.
func (f *File) DoesNothing(t *facts.Term, boundNames []string) bool {
	w := f.fragment(t, boundNames)
	w.block(t.Parts, false)
	return !w.doesWork && !w.Raises
}

// fragment returns a walk through statements without their function.
func (f *File) fragment(t *facts.Term, boundNames []string) *walk {
	return &walk{file: f, fn: &Function{Span: t.Span}, locals: map[string]local{}, steps: new(int),
		Effect: Effect{Acts: true}, bodyState: bodyState{boundNames: boundNames}}
}
