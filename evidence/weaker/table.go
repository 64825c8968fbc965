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
func (s stock) besides(b, a *unit) (found []demand) {
	gone, now := minus(b.rows, a.rows), minus(a.rows, b.rows)
	stands := func(r string) bool { return s[row+r] > 0 }
	if lost := slices.DeleteFunc(slices.Clone(gone), stands); len(lost) > len(now) && len(a.rows) > 0 {
		found = append(found, demand{form: "case removed", message: "the case " + short(lost[0]) + " is gone"})
	}
	if a.bare && !b.bare {
		found = append(found, demand{form: "never runs", message: "a table of it has no cases"})
	}
	if len(gone) == len(now) {
		for i := range gone {
			if oneLiteral(gone[i], now[i]) {
				found = append(found, demand{form: "expectation rewritten", literal: true,
					message: "the case " + short(gone[i]) + " is " + short(now[i]) + " now"})
				break
			}
		}
	}
	expects := func(a *assertion) bool { return a.matcher == ofHeader }
	if slices.ContainsFunc(a.assertions, expects) && !slices.ContainsFunc(b.assertions, expects) &&
		slices.ContainsFunc(a.assertions, func(a *assertion) bool { return !expects(a) && asserted(b, a) }) {
		found = append(found, demand{form: "polarity flipped", message: "it passes now where it fails"})
	}
	if was, is := retries.FindString(b.header), retries.FindString(a.header); was == "" && is != "" {
		found = append(found, demand{form: "retries", message: "the test is run again where it fails: " + short(is)})
	}
	return found
}

// asserted reports whether a test makes an assertion word for word.
func asserted(u *unit, a *assertion) bool {
	return slices.ContainsFunc(u.assertions, func(b *assertion) bool { return b.text == a.text })
}

var retries = lang.Lazy(`@\s*(?:[\w.]+\.)?(?:flaky|retry|Retry\w*)\b[^\n]*` +
	`|\b(?:retry|retries)\s*:\s*\d+|[\[,]\s*Retry\w*\s*\([^\n]*|\b(?:retryAnalyzer|successPercentage)\s*=[^\n]*`)

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
