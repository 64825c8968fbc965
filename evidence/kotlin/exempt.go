package kotlin

import (
	_ "embed"
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

func (rules) Exempt(d language.Definition) string {
	switch {
	case d.Class:
		return exemptClass(d)
	case d.Marked && !d.NotImplemented:
		return ""
	case d.Name == "constructor":
		return exemptConstructor(d)
	case d.NotImplemented:
		return exemptUnwritten(d)
	}
	return idle(d)
}

func exemptClass(d language.Definition) string {
	header := declaration(d)
	switch {
	case strings.Contains(language.BeforeName(d), "object "):
		return "object"
	case abstractClass.MatchString(header):
		return "abstract"
	case parameters.MatchString(header):
		return "primary_constructor"
	case strings.Contains(header, ":"):
		return "subclass"
	case len(d.Decorators) > 0:
		return "decorated"
	}
	return ""
}

// declaration returns a header without annotations, type arguments and constraints.
func declaration(d language.Definition) string {
	return constrained.ReplaceAllString(language.WithoutArguments(d.Declaration()), "")
}

func exemptConstructor(d language.Definition) string {
	header := d.Declaration()
	switch {
	case !d.Empty:
		return ""
	case delegation.MatchString(header):
		return "delegates"
	case hidden.MatchString(language.BeforeName(d)):
		return "private_constructor"
	case noParameters.MatchString(header):
		return "default_constructor"
	}
	return ""
}

// exemptUnwritten: an exception for «not implemented» may be for others to replace; a TODO() is not.
func exemptUnwritten(d language.Definition) string {
	switch {
	case strings.Contains(d.Body, "TODO("), d.Marked:
		return ""
	case language.LeftToSubclasses(d), open.MatchString(language.BeforeName(d)) && abstractClass.MatchString(declarationOf(d.Parent)):
		return "abstract"
	case inInterface(d):
		return "overridable"
	}
	return ""
}

// idle: what does nothing, and says neither that it is not written nor that it is to be.
func idle(d language.Definition) string {
	before := language.BeforeName(d)
	overrides := override.MatchString(before)
	switch {
	case isAnonymous(d):
		return "anonymous"
	case open.MatchString(before), inInterface(d):
		return "overridable"
	case overrides && language.IsTeardown(d.Name):
		return "teardown"
	case overrides && language.JVMListens(d.Header):
		return "listener"
	case overrides && language.JVMVisits(d.Name):
		return "visitor"
	case strings.HasPrefix(d.Declaration(), "set(_"):
		return "deliberate"
	case overrides && (d.Body == "Unit" || language.IsDeliberate(d.Body)), language.DocumentsNothing(d):
		return "deliberate"
	case d.Name == "contextLoads" && d.Parent != nil && len(d.Parent.Decorators) > 0:
		return "context_test"
	}
	return ""
}

func declarationOf(d *language.Definition) string {
	if d == nil {
		return ""
	}
	return declaration(*d)
}

// isAnonymous reports whether a function stands in an object expression, or in the body of an enum's entry.
func isAnonymous(d language.Definition) bool {
	if d.Owner != "" && d.Name != "set" && d.Name != "get" {
		return !strings.HasSuffix(language.BeforeName(d), ".")
	}
	return d.Parent != nil && !d.Parent.Class && d.Parent.Parent != nil && enum.MatchString(d.Parent.Parent.Header) && !typeWord.MatchString(language.BeforeName(*d.Parent))
}

// inInterface reports whether a function is one of an interface that others can override.
func inInterface(d language.Definition) bool {
	return d.Parent != nil && !d.Parent.Class && strings.Contains(language.BeforeName(*d.Parent), "interface ") && !closed.MatchString(language.BeforeName(d))
}
