package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// Outcome is the result of judging a body. The zero value is a body that does something, or was not judged.
type Outcome uint8

const (
	// DoesWork: it does something, or was not judged.
	DoesWork        Outcome = iota
	DoesNothing             // no part does anything
	SaysNotDone             // it only says that it is not done
	ReturnsConstant         // it returns constants or its first argument, perhaps after logging
	CallsItself             // it only calls itself with its own arguments
	OnlyDeadCode            // reachable code does nothing, and some code is unreachable
)

// Summary is what a body does by itself, without its callees.
type Summary struct {
	Outcome
	// Logs: it logs, prints or sleeps. ReturnsNull: it returns only null.
	Logs, ReturnsNull bool
	// ReadsInput: it depends on a parameter or a computed value. PrintsInput: it prints or logs one.
	ReadsInput, PrintsInput bool
	// Raises: it throws without a message. HasBareReturn: it has a return without a value.
	Raises, HasBareReturn bool
	// LoopsForever: it has an endless loop that does nothing.
	LoopsForever bool
	// Reshapes: it only returns its parameters in another shape.
	Reshapes bool
	// Strings are its string literals without documentation.
	Strings []lang.Span
}

// valueKind is what an expression does; greater kinds outrank smaller ones.
type valueKind uint8

const (
	empty         valueKind = iota // null, or an empty value
	constant                       // a literal
	object                         // an object made of constants
	firstArgument                  // the first argument
	computed                       // computed, without an effect
	logging                        // a log, a print, a sleep
	undoneLog                      // a log that says that the work is not done
	undoneError                    // an error that says that the work is not done
	selfCall                       // a call to itself with its own arguments
	action                         // it does something
)

type valueFlow struct {
	valueKind
	sources Source
}

// bodyState is what the walk has found about a body by itself.
type bodyState struct {
	Summary
	// doesWork outranks everything else.
	doesWork, saysUndone, callsItself, hasDeadCode, hasImport bool
	// usesOuterNames: it uses names that are neither parameters nor locals.
	hasBranches, usesOuterNames bool
	// maxReturned is the greatest kind of its results, returnCount and returnTexts their number and texts.
	maxReturned          valueKind
	returnCount          int
	returnTexts          []string
	callCount, bindCount int
	// boundNames are bound by patterns and loops, outerNames declared as those of an outer scope.
	boundNames, outerNames []string
}

func (w *walk) summary() Summary {
	e := w.Summary
	e.ReturnsNull = w.returnCount > 0 && w.maxReturned == empty && !w.ReadsInput && !w.PrintsInput && !w.hasImport
	slices.Sort(w.returnTexts)
	isVaried := (w.ReadsInput || w.PrintsInput) && len(slices.Compact(w.returnTexts)) > 1
	switch {
	case w.doesWork:
		return Summary{}
	case w.Reshapes:
		return Summary{Reshapes: !w.saysUndone && !w.callsItself && !w.hasDeadCode && !w.hasImport && !w.usesOuterNames}
	case w.saysUndone:
		e.Outcome = SaysNotDone
		if w.ReadsInput || w.PrintsInput {
			return Summary{} // a guard
		}
	case w.callsItself:
		e.Outcome = CallsItself
		if w.ReadsInput || e.Logs || w.hasImport {
			return Summary{} // guarded, or an imported function of its name
		}
	case isVaried:
		return Summary{}
	case w.hasDeadCode:
		e.Outcome = OnlyDeadCode
	case e.ReturnsNull && w.hasBranches && !e.Logs && !w.fn.HasResult, w.returnCount == 0 && !e.Logs:
		if e.Outcome = DoesNothing; w.hasImport || w.hasUnusedLocal() {
			return Summary{} // for its effect
		}
	default:
		e.Outcome = ReturnsConstant
	}
	return e
}

// hasUnusedLocal reports whether a local of a made or computed value is left: the point was that it can be made.
func (w *walk) hasUnusedLocal() bool {
	for _, l := range w.locals {
		if l.valueKind > constant && !l.isParameter {
			return true
		}
	}
	return false
}

func (w *walk) addReturn(v valueKind, text ...string) {
	switch v {
	case action:
		w.doesWork = true
		return
	case computed:
		w.Reshapes = true
		return
	case logging:
		w.Logs, v = true, empty
	case undoneLog, undoneError:
		w.saysUndone, v = true, empty
	case selfCall:
		w.callsItself = true
		return
	}
	w.returnCount++
	w.maxReturned = max(w.maxReturned, v)
	w.returnTexts = append(w.returnTexts, text...)
}

func (w *walk) addCondition(v valueFlow) {
	w.doesWork = w.doesWork || v.valueKind >= logging
	w.ReadsInput = w.ReadsInput || v.valueKind >= firstArgument
}

// addDefinition judges a nested definition: if the body does not name it, it is dead.
func (w *walk) addDefinition(t *facts.Term) {
	src, whole := w.file.Src, w.fn.Span
	before, after := src[whole.Start:max(whole.Start, t.Span.Start)], src[t.Span.End:max(t.Span.End, whole.End)]
	w.doesWork = w.doesWork || t.Text == "" ||
		lang.HasWord(string(before), t.Text) || lang.HasWord(string(after), t.Text)
	w.hasDeadCode = true
}

func (w *walk) expression(t *facts.Term, tail bool) (leaves bool) {
	text, keep := w.file.text(t), w.bodyState
	idle := t.Op == facts.Call && (w.assertsTautology(t) || w.runsNothing(t)) || tail && text == "()"
	if tail {
		w.returnValues([]*facts.Term{t})
		if idle {
			w.bodyState = keep
		}
		return true
	}
	w.statementValue = t
	v := w.value(t).valueKind
	if t.Op == facts.Operate && strings.Contains(t.Text, "<<") {
		w.markActs()
	}
	switch {
	case idle:
		w.bodyState = keep
		return false
	case t.Op == facts.Text:
		w.Strings = w.Strings[:len(keep.Strings)] // documentation
	case t.Op == facts.Literal && w.file.Language.Name == "bash": // its status is returned
		w.addReturn(v, text)
		return false
	case t.Op == facts.Literal, t.Op == facts.Name, t.Op == facts.List, t.Op == facts.Empty:
	case v <= computed && !strings.HasPrefix(text, "void ") &&
		(v > constant || t.Op != facts.Operate || t.Text == "await" || strings.Contains(text, "/")):
		w.doesWork = true // a call or operator whose value is not used has an effect
	}
	switch v {
	case firstArgument, computed:
		w.ReadsInput = w.ReadsInput || t.Op != facts.Name
	case logging:
		w.Logs = true
	case undoneLog:
		w.saysUndone = true
	case undoneError:
		w.saysUndone = true
		return true
	case selfCall:
		w.callsItself = true
	}
	return false
}

func (w *walk) raise(t *facts.Term) {
	if text := w.file.text(t); len(text) <= maxMessage && throwsUndone(text) {
		w.saysUndone = true
	} else {
		w.doesWork = true
	}
}

func (w *walk) assert(t *facts.Term) {
	condition := ""
	if len(t.Parts) > 0 {
		condition = w.file.text(t.Parts[0])
	}
	switch {
	case facts.IsFalse(condition) && lang.SaysUndone(lang.LiteralParts(w.file.text(t))):
		w.saysUndone = true
	case condition == "" || !isAlwaysTrue(condition):
		w.doesWork = true
	}
}
