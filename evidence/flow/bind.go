package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

func (w *walk) bind(t *facts.Term) {
	w.bindCount++
	last := len(t.Parts) - 1
	right := t.Parts[last]
	isDiscarded := last == 1 && t.Parts[0].Text == "_"
	switch in := right.Single(); {
	case isDiscarded && in.Op == facts.Name && !w.locals[in.Text].isParameter &&
		w.locals[in.Text].sources&FromParameter != 0:
		w.IsDropped = true
		return
	case last == 1 && in.Op == facts.Name && w.file.text(t.Parts[0]) == w.file.text(right):
		return
	case isDiscarded && in.Op == facts.Closure:
		w.hasDeadCode = true // nothing can call it
		return
	}
	v := valueFlow{constant, 0}
	if right.Op != facts.Nothing {
		v = w.value(right)
	}
	w.doesWork = w.doesWork || v.valueKind >= logging || isDiscarded && right.Op != facts.Nothing &&
		(strings.ContainsAny(w.file.text(right), "[({") && right.Op != facts.List ||
			w.file.Language.Is("unqualified") && !slices.Contains(w.fn.Params, right.Text))
	for _, target := range t.Parts[:last] {
		l := local{valueFlow: v, isOwnObject: last == 1 && isMaking(right),
			isStruct: isStruct(right, w.file.text(right))}
		w.judgeBinding(&l, t, target, right)
		w.followBinding(&l, t, target, last)
		if target.Op == facts.Name {
			w.locals[target.Text] = l
		}
	}
}

// judgeBinding judges a binding: others may see a name that is not local.
func (w *walk) judgeBinding(l *local, t, target, right *facts.Term) {
	name := target.Text
	old, isKnown := w.locals[name]
	isKnown = isKnown && !old.isParameter
	declares := t.Op == facts.Declare
	switch {
	case target.Op != facts.Name, strings.HasPrefix(name, "@"), t.Text != "" && (!isKnown || old.valueKind > constant),
		old.isParameter && w.fn.lends(name, l.sources):
		w.doesWork = true // it may change shared state
	case name == "_" || name == "$_" || name == "_unused":
		l.valueKind = constant
	case !declares && !isKnown && !old.isParameter && (!w.file.Language.Is("scoped") ||
		slices.Contains(w.outerNames, name)):
		w.doesWork = true
	case right.Op == facts.Closure:
		used := lang.HasWord(string(w.file.Src[right.Span.End:max(right.Span.End, w.fn.Span.End)]), name)
		w.doesWork, w.hasDeadCode = w.doesWork || used, w.hasDeadCode || !used
	case isKnown && !declares:
		l.valueKind = max(l.valueKind, old.valueKind)
	}
}

func (w *walk) followBinding(l *local, t, target *facts.Term, targets int) {
	name := root(target)
	old, isKnown := w.locals[name]
	switch {
	case old.isParameter && l.sources != 0 && w.fn.lends(name, l.sources):
		w.markActs()
	case target.Op == facts.Name && name[0] != '@' &&
		(name == "_" || t.Op == facts.Declare || isKnown || w.file.Language.Is("scoped")):
		if w.hasChange = w.hasChange || isKnown && name != "_"; l.sources&wholeParameter != 0 && targets > 1 {
			l.sources |= FromParameter // destructured
		}
		if t.Text != "" {
			l.sources = readInto(l.sources | old.sources)
		}
		w.ReadsParameter = w.ReadsParameter || l.sources&FromParameter != 0
		l.sources |= old.sources
	case target.Op != facts.Name && isKnown && old.isOwnObject:
		old.sources |= l.sources
		w.locals[name] = old
		w.hasChange = true
	case l.sources&^fromClock == 0 && t.Text == "" && (target.Op == facts.Member || name[0] == '@'):
		w.SetsConstants = true
	case l.sources == wholeParameter && t.Text == "" &&
		(target.Op == facts.Member && slices.Contains(w.fn.SelfNames, name) || name[0] == '@'):
		w.Stores = true
	default:
		w.markActs()
	}
}

func root(t *facts.Term) string {
	for (t.Op == facts.Member || t.Op == facts.Operate) && len(t.Parts) > 0 {
		t = t.Parts[0]
	}
	if t.Text == "" {
		return " "
	}
	return t.Text
}
