package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// walk goes through one body.
type walk struct {
	Effect
	file   *File
	fn     *Function
	locals map[string]Source
	made   map[string]bool // the locals that hold nothing but what the body put there
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

// run walks through a body with what it is given.
func (w *walk) run(fn *Function, given []Source) {
	w.locals, w.made = map[string]Source{}, map[string]bool{}
	for i, name := range fn.Params {
		if i < len(given) {
			w.locals[name] = given[i]
		}
	}
	w.statement(fn.Body, fn.Tail)
}

func (w *walk) act() { w.Acts = true }

// block walks through statements that follow one another; of a tail the last is given back.
func (w *walk) block(parts []*facts.Term, tail bool) {
	for i, part := range parts {
		if w.Acts || w.left {
			return
		}
		w.statement(part, tail && i == len(parts)-1)
	}
}

func (w *walk) statement(t *facts.Term, tail bool) {
	if *w.steps++; *w.steps > maxSteps {
		w.act()
	}
	if w.Acts {
		return
	}
	switch t.Op {
	case facts.Unknown, facts.Raise, facts.Assert, facts.Share, facts.Define:
		w.act()
	case facts.Nothing, facts.Import, facts.Dead:
	case facts.Jump:
		w.matters = true
	case facts.Block:
		w.block(t.Parts, tail && t.Text != ";")
	case facts.Try:
		if t.Text == "lock" {
			w.act()
		}
		w.try(t.Parts, tail)
	case facts.Return:
		w.give(t.Parts)
		w.left = true
	case facts.Branch:
		w.branch(t, tail)
	case facts.Loop:
		asked, matters := w.value(t.Parts[0]), w.matters
		if !strings.HasPrefix(t.Text, "for") && !slices.ContainsFunc(t.Parts[0].Parts, asks) {
			w.act() // it goes round for ever
		}
		body := t.Parts[1:]
		if len(body) > 0 && body[0].Op == facts.Declare {
			w.bind(body[0])
			for _, name := range body[0].Parts[:len(body[0].Parts)-1] {
				w.locals[name.Text], w.made[name.Text] = looked(w.locals[name.Text]), false
			}
			body = body[1:]
		}
		w.matters = false
		w.block(body, false)
		asked |= w.value(t.Parts[0]) // as it is after each round
		if w.left = false; w.matters {
			w.Result |= condition(asked)
		}
		w.matters = w.matters || matters
	case facts.Bind, facts.Declare:
		w.bind(t)
	case facts.Handler:
	default:
		if tail {
			w.give([]*facts.Term{t})
			return
		}
		w.alone = t
		if w.value(t); t.Op == facts.Operate && strings.Contains(t.Text, "<<") {
			w.act()
		}
	}
}

// try walks through what is tried; what does nothing that can fail has no use for its handlers.
func (w *walk) try(parts []*facts.Term, tail bool) {
	left := false
	for i, part := range parts {
		if part.Op == facts.Handler {
			continue
		}
		w.left = false
		w.statement(part, tail && i == 0)
		left = left || w.left
	}
	w.left = left
}

func (w *walk) give(parts []*facts.Term) {
	w.matters = true
	text, before := "", w.Result
	defer func() {
		w.Ways++
		w.Varies = w.Varies || w.Ways > 1 && text != w.text || w.Result != before
		w.text = text
	}()
	for _, part := range parts {
		text += w.file.text(part)
		sleeps := w.Sleeps
		v := w.value(part)
		if w.Sleeps && !sleeps {
			w.act() // who calls it waits on purpose
		}
		if v == 0 && (part.Op == facts.Name || part.Op == facts.Member) && facts.IsTypeName(part.Text) && !isNull(part) &&
			!facts.IsTrue(part.Text) && !facts.IsFalse(part.Text) {
			v = Named
		}
		w.Result |= v
		w.Passes = w.Passes && len(parts) == 1 && v == Whole && isSame(part)
		w.Gives = w.Gives || !isNull(part)
		w.Tells = w.Tells || !isNull(part) && !facts.IsTrue(part.Text) && !facts.IsFalse(part.Text)
	}
}

// isSame reports whether an expression is a name, or what a function of a name's value leaves as it is.
func isSame(t *facts.Term) bool {
	return t.Op == facts.Name && lang.IsWordByte(t.Text[0]) || t.Op == facts.Call && lang.Known("same", lastName(t.Text))
}

func isNull(t *facts.Term) bool {
	return (t.Op == facts.Literal || t.Op == facts.Name) && facts.IsNull(t.Text)
}

// condition is what is asked by a value: one that is a parameter as it came is asked whether it is there.
func condition(v Source) Source {
	if v&Whole != 0 {
		v = v&^Whole | There
	}
	return v
}

// branch walks through the ways of a branch. One that a flag closes for ever is none.
func (w *walk) branch(t *facts.Term, tail bool) {
	asked, open := Source(0), false
	ways := t.Parts[1:]
	for _, part := range t.Parts[0].Parts {
		switch holds := w.flag(part); {
		case holds > 0 && len(ways) > 0:
			ways, open = ways[:1], true
		case holds < 0 && len(ways) > 0:
			ways = ways[1:]
		}
		v := w.value(part)
		w.Turns = w.Turns || v&Whole != 0
		if t.Text != "if" && v&Whole != 0 {
			v |= Given // which of several it is
		}
		asked |= condition(v)
	}
	matters, left := w.matters, len(ways) > 1 || open
	w.matters = false
	for _, way := range ways {
		w.left = false
		w.statement(way, tail)
		left = left && w.left
	}
	if w.left = left; w.matters {
		w.Result |= asked
	}
	w.matters = w.matters || matters
}

func (w *walk) bind(t *facts.Term) {
	last := len(t.Parts) - 1
	v := w.value(t.Parts[last])
	own := last == 1 && isMaking(t.Parts[last])
	for _, target := range t.Parts[:last] {
		name := root(target)
		_, known := w.locals[name]
		switch {
		case target.Op == facts.Name && !strings.HasPrefix(name, "@") &&
			(name == "_" || t.Op == facts.Declare || known || w.file.Language.Scoped):
			if w.matters = w.matters || known && name != "_"; v&Whole != 0 && last > 1 {
				v |= Given // taken apart
			}
			if t.Text != "" {
				v = looked(v | w.locals[name])
			}
			w.locals[name] |= v
			w.made[name] = own
			w.Looks = w.Looks || v&Given != 0
		case target.Op != facts.Name && known && w.made[name]:
			w.locals[name] |= v
			w.matters = true
		case v&^Whole == 0 && t.Text == "" &&
			(target.Op == facts.Member && slices.Contains(w.fn.Self, name) || strings.HasPrefix(name, "@")):
			w.Stores = true
		default:
			w.act()
			return
		}
	}
}

// root is the name that a target begins with.
func root(t *facts.Term) string {
	for (t.Op == facts.Member || t.Op == facts.Operate) && len(t.Parts) > 0 {
		t = t.Parts[0]
	}
	return t.Text
}
