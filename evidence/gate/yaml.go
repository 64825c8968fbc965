package gate

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	message "github.com/acta-git/acta/parser"
)

// maxAliases bounds how many values the aliases of a file may stand for.
const maxAliases = 10_000

// readYAML reads the first document of a file; nil where that cannot be read.
func readYAML(src []byte) (root *value) {
	if _, err := message.CheckYAML(src); err != nil {
		return nil
	}
	defer func() {
		if recover() != nil { // the library fails on some broken files
			root = nil
		}
	}()
	text := strings.ReplaceAll(string(src), "\r\n", "\n")
	file, err := parser.ParseBytes([]byte(text), 0, parser.AllowDuplicateMapKey())
	if err != nil || len(file.Docs) == 0 {
		return nil
	}
	r := yamlReader{anchors: map[string]anchor{}}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			return r.value(doc.Body)
		}
	}
	return nil
}

// yamlReader turns the library's nodes into values. What an alias stands for counts anew, up to maxAliases.
type yamlReader struct {
	anchors map[string]anchor
	made    int
}

type anchor struct {
	*value
	made int
}

func (r *yamlReader) value(n ast.Node) *value {
	v := &value{line: lineOf(n.GetToken())}
	v.end = v.line
	r.made++
	switch n := n.(type) {
	case *ast.MappingNode:
		r.fields(v, n.Values)
	case *ast.MappingValueNode:
		r.fields(v, []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		v.items = []*value{}
		for _, item := range n.Values {
			v.items = append(v.items, r.value(item))
			v.end = v.items[len(v.items)-1].end
		}
	case *ast.AnchorNode:
		before := r.made
		v = r.value(n.Value)
		r.anchors[n.Name.GetToken().Value] = anchor{v, r.made - before}
	case *ast.AliasNode:
		if of, ok := r.anchors[n.Value.GetToken().Value]; ok && r.made+of.made <= maxAliases {
			r.made += of.made
			return of.value
		}
	case *ast.TagNode:
		if n.Value != nil {
			return r.value(n.Value)
		}
	case *ast.LiteralNode:
		v.text, v.block = n.Value.Value, true
		v.end = v.line + strings.Count(strings.TrimRight(v.text, "\n"), "\n") + 1
	case *ast.NullNode:
	case ast.ScalarNode:
		v.text = n.GetToken().Value
	}
	return v
}

// fields adds the keys of a mapping to v, those that it merges behind its own.
func (r *yamlReader) fields(v *value, values []*ast.MappingValueNode) {
	var merged []field
	for _, pair := range values {
		inner := r.value(pair.Value)
		if pair.Key.IsMergeKey() {
			for _, from := range append([]*value{inner}, inner.items...) {
				merged = append(merged, from.fields...)
			}
			continue
		}
		line := lineOf(pair.Key.GetToken())
		if len(v.fields) == 0 {
			v.line = line
		}
		v.fields, v.end = append(v.fields, field{pair.Key.GetToken().Value, line, inner}), max(line, inner.end)
	}
	v.fields = append(v.fields, merged...)
}

func lineOf(t *token.Token) int {
	if t == nil || t.Position == nil {
		return 0
	}
	return t.Position.Line
}
