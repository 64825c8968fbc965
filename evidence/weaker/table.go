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

// listRows notes the cases of lists at the top of the file or class: they belong to the first test with a loop that
// names them.
func (u *unit) listRows(w *walker) {
	statements := u.file.root.statements
	for _, s := range statements {
		for _, b := range s.blocks { // of its class
			if b.start <= u.start && u.end <= b.end {
				statements = append(slices.Clip(statements), b.statements...)
			}
		}
	}
	for _, s := range statements {
		if len(s.clauses) == 0 || !u.hasLoop {
			continue
		}
		eachAssignment(s.clauses[0].head, func(named string, value *expr) {
			names := func(o *unit) bool { return o.isTest && o.mentions[named] }
			if i := slices.IndexFunc(u.file.units, names); i >= 0 && u.file.units[i] == u {
				w.tables(value)
				u.mention(value.String())
				u.hasEmptyTable = u.hasEmptyTable || value != nil && w.isNothing(value)
			}
		})
	}
}

// headerRows notes the cases before the body: parametrize, InlineData and the like.
func (u *unit) headerRows() {
	header := strings.Join(u.file.headersOf(u), "\n")
	u.mention(u.header)
	for _, m := range regexpOf("templated").FindAllString(header) {
		cases := strings.Split(strings.Trim(m[strings.IndexByte(m, '`'):], "`\n "), "\n")
		u.rows, u.hasLoop = append(u.rows, cases[1:]...), true
	}
	for _, m := range regexpOf("parametrized").In(header).FindAllStringIndex(header, -1) {
		args, _, ok := lang.Arguments(header[m[1]:])
		if !ok {
			continue
		}
		u.hasLoop = true
		for _, g := range args {
			u.tables = append(u.tables, flat(g))
			at := strings.IndexAny(g, "[{")
			if at < 0 || at > len("ints = ") {
				continue
			}
			cases, _, ok := lang.Arguments(g[at+1:len(g)-1] + ")")
			u.rows, u.hasEmptyTable = append(u.rows, cases...), u.hasEmptyTable || ok && len(cases) == 0
		}
	}
	for _, m := range regexpOf("row attribute").FindAllString(header) {
		u.rows, u.hasLoop = append(u.rows, strings.Trim(m, "[], ")), true
	}
}

// mention notes the words and literals of a text before the body or in a table.
func (u *unit) mention(text string) {
	for _, w := range slices.Concat(wordsIn(text), numbersIn(text), quotedIn(text)) {
		u.mentions[plainText(w)] = true
	}
}
