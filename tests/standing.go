package tests

import (
	"maps"
	"slices"
)

// Most units of changed files stand as they did. What they ask is compared where they are read; then only what may
// pair or excuse others is kept of them, once for both sides. So the memory of a comparison is a matter of what
// differs.

// findStanding finds the units that stand on both sides of a file as they did, in the order in which pairUp pairs them.
// That doubles of a fixture may be new is not looked at.
func (k *comparison) findStanding(before, after *file) {
	waiting := map[string][]*unit{}
	key := func(u *unit) string { return samePlace(u) + "\x00" + u.text() }
	for _, a := range after.units {
		waiting[key(a)] = append(waiting[key(a)], a)
	}
	for _, b := range before.units {
		left := waiting[key(b)]
		if len(left) == 0 {
			continue
		}
		a := left[0]
		if waiting[key(b)] = left[1:]; b.asksAs(a) && k.newDouble(b, a) == nil {
			b.settle()
			a.settle()
			b.symbol, b.name, b.header, b.names = a.symbol, a.name, a.header, a.names
			if maps.Equal(b.reached, a.reached) {
				b.reached = a.reached
			}
		}
	}
}

// asksAs reports whether two units of one text read alike in their files: that of a test may depend on lists, helpers
// and conditions around it.
func (u *unit) asksAs(a *unit) bool {
	return u.skip == a.skip && u.header == a.header && u.bare == a.bare && u.recovers == a.recovers &&
		u.loops == a.loops && slices.Equal(u.rows, a.rows) && maps.Equal(u.names, a.names) && maps.Equal(u.words, a.words) &&
		maps.Equal(u.literals, a.literals) &&
		slices.EqualFunc(u.assertions, a.assertions, func(x, y *assertion) bool {
			return x.text == y.text && x.key == y.key && x.dead == y.dead && x.guard == y.guard &&
				x.strength == y.strength && x.awaited == y.awaited
		})
}

// settle lets go what is asked only of a unit that differs, is new or gone. An assertion that stands adds nothing to
// the stock, but for one that cannot fail.
func (u *unit) settle() {
	u.given, u.stands = handed(u), true
	if u.body != nil {
		u.body = &block{start: u.body.start, end: u.body.end}
	}
	u.words, u.literals, u.rows = nil, nil, nil
	for i, a := range u.assertions {
		left := &assertion{file: a.file, start: a.start, end: a.end, strength: a.strength, dead: a.dead}
		if a.dead != "" || u.skip.always {
			left.text, left.key = a.text, a.key
		}
		u.assertions[i] = left
	}
}
