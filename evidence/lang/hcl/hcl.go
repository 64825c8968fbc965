// Package hcl describes HCL, Terraform's language, to package evidence. Every
// block and attribute is data; nothing there is a stub. A comment is none, and neither is an
// attribute whose value is nothing but TODO, save where its name is one of states or words.
//
// A block with labels is known by them: a resource "aws_instance" "web" is
// aws_instance.web, a variable "region" is variable.region.
package hcl

import (
	"strings"

	grammar "github.com/smacker/go-tree-sitter/hcl"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Language returns the description of HCL.
func Language() lang.Language {
	return lang.Language{
		Rules:   rules{},
		Name:    "hcl",
		Grammar: grammar.GetLanguage(),
	}
}

// rules are what code decides of it.
type rules struct{ lang.DefaultRules }

// Locate finds a block's last label, and before it what the block is.
func (rules) Locate(_ string, n *syntax.Node, src []byte) (parts lang.Parts, ok bool) {
	var last *syntax.Node
	for i, child := range n.NamedChildren() {
		if child.Type() == "string_lit" {
			last = child
		} else if i > 0 {
			break
		}
	}
	if last == nil || last.End()-last.Start() < 3 {
		return parts, false
	}
	parts.Name = lang.Span{Start: last.Start() + 1, End: last.End() - 1}
	parts.Receiver = lang.Span{Start: n.Start(), End: last.Start()}
	return parts, true
}

// Owner makes the first words of a block an address, as Terraform does: that of a resource begins with its type.
func (rules) Owner(header string) string {
	words := strings.Fields(strings.ReplaceAll(header, `"`, " "))
	if len(words) > 1 && words[0] == "resource" {
		words = words[1:]
	}
	return strings.Join(words, ".")
}
