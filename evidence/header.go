package evidence

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// objects are how languages call the object of a method.
var objects = []string{"self", "this", "cls", "Self", "$this", "static"}

// header notes what the header of a definition says: its parameters, and what stands for its object.
func (j *judgement) header(n *syntax.Node, body, name stretch) {
	j.self = objects
	if receiver := n.Field("receiver"); receiver != nil {
		j.method = true
		j.params = nil
		j.parameters(receiver)
		j.self, j.params, j.slots = slices.Concat(j.self, j.params), nil, 0
	}
	if n.Field("parameters") == nil && !j.findParameters(n, body.start, 6) {
		j.matched(n, name)
	}
	for list := range n.Children() { // f(a)(b) has two lists; what the compiler gives is no one's to read
		if list.IsField("parameters") && !given.MatchString(j.Text(list)) {
			j.parameters(list)
		}
	}
	unused := marked(j.params, string(j.Src[n.Start():max(n.Start(), body.start)]), "unused")
	j.nameless = j.slots > 0 &&
		!slices.ContainsFunc(j.params, func(p string) bool {
			return !strings.HasPrefix(p, "_") && !strings.HasSuffix(p, "self") && !slices.Contains(unused, p)
		})
	j.params = slices.DeleteFunc(j.params, func(p string) bool {
		return slices.Contains([]string{"self", "this", "cls", "&self", "&mut self"}, p)
	})
	for up, i := n.Parent(), 0; up != nil && i < 4 && !j.method; up, i = up.Parent(), i+1 {
		switch kind := up.Type(); {
		case strings.Contains(kind, "function"), strings.Contains(kind, "method"), kind == "call":
			return
		case strings.Contains(kind, "class"), strings.Contains(kind, "impl"), strings.Contains(kind, "trait"),
			strings.Contains(kind, "struct"), strings.Contains(kind, "object"), strings.Contains(kind, "interface"),
			strings.Contains(kind, "extension"), strings.Contains(kind, "enum"):
			j.method = true
			j.ownType(n, up)
		}
	}
}

// matched notes the parameters of a definition that is headed by a pattern of its calls.
func (j *judgement) matched(n *syntax.Node, name stretch) {
	for range maxWraps {
		var inner *syntax.Node
		for _, c := range n.NamedChildren() {
			if c.Start() <= name.start && name.end <= c.End() {
				inner = c
			}
		}
		if inner == nil {
			return
		}
		if inner.Start() == name.start && inner.End() == name.end {
			break
		}
		n = inner
	}
	for _, c := range n.NamedChildren() {
		if c.Type() == "arguments" && c.Start() >= name.end {
			for _, p := range c.NamedChildren() {
				if before := len(j.params); true {
					if j.parameter(p); len(j.params) == before {
						j.params = append(j.params, "") // a pattern without a name
					}
				}
			}
			j.matches = true
		}
	}
}

// ownType notes the type that a definition is a member of. A method of an object in JavaScript is none of its class.
func (j *judgement) ownType(n, class *syntax.Node) {
	if n.Type() == "method_definition" && !strings.HasPrefix(j.Text(n), "static ") {
		return
	}
	for range 2 { // its body, and itself
		for _, field := range []string{"name", "type"} {
			if f := class.Field(field); f != nil {
				owner, _, _ := strings.Cut(j.Text(f), "<")
				j.owners = append(j.owners, owner)
				return
			}
		}
		if class = class.Parent(); class == nil {
			return
		}
	}
}

// given is how a list of parameters begins that are filled in where a function is called.
var given = lang.Lazy(`^\(\s*(implicit|using)\s`)

// findParameters looks for the parameters before a body.
func (j *judgement) findParameters(n *syntax.Node, before, depth int) bool {
	found := false
	for _, c := range n.NamedChildren() {
		if c.Start() >= before {
			break
		}
		switch kind := c.Type(); {
		case kind == "parameter":
			j.parameter(c)
			found = true
		case strings.HasSuffix(kind, "parameters") && !strings.HasPrefix(kind, "type_"), kind == "parameter_list":
			j.parameters(c)
			return true
		case depth > 0 && c.End() <= before && j.findParameters(c, before, depth-1):
			return true
		}
	}
	return found
}

func (j *judgement) parameters(list *syntax.Node) {
	if list.NamedChildCount() == 0 && j.Role(list) == lang.Refers {
		j.params = append(j.params, j.Text(list)) // x => …
		return
	}
	for _, c := range list.NamedChildren() {
		j.parameter(c)
	}
}

// parameter notes the names of one parameter, or of several that share a type.
func (j *judgement) parameter(n *syntax.Node) {
	if kind := n.Type(); strings.HasSuffix(kind, "parameter") || strings.HasSuffix(kind, "parameter_declaration") {
		if j.Text(n) != "void" && !strings.HasSuffix(j.Text(n), "self") {
			j.slots++
		}
	}
	switch role := j.Role(n); {
	case role == lang.Written || role == lang.Holds || role == lang.Makes:
		reads := j.reads
		j.match(n)
		j.reads = reads
		return
	case role == lang.Idles || role == lang.Text || role == lang.Disables:
		return
	case role == lang.Assigns && n.NamedChildCount() == 2: // a pattern, and the name of the whole
		j.parameter(n.NamedChild(0))
		j.parameter(n.NamedChild(1))
		return
	case role == lang.Refers:
		j.params = append(j.params, j.Text(n))
		return
	}
	for _, name := range []string{"pattern", "declarator", "name", "left"} {
		f := n.Field(name)
		if f == nil {
			continue
		}
		if name == "name" {
			for c := range n.Children() {
				if c.IsField("name") && j.Role(c) == lang.Refers {
					j.params = append(j.params, j.Text(c))
				}
			}
			return
		}
		j.parameter(f)
		return
	}
	for _, c := range n.NamedChildren() {
		if role := j.Role(c); role == lang.Refers || strings.HasSuffix(c.Type(), "declarator") ||
			strings.HasSuffix(c.Type(), "pattern") || strings.HasSuffix(c.Type(), "parameter") {
			j.parameter(c)
			return
		}
	}
}

// namesResult reports whether what is given back has names in the header, so that a return without a value gives them
// back.
func namesResult(n *syntax.Node) bool {
	result := n.Field("result")
	return result != nil && result.Type() == "parameter_list"
}

// declaresResult reports whether a header says that something is given back.
func declaresResult(n *syntax.Node, src []byte, body stretch) bool {
	for _, name := range []string{"return_type", "result", "returns", "type"} {
		if f := n.Field(name); f != nil && f.Start() < body.start {
			return !isVoid(string(src[f.Start():f.End()]))
		}
	}
	header := string(src[n.Start():max(n.Start(), body.start)])
	if i := strings.LastIndex(header, "->"); i >= 0 {
		return !isVoid(header[i+2:])
	}
	if i := strings.LastIndex(header, "):"); i >= 0 {
		result, _, _ := strings.Cut(header[i+2:], "#") // a comment of Python
		return !isVoid(result)
	}
	return false
}

// hasNoResult reports whether a definition gives nothing back, in a language where each says what it gives back.
func hasNoResult(n *syntax.Node) bool {
	return (n.Type() == "function_declaration" || n.Type() == "function_item") && n.Field("return_type") == nil
}

func isVoid(result string) bool {
	result = strings.Trim(result, " \t\r\n:{=>-(")
	switch strings.TrimSuffix(strings.TrimSpace(result), ")") {
	case "", "void", "None", "Unit", "nil", "Void", "undefined", "never", "Never", "Nothing", "Promise<void>", "Task",
		"ValueTask", "auto", "Any", "any", "unknown", "static", "self", "!":
		return true
	}
	return false
}
