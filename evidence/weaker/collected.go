package weaker

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
)

// uncollected are new files that their names mark as tests no more, where one that was marked is gone.
func (k *comparison) uncollected() map[string]bool {
	gone, found := map[string]bool{}, map[string]bool{} // gone by folder and ending
	for _, name := range k.Paths {
		if fits("marked", name) && frameworks()[evidence.LanguageOf(name)]["titled"] != nil && !k.has(1, name) {
			gone[path.Dir(name)+path.Ext(name)] = true
		}
	}
	for _, name := range k.Paths { // Jest takes all files of a folder of tests
		found[name] = gone[path.Dir(name)+path.Ext(name)] && !fits("marked", name) && !k.has(0, name) &&
			!strings.Contains(name, "__tests__/")
	}
	return found
}

// stock counts the assertions of the later tree that are none of the earlier one, by what they say and by their keys,
// and the cases of tables that it has more.
type stock map[string]int

// keyed stands before the key of an assertion in a stock, and case before a case, where no text has anything.
const keyed, row = "\x00", "\x01"

// add counts the units of one side of a file.
func (s stock) add(units []*unit, side int) {
	for _, u := range units {
		for _, r := range u.rows {
			s[row+r] += 2*side - 1
		}
		for _, a := range u.assertions {
			if u.ofTests() && (side == 0 || a.dead == "" && !u.skip.always) {
				s[a.text] += 2*side - 1
				s[keyed+a.key] += 2*side - 1
			}
		}
	}
}

// ofTests reports a test, or a function that stands among tests alone.
func (u *unit) ofTests() bool { return u.test || evidence.HoldsTests(u.file.Path) }

// elsewhere reports whether an assertion that is gone here stands at another place as often as it did.
func (s stock) elsewhere(gone *assertion) bool { return s[gone.text] >= 0 || s[keyed+gone.key] >= 0 }

// takesBack reports whether a file hides a function from the runner by what stands elsewhere in it: del test_a, or a
// private above it.
func (f *file) takesBack(d evidence.OutlinedDefinition) bool {
	switch {
	case f.Language == "python" && d.Parent >= 0 && !strings.Contains(f.headOf(f.Definitions[d.Parent]), "Case") &&
		slices.ContainsFunc(f.Definitions, func(o evidence.OutlinedDefinition) bool {
			return o.Parent == d.Parent && o.Name == "__init__"
		}):
		return true // pytest leaves out a class with a constructor
	case f.Language == "python" && d.Parent < 0:
		return slices.ContainsFunc(f.hiding, func(m []int) bool { return holds(string(f.Source[m[0]:m[1]]), d.Name) })
	case f.Language == "ruby" && d.Parent >= 0 && !d.Titled:
		seen := "public"
		class := f.Definitions[d.Parent]
		for _, m := range f.hiding {
			inner := func(o evidence.OutlinedDefinition) bool {
				return o.Class && o.Outer > class.Outer && o.Outer < m[0] && m[0] < o.End
			}
			if class.Outer < m[0] && m[0] < d.Outer && !slices.ContainsFunc(f.Definitions, inner) {
				seen = strings.TrimSpace(string(f.Source[m[0]:m[1]]))
			}
		}
		return seen != "public"
	}
	return false
}

// isReplaced reports whether a later definition of the same scope, under no condition, takes the place of one.
func (f *file) isReplaced(d evidence.OutlinedDefinition) bool {
	if f.Language != "python" && f.Language != "ruby" || d.Titled {
		return false
	}
	column := func(at int) int { return at - bytes.LastIndexByte(f.Source[:at], '\n') }
	return slices.ContainsFunc(f.Definitions, func(o evidence.OutlinedDefinition) bool {
		conditional := func(g guarded) bool { return g.start <= o.Start && o.End <= g.end }
		return o.Start > d.Start && o.Name == d.Name && o.Parent == d.Parent && !o.Class && !o.Titled &&
			column(o.Outer) == column(d.Outer) && !slices.ContainsFunc(f.guards, conditional)
	})
}
