package weaker

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

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
