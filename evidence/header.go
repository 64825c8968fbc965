package evidence

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// objects are how languages call the object of a method.
var objects = []string{"self", "this", "cls", "Self", "$this", "static"}

// signature reads the header of a function.
type signature struct {
	facts.Reader
	fn      *flow.Function
	grammar *grammar
	slots   int // parameters, with names or without
}

// header notes what the header of a definition says: its parameters, and what stands for its object.
func (s *signature) header(n *syntax.Node, body, name stretch) {
	s.fn.Self = objects
	if receiver := n.Field("receiver"); receiver != nil {
		s.fn.Method = true
		s.fn.Params = nil
		s.parameters(receiver)
		s.fn.Self, s.fn.Params, s.slots = slices.Concat(s.fn.Self, s.fn.Params), nil, 0
	}
	if n.Field("parameters") == nil && !s.findParameters(n, body.start, 6) {
		s.matched(n, name)
	}
	for list := range n.Children() { // f(a)(b) has two lists; what the compiler gives is no one's to read
		if list.IsField("parameters") && !given.MatchString(s.Text(list)) {
			s.parameters(list)
		}
	}
	unused := marked(s.fn.Params, string(s.Src[n.Start():max(n.Start(), body.start)]), "unused")
	s.fn.Nameless = s.slots > 0 &&
		!slices.ContainsFunc(s.fn.Params, func(p string) bool {
			return !strings.HasPrefix(p, "_") && !strings.HasSuffix(p, "self") && !slices.Contains(unused, p)
		})
	s.fn.Params = slices.DeleteFunc(s.fn.Params, func(p string) bool {
		return slices.Contains([]string{"self", "this", "cls", "&self", "&mut self"}, p)
	})
	for up, i := n.Parent(), 0; up != nil && i < 4 && !s.fn.Method; up, i = up.Parent(), i+1 {
		switch kind := up.Type(); {
		case strings.Contains(kind, "function"), strings.Contains(kind, "method"), kind == "call":
			return
		case strings.Contains(kind, "class"), strings.Contains(kind, "impl"), strings.Contains(kind, "trait"),
			strings.Contains(kind, "struct"), strings.Contains(kind, "object"), strings.Contains(kind, "interface"),
			strings.Contains(kind, "extension"), strings.Contains(kind, "enum"):
			s.fn.Method = true
			s.ownType(n, up)
		}
	}
}

// matched notes the parameters of a definition that is headed by a pattern of its calls.
func (s *signature) matched(n *syntax.Node, name stretch) {
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
				if before := len(s.fn.Params); true {
					if s.parameter(p); len(s.fn.Params) == before {
						s.fn.Params = append(s.fn.Params, "") // a pattern without a name
					}
				}
			}
		}
	}
}

// ownType notes the type that a definition is a member of. A method of an object in JavaScript is none of its class.
func (s *signature) ownType(n, class *syntax.Node) {
	if n.Type() == "method_definition" && !strings.HasPrefix(s.Text(n), "static ") {
		return
	}
	for range 2 { // its body, and itself
		for _, field := range []string{"name", "type"} {
			if f := class.Field(field); f != nil {
				owner, _, _ := strings.Cut(s.Text(f), "<")
				s.fn.Owners = append(s.fn.Owners, owner)
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
func (s *signature) findParameters(n *syntax.Node, before, depth int) bool {
	found := false
	for _, c := range n.NamedChildren() {
		if c.Start() >= before {
			break
		}
		switch kind := c.Type(); {
		case kind == "parameter":
			s.parameter(c)
			found = true
		case strings.HasSuffix(kind, "parameters") && !strings.HasPrefix(kind, "type_"), kind == "parameter_list":
			s.parameters(c)
			return true
		case depth > 0 && c.End() <= before && s.findParameters(c, before, depth-1):
			return true
		}
	}
	return found
}

func (s *signature) parameters(list *syntax.Node) {
	if list.NamedChildCount() == 0 && s.Role(list) == lang.Refers {
		s.fn.Params = append(s.fn.Params, s.Text(list)) // x => …
		return
	}
	for _, c := range list.NamedChildren() {
		s.parameter(c)
	}
}

// parameter notes the names of one parameter, or of several that share a type.
func (s *signature) parameter(n *syntax.Node) {
	if kind := n.Type(); strings.HasSuffix(kind, "parameter") || strings.HasSuffix(kind, "parameter_declaration") {
		if s.Text(n) != "void" && !strings.HasSuffix(s.Text(n), "self") {
			s.slots++
		}
	}
	switch role := s.Role(n); {
	case role == lang.Written || role == lang.Holds || role == lang.Makes:
		s.match(n)
		return
	case role == lang.Idles || role == lang.Text || role == lang.Disables:
		return
	case role == lang.Assigns && n.NamedChildCount() == 2: // a pattern, and the name of the whole
		s.parameter(n.NamedChild(0))
		s.parameter(n.NamedChild(1))
		return
	case role == lang.Refers:
		s.fn.Params = append(s.fn.Params, s.Text(n))
		return
	}
	for _, name := range []string{"pattern", "declarator", "name", "left"} {
		f := n.Field(name)
		if f == nil {
			continue
		}
		if name == "name" {
			for c := range n.Children() {
				if c.IsField("name") && s.Role(c) == lang.Refers {
					s.fn.Params = append(s.fn.Params, s.Text(c))
				}
			}
			return
		}
		s.parameter(f)
		return
	}
	for _, c := range n.NamedChildren() {
		if role := s.Role(c); role == lang.Refers || strings.HasSuffix(c.Type(), "declarator") ||
			strings.HasSuffix(c.Type(), "pattern") || strings.HasSuffix(c.Type(), "parameter") {
			s.parameter(c)
			return
		}
	}
}

// match notes the names in a pattern.
func (s *signature) match(n *syntax.Node) {
	if s.Role(n) == lang.Refers {
		if name := s.Text(n); name != "_" && !facts.IsTypeName(name) {
			s.fn.Matched = append(s.fn.Matched, name)
		}
		return
	}
	for _, c := range n.NamedChildren() {
		s.match(c)
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
	case "", "void", "def", "None", "Unit", "nil", "Void", "undefined", "never", "Never", "Nothing", "Promise<void>",
		"Task", "ValueTask", "auto", "Any", "any", "unknown", "static", "self", "!":
		return true
	}
	return false
}

// callAs notes by what names a definition can be called: its own, after what it belongs to. n is its node, or that of
// the
// value that a name is bound to.
func (s *signature) callAs(n *syntax.Node, c capture) {
	s.fn.Header = string(s.Src[n.Start():max(n.Start(), c.body.start)])
	if c.title || slices.ContainsFunc(n.NamedChildren(), isExplicit) {
		return // no call means it
	}
	s.fn.Name = string(s.Src[c.name.start:c.name.end])
	if s.fn.Name == "" {
		s.boundAs(n)
	}
	if i := strings.LastIndexAny(s.fn.Name, ".:"); i >= 0 {
		s.ownedBy(strings.TrimRight(s.fn.Name[:i], ".:"))
		s.fn.Name = s.fn.Name[i+1:]
	}
	if owner := string(s.Src[c.receiver.start:c.receiver.end]); owner != "" {
		s.ownedBy(s.grammar.Owner(owner))
	}
}

// isExplicit: a member that is called through an interface alone.
func isExplicit(n *syntax.Node) bool { return n.Type() == "explicit_interface_specifier" }

// ownedBy notes what a definition belongs to.
func (s *signature) ownedBy(owner string) {
	if owner != "" {
		s.fn.Owners, s.fn.Method = append(s.fn.Owners, owner), true
	}
}

// boundAs notes the name that a value is bound to. A function expression has a name to itself besides.
func (s *signature) boundAs(n *syntax.Node) {
	if own := n.Field("name"); own != nil {
		s.fn.Alone = s.Text(own)
	}
	for up, i := n.Parent(), 0; up != nil && i < maxWraps; up, i = up.Parent(), i+1 {
		for _, field := range []string{"name", "left", "key", "property"} {
			if f := up.Field(field); f != nil && f.End() <= n.Start() {
				if s.fn.Name = s.Text(f); !s.fn.Method && s.fn.Alone == "" {
					s.fn.Alone = s.fn.Name
				}
				return
			}
		}
		if !strings.HasSuffix(up.Type(), "_expression") {
			return
		}
	}
}
