// Package kotlin reads Kotlin's accessors, which the grammar puts beside their properties.
package kotlin

import (
	"bytes"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Rules are the decisions about Kotlin that need code.
type Rules struct{ lang.DefaultRules }

// Locate finds the property of an accessor. A getter without a setter gets the property's name; other accessors get it
// as their receiver.
func (Rules) Locate(n *syntax.Node, src []byte, parts lang.Parts) (lang.Parts, bool) {
	if n.Type() != "getter" && n.Type() != "setter" {
		return parts, true
	}
	property := n.PrevNamedSibling()
	if parent := n.Parent(); parent != nil && parent.Type() == "property_declaration" {
		property = parent
	}
	for property != nil && (strings.HasSuffix(property.Type(), "etter") || property.IsExtra()) {
		property = property.PrevNamedSibling()
	}
	if property == nil || property.ChildOf("variable_declaration") == nil {
		return parts, true
	}
	name := lang.At(property.ChildOf("variable_declaration").ChildOf("simple_identifier"))
	between := src[property.End():max(n.Start(), property.End())]
	if n.Type() == "setter" || bytes.Contains(between, []byte("set")) {
		parts.Receiver = name
		return parts, true
	}
	parts.Name, parts.Whole = name, lang.Span{Start: property.Start(), End: n.End()}
	return parts, true
}
