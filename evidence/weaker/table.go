package weaker

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// tables notes the cases of tables in an expression: lists of lists or of values with fields.
func (w *walker) tables(e *expr) {
	e.walk(func(e *expr) bool {
		switch e.shape {
		case call:
			name := lastName(e)
			w.unit.hasLoop = w.unit.hasLoop || isListed("loops", name) || name == "Run" || name == "subTest"
			return !isAssertingName(name)
		case list:
			if rows := rowsOf(e.parts); e.text != "(" && rows != nil {
				w.unit.rows = append(w.unit.rows, rows...)
				return false
			}
		}
		return true
	})
}

// rowsOf returns the elements of a table; nil if the parts are not one.
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
		return (e.text == ":" || e.text == "=>") && isRow(e.parts[1])
	}
	return false
}

// compareRows finds what a unit asks less outside single assertions: removed cases, retries. A removed case may stand
// elsewhere.
func (k *comparison) compareRows(p pair) {
	b, a := p.before, p.after
	removed, added := minus(b.rows, a.rows), minus(a.rows, b.rows)
	isMoved := func(r string) bool { return k.balance[rowPrefix+r] > 0 }
	if lost := slices.DeleteFunc(slices.Clone(removed), isMoved); len(lost) > len(added) && len(a.rows) > 0 {
		k.addUnit(p, "case removed", "the case %s is gone", brief(lost[0]))
	}
	newTables := minus(a.tables, b.tables)
	for _, before := range minus(b.tables, a.tables) {
		for _, now := range newTables {
			if _, rest, ok := strings.Cut(now, strings.TrimRight(before, "): {")); ok && fits("narrowing", rest) {
				k.addUnit(p, "case removed", "it takes only some cases: %s", brief(rest))
			}
		}
	}
	if len(added) == len(removed) && fits("skipped case", strings.Join(added, "\n")) &&
		!fits("skipped case", strings.Join(removed, "\n")) {
		k.addUnit(p, "test skipped", "a case of it ran and is skipped now")
	}
	if a.hasEmptyTable && !b.hasEmptyTable {
		k.addUnit(p, "never runs", "a table of it has no cases")
	}
	for i := range removed {
		if len(removed) == len(added) && differInLiteral(removed[i], added[i]) {
			w := k.addUnit(p, "expectation rewritten", "the case %s is %s now", brief(removed[i]), brief(added[i]))
			w.isLiteral, w.isExplained = true, inputsOf(b) != inputsOf(a)
			break
		}
	}
	expects := func(a *assertion) bool { return a.matcher == headerMatcher }
	if slices.ContainsFunc(a.assertions, expects) && !slices.ContainsFunc(b.assertions, expects) &&
		slices.ContainsFunc(a.assertions, func(a *assertion) bool { return !expects(a) && hasAssertion(b, a) }) {
		k.addUnit(p, "polarity flipped", "it now passes when it fails")
	}
	if retry := regexpOf("retries").FindString(a.header); retry != "" && !fits("retries", b.header) {
		k.addUnit(p, "retries", "the test is run again when it fails: %s", brief(retry))
	}
}

func hasAssertion(u *unit, a *assertion) bool {
	return slices.ContainsFunc(u.assertions, func(b *assertion) bool { return b.text == a.text })
}

// minus returns the texts that list has more often than other.
func minus(list, other []string) []string {
	counts := map[string]int{}
	for _, s := range other {
		counts[s]++
	}
	var rest []string
	for _, s := range list {
		if counts[s] > 0 {
			counts[s]--
			continue
		}
		rest = append(rest, s)
	}
	return rest
}

// differInLiteral reports whether two cases differ only in their last value.
func differInLiteral(b, a string) bool {
	split := func(s string) (head, last string) {
		s = strings.TrimRight(s, ")]} ")
		i := strings.LastIndexAny(s, ",:")
		return s[:max(i, 0)], strings.TrimSpace(s[i+1:])
	}
	head, last := split(b)
	other, now := split(a)
	return head != "" && head == other && last != now && lang.IsConstant(last) && lang.IsConstant(now)
}
