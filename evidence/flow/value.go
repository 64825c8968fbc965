package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// value is what an expression rests on.
func (w *walk) value(t *facts.Term) (v Source) {
	if *w.steps++; *w.steps > maxSteps {
		w.act()
	}
	if w.Acts {
		return Held
	}
	switch t.Op {
	case facts.Literal, facts.Nothing, facts.Empty:
	case facts.Text:
		return looked(w.values(t.Parts))
	case facts.Name:
		return w.name(t.Text)
	case facts.Member:
		return w.member(t)
	case facts.Operate:
		return w.operate(t)
	case facts.List, facts.Make:
		if w.sleeps(t) {
			return 0
		}
		v = w.values(t.Parts)
		w.tell(t.Parts)
		if _, local := w.locals[strings.TrimPrefix(t.Text, "new ")]; local && t.Op == facts.Make {
			v |= Given
		}
		if t.Op == facts.Make && hasWord("random", t.Text) {
			v |= Chance
		}
	case facts.Closure:
		return Held
	case facts.Call:
		return w.call(t)
	case facts.Bind:
		w.bind(t)
		return w.values(t.Parts[:1])
	default:
		before, gives := w.Result, w.Gives
		w.Result = 0
		w.statement(t, true)
		v = w.Result
		w.Result, w.Gives, w.left = before, gives, false
	}
	return v
}

// tell counts the literals that tell something: no truth value, nothing that is empty, no 0 and no 1.
func (w *walk) tell(parts []*facts.Term) {
	for _, part := range parts {
		text := w.file.text(part)
		plain := part.Op == facts.Text && len(part.Parts) == 0 || part.Op == facts.Literal
		if plain && !isNull(part) && !facts.IsTrue(text) && !facts.IsFalse(text) && len(strings.Trim(text, `"'`)) > 1 {
			w.Literals++
		}
	}
}

func (w *walk) values(parts []*facts.Term) (v Source) {
	for _, part := range parts {
		v |= w.value(part)
	}
	return v
}

func (w *walk) name(name string) Source {
	if v, known := w.locals[name]; known {
		return v
	}
	switch {
	case facts.IsNull(name), facts.IsTrue(name), facts.IsFalse(name), facts.IsTypeName(name):
		return 0
	case w.file.isFlag(name):
		return 0
	case w.file.Language.NamesCall && !slices.Contains(w.fn.Self, name):
		w.act()
	}
	return Held
}

func (w *walk) member(t *facts.Term) Source {
	v := w.value(t.Parts[0])
	switch {
	case v&Whole != 0:
		return v&^Whole | Given
	case v == 0 && facts.IsTypeName(root(t)) && !facts.IsTypeName(t.Text):
		return Held
	case w.file.Language.Terse && facts.IsTypeName(t.Text) && t.Parts[0].Op == facts.Name && v == Held &&
		w.locals[t.Parts[0].Text] == 0 && !slices.Contains(w.fn.Self, t.Parts[0].Text):
		return 0 // a constant of a package
	case v&Held != 0 && slices.Contains(w.fn.Self, root(t)) && w.file.isFlag(t.Text):
		return v &^ Held
	}
	return v
}

// operate is what an operation rests on. To ask whether there is something is not to look into it.
func (w *walk) operate(t *facts.Term) (v Source) {
	present, thin := false, false
	switch t.Text {
	case ".":
		if len(t.Parts) == 1 { // .running, a constant of a type that is not named
			return 0
		}
	case "await", "try":
		if w.alone == t {
			w.alone = t.Parts[0]
		}
		return w.values(t.Parts)
	case "!", "not", "&&", "and", "typeof":
		present = true
	case "||", "or", "??", "?:":
		return w.values(t.Parts)
	case "==", "!=", "===", "!==", "is", "is not", "<", ">", "<=", ">=":
		thin = slices.ContainsFunc(t.Parts, isThin)
	}
	for _, part := range t.Parts {
		p := w.value(part)
		w.Turns = w.Turns || p&Whole != 0 && (t.Text == "!" || t.Text == "not")
		switch {
		case thin && w.isLength(part):
			p = There
		case p&Whole == 0:
		case present || thin && !isNumber(t.Parts):
			p = condition(p)
		case t.Text == "?" || t.Text == "if":
		default:
			p |= Given
		}
		v |= p
	}
	return v
}

// asks reports whether a condition may come to something else than it did.
func asks(t *facts.Term) bool {
	return t.Op != facts.Literal && t.Op != facts.List && !facts.IsTrue(t.Text)
}

// isThin reports whether what is compared with an expression is only asked whether it is there, or how long it is.
func isThin(t *facts.Term) bool {
	return isNull(t) || t.Op == facts.Literal || t.Op == facts.Text && len(t.Parts) == 0 && t.At.End-t.At.Start <= 2 ||
		t.Op == facts.Operate && t.Text == "typeof"
}

// isNumber reports whether one of the sides of a comparison is a number, or another literal that is not nothing.
func isNumber(sides []*facts.Term) bool {
	return slices.ContainsFunc(sides, func(t *facts.Term) bool { return t.Op == facts.Literal && !isNull(t) })
}

// isLength reports whether an expression is the length of a parameter, as it came.
func (w *walk) isLength(t *facts.Term) bool {
	return (t.Op == facts.Member || t.Op == facts.Call) && lang.Known("lengths", lastName(t.Text)) &&
		w.values(t.Parts)&Whole != 0
}

// isMaking reports whether an expression makes something that holds nothing but what is put in it.
func isMaking(t *facts.Term) bool {
	switch t.Op {
	case facts.List, facts.Literal, facts.Nothing, facts.Empty:
		return true
	case facts.Make, facts.Call:
		return hasWord("random", t.Text) || isCollection(strings.TrimSuffix(strings.TrimSuffix(t.Text, "::new"), ".new"))
	}
	return false
}
