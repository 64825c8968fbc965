package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// values is what several expressions come to.
func (w *walk) values(parts []*facts.Term) (all worth) {
	for _, t := range parts {
		v := w.value(t)
		all.value, all.from = max(all.value, v.value), all.from|v.from
	}
	return all
}

// value is what an expression comes to. One that does something makes the body work.
func (w *walk) value(t *facts.Term) worth {
	if *w.steps++; *w.steps > maxSteps {
		w.act()
	}
	if w.Acts && w.works {
		return worth{act, held}
	}
	v := w.read(t)
	w.works = w.works || v.value == act
	return v
}

func (w *walk) read(t *facts.Term) (v worth) {
	switch t.Op {
	case facts.Empty, facts.Nothing:
		return worth{}
	case facts.Literal:
		return worth{written(w.file.text(t)), 0}
	case facts.Text:
		if v = w.values(t.Parts); len(t.Parts) > 0 {
			v.value = max(v.value, computed)
		}
		w.Strings = append(w.Strings, t.At)
		return worth{max(constant, v.value), looked(v.from)}
	case facts.Name:
		return w.name(t.Text)
	case facts.Member:
		return w.member(t)
	case facts.Operate:
		return w.operate(t)
	case facts.List:
		v = w.values(t.Parts)
		w.tell(t.Parts)
		return worth{holds(t, v.value, w.file.text(t)), v.from}
	case facts.Make:
		return w.makes(t)
	case facts.Closure:
		return worth{computed, held}
	case facts.Call:
		return w.call(t)
	case facts.Bind:
		w.bind(t)
		return worth{act, w.values(t.Parts[:1]).from}
	}
	if t.Op == facts.Raise && (w.throwsBare(t) || throwsUndone(w.file.text(t))) {
		if w.act(); !w.throwsBare(t) {
			return worth{unmade, 0}
		}
		w.Raises = true
		return worth{made, 0}
	}
	before, gives, keep := w.Result, w.Gives, w.judged
	w.Result = 0
	w.statement(t, true)
	v = worth{act, w.Result}
	if t.Op == facts.Block && !w.works && w.unmade {
		v.value = unmade
	}
	w.judged = keep
	w.Result, w.Gives, w.left = before, gives, false
	return v
}

// written is the value of a literal that is no string.
func written(text string) value {
	switch {
	case facts.IsNull(text):
		return empty
	case text[0] == ':' && (strings.Contains(text, "implement") && lang.SaysUndone(text) || undoneName.MatchString(text)):
		return unmade // an atom, a symbol
	}
	return constant
}

// holds is the value of what holds others: a list, a map, a pair. v is the most of theirs.
func holds(t *facts.Term, v value, text string) value {
	switch {
	case t.Text == "":
	case strings.HasPrefix(t.Text, "jsx_"):
		return act // a page is made of it
	case t.Text == "composite_literal" && v <= constant &&
		!strings.HasPrefix(text, "[]") && !strings.HasPrefix(text, "map["):
		return made
	case v == empty && len(t.Parts) > 0 &&
		!slices.Contains([]string{"expression_list", "tuple", "composite_literal", "argument_list"}, t.Text):
		return constant
	case v == first && len(t.Parts) > 1:
		return computed
	}
	return v
}

// makes is the making of an object.
func (w *walk) makes(t *facts.Term) worth {
	text := w.file.text(t)
	short := len(text) <= maxMessage
	if w.sleeps(t) {
		return worth{talk, 0}
	}
	keep := w.judged
	v := w.values(t.Parts)
	w.tell(t.Parts)
	if _, local := w.locals[strings.TrimPrefix(t.Text, "new ")]; local {
		v.from |= Given
	}
	switch {
	case short && lang.MakesError(t.Text) && throwsUndone(text):
		w.judged = keep
		return worth{unmade, v.from}
	}
	return worth{max(made, v.value), v.from}
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

// name is what a name stands for.
func (w *walk) name(name string) worth {
	l, known := w.locals[name]
	switch {
	case facts.IsNull(name):
		return worth{}
	case facts.IsTrue(name), facts.IsFalse(name), name == "ENOSYS", name == "ENOTSUP", name == "EOPNOTSUPP":
		return worth{constant, l.from}
	case slices.Contains(w.bounds, name):
		l.value = computed
	case name[0] == '@':
		return worth{computed, held}
	case known:
	case slices.Contains(w.fn.Self, name) && name != "super":
		w.elsewhere = true
		l.value = first
	case w.file.Language.Is("namescall") && !slices.Contains(w.fn.Self, name) && !facts.IsTypeName(name):
		l.value = act
	default:
		w.elsewhere = w.elsewhere || !facts.IsTypeName(name)
		l.value = computed
	}
	switch {
	case known, facts.IsTypeName(name), w.file.isFlag(name):
	default:
		l.from = held
		if w.file.Language.Is("namescall") && !slices.Contains(w.fn.Self, name) {
			w.act()
		}
	}
	return l.worth
}

// member is a member of something.
func (w *walk) member(t *facts.Term) worth {
	v, text := w.value(t.Parts[0]), w.file.text(t)
	switch {
	case strings.EqualFold(text, "string.empty"):
		v.value = constant
	case v.value >= talk:
	case facts.IsTypeName(text) && !strings.ContainsAny(text, "[(") &&
		!(w.file.Language.Is("terse") && strings.Contains(text, ".")):
		v.value = made // a member of a type: Status.OK; in Go and C++ a dot stands behind what is no type
	default:
		v.value = computed
	}
	switch self := slices.Contains(w.fn.Self, root(t)); {
	case v.from&whole != 0:
		v.from = v.from&^whole | Given
	case v.from == 0 && facts.IsTypeName(root(t)) && !facts.IsTypeName(t.Text):
		v.from = held
	case w.file.Language.Is("terse") && facts.IsTypeName(t.Text) && t.Parts[0].Op == facts.Name && v.from == held &&
		w.locals[t.Parts[0].Text].from == 0 && !self:
		v.from = 0 // a constant of a package
	case v.from&held != 0 && self && w.file.isFlag(t.Text):
		v.from &^= held
	}
	return v
}

// streams is how C++ prints, logs and fails with operators.
var streams = lang.Lazy(`^(?:std::)?(?:cout|cerr|clog)\s*<<|^\w*LOG\w*\([A-Z]+\)\s*<<` +
	`|^(?:FAIL|ADD_FAILURE|GTEST_FAIL)\(\)\s*<<`)

// operate is an operation.
func (w *walk) operate(t *facts.Term) worth {
	text, keep := w.file.text(t), w.judged
	v, parts := empty, make([]Source, len(t.Parts))
	for i, part := range t.Parts {
		of := w.value(part)
		v, parts[i] = max(v, of.value), of.from
	}
	from := w.asked(t, parts)
	switch {
	case t.Text == "cast":
	case t.Text == "try", t.Text == "await" && (v == first || v == computed):
		v = act // it may end what goes on, or waits
	case t.Text == "await":
	case t.Text == "[":
		v = max(v, computed)
	case streams.MatchString(text) && lang.PrintsUndone(lang.LiteralParts(text)):
		w.judged = keep
		v = mutter
	case v == unmade, v == mutter:
		v = act // x or fail: a guard
	case v == first, v <= made && strings.HasPrefix(text, "&") && strings.HasSuffix(text, "{}"):
		v = computed // a pointer to what is empty is a new object
	default:
		v = max(constant, v)
	}
	return worth{v, from}
}

// asked is what an operation rests on. To ask whether there is something is not to look into it.
func (w *walk) asked(t *facts.Term, parts []Source) (from Source) {
	there, thin := false, false
	switch t.Text {
	case ".":
		if len(t.Parts) == 1 { // .running, a constant of a type that is not named
			return 0
		}
	case "!", "not", "&&", "and", "typeof":
		there = true
	case "==", "!=", "===", "!==", "is", "is not", "<", ">", "<=", ">=":
		thin = slices.ContainsFunc(t.Parts, isThin)
	}
	for i, p := range parts {
		w.Turns = w.Turns || p&whole != 0 && (t.Text == "!" || t.Text == "not")
		switch {
		case thin && isLength(t.Parts[i]) && w.values(t.Parts[i].Parts).from&whole != 0:
			p = There
		case p&whole == 0:
		case there || thin && !isNumber(t.Parts):
			p = present(p)
		case strings.Contains(" ? if await try || or ?? ?: ", " "+t.Text+" "):
		default:
			p |= Given
		}
		from |= p
	}
	return from
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

// isLength reports whether an expression is the length of something.
func isLength(t *facts.Term) bool {
	return (t.Op == facts.Member || t.Op == facts.Call) && lang.InList("lengths", lastName(t.Text))
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

// looked is what is made of a value that was looked into.
func looked(v Source) Source {
	if v&whole != 0 {
		v |= Given
	}
	return v
}
