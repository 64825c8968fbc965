package gate

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	message "github.com/acta-git/acta/parser"
)

func readYAML(src []byte) (root *value) {
	if _, err := message.CheckYAML(src); err != nil {
		return nil
	}
	defer func() {
		if recover() != nil { // the library panics on some broken files
			root = nil
		}
	}()
	text := strings.ReplaceAll(string(src), "\r\n", "\n")
	file, err := parser.ParseBytes([]byte(text), 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil
	}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			return valueOf(doc.Body)
		}
	}
	return nil
}

// valueOf converts the library's nodes. An alias has no value: its anchor is read in its place.
func valueOf(n ast.Node) *value {
	v := &value{line: lineOf(n)}
	v.end = v.line
	switch n := n.(type) {
	case ast.MapNode:
		for pairs := n.MapRange(); pairs.Next(); {
			inner := valueOf(pairs.Value())
			k := field{pairs.Key().GetToken().Value, lineOf(pairs.Key()), inner}
			v.fields, v.end = append(v.fields, k), max(k.line, inner.end)
			v.line = v.fields[0].line
		}
	case *ast.SequenceNode:
		v.items = []*value{}
		for _, item := range n.Values {
			v.items = append(v.items, valueOf(item))
			v.end = v.items[len(v.items)-1].end
		}
	case *ast.AnchorNode:
		return valueOf(n.Value)
	case *ast.TagNode:
		if n.Value != nil {
			return valueOf(n.Value)
		}
	case *ast.LiteralNode:
		v.text, v.isBlock = n.Value.Value, true
		v.end = v.line + strings.Count(strings.TrimRight(v.text, "\n"), "\n") + 1
	case *ast.NullNode:
	case ast.ScalarNode:
		v.text = n.GetToken().Value
	}
	return v
}

func lineOf(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}
