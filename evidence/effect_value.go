package evidence

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// valueOf is the value of what holds several.
func (j *judgement) valueOf(parts []*syntax.Node) value {
	v := empty
	for _, n := range parts {
		if j.Role(n) == lang.Idles {
			continue
		}
		v = max(v, j.value(n))
	}
	return v
}

func (j *judgement) value(n *syntax.Node) value {
	if j.Left < 0 {
		return act
	}
	if !n.IsNamed() {
		return j.named(j.Text(n)) // a word of the language: nil
	}
	role := j.Role(n)
	if (role == lang.Acts || role >= lang.Written && role <= lang.Makes) && isEmptied(j.Text(n)) {
		return empty
	}
	if n.Type() == "async_block" && j.block(n.NamedChildren(), true) != acts && j.unmade {
		return unmade
	}
	switch role {
	case lang.Idles:
		if j.IsWorded(n) {
			return max(constant, j.valueOf(j.Parts(n)))
		}
		return constant
	case lang.Written:
		return j.written(n)
	case lang.Text:
		return j.literal(n)
	case lang.Holds:
		return j.holds(n)
	case lang.Refers:
		return j.named(j.Text(n))
	case lang.Wraps:
		v := j.valueOf(n.NamedChildren())
		if (v == first || v == computed) && strings.HasPrefix(n.Type(), "await") {
			return act // it waits
		}
		return v
	case lang.Computes:
		return j.computes(n)
	case lang.Selects:
		return j.selects(n)
	case lang.Calls:
		return j.call(n)
	case lang.Makes:
		return j.makes(n)
	case lang.Closes:
		return computed
	case lang.Throws, lang.Transfers:
		if strings.HasPrefix(j.Text(n), "return") {
			return act
		}
		if j.throwsBare(n) {
			j.raises = true
			return made
		}
		if throwsUndone(j.Text(n)) {
			return unmade
		}
	}
	return act
}

// written is the value of a literal that is no string.
func (j *judgement) written(n *syntax.Node) value {
	switch text := j.Text(n); {
	case facts.IsNull(text):
		return empty
	case text[0] == ':' && strings.Contains(text, "implement") && lang.SaysUndone(text): // an atom, a symbol
		return unmade
	case text[0] == ':' && undoneName.MatchString(text):
		return unmade // a symbol
	}
	return constant
}

// holds is the value of what holds others: a list, a map, a pair.
func (j *judgement) holds(n *syntax.Node) value {
	parts := n.NamedChildren()
	if n.Type() == "token_tree" {
		return j.tokens(parts)
	}
	switch kind := n.Type(); {
	case len(parts) == 2 && (strings.HasSuffix(kind, "pair") || strings.HasPrefix(kind, "key") ||
		kind == "field_initializer" || kind == "array_element_initializer"), kind == "field" && len(parts) > 1:
		parts = parts[len(parts)-1:] // what stands before it is its name
	case strings.Contains(kind, "initializer"):
		for i, part := range parts {
			if right := part.Field("right"); right != nil && j.Role(part) == lang.Assigns {
				parts[i] = right // new User { Id = 1 }
			}
		}
	}
	switch v := j.valueOf(parts); {
	case n.Type() == "composite_literal" && v <= constant && len(parts) > 0 &&
		!strings.HasSuffix(parts[0].Type(), "slice_type") && parts[0].Type() != "map_type":
		return made
	case v == empty && len(parts) > 0 && !slices.Contains([]string{"expression_list", "tuple", "composite_literal",
		"argument_list"}, n.Type()):
		return constant
	case v > first || v == empty:
		return v
	case v == first:
		if len(parts) == 1 {
			return first
		}
		return computed
	default:
		return v
	}
}

// computes is the value of an operation.
func (j *judgement) computes(n *syntax.Node) value {
	if text := j.Text(n); streams.MatchString(text) && lang.PrintsUndone(lang.LiteralParts(text)) {
		return mutter
	}
	if bytes.HasPrefix(j.Src[n.Start():], []byte("<-")) {
		return act // it waits for a channel
	}
	parts := n.NamedChildren()
	if operator := n.Field("operator"); operator != nil && j.Role(operator) == lang.Refers && len(parts) == 3 {
		if j.grammar.CallOf("", j.Text(operator)) != lang.Builds {
			return act // a method that is called
		}
		parts = []*syntax.Node{parts[0], parts[2]}
	}
	v := j.valueOf(parts)
	if v == unmade || v == mutter {
		return act // x or fail: a guard
	}
	if text := j.Text(n); v == first || v <= made && text[0] == '&' && strings.HasSuffix(text, "{}") {
		return computed // a pointer to what is empty is a new object
	}
	return max(constant, v)
}

// selects is the value of a member of something.
func (j *judgement) selects(n *syntax.Node) value {
	if strings.EqualFold(j.Text(n), "string.empty") {
		return constant
	}
	parts := n.NamedChildren()
	v := j.valueOf(parts[:min(1, len(parts))])
	elsewhere := j.elsewhere
	v = max(v, j.valueOf(parts[min(1, len(parts)):]))
	j.elsewhere = elsewhere // the name of a member is no name of something else
	if v >= talk {
		return v
	} else if facts.IsTypeName(j.Text(n)) && !strings.ContainsAny(j.Text(n), "[(") &&
		!(j.grammar.Terse && strings.Contains(j.Text(n), ".")) {
		return made // a member of a type: Status.OK; in Go and C++ a dot stands behind what is no type
	}
	return computed
}

// literal judges a string, which may hold expressions.
func (j *judgement) literal(n *syntax.Node) value {
	v := constant
	for _, c := range n.NamedChildren() {
		if j.Role(c) == lang.Text && c.NamedChildCount() > 0 {
			v = max(v, j.literal(c))
		} else if kind := c.Type(); kind == "variable_name" {
			v = max(v, j.value(c), computed)
		} else if strings.Contains(kind, "interpol") || strings.Contains(kind, "substitution") ||
			strings.Contains(kind, "expansion") {
			parts := slices.DeleteFunc(c.NamedChildren(), func(part *syntax.Node) bool {
				return strings.HasSuffix(part.Type(), "brace")
			})
			if len(parts) == 1 && j.Role(parts[0]) == lang.Groups {
				parts = parts[0].NamedChildren()
			}
			v = max(v, j.valueOf(parts), computed)
		}
	}
	j.strings = append(j.strings, stretch{n.Start(), n.End()})
	return v
}

// named is the value of a name.
func (j *judgement) named(name string) value {
	if facts.IsNull(name) {
		return empty
	}
	if name == "NotImplemented" {
		return computed // how Python declines an operation
	}
	if facts.IsTrue(name) || facts.IsFalse(name) || name == "ENOSYS" || name == "ENOTSUP" || name == "EOPNOTSUPP" {
		return constant
	}
	if v, ok := j.locals[name]; ok {
		return v
	}
	if slices.Contains(j.bounds, name) {
		return computed
	}
	for i, p := range j.params {
		if p == name {
			if i == 0 {
				return first
			}
			return computed
		}
	}
	if slices.Contains(j.self, name) && name != "super" {
		j.elsewhere = true
		return first
	}
	if j.grammar.NamesCall && !slices.Contains(j.self, name) && !facts.IsTypeName(name) {
		return act
	}
	j.elsewhere = j.elsewhere || !facts.IsTypeName(name)
	return computed
}

// tokens judges the words of a macro, which no grammar reads.
func (j *judgement) tokens(parts []*syntax.Node) value {
	v := empty
	for i, n := range parts {
		if j.Role(n) != lang.Refers {
			v = max(v, j.value(n))
			continue
		}
		name, after := j.Text(n), bytes.TrimSpace(j.Src[n.End():j.whole.end])
		switch {
		case bytes.HasPrefix(after, []byte("::")), bytes.HasPrefix(after, []byte(":")):
		case i+1 < len(parts) && parts[i+1].Type() == "token_tree" && bytes.HasPrefix(after, []byte("(")) &&
			!facts.IsTypeName(name):
			if j.grammar.CallOf("::"+name, name) != lang.Builds {
				return act
			}
			v = max(v, made)
		case facts.IsTypeName(name) && !facts.IsNull(name):
			v = max(v, made)
		default:
			v = max(v, j.named(name))
		}
	}
	return v
}

// makes judges the making of an object.
func (j *judgement) makes(n *syntax.Node) value {
	text := j.Text(n)
	if len(text) <= maxMessage && strings.Contains(text, "setTimeout") {
		return talk
	}
	if len(text) <= maxMessage && lang.MakesError(text[:strings.IndexByte(text+"(", '(')]) && throwsUndone(text) {
		return unmade
	}
	v := made
	for _, c := range n.NamedChildren() {
		switch j.Role(c) {
		case lang.Refers, lang.Selects, lang.Idles, lang.Disables:
		default:
			v = max(v, j.value(c))
		}
	}
	return v
}
