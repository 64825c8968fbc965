package c

import (
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

var (
	weak   = language.Lazy(`(?i)\b_*weak_*\b|\b\w+_weak\b|\bweak_\w+\b`)
	signal = language.Lazy(`\(\s*int\s+(?:sig|signal|signo|signum|signr|sig_?num(?:ber)?)\s*\)\s*$`)
	static = language.Lazy(`\bstatic\b`)
)

// IsOrphan reports whether a function stands in another, which no standard allows:
// what reads so was a class or a macro.
func (Rules) IsOrphan(d language.Definition) bool {
	return d.Parent != nil && !d.Parent.Class && !strings.HasPrefix(d.Parent.Declaration(), "union")
}

// Exempt says why a function of C is complete though empty.
func (Rules) Exempt(d language.Definition) string {
	switch {
	case d.Class || d.Marked || d.Name == "main":
		return ""
	case language.IsVariant(d):
		return "disabled"
	case weak.MatchString(headerOf(d)):
		return "weak"
	case d.NotImplemented:
		return ""
	case d.Endless:
		return "trap"
	case signal.MatchString(d.Header):
		return "signal"
	case static.MatchString(headerOf(d)) && language.IsDeliberate(d.Body):
		return "deliberate"
	case d.Owner == "" && language.StandsIn(d.Name):
		return "stand_in"
	}
	return ""
}

// headerOf returns the header of a definition with what follows its parameters, save comments.
func headerOf(d language.Definition) string {
	before, _, _ := strings.Cut(d.Header, "//")
	return before
}
