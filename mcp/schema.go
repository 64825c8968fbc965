package mcp

import (
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// detail is what the schema of an argument says beside its type.
type detail map[string]func(*jsonschema.Schema)

// inputSchema is the schema of a tool's arguments. Unknown ones are let through, as
// clients add some of their own. details is a detail, or nil.
func inputSchema[In any](details any) *jsonschema.Schema {
	s, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("the arguments %T have no schema: %v", *new(In), err)) // a type of this package
	}
	s.AdditionalProperties = nil
	if details, ok := details.(detail); ok {
		for name, set := range details {
			set(s.Properties[name])
		}
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

// either says of which types an argument may be.
func either(types ...string) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) { s.Types = types }
}
