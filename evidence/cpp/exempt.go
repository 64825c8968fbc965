package cpp

import (
	"bytes"
	"strings"

	"github.com/acta-git/acta/evidence/c"
	"github.com/acta-git/acta/evidence/language"
)

var (
	virtual   = language.Lazy(`\bvirtual\b`)
	overrides = language.Lazy(`\b(?:override|final)\b`)
	heads     = language.Lazy(`^(?:\w+\s+|\[\[[^\]]*\]\]\s*|/\*.*?\*/\s*)*?\b(class|struct|namespace)\b`)
	nameless  = language.Lazy(`(?s)^\(\s*\)$|[\pL_][\pL\pN_]*\s+[&*\s]*[\pL_][\pL\pN_]*\s*(?:,|\)$|=)|[&*>]\s*[\pL_][\pL\pN_]*\s*(?:,|\)$|=)`)
)

// IsOrphan reports whether a function stands in another, or is virtual or overrides another where no class is around it.
func (rules) IsOrphan(d language.Definition) bool {
	return c.Rules{}.IsOrphan(d) || (d.Parent == nil || keywordOf(*d.Parent) == "namespace") && d.Owner == "" &&
		(virtual.MatchString(d.Header) || overrides.MatchString(afterParameters(d)))
}

func (rules) Exempt(d language.Definition) string {
	if d.Class {
		return exemptClass(d)
	}
	if initialises(d) && !d.NotImplemented {
		return "initialiser"
	}
	if word := (c.Rules{}).Exempt(d); word != "" || d.Marked {
		return word
	}
	if d.NotImplemented {
		if virtual.MatchString(d.Header) && language.LeftToSubclasses(d) {
			return "abstract"
		}
		return ""
	}
	return exemptMember(d)
}

// exemptMember: what does nothing, and says neither that it is not written nor that it is to be.
func exemptMember(d language.Definition) string {
	inClass := d.Parent != nil && keywordOf(*d.Parent) != "namespace" && d.Parent.Class
	override := overrides.MatchString(afterParameters(d))
	switch {
	case strings.HasPrefix(d.Name, "~"), override && language.IsTeardown(d.Name):
		return "teardown"
	case isConstructor(d) && (parametersOf(d) == "()" || isNameless(d)):
		return "default_constructor"
	case isConstructor(d) && isHidden(d):
		return "private_constructor"
	case inClass && !override && virtual.MatchString(d.Header):
		return "overridable"
	case (override || inClass || d.Owner != "") && language.IsDeliberate(d.Body):
		return "deliberate"
	case isNameless(d) && (override || isTemplate(d) || d.Parent != nil && isTemplate(*d.Parent)):
		return "overload"
	case inClass && isOff(d.Parent.Name) || isOff(d.Owner):
		return "stand_in"
	}
	return ""
}

func isTemplate(d language.Definition) bool { return strings.Contains(d.Header, "template") }

// isOff reports whether a class's name says that it is the one that does nothing: NoInstrumentation, EmptyStorage, TracingDisabled.
func isOff(name string) bool {
	words := language.Words(name)
	return len(words) > 1 && (words[0] == "no" || words[0] == "empty" || words[len(words)-1] == "disabled")
}

func exemptClass(d language.Definition) string {
	if !d.Empty {
		return "" // it holds stubs, and nothing else
	}
	header := language.WithoutArguments(d.Declaration())
	if language.IsVariant(d) {
		return "disabled"
	}
	switch keyword := keywordOf(d); {
	case keyword == "namespace":
		return ""
	case strings.Contains(strings.ReplaceAll(header, "::", ""), ":"):
		return "subclass"
	case keyword == "struct", isTemplate(d):
		return "tag"
	}
	return ""
}

// keywordOf returns the word that opens a class or a namespace.
func keywordOf(d language.Definition) string {
	if m := heads.FindStringSubmatch(d.Declaration()); m != nil {
		return m[1]
	}
	return ""
}

func isConstructor(d language.Definition) bool {
	if d.Owner != "" {
		return d.Owner == d.Name
	}
	return d.Parent != nil && d.Parent.Name == d.Name
}

// parametersOf returns the parameters of a function, their brackets included and blanks left out; (void) is ().
func parametersOf(d language.Definition) string {
	parameters, _ := split(d)
	parameters = strings.Join(strings.Fields(parameters), "")
	if parameters == "(void)" {
		return "()"
	}
	return parameters
}

// afterParameters returns what stands between a function's parameters and its body.
func afterParameters(d language.Definition) string {
	_, after := split(d)
	return after
}

// split returns the parameters of a function, and what follows them in its header.
func split(d language.Definition) (parameters, after string) {
	_, rest, ok := strings.Cut(d.Declaration(), d.Name)
	open := strings.IndexByte(rest, '(')
	if !ok || open < 0 {
		return "", ""
	}
	rest = rest[open:]
	depth := 0
	for i := range len(rest) {
		switch rest[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return rest[:i+1], rest[i+1:]
			}
		}
	}
	return "", ""
}

// initialises reports whether a function initialises members or bases, as only a constructor can: a colon follows its parameters.
func initialises(d language.Definition) bool {
	after := strings.ReplaceAll(afterParameters(d), "::", "")
	return strings.Contains(after, ":") && !strings.Contains(after, "->")
}

// access is how far above a member its access label is looked for, in bytes.
const access = 4000

// isHidden reports whether the access label above a member is private or protected; a class begins private.
func isHidden(d language.Definition) bool {
	if d.Parent == nil || !d.Parent.Class {
		return false
	}
	before := d.Source[max(0, d.At-access):d.At]
	open := bytes.LastIndex(before, []byte(d.Parent.Name))
	label := max(bytes.LastIndex(before, []byte("private:")), bytes.LastIndex(before, []byte("protected:")))
	public := bytes.LastIndex(before, []byte("public:"))
	return label > public && label > 0 || public < 0 && open >= 0 && keywordOf(*d.Parent) == "class"
}

// isNameless reports whether a function has parameters, and none of them a name.
func isNameless(d language.Definition) bool {
	parameters, _ := split(d)
	return parameters != "" && !nameless.MatchString(parameters)
}
