package swift

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

var (
	kinds    = language.Lazy(`\b(class|struct|enum|actor|extension|protocol)\s+[\pL_` + "`" + `]`)
	inherits = language.Lazy(`[^:]:[^:]`)
	required = language.Lazy(`(?s)\binit\s*[?!]?\s*\(\s*coder\b|\brequired\b.*\binit\b`)
	banned   = language.Lazy(`(?s)^@available\s*\(.*\bunavailable\b`)
	noParams = language.Lazy(`\binit\s*[?!]?\s*\(\s*\)`)
	open     = language.Lazy(`\bopen\b`)
	override = language.Lazy(`\boverride\b`)
	todo     = language.Lazy(`\b(?:TODO|FIXME)\b`)
)

// IsOrphan reports whether a member that overrides another, or an initialiser, stands in no type.
func (rules) IsOrphan(d language.Definition) bool {
	return d.Parent == nil && (d.Name == "init" || override.MatchString(d.Declaration()))
}

func (rules) Exempt(d language.Definition) string {
	if d.Class {
		return exemptClass(d)
	}
	switch {
	case d.NotImplemented && d.Name == "init" && (required.MatchString(d.Header) || slices.ContainsFunc(d.Decorators, banned.MatchString)):
		return "required_init"
	case slices.Contains([]string{"unimplemented", "notImplemented"}, d.Name):
		return "unimplemented"
	case language.LeftToSubclasses(d):
		return "abstract"
	case d.Marked:
		return ""
	case language.IsVariant(d):
		return "disabled"
	case d.NotImplemented && isDefault(d) && !todo.MatchString(d.Body):
		return "abstract"
	case d.NotImplemented:
		return ""
	case isDefault(d):
		return "overridable"
	}
	return exemptMember(d)
}

// exemptMember: what does nothing, and says neither that it is not written nor that it is to be.
func exemptMember(d language.Definition) string {
	switch {
	case d.Name == "deinit", language.IsTeardown(d.Name) && conforms(d), strings.HasPrefix(d.Name, "dismantle"):
		return "teardown"
	case d.Name == "init" && noParams.MatchString(d.Header):
		return "default_constructor"
	case slices.Contains([]string{"updateUIView", "updateNSView", "updateUIViewController", "updateNSViewController", "updateWKInterfaceObject"}, d.Name):
		return "representable"
	case d.Name == "set" && d.Parent != nil && override.MatchString(d.Parent.Header):
		return "accessor"
	case open.MatchString(d.Declaration()) && !override.MatchString(d.Declaration()):
		return "overridable"
	case d.Empty && d.Parent != nil && language.IsDeliberate(d.Body):
		return "deliberate"
	}
	return ""
}

// isDefault reports whether a member is the default of a protocol: it stands in
// an extension of one that the file declares near it, or that is named as protocols are.
func isDefault(d language.Definition) bool {
	around := d.Parent
	for around != nil && !around.Class {
		around = around.Parent
	}
	if around == nil || kindOf(*around) != "extension" {
		return false
	}
	words := language.Words(around.Name)
	if _, declared, ok := bytes.Cut(language.Around(d), []byte("protocol "+around.Name)); ok {
		requirements, _, _ := bytes.Cut(declared, []byte("\n}"))
		return bytes.Contains(requirements, []byte("func "+d.Name)) || bytes.Contains(requirements, []byte("var "+d.Name)) || slices.Contains([]string{"init", "get", "set"}, d.Name)
	}
	return len(words) > 1 && slices.Contains([]string{"delegate", "protocol", "listener", "observer", "datasource", "source", "observing", "handling", "providing"}, words[len(words)-1])
}

// conforms reports whether the type of a member has a superclass or a protocol, or the member overrides another.
func conforms(d language.Definition) bool {
	return override.MatchString(d.Declaration()) || d.Parent != nil && d.Parent.Class && inherits.MatchString(language.WithoutArguments(d.Parent.Declaration()))
}

func exemptClass(d language.Definition) string {
	if !d.Empty {
		return "" // it holds stubs, and nothing else
	}
	declaration := language.WithoutArguments(d.Declaration())
	derives := inherits.MatchString(declaration)
	switch kindOf(d) {
	case "extension":
		if derives {
			return "marker"
		}
		return ""
	case "protocol", "struct", "enum":
		return "marker"
	}
	switch {
	case derives:
		return "subclass"
	case len(d.Decorators) > 0:
		return "decorated"
	}
	return ""
}

// kindOf returns the word that a type is declared with.
func kindOf(d language.Definition) string {
	if m := kinds.FindStringSubmatch(d.Declaration()); m != nil {
		return m[1]
	}
	return ""
}
