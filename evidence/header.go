package evidence

import (
	"bytes"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/facts"
	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/syntax"
)

var selfNames = []string{"self", "this", "cls", "Self", "$this", "static"}

type signature struct {
	facts.Reader
	file     *reader
	fn       *flow.Function
	node     *syntax.Node
	capture  capture
	isWanted bool
}

func (s *signature) readParameters(n *syntax.Node, body, name stretch) {
	s.fn.SelfNames = selfNames
	slots := 0 // parameters, with names or without
	if receiver := n.Field("receiver"); receiver != nil {
		names := s.Parameters(receiver)
		s.fn.IsMethod, s.fn.SelfNames = true, append(slices.Clone(selfNames), names...)
		if len(names) == 0 {
			slots++
		}
	}
	for _, list := range s.lists(n, body.start, name.end, 6) {
		if fits("implicit params", s.Text(list)) {
			continue // filled in by the compiler
		}
		parameters := list.NamedChildren()
		if len(parameters) == 0 || list.Type() == "parameter" {
			parameters = []*syntax.Node{list}
		}
		for _, p := range parameters {
			if bytes.HasSuffix(bytes.TrimRight(s.Src[:p.Start()], " \t\r\n"), []byte("=")) {
				continue // the default value of the parameter before it
			}
			names, text := s.Parameters(p), s.Text(p)
			if len(names) == 0 && list.Type() == "arguments" {
				names = []string{""} // a pattern without a name
			}
			s.fn.Params = append(s.fn.Params, names...)
			if endsWith(p.Type(), parameterEndings) && text != "void" && !strings.HasSuffix(text, "self") &&
				!slices.Contains(names, "this") {
				slots++
			}
		}
	}
	s.fn.Params = slices.DeleteFunc(s.fn.Params, func(p string) bool {
		return slices.Contains(selfNames, strings.Trim(p, "& "))
	})
	unused := paramsBeside(s.fn.Params, s.fn.Header, "unused")
	for _, p := range s.fn.Params {
		if p != "" && !strings.HasPrefix(p, "_") && !slices.Contains(unused, p) {
			s.fn.NamedParams++
		}
	}
	s.fn.HasOnlyNamelessParams = slots > 0 && s.fn.NamedParams == 0
}

// methodHolders are words in the kinds of nodes whose functions are methods.
var methodHolders = strings.Fields("class impl trait struct object interface extension enum")

// lists returns the lists of parameters before a body (f(a)(b) has two), or single parameters. With patterns of calls,
// they follow the name.
func (s *signature) lists(n *syntax.Node, body, name, depth int) (found []*syntax.Node) {
	for c := range n.Children() {
		if kind := c.Type(); c.Start() < body && (c.IsField("parameters") || c.IsField("parameter") || kind == "parameter" ||
			kind == "parameter_list" || strings.HasSuffix(kind, "parameters") && !strings.HasPrefix(kind, "type_") ||
			kind == "arguments" && c.Start()-name < 2 && c.Start() >= name) && !c.IsField("receiver") && !c.IsField("result") {
			found = append(found, c)
		}
	}
	for c := range n.Children() {
		if len(found) == 0 && depth > 0 && c.IsNamed() && c.End() <= body {
			found = s.lists(c, body, name, depth-1)
		}
	}
	return found
}

// namesResult reports whether results have names, so that a bare return returns them.
func namesResult(n *syntax.Node) bool {
	result := n.Field("result")
	return result != nil && result.Type() == "parameter_list"
}

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

func isVoid(result string) bool {
	result = strings.Trim(result, " \t\r\n:{=>-(")
	switch strings.TrimSuffix(strings.TrimSpace(result), ")") {
	case "", "void", "def", "None", "Unit", "nil", "Void", "undefined", "never", "Never", "Nothing", "Promise<void>",
		"Task", "ValueTask", "auto", "Any", "any", "unknown", "static", "self", "!":
		return true
	}
	return false
}

// readName reads the names by which a function can be called. A method of a JavaScript object is not called by its
// class.
func (s *signature) readName(d *definition) {
	n := s.node
	s.fn.Header = string(s.Src[n.Start():max(n.Start(), s.capture.body.start)])
	s.fn.IsMethod = d.isMember
	outer := d.parent
	for outer != nil && outer.kind != function && !outer.holdsMethods {
		outer = outer.parent
	}
	if outer != nil && outer.holdsMethods {
		s.addOwner(outer.name)
	}
	s.addOwner(d.object)
	if n.Type() == "method_definition" && !strings.HasPrefix(s.Text(n), "static ") {
		s.fn.Owners = nil
	}
	if d.isTitled || slices.ContainsFunc(n.NamedChildren(), isExplicit) {
		return // it is never called by name
	}
	if inner := n.Field("name"); inner != nil && s.capture.kind == "binding" { // a function expression
		s.fn.InnerName = s.Text(inner)
	}
	s.fn.Name = d.name
	if i := strings.LastIndexAny(d.name, ".:"); i >= 0 {
		s.addOwner(strings.TrimRight(d.name[:i], ".:"))
		s.fn.Name = d.name[i+1:]
	}
	s.addOwner(d.owner)
}

// isExplicit reports whether a member is called only through an interface.
func isExplicit(n *syntax.Node) bool { return n.Type() == "explicit_interface_specifier" }

func (s *signature) addOwner(owner string) {
	if owner != "" {
		s.fn.Owners, s.fn.IsMethod = append(s.fn.Owners, owner), true
	}
}
