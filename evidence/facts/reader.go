// Package facts reads the bodies of a file into terms, the same for all languages.
package facts

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Reader reads the nodes of a file.
type Reader struct {
	// Roles are the roles of the grammar's symbols, Words those of calls by their callees.
	Roles []lang.Role
	Words map[string]lang.Role
	Src   []byte
	// NodesLeft is how many nodes may still be read.
	NodesLeft int
}

// Role returns the role of a node.
func (r *Reader) Role(n *syntax.Node) lang.Role {
	r.NodesLeft--
	s := n.Symbol()
	if s >= len(r.Roles) || n.IsError() || n.IsMissing() {
		return lang.Acts
	}
	role := r.Roles[s]
	if len(r.Words) == 0 {
		return role
	}
	switch role {
	case lang.Acts, lang.Calls, lang.Computes, lang.Declares, lang.Assigns, lang.Loops:
		if wordRole, ok := r.Words[string(r.word(n))]; ok {
			return wordRole
		}
	}
	return role
}

// word returns the name of a call, operation or declaration for Words.
func (r *Reader) word(n *syntax.Node) []byte {
	for _, name := range []string{"target", "method", "name", "operator"} {
		f := n.Field(name)
		if f == nil || name == "name" && n.Type() != "command" {
			continue
		}
		word := r.Src[f.Start():f.End()]
		if name == "method" && n.Field("receiver") != nil {
			return append([]byte{'.'}, word...)
		}
		return word
	}
	text := r.Src[n.Start():n.End()]
	text = text[LeadingBlanks(text):]
	end := 0
	for end < len(text) && text[end] > ' ' {
		end++
	}
	return text[:end]
}

// HasWordRole reports whether a node has its role from Words.
func (r *Reader) HasWordRole(n *syntax.Node) bool {
	return r.Roles[n.Symbol()] == lang.Calls
}

// Text returns the text of a node.
func (r *Reader) Text(n *syntax.Node) string {
	text := r.Src[n.Start():n.End()]
	return string(text[LeadingBlanks(text):])
}

// Callee returns the callee of a call, and its arguments.
func (r *Reader) Callee(n *syntax.Node) (callee string, arguments []*syntax.Node) {
	list := n.Field("arguments")
	if list == nil {
		for _, c := range n.NamedChildren() {
			switch c.Type() {
			case "argument_list", "arguments", "call_suffix", "value_arguments", "constructor_suffix", "function_arguments",
				"token_tree", "string_argument", "table_argument":
				list = c
			}
		}
	}
	if list != nil && strings.Contains(list.Type(), "block") {
		return "", nil
	}
	if list == nil {
		parts := n.NamedChildren()
		parts = slices.DeleteFunc(parts, func(c *syntax.Node) bool {
			return n.Type() == "command" && c.Type() == "file_redirect"
		})
		if n.Type() == "command" && len(parts) > 0 {
			return r.Text(parts[0]), parts[1:]
		}
		return r.Text(n), nil
	}
	if called := n.NamedChild(0); r.Role(called) == lang.Calls &&
		(called.Field("arguments") != nil || list.Type() == "call_suffix") && called.End() <= list.Start() &&
		strings.TrimSpace(string(r.Src[called.End():list.Start()])) == "" {
		callee, arguments = r.Callee(called) // f(a)(b)
		return callee, append(arguments, list.NamedChildren()...)
	}
	callee = strings.TrimSpace(string(r.Src[n.Start():max(n.Start(), list.Start())]))
	callee = strings.TrimRight(callee, "(!?")
	if i := strings.IndexAny(callee, "<["); i > 0 && (strings.HasSuffix(callee, ">") || strings.HasSuffix(callee, "]")) {
		callee = callee[:i]
	}
	arguments = list.NamedChildren()
	for len(arguments) == 1 && (arguments[0].Type() == "value_arguments") {
		arguments = arguments[0].NamedChildren()
	}
	return callee, arguments
}

// Names returns the names in a target, "" for a target that is not a name.
func (r *Reader) Names(target *syntax.Node) []string {
	switch role := r.Role(target); {
	case role == lang.Refers, role == lang.Idles && r.Text(target) == "_":
		return []string{r.Text(target)}
	case role == lang.Holds && strings.ContainsAny(r.Text(target), ".["): // a part of a value that others may hold
	case role == lang.Holds, strings.HasSuffix(target.Type(), "_declarator") && target.Type() != "function_declarator",
		target.Type() == "directly_assignable_expression", target.Type() == "pattern",
		target.Type() == "variable_declaration":
		var all []string
		for _, c := range target.NamedChildren() {
			if r.Role(c) == lang.Idles && r.Text(c) != "_" {
				continue
			}
			all = append(all, r.Names(c)...)
		}
		if len(all) > 0 {
			return all
		}
	}
	return []string{""}
}

// fieldOf returns the first of some fields that a node has, nil if it has none.
func fieldOf(n *syntax.Node, names ...string) *syntax.Node {
	for _, name := range names {
		if f := n.Field(name); f != nil {
			return f
		}
	}
	return nil
}

// Sides returns the target and the value of a binding, nil if it has none.
func (r *Reader) Sides(n *syntax.Node) (target, right *syntax.Node) {
	target = fieldOf(n, "left", "pattern", "name", "declarator", "target")
	if target != nil && (r.Role(target) == lang.Declares && target.Type() != "variable_declaration") {
		return nil, nil // a declaration of several names
	}
	if right = fieldOf(n, "right", "value", "result", "default_value"); right != nil {
		return target, right
	}
	parts := n.NamedChildren()
	parts = slices.DeleteFunc(parts, func(c *syntax.Node) bool {
		return r.Role(c) == lang.Idles && c.Type() != "wildcard_pattern" && r.Text(c) != "_"
	})
	if target == nil && len(parts) == 2 && r.Role(parts[0]) != lang.Idles && r.Role(parts[1]) != lang.Declares {
		return parts[0], parts[1]
	}
	if target != nil && len(parts) > 1 {
		if last := parts[len(parts)-1]; last.Start() >= target.End() && r.Role(last) != lang.Idles {
			return target, last
		}
	}
	return target, nil
}

// Condition returns the condition of an if; in a grammar without that field, its first value.
func (r *Reader) Condition(n *syntax.Node) *syntax.Node {
	if condition := n.Field("condition"); condition != nil {
		return condition
	}
	for _, c := range r.Parts(n) {
		if r.Role(c) == lang.Idles {
			continue
		}
		if IsFalse(r.Text(c)) || r.HasWordRole(n) || c.Type() == "boolean" {
			return c
		}
		break
	}
	return nil
}

// IsConsequence reports whether a part of an if runs when the condition holds.
func (r *Reader) IsConsequence(n, part *syntax.Node, before []*syntax.Node) bool {
	if slices.ContainsFunc(append(before, part), isElse) || part.Type() == "control_structure_body" &&
		before[len(before)-1].Type() == part.Type() {
		return false
	}
	return n.Field("alternative") == nil || part.Start() < n.Field("alternative").Start()
}

func isElse(n *syntax.Node) bool {
	kind := strings.TrimPrefix(n.Type(), "if_")
	return strings.HasPrefix(kind, "else") || strings.HasPrefix(kind, "elif") || strings.HasPrefix(kind, "elsif")
}

// isSequence reports whether the parts of a kind of node run one after another; other nodes hold alternatives.
func isSequence(kind string) bool {
	switch kind {
	case "block", "statements", "compound_statement", "body", "then", "do", "else", "do_group", "elif_clause", "begin",
		"ensure", "subshell":
		return true
	}
	return strings.HasSuffix(kind, "_block") || strings.HasSuffix(kind, "body_statement") ||
		strings.HasSuffix(kind, "_body") || strings.HasSuffix(kind, "do_statement")
}

// Parts returns the children of a statement; for a call that has a statement's role, its arguments and blocks without
// the callee.
func (r *Reader) Parts(n *syntax.Node) []*syntax.Node {
	all := n.NamedChildren()
	if !r.HasWordRole(n) {
		return all
	}
	var parts []*syntax.Node
	target, method := n.Field("target"), n.Field("method")
	for _, c := range all {
		switch kind := c.Type(); {
		case target != nil && c == target, method != nil && c == method, kind == "command_name":
		case kind == "arguments", kind == "argument_list", kind == "keywords":
			for _, a := range c.NamedChildren() {
				if a.Type() != "keywords" {
					parts = append(parts, a)
					continue
				}
				for _, pair := range a.NamedChildren() {
					if v := pair.Field("value"); v != nil {
						parts = append(parts, v)
					}
				}
			}
		default:
			parts = append(parts, c)
		}
	}
	return parts
}

// IsTypeName reports whether a name is that of a type or constant: Status, Status.OK.
func IsTypeName(name string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(name, "_:\\"))
	return unicode.IsUpper(first)
}

// IsFalse reports whether a text is a constant false.
func IsFalse(text string) bool { return isOneOf(text, "False", "false", "FALSE", "0") }

// IsTrue reports whether a text is a constant true.
func IsTrue(text string) bool { return isOneOf(text, "True", "true", "TRUE", "1", "iota", "NaN") }

// IsNull reports whether a text is a language's null.
func IsNull(text string) bool {
	return isOneOf(text, "None", "null", "nil", "undefined", "NULL", "nullptr", "", "Unit", "Nil", "NIL", "Null")
}

// isOneOf reports whether a text is one of some words, perhaps in brackets.
func isOneOf(text string, words ...string) bool {
	return slices.Contains(words, strings.Trim(text, "() \t"))
}

// LeadingBlanks counts the blanks at the beginning of a text: some grammars include them in tokens.
func LeadingBlanks(text []byte) int {
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	return i
}
