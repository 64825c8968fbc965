package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// bind walks through what gives names their values.
func (w *walk) bind(t *facts.Term) {
	w.bound++
	last := len(t.Parts) - 1
	right := t.Parts[last]
	thrown := last == 1 && t.Parts[0].Text == "_"
	switch in := right.Alone(); {
	case last == 1 && in.Op == facts.Name && w.file.text(t.Parts[0]) == w.file.text(right):
		return
	case thrown && in.Op == facts.Closure:
		w.dead = true // nothing can call it
		return
	}
	v := worth{constant, 0}
	if right.Op != facts.Nothing {
		v = w.value(right)
	}
	w.works = w.works || v.value >= talk || thrown && right.Op != facts.Nothing &&
		(strings.ContainsAny(w.file.text(right), "[({") && right.Op != facts.List ||
			w.file.Language.Is("unqualified") && !slices.Contains(w.fn.Params, right.Text))
	for _, target := range t.Parts[:last] {
		l := local{worth: v, made: last == 1 && isMaking(right)}
		w.holds(&l, t, target, right)
		w.keeps(&l, t, target, last)
		if target.Op == facts.Name {
			w.locals[target.Text] = l
		}
	}
}

// holds judges what a name is given: one that is not the body's own may be seen by others.
func (w *walk) holds(l *local, t, target, right *facts.Term) {
	name := target.Text
	old, known := w.locals[name]
	known = known && !old.parameter
	declares := t.Op == facts.Declare
	switch {
	case target.Op != facts.Name, strings.HasPrefix(name, "@"), t.Text != "" && (!known || old.value > constant):
		w.works = true // it may change what others hold
	case name == "_" || name == "$_" || name == "_unused":
		l.value = constant
	case !declares && !known && !old.parameter && (!w.file.Language.Is("scoped") || slices.Contains(w.shared, name)):
		w.works = true
	case right.Op == facts.Closure:
		used := lang.HasWord(string(w.file.Src[right.At.End:max(right.At.End, w.fn.At.End)]), name)
		w.works, w.dead = w.works || used, w.dead || !used
	case known && !declares:
		l.value = max(l.value, old.value)
	}
}

// keeps follows what a name is given.
func (w *walk) keeps(l *local, t, target *facts.Term, several int) {
	name := root(target)
	old, known := w.locals[name]
	switch {
	case target.Op == facts.Name && name[0] != '@' &&
		(name == "_" || t.Op == facts.Declare || known || w.file.Language.Is("scoped")):
		if w.matters = w.matters || known && name != "_"; l.from&whole != 0 && several > 1 {
			l.from |= Given // taken apart
		}
		if t.Text != "" {
			l.from = looked(l.from | old.from)
		}
		w.Looks = w.Looks || l.from&Given != 0
		l.from |= old.from
	case target.Op != facts.Name && known && old.made:
		old.from |= l.from
		w.locals[name] = old
		w.matters = true
	case l.from&^whole == 0 && t.Text == "" &&
		(target.Op == facts.Member && slices.Contains(w.fn.Self, name) || name[0] == '@'):
		w.Stores = true
	default:
		w.act()
	}
}

// root is the name that a target begins with.
func root(t *facts.Term) string {
	for (t.Op == facts.Member || t.Op == facts.Operate) && len(t.Parts) > 0 {
		t = t.Parts[0]
	}
	if t.Text == "" {
		return " "
	}
	return t.Text
}
