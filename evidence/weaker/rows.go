package weaker

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// listRows notes the cases of lists at the top of the file: they count for the first test that goes over something and
// names them.
func (u *unit) listRows(w *walker) {
	for _, s := range u.file.root.statements {
		if len(s.clauses) == 0 || !u.loops {
			continue
		}
		assigned(s.clauses[0].head, func(named string, value *expr) {
			names := func(o *unit) bool { return o.test && o.names[named] }
			if i := slices.IndexFunc(u.file.units, names); i >= 0 && u.file.units[i] == u {
				w.tables(value)
				u.bare = u.bare || value != nil && isEmptyList(value)
			}
		})
	}
}

// headerRows notes the cases that stand before the body: parametrize, InlineData and their kin.
func (u *unit) headerRows() {
	for _, w := range wordsIn(u.header) {
		u.names[w] = true
	}
	for _, m := range regexpOf("templated").FindAllString(u.header) {
		cases := strings.Split(strings.Trim(m[strings.IndexByte(m, '`'):], "`\n "), "\n")
		u.rows, u.loops = append(u.rows, cases[1:]...), true
	}
	for _, m := range regexpOf("parametrized").In(u.header).FindAllStringIndex(u.header, -1) {
		given, _, ok := lang.Arguments(u.header[m[1]:])
		if !ok {
			continue
		}
		u.loops = true
		for _, g := range given {
			at := strings.IndexAny(g, "[{")
			if at < 0 || at > len("ints = ") {
				continue
			}
			cases, _, ok := lang.Arguments(g[at+1:len(g)-1] + ")")
			u.rows, u.bare = append(u.rows, cases...), u.bare || ok && len(cases) == 0
		}
	}
	for _, m := range regexpOf("row attribute").FindAllString(u.header) {
		u.rows, u.loops = append(u.rows, strings.Trim(m, "[], ")), true
	}
	for _, w := range numbersIn(u.header) {
		u.names[w] = true
	}
	for _, w := range quotedIn(u.header) {
		u.names[plainText(w)] = true
	}
}
