package flow

import (
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// walk walks once through a body to answer two questions: what it does by itself, and what its result depends on.
type walk struct {
	Effect
	bodyState
	file *File
	fn   *Function
	// locals are the bound names, including parameters.
	locals map[string]local
	open   map[*Function]bool
	steps  *int
	// hasChange: something was returned, bound or raised since the last reset.
	hasChange bool
	// hasLeft: the code that follows is unreachable.
	hasLeft    bool
	lastReturn string
	// statementValue is the last expression whose value is not used.
	statementValue *facts.Term
}

// local is the value of a name. isOwnObject: an object that holds only what the body put in. isStruct:
// its type is named, and may have methods.
type local struct {
	valueFlow
	isOwnObject, isStruct, isParameter bool
}

func (w *walk) run(fn *Function, sources []Source) {
	w.locals = map[string]local{}
	for i, name := range fn.Params {
		l := local{valueFlow: valueFlow{computed, fromState}, isParameter: true}
		if i == 0 {
			l.valueKind = firstArgument
		}
		if i < len(sources) {
			l.sources = sources[i]
		}
		w.locals[name] = l
	}
	if fn.IsExpression {
		w.returnValues(fn.Body.Parts)
	} else {
		w.statement(fn.Body, fn.ReturnsLast)
	}
}

// markActs notes an effect that cannot be followed.
func (w *walk) markActs() { w.Acts = true }

// keepState walks without judging the body by itself.
func (w *walk) keepState(walk func()) {
	keep := w.bodyState
	walk()
	w.bodyState = keep
}

// keepEffect walks without changing the body's effect.
func (w *walk) keepEffect(walk func()) {
	effect, locals, matters := w.Effect, w.locals, w.hasChange
	left, text, alone := w.hasLeft, w.lastReturn, w.statementValue
	w.locals = maps.Clone(locals)
	walk()
	w.Effect, w.locals, w.hasChange, w.hasLeft, w.lastReturn, w.statementValue = effect, locals, matters, left, text, alone
}

// block walks through a sequence of statements; with tail, the last is returned. It reports whether the code after them
// is unreachable.
func (w *walk) block(parts []*facts.Term, tail bool) (leaves bool) {
	last := lastOf(parts)
	arms, left := false, false // live code after a return is an alternative of the enclosing statement
	for i, part := range parts {
		if w.Acts && w.doesWork {
			return
		}
		if leaves && !arms && !isOutOfSequence(part) {
			w.hasDeadCode = true
			continue
		}
		var now bool
		if left = left || w.hasLeft; left {
			w.keepEffect(func() { now = w.statement(part, tail && i == last) })
		} else {
			now = w.statement(part, tail && i == last)
		}
		if !leaves {
			leaves, arms = now, part.Op == facts.Return || part.Op == facts.Raise
		}
	}
	return leaves
}

// lastOf returns the index of the last statement that may be returned.
func lastOf(parts []*facts.Term) int {
	last := len(parts) - 1
	for last > 0 && isOutOfSequence(parts[last]) {
		last--
	}
	return last
}

// isOutOfSequence reports whether a part of a block runs after its statements or instead of them.
func isOutOfSequence(t *facts.Term) bool {
	return t.Op == facts.Handler || t.Op == facts.Dead || t.Op == facts.Block && t.Text == "after"
}

func (w *walk) statement(t *facts.Term, tail bool) (leaves bool) {
	if *w.steps++; *w.steps > maxSteps {
		w.markActs()
	}
	if w.throwsWithoutReason(t) {
		w.Raises = true
		w.addReturn(object)
		if w.hasLeft = isSuccessfulExit(w.file.text(t)); !w.hasLeft {
			w.markActs()
		}
		return true
	}
	switch t.Op {
	case facts.Unknown:
		w.Acts, w.doesWork = true, true
	case facts.Nothing:
	case facts.Jump:
		w.hasChange = true
	case facts.Import:
		w.hasImport = true
	case facts.Dead:
		w.hasDeadCode = true
		w.doesWork = w.doesWork || t.Text == "yield" && !w.file.Language.Is("tail") // a generator of nothing
	case facts.Share:
		for _, part := range t.Parts {
			w.outerNames = append(w.outerNames, part.Text)
		}
		w.markActs()
	case facts.Define:
		w.addDefinition(t)
		w.markActs()
	case facts.Block:
		return w.block(t.Parts, tail && t.Text == "")
	case facts.Try:
		w.try(t, tail)
	case facts.Handler: // code that does nothing cannot fail
		w.keepEffect(func() { w.try(t, tail) })
	case facts.Return:
		return w.returnStatement(t)
	case facts.Branch:
		w.branch(t, tail)
	case facts.Loop:
		w.loop(t)
	case facts.Raise:
		w.raise(t)
		w.markActs()
		return true
	case facts.Assert:
		w.markActs()
		w.assert(t)
	case facts.Bind, facts.Declare:
		w.bind(t)
	default:
		return w.expression(t, tail)
	}
	return false
}

func (w *walk) try(t *facts.Term, tail bool) {
	left, last := false, lastOf(t.Parts)
	w.hasBranches = true
	w.TriesNothing = w.TriesNothing ||
		t.Op == facts.Try && last >= 0 && t.Parts[0].Op == facts.Block && isNothing(t.Parts[0])
	for i, part := range t.Parts {
		w.hasLeft = false
		w.statement(part, tail && (i == last || part.Op == facts.Handler))
		left = left || w.hasLeft
	}
	w.hasLeft = left
}

func (w *walk) returnStatement(t *facts.Term) bool {
	text, give := w.file.text(t), func() { w.returnValues(t.Parts) }
	switch {
	case text == "return 0" && w.file.Language.Name == "bash":
		w.keepState(give)
		w.addReturn(empty) // that nothing failed
	case strings.Trim(text, "; \t\r\n") == "return":
		w.keepState(give)
		w.HasBareReturn = true
	case len(text) <= maxMessage && fits("not implemented status", lang.WithoutLiterals(text)) &&
		lang.SaysUndone(lang.LiteralParts(text)):
		w.keepState(give)
		w.saysUndone = true
	default:
		give()
	}
	w.hasLeft = true
	return true
}

// returnValues notes results, for both questions.
func (w *walk) returnValues(parts []*facts.Term) {
	w.hasChange = true
	text, given, v := "", Source(0), empty
	for _, part := range parts {
		text += w.file.text(part)
		sleeps := w.Sleeps
		value := w.value(part)
		v = max(v, value.valueKind)
		if w.Sleeps && !sleeps {
			w.markActs() // its caller waits on purpose
		}
		if value.sources == 0 && (part.Op == facts.Name || part.Op == facts.Member) && facts.IsTypeName(part.Text) &&
			!isNull(part) && !facts.IsTrue(part.Text) && !facts.IsFalse(part.Text) {
			value.sources = namedConstant
		}
		given |= value.sources
		w.OnlyReturnsParameters = w.OnlyReturnsParameters && len(parts) == 1 && value.sources == wholeParameter &&
			isPassedThrough(part) && !w.fillsFromAll(part.Text)
		w.ReturnsValue = w.ReturnsValue || !isNull(part)
		w.ReturnsContent = w.ReturnsContent || !isNull(part) && !facts.IsTrue(part.Text) && !facts.IsFalse(part.Text)
	}
	w.ReturnCount++
	w.Varies = w.Varies || w.ReturnCount > 1 && text != w.lastReturn ||
		given != 0 && !w.OnlyReturnsParameters
	w.ResultSources |= given
	w.lastReturn = text
	w.addReturn(v, text)
}

// fillsFromAll reports whether a name is an object that the body makes, in a body that names all parameters.
func (w *walk) fillsFromAll(name string) bool {
	return len(w.fn.Params) > 1 && w.locals[name].isOwnObject &&
		!slices.ContainsFunc(w.fn.Params, func(p string) bool { return !lang.HasWord(w.file.text(w.fn.Body), p) })
}

// isPassedThrough reports whether an expression is a name, or a call that returns its argument.
func isPassedThrough(t *facts.Term) bool {
	if t.Text == "expression_list" && len(t.Parts) == 2 && isNull(t.Parts[1]) {
		t = t.Parts[0] // without an error
	}
	return t.Op == facts.Name && t.Text != "" && lang.IsWordByte(t.Text[0]) ||
		t.Op == facts.Call && lang.InList("same", lastName(t.Text))
}

func isNull(t *facts.Term) bool {
	return (t.Op == facts.Literal || t.Op == facts.Name) && facts.IsNull(t.Text)
}

// presenceOf returns the sources of a value whose presence is checked.
func presenceOf(v Source) Source {
	if v&wholeParameter != 0 {
		v = v&^wholeParameter | ParameterPresence
	}
	return v
}

// branch walks through a branch. Alternatives that a flag disables do not count.
func (w *walk) branch(t *facts.Term, tail bool) {
	condition, from, to, open := Source(0), 0, len(t.Parts)-1, false
	ways := t.Parts[1:]
	for _, part := range t.Parts[0].Parts {
		switch holds := w.flagValue(part); {
		case holds > 0:
			to, open = min(to, 1), len(ways) > 0
		case holds < 0:
			from = min(to, from+1)
		}
		keep := w.bodyState
		v := w.value(part)
		switch {
		case strings.HasPrefix(t.Text, "preproc"): // what is built
			w.bodyState = keep
		case t.Text == "stab_clause":
			w.bodyState = keep
			w.addPatternNames(part)
		case t.Text == "list":
			w.bodyState = keep
			w.keepEffect(func() { w.statement(part, false) })
		default:
			w.addCondition(v)
		}
		w.BranchesOnParameter = w.BranchesOnParameter || v.sources&wholeParameter != 0
		if t.Text != "if" && v.sources&wholeParameter != 0 {
			v.sources |= FromParameter // a choice of several
		}
		condition |= presenceOf(v.sources)
	}
	w.hasBranches = true
	matters, left := w.hasChange, len(ways) > 1 || open
	w.hasChange = false
	for i, way := range ways {
		if i < from || i >= to {
			w.keepEffect(func() { w.statement(way, tail) })
			continue
		}
		w.hasLeft = false
		w.statement(way, tail)
		left = left && w.hasLeft
	}
	if w.hasLeft = left; w.hasChange {
		w.ResultSources |= condition
	}
	w.hasChange = w.hasChange || matters
}

func (w *walk) addPatternNames(t *facts.Term) {
	if t.Op == facts.Name && t.Text != "_" && !facts.IsTypeName(t.Text) {
		w.boundNames, w.ReadsInput = append(w.boundNames, t.Text), true
	}
	for _, part := range t.Parts {
		w.addPatternNames(part)
	}
}

// loop walks through a loop. A loop that waits for a condition acts.
func (w *walk) loop(t *facts.Term) {
	text, conditions, keep := w.file.text(t), t.Parts[0].Parts, w.bodyState
	over := strings.HasPrefix(text, "for") || !strings.HasPrefix(t.Text, "while")
	always, rests := true, Source(0)
	for _, part := range conditions {
		v := w.value(part)
		rests |= v.sources
		switch always = facts.IsTrue(w.file.text(part)); {
		case v.valueKind > computed, v.valueKind > constant && !over, v.valueKind >= firstArgument:
			w.doesWork = true
		case over:
			w.ReadsInput = true // how often it runs
		}
	}
	if !strings.HasPrefix(t.Text, "for") && !slices.ContainsFunc(conditions, mayVary) {
		w.markActs() // endless
	}
	w.LoopsForever = w.LoopsForever || always && fits("endless loop", text) && !lang.HasWord(text, "break")
	matters, bound, body := w.hasChange, w.bindCount, t.Parts[1:]
	if len(body) > 0 && body[0].Op == facts.Declare {
		names := body[0].Parts[:len(body[0].Parts)-1]
		w.ReadsParameter = w.ReadsParameter || rests&FromParameter != 0 || len(names) > 1 && rests&wholeParameter != 0
		for _, name := range names {
			w.boundNames = append(w.boundNames, name.Text)
			w.locals[name.Text] = local{valueFlow: valueFlow{constant, w.locals[name.Text].sources | readInto(rests)}}
		}
		body = body[1:]
	}
	w.hasChange = false
	w.block(body, false)
	w.Acts = w.Acts || w.Sleeps && !over && rests&workSources != 0 // it waits for something
	w.keepState(func() { rests |= w.values(conditions).sources })  // as it is after each round
	if w.hasLeft = false; w.hasChange {
		w.ResultSources |= presenceOf(rests)
	}
	w.hasChange = w.hasChange || matters
	if w.doesWork = w.doesWork || w.bindCount > bound; fits("counting loop", text) { // it counts, or waits
		w.bodyState = keep
	}
}
