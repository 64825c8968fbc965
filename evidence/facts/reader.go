// Package facts reads the bodies of a file into plain terms, the same for all languages.
package facts

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Reader tells what the nodes of a file stand for.
type Reader struct {
	// Roles are those of the symbols of the grammar; Words those of calls by what they call.
	Roles []lang.Role
	Words map[string]lang.Role
	Src   []byte
	// Left is how many nodes may still be looked at.
	Left int
}

// Role tells what a node stands for.
func (r *Reader) Role(n *syntax.Node) lang.Role {
	r.Left--
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
		if own, ok := r.Words[string(r.word(n))]; ok {
			return own
		}
	}
	return role
}

// word is what a call, an operation or a declaration is known by.
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

// IsWorded reports whether a node has its role by its word.
func (r *Reader) IsWorded(n *syntax.Node) bool {
	return r.Roles[n.Symbol()] == lang.Calls
}

// Text is how a node is written.
func (r *Reader) Text(n *syntax.Node) string {
	text := r.Src[n.Start():n.End()]
	return string(text[LeadingBlanks(text):])
}

// CallOf returns what a call calls, and its arguments.
func (r *Reader) CallOf(n *syntax.Node) (callee string, arguments []*syntax.Node) {
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
		callee, arguments = r.CallOf(called) // f(a)(b)
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

// Names returns the names that a target consists of, "" for what is none.
func (r *Reader) Names(target *syntax.Node) []string {
	switch role := r.Role(target); {
	case role == lang.Refers, role == lang.Idles && r.Text(target) == "_":
		return []string{r.Text(target)}
	case role == lang.Holds && strings.ContainsAny(r.Text(target), ".["): // of something that others may hold
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

// fieldOf is the first of some fields that a node has, nil where it has none.
func fieldOf(n *syntax.Node, names ...string) *syntax.Node {
	for _, name := range names {
		if f := n.Field(name); f != nil {
			return f
		}
	}
	return nil
}

// Sides returns what a binding names and the value that it gives, nil without one.
func (r *Reader) Sides(n *syntax.Node) (target, right *syntax.Node) {
	target = fieldOf(n, "left", "pattern", "name", "declarator", "target")
	if target != nil && (r.Role(target) == lang.Declares && target.Type() != "variable_declaration") {
		return nil, nil // a declaration of several
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

// Asked returns what an if asks: its condition, or in a grammar without such a field the value that it begins with.
func (r *Reader) Asked(n *syntax.Node) *syntax.Node {
	if condition := n.Field("condition"); condition != nil {
		return condition
	}
	for _, c := range r.Parts(n) {
		if r.Role(c) == lang.Idles {
			continue
		}
		if IsFalse(r.Text(c)) || r.IsWorded(n) || c.Type() == "boolean" {
			return c
		}
		break
	}
	return nil
}

// IsConsequence reports whether a part of an if is what is done where its condition holds.
func (r *Reader) IsConsequence(n, part *syntax.Node, before []*syntax.Node) bool {
	if slices.ContainsFunc(append(before, part), isElse) || part.Type() == "control_structure_body" &&
		before[len(before)-1].Type() == part.Type() {
		return false
	}
	return n.Field("alternative") == nil || part.Start() < n.Field("alternative").Start()
}

// isElse reports whether a node is, or stands before, what is done where the condition of an if does not hold.
func isElse(n *syntax.Node) bool {
	kind := strings.TrimPrefix(n.Type(), "if_")
	return strings.HasPrefix(kind, "else") || strings.HasPrefix(kind, "elif") || strings.HasPrefix(kind, "elsif")
}

// isSequence reports whether the parts of nodes of a kind follow one another; those of others are the ways that there
// are.
func isSequence(kind string) bool {
	switch kind {
	case "block", "statements", "compound_statement", "body", "then", "do", "else", "do_group", "elif_clause", "begin",
		"ensure", "subshell":
		return true
	}
	return strings.HasSuffix(kind, "_block") || strings.HasSuffix(kind, "body_statement") ||
		strings.HasSuffix(kind, "_body") || strings.HasSuffix(kind, "do_statement")
}

// Parts are the children of a statement. Those of a call that is one are its arguments, and its blocks, without what it
// is called by.
func (r *Reader) Parts(n *syntax.Node) []*syntax.Node {
	all := n.NamedChildren()
	if !r.IsWorded(n) {
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

// IsTypeName reports whether a name is that of a type, or a constant's: Status, Status.OK.
func IsTypeName(name string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(name, "_:\\"))
	return unicode.IsUpper(first)
}

// IsFalse reports whether a text is false for ever.
func IsFalse(text string) bool {
	switch strings.Trim(text, "() \t") {
	case "False", "false", "FALSE", "0":
		return true
	}
	return false
}

// IsTrue reports whether a text is true for ever.
func IsTrue(text string) bool {
	switch strings.Trim(text, "() \t") {
	case "True", "true", "TRUE", "1", "iota", "NaN":
		return true
	}
	return false
}

// IsNull reports whether a text is how a language writes nothing.
func IsNull(text string) bool {
	switch strings.Trim(text, "() \t") {
	case "None", "null", "nil", "undefined", "NULL", "nullptr", "", "Unit", "Nil", "NIL", "Null":
		return true
	}
	return false
}

// LeadingBlanks counts the blanks that a text begins with: some grammars count those before a token to it.
func LeadingBlanks(text []byte) int {
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	return i
}
