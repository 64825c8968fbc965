package flow

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// block judges statements that follow one another. tail: the last is given back.
func (j *sum) block(parts []*facts.Term, tail bool) outlet {
	end, last := goesOn, len(parts)-1
	for last > 0 && (parts[last].Op == facts.Handler || parts[last].Op == facts.Dead) {
		last--
	}
	arms := false // what follows a return, and is not dead, is an arm of what is around it
	for i, t := range parts {
		if end == leaves && !arms && t.Op != facts.Dead && t.Op != facts.Handler {
			j.dead = true
			continue
		}
		now := j.statement(t, tail && i == last)
		if now == acts {
			return acts
		}
		if end != leaves {
			end, arms = now, t.Op == facts.Return || t.Op == facts.Raise
		}
	}
	return end
}

// statement judges one statement; tail: its value is given back.
func (j *sum) statement(t *facts.Term, tail bool) outlet {
	if j.throwsBare(t) {
		j.Raises = true
		return j.give(made)
	}
	switch t.Op {
	case facts.Unknown:
		return acts
	case facts.Nothing, facts.Jump:
	case facts.Import:
		j.imports = true
	case facts.Dead:
		if j.dead = true; t.Text == "yield" && !j.file.Language.Tail {
			return acts // a generator of nothing
		}
	case facts.Share:
		for _, part := range t.Parts {
			j.shared = append(j.shared, part.Text)
		}
	case facts.Define:
		return j.nested(t)
	case facts.Block:
		return j.block(t.Parts, tail && t.Text != ";")
	case facts.Try, facts.Handler:
		return j.try(t, tail)
	case facts.Branch:
		return j.branch(t, tail)
	case facts.Loop:
		return j.loop(t)
	case facts.Return:
		return j.returns(t)
	case facts.Raise:
		return j.raise(t)
	case facts.Assert:
		return j.assert(t)
	case facts.Bind, facts.Declare:
		return j.bind(t)
	default:
		return j.expression(t, tail)
	}
	return goesOn
}

// try judges what is tried and what handles it, or what is done in a context.
func (j *sum) try(t *facts.Term, tail bool) outlet {
	j.ways = true
	for i, part := range t.Parts {
		if t.Text == "lock" && i == 0 && part.Op != facts.Block {
			if j.condition(part) == act {
				return acts
			}
		} else if j.statement(part, tail) == acts {
			return acts
		}
	}
	return goesOn
}

// branch judges the ways of a branch. Every one of them may be the last of its body.
func (j *sum) branch(t *facts.Term, tail bool) outlet {
	asked, ways := t.Parts[0].Parts, t.Parts[1:]
	j.ways = true
	never := t.Text == "if" && len(asked) == 1 && facts.IsFalse(j.file.text(asked[0])) // its first way is dead
	for _, part := range asked {
		if t.Text == "stab_clause" {
			j.match(part)
		} else if strings.HasPrefix(t.Text, "preproc") {
			break // what is built
		} else if t.Text == "list" {
			if j.statement(part, false) == acts {
				return acts
			}
		} else if !never && j.condition(part) == act {
			return acts
		}
	}
	for _, way := range ways {
		if j.statement(way, tail) == acts {
			return acts
		}
	}
	return goesOn
}

// match judges a pattern: the names in it are given values.
func (j *sum) match(t *facts.Term) {
	if t.Op == facts.Name && t.Text != "_" && !facts.IsTypeName(t.Text) {
		j.bounds, j.Reads = append(j.bounds, t.Text), true
	}
	for _, part := range t.Parts {
		j.match(part)
	}
}

// condition judges an expression on which it depends what is done.
func (j *sum) condition(t *facts.Term) value {
	v := j.value(t)
	if v >= talk {
		return act
	}
	if v >= first {
		j.Reads = true
	}
	return v
}

// counts is a loop that only counts to a small number.
var counts = lang.Lazy(`^for\s*\(?\s*((int|let|var` +
	`|auto)\s+)?\$?\w+\s*:?=\s*\d+;\s*\$?\w+\s*<=?\s*\d{1,2};\s*(\$?\w+\+\+|\+\+\$?\w+)\s*\)?\s*\{\s*\}$`)

// endless is how a loop begins that no condition ends.
var endless = lang.Lazy(`^(loop\b|do\b|for\s*(\{|\(\s*;\s*;\s*\)|;;)|while\b)`)

// loop judges a loop. One that waits for a condition acts.
func (j *sum) loop(t *facts.Term) outlet {
	text, asked := j.file.text(t), t.Parts[0].Parts
	if counts.MatchString(text) {
		return goesOn
	}
	over := strings.HasPrefix(text, "for") || !strings.HasPrefix(t.Text, "while")
	always := true
	for _, part := range asked {
		switch v := j.value(part); {
		case !over && facts.IsFalse(j.file.text(part)):
			return j.block(t.Parts[1:], false)
		case v > computed, v > constant && !over, v >= first && !j.file.Language.Spent:
			return acts
		case over:
			j.Reads = true // how often it runs
		}
		always = facts.IsTrue(j.file.text(part))
	}
	j.Endless = j.Endless || always && endless.MatchString(text) && !hasWordIn(text, "break")
	known, body := j.bound, t.Parts[1:]
	if len(body) > 0 && body[0].Op == facts.Declare {
		for _, name := range body[0].Parts[:len(body[0].Parts)-1] {
			j.bounds = append(j.bounds, name.Text)
		}
		body = body[1:]
	}
	if j.block(body, false) == acts || j.bound > known {
		return acts // it counts, or waits
	}
	return goesOn
}

// nested judges a definition in the body: one that nothing there names is dead.
func (j *sum) nested(t *facts.Term) outlet {
	src, whole := j.file.Src, j.fn.At
	if t.Text == "" || j.file.Language.Nested || hasWordIn(string(src[whole.Start:t.At.Start]), t.Text) ||
		hasWordIn(string(src[t.At.End:max(t.At.End, whole.End)]), t.Text) {
		return acts
	}
	j.dead = true
	return goesOn
}

// expression judges a statement that is a value.
func (j *sum) expression(t *facts.Term, tail bool) outlet {
	text := j.file.text(t)
	if t.Op == facts.Call && (j.assures(t) || j.runsNothing(t)) || tail && text == "()" {
		return goesOn
	}
	known := len(j.Strings)
	v := j.value(t)
	if tail {
		return j.give(v, text)
	}
	switch t.Op {
	case facts.Text:
		j.Strings = j.Strings[:known] // documentation
	case facts.Literal, facts.Name, facts.List, facts.Empty:
		if t.Op == facts.Literal && j.file.Language.Name == "bash" { // its status is given back
			j.given, j.known, j.texts = j.given+1, max(j.known, v), append(j.texts, text)
			return goesOn
		}
	default:
		if v <= computed && !strings.HasPrefix(text, "void ") &&
			(v > constant || t.Op != facts.Operate || t.Text == "await" || strings.Contains(text, "/")) {
			return acts // a call, or an operator: who writes it alone wants its effect
		}
	}
	switch v {
	case first, computed:
		j.Reads = j.Reads || t.Op != facts.Name
	case act:
		return acts
	case talk:
		j.Talks = true
	case mutter:
		j.unmade = true
	case unmade:
		j.unmade = true
		return leaves
	case same:
		j.itself = true
	}
	return goesOn
}

// returns judges a return. One without a value gives nothing back.
func (j *sum) returns(t *facts.Term) outlet {
	text := j.file.text(t)
	switch {
	case text == "return 0" && j.file.Language.Name == "bash":
		return j.give(empty) // that nothing failed
	case strings.Trim(text, "; \t\r\n") == "return":
		j.Returned = true
		return leaves
	case len(text) <= maxMessage && lang.IsStatus(lang.WithoutLiterals(text)) && lang.SaysUndone(lang.LiteralParts(text)):
		j.unmade = true
		return leaves
	}
	return j.give(j.values(t.Parts), text)
}

// give notes what is given back.
func (j *sum) give(v value, text ...string) outlet {
	switch v {
	case act:
		return acts
	case computed:
		j.Shapes = true
		return leaves
	case talk:
		j.Talks, v = true, empty
	case mutter, unmade:
		j.unmade, v = true, empty
	case same:
		j.itself = true
		return leaves
	}
	j.given++
	j.known = max(j.known, v)
	j.texts = append(j.texts, text...)
	return leaves
}

// raise judges a throw.
func (j *sum) raise(t *facts.Term) outlet {
	if text := j.file.text(t); len(text) > maxMessage || !throwsUndone(text) {
		return acts
	}
	j.unmade = true
	return leaves
}

// assert judges an assertion.
func (j *sum) assert(t *facts.Term) outlet {
	if len(t.Parts) == 0 {
		return acts
	}
	switch condition := j.file.text(t.Parts[0]); {
	case facts.IsFalse(condition) && lang.SaysUndone(lang.LiteralParts(j.file.text(t))):
		j.unmade = true
		return leaves
	case holdsItself(condition):
		return goesOn
	}
	return acts
}

// bind judges what gives names their values.
func (j *sum) bind(t *facts.Term) outlet {
	j.bound++
	targets, right := t.Parts[:len(t.Parts)-1], t.Parts[len(t.Parts)-1]
	if len(targets) == 1 && right.Alone().Op == facts.Name && j.file.text(targets[0]) == j.file.text(right) {
		return goesOn
	}
	declares, v := t.Op == facts.Declare, constant
	thrown := len(targets) == 1 && targets[0].Text == "_"
	if thrown && right.Alone().Op == facts.Closure {
		j.dead = true // nothing can call it
		return goesOn
	}
	if right.Op != facts.Nothing {
		v = j.value(right)
	}
	if v >= talk || thrown && right.Op != facts.Nothing && (strings.ContainsAny(j.file.text(right), "[({") &&
		right.Op != facts.List || j.file.Language.Unqualified && !slices.Contains(j.fn.Params, right.Text)) {
		return acts
	}
	for _, target := range targets {
		old, known := j.locals[target.Text]
		switch name := target.Text; {
		case target.Op != facts.Name, name[0] == '@', t.Text != "" && (!known || old > constant):
			return acts // it may change what others hold
		case name == "_" || name == "$_" || name == "_unused":
			continue
		case !declares && !known && !slices.Contains(j.fn.Params, name) &&
			(!j.file.Language.Scoped || slices.Contains(j.shared, name)):
			return acts
		case right.Op == facts.Closure:
			if hasWordIn(string(j.file.Src[right.At.End:max(right.At.End, j.fn.At.End)]), name) {
				return acts
			}
			j.dead = true
		case known && !declares:
			v = max(v, old)
		}
		j.locals[target.Text] = v
	}
	return goesOn
}

// hasWordIn reports whether a word stands in a text.
func hasWordIn(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		at := from + i
		from = at + len(word)
		if (at == 0 || !lang.IsWordByte(text[at-1])) && (from == len(text) || !lang.IsWordByte(text[from])) {
			return true
		}
	}
}
