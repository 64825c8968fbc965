package flow

import (
	"slices"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
)

// StaysInside reports whether all that a body calls works on values in memory, prints, or waits: whatever it does, it
// sends, fetches and stores nothing outside of its program.
func (f *File) StaysInside(fn *Function) bool {
	fn.read()
	steps := 0
	var stays func(t *facts.Term) bool
	stays = func(t *facts.Term) bool {
		switch steps++; {
		case t.Op == facts.Unknown && fits("harmless", f.text(t)):
			return true
		case steps > maxSteps || t.Op == facts.Unknown || t.Op == facts.Import || t.Op == facts.Raise:
			return false
		case t.Op == facts.Call && !f.isNeutral(t):
			return false
		}
		return !slices.ContainsFunc(t.Parts, func(p *facts.Term) bool { return !stays(p) })
	}
	return fn.Body.Op != facts.Unknown && !fn.IsTooLong && stays(fn.Body)
}

func (f *File) isNeutral(t *facts.Term) bool {
	name := lastName(t.Text)
	switch f.Language.CalleeOf(t.Text, name) {
	case lang.Talks, lang.Shows, lang.Sleeps, lang.Builds:
		return true
	}
	return name == "" || facts.IsTypeName(name) && f.Language.Is("typescalled") ||
		slices.ContainsFunc([]string{"formats", "lengths", "empties", "same", "clocks", "fills", "pure", "memory"},
			func(list string) bool { return lang.InList(list, name) }) ||
		slices.Contains(f.Language.Builtins, name)
}
