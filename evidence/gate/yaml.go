package gate

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

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
	if err != nil {
		return nil
	}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			return (&yamlReader{anchors: map[string]anchor{}}).value(doc.Body)
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
	v := &value{line: lineOf(n)}
	v.end = v.line
	r.made++
	switch n := n.(type) {
	case ast.MapNode:
		var merged []field // behind its own
		for pairs := n.MapRange(); pairs.Next(); {
			inner := r.value(pairs.Value())
			if pairs.Key().IsMergeKey() {
				for _, from := range append([]*value{inner}, inner.items...) {
					merged = append(merged, from.fields...)
				}
				continue
			}
			k := field{pairs.Key().GetToken().Value, lineOf(pairs.Key()), inner}
			v.fields, v.end = append(v.fields, k), max(k.line, inner.end)
			v.line = v.fields[0].line
		}
		v.fields = append(v.fields, merged...)
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

// lineOf is the line in which a node stands.
func lineOf(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}
