package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
)

// helper is the function of the file that a call means, nil where it may be another.
func (w *walk) helper(name, qualifier string) *Function {
	fn := w.file.Functions[name]
	if fn != nil {
		fn.read()
	}
	own := slices.Contains(w.fn.Self, qualifier) ||
		qualifier == "" && fn != nil && (!fn.Method || w.file.Language.Is("unqualified"))
	if _, local := w.locals[name]; local || !own {
		return nil
	}
	return fn
}

// follow walks through a helper with what a call gives it.
func (w *walk) follow(fn *Function, given []Source) Source {
	if w.Acts || len(w.open) > maxHelpers {
		w.act()
		return held
	}
	w.Helpers = append(w.Helpers, fn)
	if fn == w.fn || fn.Long {
		w.act() // another of its name, or a recursion
		return held
	}
	if w.open[fn] {
		return 0 // they go round in a circle
	}
	inner := &walk{file: w.file, fn: fn, open: w.open, steps: w.steps, judged: judged{works: true}}
	w.open[fn] = true
	inner.run(fn, given)
	delete(w.open, fn)
	w.Acts = inner.Acts || inner.Stores
	w.Helpers = append(w.Helpers, inner.Helpers...)
	w.Prints, w.Sleeps = w.Prints || inner.Prints, w.Sleeps || inner.Sleeps
	if inner.Flag != "" {
		w.Flag = inner.Flag
	}
	return inner.Result
}

// sleep notes that the body waits. How long it waits may be what it is for.
func (w *walk) sleep(arguments []*facts.Term) {
	for _, a := range arguments {
		if w.aloof(a)&(Given|whole) != 0 {
			w.act()
		}
		if a.Op != facts.Name {
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
