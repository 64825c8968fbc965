package weaker

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/lang"
)

// uncollectedPaths are new files whose names no longer mark them as tests, while a marked file in the same folder is
// gone.
func (k *comparison) uncollectedPaths() map[string]bool {
	removed, found := map[string]bool{}, map[string]bool{} // gone by folder and ending
	for _, name := range k.Paths {
		if fits("marked", name) && frameworks()[evidence.LanguageOf(name)]["titled"] != nil && !k.has(1, name) {
			removed[path.Dir(name)+path.Ext(name)] = true
		}
	}
	for _, name := range k.Paths { // Jest takes all files of a folder of tests
		found[name] = removed[path.Dir(name)+path.Ext(name)] && !fits("marked", name) && !k.has(0, name) &&
			!strings.Contains(name, "__tests__/")
	}
	return found
}

// balance counts assertions by text and by key, and cases of tables: those of the later tree minus those of the
// earlier.
type balance map[string]int

// keyPrefix marks the key of an assertion in a balance, rowPrefix a case; no text begins so.
const keyPrefix, rowPrefix = "\x00", "\x01"

func (s balance) add(units []*unit, side int) {
	for _, u := range units {
		for _, r := range u.rows {
			s[rowPrefix+r] += 2*side - 1
		}
		isTestCode := u.isTest || evidence.HoldsTests(u.file.Path)
		for _, a := range u.assertions {
			if isTestCode && (side == 0 || a.deadReason == "" && !u.skip.isAlways) {
				s[a.text] += 2*side - 1
				s[keyPrefix+a.key] += 2*side - 1
			}
		}
	}
}

// isMoved reports whether a removed assertion stands elsewhere as often as before.
func (s balance) isMoved(removed *assertion) bool {
	return s[removed.text] >= 0 || s[keyPrefix+removed.key] >= 0
}

// isHidden reports whether code elsewhere in the file hides a function from the runner: del test_a, or private above
// it.
func (f *file) isHidden(d evidence.OutlineDefinition) bool {
	switch {
	case f.Language == "python" && d.Parent >= 0 && !strings.Contains(f.headOf(f.Definitions[d.Parent]), "Case") &&
		slices.ContainsFunc(f.Definitions, func(o evidence.OutlineDefinition) bool {
			return o.Parent == d.Parent && o.Name == "__init__"
		}):
		return true // pytest leaves out a class with a constructor
	case f.Language == "python" && d.Parent < 0:
		return slices.ContainsFunc(f.hidingLines, func(m []int) bool {
			return lang.HasWord(string(f.Source[m[0]:m[1]]), d.Name)
		})
	case f.Language == "ruby" && d.Parent >= 0 && !d.IsTitled:
		visibility := "public"
		class := f.Definitions[d.Parent]
		for _, m := range f.hidingLines {
			inner := func(o evidence.OutlineDefinition) bool {
				return o.IsClass && o.Outer > class.Outer && o.Outer < m[0] && m[0] < o.End
			}
			if class.Outer < m[0] && m[0] < d.Outer && !slices.ContainsFunc(f.Definitions, inner) {
				visibility = strings.TrimSpace(string(f.Source[m[0]:m[1]]))
			}
		}
		return visibility != "public"
	}
	return false
}

// isReplaced reports whether a later unconditional definition in the same scope replaces this one.
func (f *file) isReplaced(d evidence.OutlineDefinition) bool {
	if f.Language != "python" && f.Language != "ruby" || d.IsTitled {
		return false
	}
	column := func(at int) int { return at - bytes.LastIndexByte(f.Source[:at], '\n') }
	return slices.ContainsFunc(f.Definitions, func(o evidence.OutlineDefinition) bool {
		conditional := func(g guardedSpan) bool { return g.start <= o.Start && o.End <= g.end }
		return o.Start > d.Start && o.Name == d.Name && o.Parent == d.Parent && !o.IsClass && !o.IsTitled &&
			column(o.Outer) == column(d.Outer) && !slices.ContainsFunc(f.guards, conditional)
	})
}
