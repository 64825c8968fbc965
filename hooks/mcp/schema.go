package mcp

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acta-git/acta/evidence/lang"
)

//go:embed tools.txt
var toolsText string

// toolOf is a tool as tools.txt has it.
func toolOf(name string) *sdk.Tool {
	t := &sdk.Tool{Name: name}
	for _, w := range lang.Table(toolsText) {
		if w.Word != name {
			continue
		}
		has := func(hint string) bool { return slices.Contains(w.When, hint) }
		t.Title, t.Description = w.When[0], w.Why
		t.Annotations = &sdk.ToolAnnotations{
			ReadOnlyHint: has("read-only"), IdempotentHint: has("idempotent"), OpenWorldHint: new(bool),
		}
		if !has("read-only") {
			t.Annotations.DestructiveHint = new(has("destructive"))
		}
	}
	return t
}

// detail is what the schema of an argument says beside its type and purpose.
type detail map[string]func(*jsonschema.Schema)

// inputSchema is the schema of a tool's arguments. Unknown ones are let through, as clients add some of their own.
func inputSchema[In any](tool string, details detail) *jsonschema.Schema {
	s, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("the arguments %T have no schema: %v", *new(In), err)) // a type of this package
	}
	s.AdditionalProperties = nil
	for _, w := range lang.Table(toolsText) {
		if argument, ok := strings.CutPrefix(w.Word, tool+"."); ok {
			s.Properties[argument].Description = w.Why
		}
	}
	for name, set := range details {
		set(s.Properties[name])
	}
	return s
}

// oneOf says which words an argument may be.
func oneOf[T ~string](words []T) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) {
		for _, w := range words {
			s.Enum = append(s.Enum, string(w))
		}
	}
}

// objectOrText lets an argument be an object, or a text that holds one.
func objectOrText(s *jsonschema.Schema) { s.Types = []string{"object", "string"} }
