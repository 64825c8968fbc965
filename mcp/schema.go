package mcp

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acta-git/acta/evidence/language"
)

//go:embed tools.txt
var toolsText string

// toolOf is a tool as tools.txt has it.
func toolOf(name string) *sdk.Tool {
	t := &sdk.Tool{Name: name}
	for _, w := range language.Table(toolsText) {
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
	for _, w := range language.Table(toolsText) {
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
