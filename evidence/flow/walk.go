package flow

import (
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// walk goes through one body, once for both of its questions: what it comes to by itself, and what it rests on.
type walk struct {
	Effect
	judged
	file *File
	fn   *Function
	// locals are the names that the body gives values, its parameters among them.
	locals map[string]local
	open   map[*Function]bool
	steps  *int
	// matters: something was given back, bound or raised since it was last reset.
	matters bool
	// left: what follows is not reached.
	left bool
	// text is what was given back last.
	text string
	// alone is the last expression that was a statement: its value is not used.
	alone *facts.Term
}

// local is what a name holds. made: nothing but what the body put there; parameter: what the function is given.
type local struct {
	worth
	made, parameter bool
}

// run walks through a body with what it is given.
func (w *walk) run(fn *Function, given []Source) {
	w.locals = map[string]local{}
	for i, name := range fn.Params {
		l := local{worth: worth{computed, held}, parameter: true}
		if i == 0 {
			l.value = first
		}
		if i < len(given) {
			l.from = given[i]
		}
		w.locals[name] = l
	}
	if fn.Expression {
		w.give(fn.Body.Parts)
	} else {
		w.statement(fn.Body, fn.Tail)
	}
}

// act notes that what follows is not known, acts that something is done besides.
func (w *walk) act() { w.Acts = true }

func (w *walk) acts() { w.Acts, w.works = true, true }

// unjudged walks without a change of what the body comes to by itself.
func (w *walk) unjudged(walk func()) {
	keep := w.judged
	walk()
	w.judged = keep
}

// aside walks without a change of what the body rests on.
func (w *walk) aside(walk func()) {
	effect, locals, matters, left, text, alone := w.Effect, w.locals, w.matters, w.left, w.text, w.alone
	w.locals = maps.Clone(locals)
	walk()
	w.Effect, w.locals, w.matters, w.left, w.text, w.alone = effect, locals, matters, left, text, alone
}

// block walks through statements that follow one another; of a tail the last is given back. It reports whether nothing
// after them is reached.
func (w *walk) block(parts []*facts.Term, tail bool) (leaves bool) {
	last := lastOf(parts)
	arms, left := false, false // what follows a return, and is not dead, is an arm of what is around it
	for i, part := range parts {
		if w.Acts && w.works {
			return
		}
		if leaves && !arms && !follows(part) {
			w.dead = true
			continue
		}
		var now bool
		if left = left || w.left; left {
			w.aside(func() { now = w.statement(part, tail && i == last) })
		} else {
			now = w.statement(part, tail && i == last)
		}
		if !leaves {
			leaves, arms = now, part.Op == facts.Return || part.Op == facts.Raise
		}
	}
	return leaves
}

// lastOf is the place of the last of some statements that may be given back.
func lastOf(parts []*facts.Term) int {
	last := len(parts) - 1
	for last > 0 && follows(parts[last]) {
		last--
	}
	return last
}

// follows reports whether a part of a block is none of its statements, but done after them or in their place.
func follows(t *facts.Term) bool {
	return t.Op == facts.Handler || t.Op == facts.Dead || t.Op == facts.Block && t.Text == "after"
}

func (w *walk) statement(t *facts.Term, tail bool) (leaves bool) {
	if *w.steps++; *w.steps > maxSteps {
		w.act()
	}
	if w.throwsBare(t) {
		w.Raises = true
		w.back(made)
		if w.left = isDone(w.file.text(t)); !w.left {
			w.act()
		}
		return true
	}
	switch t.Op {
	case facts.Unknown:
		w.acts()
	case facts.Nothing:
	case facts.Jump:
		w.matters = true
	case facts.Import:
		w.imports = true
	case facts.Dead:
		w.dead = true
		w.works = w.works || t.Text == "yield" && !w.file.Language.Is("tail") // a generator of nothing
	case facts.Share:
		for _, part := range t.Parts {
			w.shared = append(w.shared, part.Text)
		}
		w.act()
	case facts.Define:
		w.nested(t)
		w.act()
	case facts.Block:
		return w.block(t.Parts, tail && t.Text == "")
	case facts.Try:
		w.try(t, tail)
	case facts.Handler: // what does nothing that can fail has no use for it
		w.aside(func() { w.try(t, tail) })
	case facts.Return:
		return w.returns(t)
	case facts.Branch:
		w.branch(t, tail)
	case facts.Loop:
		w.loop(t)
	case facts.Raise:
		w.raise(t)
		w.act()
		return true
	case facts.Assert:
		w.act()
		w.assert(t)
	case facts.Bind, facts.Declare:
		w.bind(t)
	default:
		return w.expression(t, tail)
	}
	return false
}

// try walks through what is tried, or done in a context.
func (w *walk) try(t *facts.Term, tail bool) {
	left, last := false, lastOf(t.Parts)
	w.ways = true
	for i, part := range t.Parts {
		w.left = false
		w.statement(part, tail && (i == last || part.Op == facts.Handler))
		left = left || w.left
	}
	w.left = left
}

// returns walks through a return. One without a value gives nothing back.
func (w *walk) returns(t *facts.Term) bool {
	text, give := w.file.text(t), func() { w.give(t.Parts) }
	switch {
	case text == "return 0" && w.file.Language.Name == "bash":
		w.unjudged(give)
		w.back(empty) // that nothing failed
	case strings.Trim(text, "; \t\r\n") == "return":
		w.unjudged(give)
		w.Returned = true
	case len(text) <= maxMessage && lang.IsStatus(lang.WithoutLiterals(text)) && lang.SaysUndone(lang.LiteralParts(text)):
		w.unjudged(give)
		w.unmade = true
	default:
		give()
	}
	w.left = true
	return true
}

// give notes what is given back, for both questions.
func (w *walk) give(parts []*facts.Term) {
	w.matters = true
	text, before, v := "", w.Result, empty
	for _, part := range parts {
		text += w.file.text(part)
		sleeps := w.Sleeps
		of := w.value(part)
		v = max(v, of.value)
		if w.Sleeps && !sleeps {
			w.act() // who calls it waits on purpose
		}
		if of.from == 0 && (part.Op == facts.Name || part.Op == facts.Member) && facts.IsTypeName(part.Text) &&
			!isNull(part) && !facts.IsTrue(part.Text) && !facts.IsFalse(part.Text) {
			of.from = named
		}
		w.Result |= of.from
		w.Passes = w.Passes && len(parts) == 1 && of.from == whole && isSame(part)
		w.Gives = w.Gives || !isNull(part)
		w.Tells = w.Tells || !isNull(part) && !facts.IsTrue(part.Text) && !facts.IsFalse(part.Text)
	}
	w.Ways++
	w.Varies = w.Varies || w.Ways > 1 && text != w.text || w.Result != before
	w.text = text
	w.back(v, text)
}

// isSame reports whether an expression is a name, or what a function of a name's value leaves as it is.
func isSame(t *facts.Term) bool {
	return t.Op == facts.Name && t.Text != "" && lang.IsWordByte(t.Text[0]) ||
		t.Op == facts.Call && lang.InList("same", lastName(t.Text))
}

func isNull(t *facts.Term) bool {
	return (t.Op == facts.Literal || t.Op == facts.Name) && facts.IsNull(t.Text)
}

// present is what is asked by a value: one that is a parameter as it came is asked whether it is there.
func present(v Source) Source {
	if v&whole != 0 {
		v = v&^whole | There
	}
	return v
}

// branch walks through the ways of a branch. One that a flag closes for ever is none.
func (w *walk) branch(t *facts.Term, tail bool) {
	asked, from, to, open := Source(0), 0, len(t.Parts)-1, false
	ways := t.Parts[1:]
	for _, part := range t.Parts[0].Parts {
		switch holds := w.flag(part); {
		case holds > 0:
			to, open = min(to, 1), len(ways) > 0
		case holds < 0:
			from = min(to, from+1)
		}
		keep := w.judged
		v := w.value(part)
		switch {
		case strings.HasPrefix(t.Text, "preproc"): // what is built
			w.judged = keep
		case t.Text == "stab_clause":
			w.judged = keep
			w.match(part)
		case t.Text == "list":
			w.judged = keep
			w.aside(func() { w.statement(part, false) })
		default:
			w.condition(v)
		}
		w.Turns = w.Turns || v.from&whole != 0
		if t.Text != "if" && v.from&whole != 0 {
			v.from |= Given // which of several it is
		}
		asked |= present(v.from)
	}
	w.ways = true
	matters, left := w.matters, len(ways) > 1 || open
	w.matters = false
	for i, way := range ways {
		if i < from || i >= to {
			w.aside(func() { w.statement(way, tail) })
			continue
		}
		w.left = false
		w.statement(way, tail)
		left = left && w.left
	}
	if w.left = left; w.matters {
		w.Result |= asked
	}
	w.matters = w.matters || matters
}

// match notes the names in a pattern: they are given values.
func (w *walk) match(t *facts.Term) {
	if t.Op == facts.Name && t.Text != "_" && !facts.IsTypeName(t.Text) {
		w.bounds, w.Reads = append(w.bounds, t.Text), true
	}
	for _, part := range t.Parts {
		w.match(part)
	}
}

// counts is a loop that only counts to a small number.
var counts = lang.Lazy(`^for\s*\(?\s*((int|let|var` +
	`|auto)\s+)?\$?\w+\s*:?=\s*\d+;\s*\$?\w+\s*<=?\s*\d{1,2};\s*(\$?\w+\+\+|\+\+\$?\w+)\s*\)?\s*\{\s*\}$`)

// endless is how a loop begins that no condition ends.
var endless = lang.Lazy(`^(loop\b|do\b|for\s*(\{|\(\s*;\s*;\s*\)|;;)|while\b)`)

// loop walks through a loop. One that waits for a condition acts.
func (w *walk) loop(t *facts.Term) {
	text, asked, keep := w.file.text(t), t.Parts[0].Parts, w.judged
	over := strings.HasPrefix(text, "for") || !strings.HasPrefix(t.Text, "while")
	always, rests := true, Source(0)
	for _, part := range asked {
		v := w.value(part)
		rests |= v.from
		switch always = facts.IsTrue(w.file.text(part)); {
		case v.value > computed, v.value > constant && !over, v.value >= first:
			w.works = true
		case over:
			w.Reads = true // how often it runs
		}
	}
	if !strings.HasPrefix(t.Text, "for") && !slices.ContainsFunc(asked, asks) {
		w.act() // it goes round for ever
	}
	w.Endless = w.Endless || always && endless.MatchString(text) && !lang.HasWord(text, "break")
	matters, bound, body := w.matters, w.bound, t.Parts[1:]
	if len(body) > 0 && body[0].Op == facts.Declare {
		names := body[0].Parts[:len(body[0].Parts)-1]
		w.Looks = w.Looks || rests&Given != 0 || len(names) > 1 && rests&whole != 0
		for _, name := range names {
			w.bounds = append(w.bounds, name.Text)
			w.locals[name.Text] = local{worth: worth{constant, w.locals[name.Text].from | looked(rests)}}
		}
		body = body[1:]
	}
	w.matters = false
	w.block(body, false)
	w.unjudged(func() { rests |= w.values(asked).from }) // as it is after each round
	if w.left = false; w.matters {
		w.Result |= present(rests)
	}
	w.matters = w.matters || matters
	if w.works = w.works || w.bound > bound; counts.MatchString(text) { // it counts, or waits
		w.judged = keep
	}
}
