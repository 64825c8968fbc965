package weaker

import (
	"maps"
	"slices"
)

// asksAs reports whether two units of one text read alike in their files: that of a test may depend on lists, helpers
// and conditions around it.
func (u *unit) asksAs(a *unit) bool {
	return u.skip == a.skip && u.header == a.header && u.bare == a.bare && u.recovers == a.recovers &&
		u.loops == a.loops && slices.Equal(u.rows, a.rows) && maps.Equal(u.names, a.names) &&
		maps.Equal(u.words, a.words) && maps.Equal(u.literals, a.literals) &&
		slices.EqualFunc(u.assertions, a.assertions, func(x, y *assertion) bool {
			return x.text == y.text && x.key == y.key && x.dead == y.dead && x.guard == y.guard &&
				x.strength == y.strength && x.awaited == y.awaited
		})
}
