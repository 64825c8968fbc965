package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

func (w *walk) values(parts []*facts.Term) (all valueFlow) {
	for _, t := range parts {
		v := w.value(t)
		all.valueKind, all.sources = max(all.valueKind, v.valueKind), all.sources|v.sources
	}
	return all
}

// value judges an expression. If it acts, the body does work.
func (w *walk) value(t *facts.Term) valueFlow {
	if *w.steps++; *w.steps > maxSteps {
		w.markActs()
	}
	if w.Acts && w.doesWork {
		return valueFlow{action, fromState}
	}
	v := w.readValue(t)
	w.doesWork = w.doesWork || v.valueKind == action
	return v
}

func (w *walk) readValue(t *facts.Term) (v valueFlow) {
	switch t.Op {
	case facts.Empty, facts.Nothing:
		return valueFlow{}
	case facts.Literal:
		return valueFlow{literalKind(w.file.text(t)), 0}
	case facts.Text:
		if v = w.values(t.Parts); len(t.Parts) > 0 {
			v.valueKind = max(v.valueKind, computed)
		}
		w.Strings = append(w.Strings, t.Span)
		return valueFlow{max(constant, v.valueKind), readInto(v.sources)}
	case facts.Name:
		return w.nameValue(t.Text)
	case facts.Member:
		return w.memberValue(t)
	case facts.Operate:
		return w.operationValue(t)
	case facts.List:
		literals := w.LiteralCount
		v = w.values(t.Parts)
		if w.countLiterals(t.Parts); strings.HasPrefix(t.Text, "jsx_") {
			w.LiteralCount = literals // a page is styled with them
		}
		return valueFlow{listKind(t, v.valueKind, w.file.text(t)), v.sources}
	case facts.Make:
		return w.makeObject(t)
	case facts.Closure:
		return valueFlow{computed, fromState}
	case facts.Call:
		return w.call(t)
	case facts.Bind:
		w.bind(t)
		return valueFlow{action, w.values(t.Parts[:1]).sources}
	}
	if t.Op == facts.Raise && (w.throwsWithoutReason(t) || throwsUndone(w.file.text(t))) {
		if w.markActs(); !w.throwsWithoutReason(t) {
			return valueFlow{undoneError, 0}
		}
		w.Raises = true
		return valueFlow{object, 0}
	}
	before, gives, keep := w.ResultSources, w.ReturnsValue, w.bodyState
	w.ResultSources = 0
	w.statement(t, true)
	v = valueFlow{action, w.ResultSources}
	if t.Op == facts.Block && !w.doesWork && w.saysUndone {
		v.valueKind = undoneError
	}
	w.bodyState = keep
	w.ResultSources, w.ReturnsValue, w.hasLeft = before, gives, false
	return v
}

func literalKind(text string) valueKind {
	switch {
	case facts.IsNull(text):
		return empty
	case text[0] == ':' && (strings.Contains(text, "implement") && lang.SaysUndone(text) || fits("undone name", text)):
		return undoneError // an atom, a symbol
	}
	return constant
}

func listKind(t *facts.Term, v valueKind, text string) valueKind {
	switch {
	case t.Text == "":
	case strings.HasPrefix(t.Text, "jsx_"):
		return action // it renders a page
	case v <= constant && isStruct(t, text):
		return object
	case v == empty && len(t.Parts) > 0 &&
		!slices.Contains([]string{"expression_list", "tuple", "composite_literal", "argument_list"}, t.Text):
		return constant
	case v == firstArgument && len(t.Parts) > 1:
		return computed
	}
	return v
}

// isStruct reports whether an expression is Go's literal of a named type, which may have methods.
func isStruct(t *facts.Term, text string) bool {
	if t.Text == "expression_list" && len(t.Parts) == 1 {
		t = t.Parts[0]
	}
	return t.Text == "composite_literal" && !strings.HasPrefix(text, "[]") && !strings.HasPrefix(text, "map[")
}

func (w *walk) makeObject(t *facts.Term) valueFlow {
	if w.addTimerPromise(t) {
		return valueFlow{logging, 0}
	}
	text, keep := w.file.text(t), w.bodyState
	v := w.values(t.Parts)
	w.countLiterals(t.Parts)
	if _, local := w.locals[strings.TrimPrefix(t.Text, "new ")]; local {
		v.sources |= FromParameter
	}
	w.Acts = w.Acts || w.statementValue == t && v.sources&(FromParameter|wholeParameter) != 0 // it may throw: new URL(s)
	if len(text) <= maxMessage && makesError(t.Text) && throwsUndone(text) {
		w.bodyState = keep
		return valueFlow{undoneError, v.sources}
	}
	return valueFlow{max(object, v.valueKind), v.sources}
}

// countLiterals counts literals with information: no booleans, no empty values, no 0 and 1.
func (w *walk) countLiterals(parts []*facts.Term) {
	for _, part := range parts {
		text := w.file.text(part)
		plain := part.Op == facts.Text && len(part.Parts) == 0 || part.Op == facts.Literal
		if plain && !isNull(part) && !facts.IsTrue(text) && !facts.IsFalse(text) && len(strings.Trim(text, `"'`)) > 1 {
			w.LiteralCount++
			if part.Op == facts.Literal {
				w.NumberCount++
			}
		}
	}
}

func (w *walk) nameValue(name string) valueFlow {
	l, isKnown := w.locals[name]
	switch {
	case facts.IsNull(name):
		return valueFlow{}
	case facts.IsTrue(name), facts.IsFalse(name), name == "ENOSYS", name == "ENOTSUP", name == "EOPNOTSUPP":
		return valueFlow{constant, l.sources}
	case slices.Contains(w.boundNames, name):
		l.valueKind = computed
	case name[0] == '@':
		return valueFlow{computed, fromState}
	case isKnown:
	case slices.Contains(w.fn.SelfNames, name) && name != "super":
		w.usesOuterNames = true
		l.valueKind = firstArgument
	case w.file.Language.Is("namescall") && !slices.Contains(w.fn.SelfNames, name) && !facts.IsTypeName(name):
		l.valueKind = action
	default:
		w.usesOuterNames = w.usesOuterNames || !facts.IsTypeName(name)
		l.valueKind = computed
	}
	switch {
	case isKnown, facts.IsTypeName(name), w.file.isFlag(name):
	default:
		l.sources = fromState
		if w.file.Language.Is("namescall") && !slices.Contains(w.fn.SelfNames, name) {
			w.markActs()
		}
	}
	return l.valueFlow
}

func (w *walk) memberValue(t *facts.Term) valueFlow {
	v, text := w.value(t.Parts[0]), w.file.text(t)
	switch {
	case strings.EqualFold(text, "string.empty"):
		v.valueKind = constant
	case v.valueKind >= logging:
	case facts.IsTypeName(text) && !strings.ContainsAny(text, "[(") &&
		!(w.file.Language.Is("terse") && strings.Contains(text, ".")):
		v.valueKind = object // a member of a type: Status.OK; in Go and C++, a type has no dot after it
	default:
		v.valueKind = computed
	}
	switch self := slices.Contains(w.fn.SelfNames, root(t)); {
	case v.sources&wholeParameter != 0:
		v.sources = v.sources&^wholeParameter | FromParameter
	case v.sources == 0 && facts.IsTypeName(root(t)) && !facts.IsTypeName(t.Text):
		v.sources = fromState
	case w.file.Language.Is("terse") && facts.IsTypeName(t.Text) && t.Parts[0].Op == facts.Name &&
		v.sources == fromState &&
		w.locals[t.Parts[0].Text].sources == 0 && !self:
		v.sources = 0 // a constant of a package
	case v.sources&fromState != 0 && self && w.file.isFlag(t.Text):
		v.sources &^= fromState
	}
	return v
}

func (w *walk) operationValue(t *facts.Term) valueFlow {
	text, keep := w.file.text(t), w.bodyState
	v, parts := empty, make([]Source, len(t.Parts))
	for i, part := range t.Parts {
		of := w.value(part)
		v, parts[i] = max(v, of.valueKind), of.sources
	}
	from := w.operandSources(t, parts)
	switch {
	case t.Text == "cast":
	case t.Text == "try", t.Text == "await" && (v == firstArgument || v == computed):
		v = action // it may throw, or waits
	case t.Text == "await":
	case t.Text == "[":
		v = max(v, computed)
	case fits("streams", text) && lang.PrintsUndone(lang.LiteralParts(text)):
		w.bodyState = keep
		v = undoneLog
	case v == undoneError, v == undoneLog:
		v = action // x or fail: a guard
	case v == firstArgument, v <= object && strings.HasPrefix(text, "&") && strings.HasSuffix(text, "{}"):
		v = computed // a pointer to what is empty is a new object
	default:
		v = max(constant, v)
	}
	return valueFlow{v, from}
}

// operandSources returns the sources of an operation. Checking the presence of a value does not read its content.
func (w *walk) operandSources(t *facts.Term, parts []Source) (from Source) {
	asksPresence, isThin := false, false
	switch t.Text {
	case ".":
		if len(t.Parts) == 1 { // .running, a constant of an inferred type
			return 0
		}
	case "!", "not", "&&", "and", "typeof":
		asksPresence = true
	case "==", "!=", "===", "!==", "is", "is not", "<", ">", "<=", ">=":
		isThin = slices.ContainsFunc(t.Parts, isEmptyOrNull)
	}
	for i, p := range parts {
		w.BranchesOnParameter = w.BranchesOnParameter || p&wholeParameter != 0 && (t.Text == "!" || t.Text == "not")
		switch {
		case isThin && w.isLength(t.Parts[i]) && w.values(t.Parts[i].Parts).sources&wholeParameter != 0:
			p = ParameterPresence
		case p&wholeParameter == 0:
		case asksPresence || isThin && !isNumber(t.Parts):
			p = presenceOf(p)
		case strings.Contains(" ? if await try || or ?? ?: ", " "+t.Text+" "):
		default:
			p |= FromParameter
		}
		from |= p
	}
	return from
}

func mayVary(t *facts.Term) bool {
	return t.Op != facts.Literal && t.Op != facts.List && !facts.IsTrue(t.Text)
}

// isEmptyOrNull reports whether a comparison with this operand only checks presence or length.
func isEmptyOrNull(t *facts.Term) bool {
	return isNull(t) || t.Op == facts.Literal || t.Op == facts.Text && len(t.Parts) == 0 && t.Span.End-t.Span.Start <= 2 ||
		t.Op == facts.Operate && t.Text == "typeof"
}

// isNumber reports whether one of the sides of a comparison is a number, or another literal that is not null.
func isNumber(sides []*facts.Term) bool {
	return slices.ContainsFunc(sides, func(t *facts.Term) bool { return t.Op == facts.Literal && !isNull(t) })
}

// isLength reports whether an expression tells how long something is, not how many of its parts are like another value.
func (w *walk) isLength(t *facts.Term) bool {
	counts := t.Op == facts.Call && (len(t.Parts) > 2 || len(t.Parts) == 2 && w.locals[t.Parts[0].Text].isParameter)
	return (t.Op == facts.Member || t.Op == facts.Call && !counts) && lang.InList("lengths", lastName(t.Text))
}

// isMaking reports whether an expression makes an object that holds only what the body puts in.
func isMaking(t *facts.Term) bool {
	switch t.Op {
	case facts.List, facts.Literal, facts.Nothing, facts.Empty:
		return true
	case facts.Make, facts.Call:
		return hasWord("random", t.Text) || isCollection(strings.TrimSuffix(strings.TrimSuffix(t.Text, "::new"), ".new"))
	}
	return false
}

// readInto returns the sources of a value that was derived from v's content.
func readInto(v Source) Source {
	if v&wholeParameter != 0 {
		v |= FromParameter
	}
	return v
}
