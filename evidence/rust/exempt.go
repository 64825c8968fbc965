package rust

import (
	"slices"

	"github.com/acta-git/acta/evidence/language"
)

var (
	comments  = language.Lazy(`(?s)//[^\n]*|/\*.*?\*/`)
	keyword   = language.Lazy(`\b(trait|impl|mod|fn)\b`)
	implTrait = language.Lazy(`\sfor\s`)
	implDrop  = language.Lazy(`\bDrop\s+for\s`)
	todo      = language.Lazy(`\btodo!`)
	// A negated condition, or one of the target: another variant does the work.
	variantOf = language.Lazy(`(?s)^#\[\s*cfg\s*\(.*\b(?:not\s*\(|unix\b|windows\b|target_\w+\b|panic\b)`)
	doctest   = language.Lazy(`(?s)^#\[\s*(?:cfg\s*\(\s*doctest\b|doc\s*=\s*include_str!)`)
	// No parameters but unnamed ones, and no result: what is checked are the types, by bounds or by a trait object.
	checks = language.Lazy(`(?s)\bfn\s+_*(?:(?:static_)?assert\w*\s*(?:<.*>)?|(?:is|check|ensure|requires?|impls?|needs?|takes?)_\w*\s*<.*>)\s*\(\s*(?:_\w*\s*:[^,]*,?\s*)*\)\s*(?:where\b.*)?$`)
	// Attributes that only switch a module on or off, or silence a lint.
	switches  = language.Lazy(`^#\[\s*(?:cfg|cfg_attr|allow|expect|warn|deny)\b`)
	takesSelf = language.Lazy(`\bfn\s+[\pL\pN_]+\s*(?:<[^()]*>)?\s*\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self\b`)
	consumes  = language.Lazy(`(?s)\(\s*(?:mut\s+)?self\s*[,)]`)
)

// IsOrphan reports whether a function takes self where no impl and no trait is around it.
func (rules) IsOrphan(d language.Definition) bool {
	return takesSelf.MatchString(declaration(d)) && (d.Parent == nil || !d.Parent.Class || kindOf(*d.Parent) == "mod")
}

func (rules) Exempt(d language.Definition) string {
	if d.Class {
		return exemptClass(d)
	}
	inTrait := d.Parent != nil && kindOf(*d.Parent) == "trait"
	switch {
	case d.IsDecorated(doctest):
		return "doctest"
	case d.Marked:
		return ""
	case d.NotImplemented:
		return declines(d, inTrait)
	case inTrait:
		return "overridable"
	case isVariant(d):
		return "disabled"
	case d.Name != "main" && d.Endless:
		return "trap"
	case checks.MatchString(d.Header):
		return "assertion"
	case isTeardown(d):
		return "teardown"
	case implementsTrait(d):
		return exemptImplementation(d)
	}
	return ""
}

// declines: what says «not implemented», and not that it is left to be done.
func declines(d language.Definition, inTrait bool) string {
	switch {
	case todo.MatchString(d.Body):
		return ""
	case inTrait:
		return "abstract"
	case isVariant(d):
		return "disabled"
	}
	return ""
}

func isVariant(d language.Definition) bool {
	return d.IsDecorated(variantOf) || d.Parent != nil && d.Parent.IsDecorated(variantOf)
}

// exemptClass: an empty module is nothing, an empty impl of a type neither.
func exemptClass(d language.Definition) string {
	if !d.Empty {
		return "" // it holds stubs, and nothing else
	}
	switch kindOf(d) {
	case "mod":
		switch {
		case isVariant(d):
			return "disabled"
		case slices.ContainsFunc(d.Decorators, func(text string) bool { return !switches.MatchString(text) }):
			return "decorated"
		}
	case "trait":
		return "marker"
	case "impl":
		if implTrait.MatchString(declaration(d)) {
			return "marker"
		}
	}
	return ""
}

func implementsTrait(d language.Definition) bool {
	return d.Parent != nil && implTrait.MatchString(declaration(*d.Parent))
}

// exemptImplementation: a trait may demand a method that a type has no use for.
func exemptImplementation(d language.Definition) string {
	switch {
	case isUnit(d.Parent.Name):
		return "unit"
	case language.IsTeardown(d.Name):
		return "teardown"
	case d.Empty && language.IsDeliberate(d.Body):
		return "deliberate"
	}
	return ""
}

// isUnit reports whether a type holds nothing, so that a trait may have nothing to do for it.
func isUnit(name string) bool {
	return slices.Contains([]string{"()", "!", "PhantomData", "Infallible", "Empty", "Sink"}, name)
}

func isTeardown(d language.Definition) bool {
	if d.Name == "drop" && d.Parent != nil && implDrop.MatchString(declaration(*d.Parent)) {
		return true
	}
	return d.Empty && consumes.MatchString(declaration(d)) &&
		(language.IsTeardown(d.Name) || slices.Contains([]string{"drop", "finish", "free", "end", "detach", "stop"}, d.Name))
}

// kindOf returns the keyword of a definition: trait, impl, mod, fn.
func kindOf(d language.Definition) string { return keyword.FindString(declaration(d)) }

// declaration returns the header of a definition without attributes and comments.
func declaration(d language.Definition) string {
	return comments.ReplaceAllString(d.Declaration(), " ")
}
