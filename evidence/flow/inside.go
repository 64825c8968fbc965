package flow

import (
	"slices"
	"strings"

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
			return false // who throws may do so for what the caller has sent
		case t.Op == facts.Call && !f.staysInMemory(t), t.Op == facts.Operate && t.Text == "<<":
			return false
		}
		return !slices.ContainsFunc(t.Parts, func(p *facts.Term) bool { return !stays(p) })
	}
	return fn.Body.Op != facts.Unknown && !fn.IsTooLong && stays(fn.Body)
}

// staysInMemory reports whether a call is known to use values in memory alone: not on a client, nor a helper.
func (f *File) staysInMemory(t *facts.Term) bool {
	name := lastName(t.Text)
	receiver := strings.TrimSuffix(t.Text, name)
	if receiver == "" && f.Functions[name] != nil || lang.HasListedWord("outside", receiver) {
		return false
	}
	switch f.Language.CalleeOf(t.Text, name) {
	case lang.Talks, lang.Shows, lang.Sleeps, lang.Builds:
		return true
	}
	return name == "" || facts.IsTypeName(name) && f.Language.Is("typescalled") ||
		slices.ContainsFunc([]string{"formats", "lengths", "empties", "same", "clocks", "fills", "pure", "memory"},
			func(list string) bool { return lang.InList(list, name) }) ||
		slices.Contains(f.Language.Builtins, name) ||
		strings.HasPrefix(f.text(t), t.Text+"[") // an element of a collection, in Swift
}
