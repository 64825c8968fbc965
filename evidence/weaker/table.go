package weaker

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// tables notes the cases of tables: lists of lists or of values with fields, that a test goes over.
func (w *walker) tables(e *expr) {
	e.walk(func(e *expr) bool {
		switch e.shape {
		case call:
			named := lastName(e)
			w.unit.loops = w.unit.loops || isListed("loops", named) || named == "Run" || named == "subTest"
			return !isAssertingName(named)
		case list:
			if rows := rowsOf(e.parts); e.text != "(" && rows != nil {
				w.unit.rows = append(w.unit.rows, rows...)
				return false
			}
		}
		return true
	})
}

// rowsOf are the elements of a table; nil for what is none.
func rowsOf(parts []*expr) (rows []string) {
	for _, part := range parts {
		if !isRow(part) {
			return nil
		}
		rows = append(rows, part.String())
	}
	return rows
}

// isRow reports whether an element of a list has parts of its own.
func isRow(e *expr) bool {
	switch e.shape {
	case list:
		return len(e.parts) > 0
	case call:
		return len(e.parts) > 2 || len(e.parts) == 2 && e.parts[1].shape == list
	case operator:
		return e.text == ":" && isRow(e.parts[1])
	}
	return false
}

// besides finds what a unit asks less apart from its single assertions: cases that are gone, retries. A case that is
// gone may stand at another place.
func (k *comparison) besides(p pair) {
	b, a := p.before, p.after
	gone, now := minus(b.rows, a.rows), minus(a.rows, b.rows)
	stands := func(r string) bool { return k.stock[row+r] > 0 }
	if lost := slices.DeleteFunc(slices.Clone(gone), stands); len(lost) > len(now) && len(a.rows) > 0 {
		k.say(p, "case removed", "the case %s is gone", short(lost[0]))
	}
	if a.bare && !b.bare {
		k.say(p, "never runs", "a table of it has no cases")
	}
	for i := range gone {
		if len(gone) == len(now) && oneLiteral(gone[i], now[i]) {
			w := k.say(p, "expectation rewritten", "the case %s is %s now", short(gone[i]), short(now[i]))
			w.literal, w.explained = true, given(b) != given(a)
			break
		}
	}
	expects := func(a *assertion) bool { return a.matcher == ofHeader }
	if slices.ContainsFunc(a.assertions, expects) && !slices.ContainsFunc(b.assertions, expects) &&
		slices.ContainsFunc(a.assertions, func(a *assertion) bool { return !expects(a) && asserted(b, a) }) {
		k.say(p, "polarity flipped", "it now passes when it fails")
	}
	if is := regexpOf("retries").FindString(a.header); is != "" && !fits("retries", b.header) {
		k.say(p, "retries", "the test is run again when it fails: %s", short(is))
	}
}

// asserted reports whether a test makes an assertion word for word.
func asserted(u *unit, a *assertion) bool {
	return slices.ContainsFunc(u.assertions, func(b *assertion) bool { return b.text == a.text })
}

// minus are the texts of one list that the other lacks, as often as it lacks them.
func minus(list, other []string) []string {
	left := map[string]int{}
	for _, s := range other {
		left[s]++
	}
	var rest []string
	for _, s := range list {
		if left[s] > 0 {
			left[s]--
			continue
		}
		rest = append(rest, s)
	}
	return rest
}

// oneLiteral reports whether two cases differ in their last value alone.
func oneLiteral(b, a string) bool {
	cut := func(s string) (head, last string) {
		s = strings.TrimRight(s, ")]} ")
		i := strings.LastIndexAny(s, ",:")
		return s[:max(i, 0)], strings.TrimSpace(s[i+1:])
	}
	head, last := cut(b)
	other, now := cut(a)
	return head != "" && head == other && last != now && lang.IsConstant(last) && lang.IsConstant(now)
}
