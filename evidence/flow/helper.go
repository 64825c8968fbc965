package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
)

// helper returns the function of the file that a call calls, nil if that is not certain.
func (w *walk) helper(name, qualifier string) *Function {
	if fn := w.file.Functions[qualifier+"."+name]; fn != nil { // of an object
		if _, isLocal := w.locals[qualifier]; !isLocal {
			fn.read()
			return fn
		}
	}
	fn := w.file.Functions[name]
	if fn != nil {
		fn.read()
	}
	isOwn := slices.Contains(w.fn.SelfNames, qualifier) ||
		qualifier == "" && fn != nil && (!fn.IsMethod || w.file.Language.Is("unqualified"))
	if _, local := w.locals[name]; local || !isOwn {
		return nil
	}
	return fn
}

func (w *walk) followHelper(fn *Function, sources []Source) Source {
	if w.Acts || len(w.open) > maxHelpers {
		w.markActs()
		return fromState
	}
	w.Helpers = append(w.Helpers, fn)
	if fn == w.fn || fn.IsTooLong {
		w.markActs() // another function of its name, or recursion
		return fromState
	}
	if w.open[fn] {
		return 0 // mutual recursion
	}
	inner := &walk{file: w.file, fn: fn, open: w.open, steps: w.steps, bodyState: bodyState{doesWork: true}}
	w.open[fn] = true
	inner.run(fn, sources)
	delete(w.open, fn)
	w.Acts = inner.Acts || inner.Stores || inner.SetsConstants
	w.Helpers = append(w.Helpers, inner.Helpers...)
	w.Prints, w.Sleeps = w.Prints || inner.Prints, w.Sleeps || inner.Sleeps
	if inner.Flag != "" {
		w.Flag, w.IsFlagPrivate = inner.Flag, inner.IsFlagPrivate
	}
	return inner.ResultSources
}

// addSleep notes that the body waits. A duration from a parameter may be the body's purpose.
func (w *walk) addSleep(arguments []*facts.Term) {
	for _, a := range arguments {
		if w.sourcesOf(a)&(FromParameter|wholeParameter) != 0 {
			w.markActs()
		}
		if a.Op != facts.Name {
			break // a later argument may cancel it
		}
	}
	w.Sleeps = true
}

// addTimerPromise notes a promise that a timer keeps: new Promise((done) => setTimeout(done, 100)).
func (w *walk) addTimerPromise(t *facts.Term) bool {
	if t.Op != facts.Make || !strings.HasSuffix(t.Text, "Promise") || len(t.Parts) == 0 {
		return false
	}
	if executor := t.Parts[0].Single(); executor.Op == facts.Closure && isEmptyClosure(executor) {
		w.NeverSettles = true
		return true
	}
	for t = t.Parts[0]; t.Op == facts.List || t.Op == facts.Closure || t.Op == facts.Block; t = t.Parts[0] {
		if len(t.Parts) != 1 {
			return false
		}
	}
	if t.Op != facts.Call || t.Text != "setTimeout" || len(t.Parts) < 3 {
		return false
	}
	w.addSleep(t.Parts[2:])
	return true
}
