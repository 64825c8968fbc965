package weaker

import (
	"maps"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

var (
	parametrized = lang.Lazy(`(?:parametrize|\.each|\.for|@(?:Csv|Value|Method)Source|parameterized\.expand)\s*\(`)
	// provides is how the head of a test names the function that gives its cases.
	provides = lang.Lazy(`(?:MethodSource|[dD]ataProvider|MemberData|TestCaseSource|parametrize)\b[^\n]*`)
	// templated is a table of Jest in a template.
	templated    = lang.Lazy("\\.each`[^`]*`")
	rowAttribute = lang.Lazy(`(?:\[|,\s*)(?:InlineData|TestCase|DataRow|Arguments)\s*\([^\n]*?\)\s*[\],]` +
		`|#\[\s*(?:case|test_case)[^\n]*\]|@TestWith[^\n]*`)
)

// findLists notes what tests may have cases of apart from themselves.
func (f *file) findLists() {
	w := &walker{unit: &unit{file: f}, locals: map[string]*expr{}, given: map[string]int{}}
	for _, s := range f.root.statements {
		for _, c := range s.parts(f.tongue) {
			w.assigned(c.head)
			for _, e := range c.head { // of Go, whose types stand between a name and its list
				if named := assignedName(e); f.Language == "go" && named != "" {
					w.locals[named] = e
				}
			}
		}
	}
	f.lists, f.provided = w.locals, map[string]bool{}
	for _, u := range f.units {
		for _, m := range provides.FindAllString(u.header) {
			for _, named := range identifiers.FindAllString(m) {
				f.provided[named] = u.test || f.provided[named]
			}
		}
	}
}

// assignedName is the first name that an expression gives a value.
func assignedName(e *expr) (named string) {
	e.walk(func(e *expr) bool {
		if named == "" && e.shape == operator && e.text == "=" && e.parts[0].shape == name {
			named = e.parts[0].text
		}
		return named == ""
	})
	return named
}

// outerRows notes the cases that stand apart from a test: in a loop or group around it, of which they count for its
// first test, and in lists of the file, of which they count for the first test that goes over something and names them.
func (u *unit) outerRows(w *walker) {
	isFirst := func(of func(o *unit) bool) bool {
		first := slices.IndexFunc(u.file.units, func(o *unit) bool { return o.test && of(o) })
		return first >= 0 && u.file.units[first] == u
	}
	for _, s := range u.file.around {
		holds := func(o *unit) bool { return s.start < o.start && o.end <= s.end }
		if !holds(u) || !isFirst(holds) {
			continue
		}
		for _, c := range s.parts(u.file.tongue) {
			u.loops = u.loops || isListed("loops", c.keyword)
			for _, e := range c.head {
				w.tables(e)
				for _, named := range identifiers.FindAllString(e.String()) {
					u.names[named] = true
				}
			}
		}
	}
	for _, named := range slices.Sorted(maps.Keys(u.file.lists)) {
		if given := u.file.lists[named]; u.loops && u.names[named] && isFirst(func(o *unit) bool { return o.names[named] }) {
			w.tables(given)
			u.bare = u.bare || given.shape == list && len(given.parts) == 0
		}
	}
}

// headerRows notes the cases that stand before the body: parametrize, InlineData and their kin.
func (u *unit) headerRows() {
	for _, w := range identifiers.FindAllString(u.header) {
		u.names[w] = true
	}
	for _, m := range templated.FindAllString(u.header) {
		cases := strings.Split(strings.Trim(m[strings.IndexByte(m, '`'):], "`\n "), "\n")
		u.rows, u.loops = append(u.rows, cases[1:]...), true
	}
	for _, m := range parametrized.In(u.header).FindAllStringIndex(u.header, -1) {
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
			cases, _, ok := lang.Arguments(closed(g[at+1:]))
			u.rows, u.bare = append(u.rows, cases...), u.bare || ok && len(cases) == 0
		}
	}
	for _, m := range rowAttribute.FindAllString(u.header) {
		u.rows, u.loops = append(u.rows, strings.Trim(m, "[], ")), true
	}
	for _, w := range numerals.FindAllString(u.header) {
		u.literals[w] = true
	}
	for _, w := range quotations.FindAllString(u.header) {
		u.literals[plainText(w)] = true
	}
}

// closed writes a list that ends in a bracket or brace of its own as arguments end.
func closed(text string) string {
	if i := strings.LastIndexAny(text, "]}"); i >= 0 {
		return strings.TrimRight(text[:i], ", \t\r\n") + ")"
	}
	return text
}
