package parser

import "strings"

// statement is one thing a message says of the kind and unit of a part.
type statement struct {
	kind Kind
	unit Text
	// text is how it is written, «ACT: T01»; summary is what a title says after the unit.
	text, summary Text
}

// title reads a line as «ACT: <unit> [summary]» or «ADAPT: …». bullet allows
// the «* » or «- » that hosts put before the subjects of a squash.
func (r *reader) title(i int, bullet bool) (statement, bool) {
	text, start := r.lineText(i)
	if bullet {
		_, n := bulletText(text)
		text, start = text[n:], start+n
	}
	st := statement{kind: Act}
	rest, ok := strings.CutPrefix(text, "ACT:")
	if !ok {
		st.kind = Adapt
		rest, ok = strings.CutPrefix(text, "ADAPT:")
	}
	if !ok {
		return statement{}, false
	}
	end := start + len(text)
	at, _ := r.trim(end-len(rest), end)
	n := strings.IndexAny(r.text[at:end], " \t")
	if n < 0 {
		n = end - at
	}
	st.unit = r.word(at, at+n)
	// «ACT: T01: login» means T01: no id ends in a colon.
	if len(st.unit.Value) > 1 && strings.HasSuffix(st.unit.Value, ":") {
		st.unit = r.word(at, at+n-1)
	}
	st.text = r.word(start, at+n)
	st.summary = r.word(at+n, end)
	return st, true
}

// bulletText is what follows a list bullet, and the length of the bullet; without one the text itself.
func bulletText(text string) (string, int) {
	if len(text) > 2 && strings.IndexByte("*-+", text[0]) >= 0 && (text[1] == ' ' || text[1] == '\t') {
		rest := strings.TrimLeft(text[1:], " \t")
		return rest, len(text) - len(rest)
	}
	return text, 0
}

// autosquash reports a subject that git rebase --autosquash folds into another commit.
func autosquash(subject string) bool {
	for _, p := range [...]string{"fixup! ", "squash! ", "amend! "} {
		if strings.HasPrefix(subject, p) {
			return true
		}
	}
	return false
}

// naming reads an «Act:», «Adapt:» or «For:» value. A value of several words
// names a unit only when its first word looks like a key, so that prose which
// happens to begin a paragraph with «For:» names nothing, and only under a key
// not in capitals: a lone title in the body, an example say, is no trailer.
func (r *reader) naming(e *entry) (statement, bool) {
	var kind Kind
	switch e.key {
	case "act":
		kind = Act
	case "adapt":
		kind = Adapt
	case "for":
		kind = For
	default:
		return statement{}, false
	}
	f := r.fold(e.pieces)
	n := strings.IndexAny(f.value, " \t")
	if n < 0 {
		n = len(f.value)
	} else if !strings.ContainsAny(f.value[:n], "/0123456789") || strings.HasPrefix(r.text[e.start:], string(kind)) {
		return statement{}, false
	}
	if n == 0 {
		return statement{}, false
	}
	pieces := append([]piece{{e.start, e.pieces[0].end}}, e.pieces[1:]...)
	full := r.fold(pieces)
	return statement{
		kind: kind,
		unit: r.cut(f, 0, n),
		text: r.cut(full, 0, len(full.value)-len(f.value)+n),
	}, true
}

// sameUnit compares units as written; an id alone is unique in a plan, so it is
// the unit whose key ends in it.
func sameUnit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || a != "" && !strings.Contains(a, "/") && strings.HasSuffix(b, "/"+a)
}

// decide gives a part its kind and unit from its title, if any, and what its
// trailers name, and notes where they disagree. «For:» beside an ACT or ADAPT
// of the same unit says nothing new; beside another «For:» the first one counts.
func (p *Part) decide(title *statement, named []statement) {
	all := named
	if title != nil {
		all = append([]statement{*title}, named...)
	}
	var first *statement
	for i := range all {
		if st := &all[i]; first == nil || first.kind == For && st.kind != For {
			first = st
		}
	}
	if first == nil {
		return
	}
	p.Kind, p.Unit, p.Summary = first.kind, first.unit, first.summary
	for i := range all {
		st := &all[i]
		if p.Unit.Value == "" && st.kind == p.Kind {
			p.Unit = st.unit
		}
		if p.Conflict == nil && st.disagrees(p.Kind, p.Unit.Value) {
			p.Conflict = &Conflict{First: first.text, Second: st.text}
		}
	}
	if p.Unit.Value == "" && p.Conflict == nil {
		p.Conflict = &Conflict{First: first.text}
	}
}

// disagrees reports whether a statement contradicts a part's kind and unit.
func (st *statement) disagrees(kind Kind, unit string) bool {
	if st.kind == For {
		return kind != For && unit != "" && !sameUnit(st.unit.Value, unit)
	}
	return st.kind != kind || st.unit.Value != "" && unit != "" && !sameUnit(st.unit.Value, unit)
}
