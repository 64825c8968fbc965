package mcp

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
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

// says describes an argument, where a tag of its field would be too long a line.
func says(text string, more ...func(*jsonschema.Schema)) func(*jsonschema.Schema) {
	return func(s *jsonschema.Schema) {
		s.Description = text
		for _, set := range more {
			set(s)
		}
	}
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

// readable puts what the library says of arguments that do not fit their schema into words that say which argument.
func readable(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, r)
		called, ok := result.(*sdk.CallToolResult)
		if err != nil || !ok || called == nil || !called.IsError || len(called.Content) != 1 {
			return result, err
		}
		if text, ok := called.Content[0].(*sdk.TextContent); ok {
			if raw, ok := strings.CutPrefix(text.Text, `validating "arguments": `); ok {
				called.Content[0] = &sdk.TextContent{Text: misfit(raw)}
			}
		}
		return result, err
	}
}

// schemaPath is a step into a schema, as the library writes it before what is wrong there.
var schemaPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`validating (\S+): `) })

// misfit says what is wrong with the arguments, and with which.
func misfit(raw string) string {
	at := "the arguments do not fit"
	steps := schemaPath().FindAllStringSubmatch(raw, -1)
	if len(steps) > 0 {
		path := steps[len(steps)-1][1]
		if name := strings.NewReplacer("/properties/", ".", "/items", "[]").Replace(path); strings.HasPrefix(name, ".") {
			at = "the argument " + name[1:] + " does not fit"
		}
	}
	said := schemaPath().ReplaceAllString(raw, "")
	if missing, ok := strings.CutPrefix(said, "required: missing properties: "); ok {
		return at + ": it needs " + strings.Trim(strings.ReplaceAll(missing, `"`, ""), "[]")
	}
	return at + ": " + said
}
