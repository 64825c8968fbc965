package gate

import (
	"context"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/syntax"
)

// readObjects reads the literals of a configuration that is a program of JavaScript or TypeScript: the objects that are
// in no other, as one mapping. What is computed is left out.
func readObjects(ctx context.Context, f *source) *value {
	tree := evidence.Tree{
		Stat: func(context.Context, string) (evidence.Entry, error) {
			return evidence.Entry{Path: f.path, Kind: evidence.File}, nil
		},
		Size: func(context.Context, evidence.Entry) (int64, error) { return int64(len(f.src)), nil },
		Read: func(context.Context, evidence.Entry) ([]byte, error) { return f.src, nil },
	}
	o, err := tree.Outline(ctx, f.path)
	if err != nil || o == nil {
		return nil
	}
	root := &value{line: 1, end: len(f.lines)}
	r, flat := objectReader{src: o.Source}, &value{line: 1, end: len(f.lines)}
	o.Tree.Walk(func(n *syntax.Node, depth int) bool {
		if n.Type() == "object" && depth < maxDeep {
			if v := r.value(n, depth); v.at("files") != nil && v.at("rules") != nil { // for these files alone
				flat.items = append(flat.items, v)
			} else {
				root.fields = append(root.fields, v.fields...)
			}
			return false
		}
		return true
	})
	if flat.items != nil {
		root.fields = append(root.fields, field{"overrides", 1, flat})
	}
	return root
}

type objectReader struct{ src []byte }

func (r *objectReader) value(n *syntax.Node, depth int) *value {
	line := 1 + strings.Count(string(r.src[:n.Start()]), "\n")
	text := n.Content(r.src)
	v := &value{line: line, end: line + strings.Count(text, "\n")}
	switch n.Type() {
	case "object":
		for _, pair := range n.NamedChildren() {
			key, at := pair.Field("key"), pair.Field("value")
			if key != nil && at != nil && depth < maxDeep {
				inner := r.value(at, depth+1)
				v.fields = append(v.fields, field{strings.Trim(key.Content(r.src), `"'`), inner.line, inner})
			}
		}
	case "array":
		v.items = []*value{}
		for _, item := range n.NamedChildren() {
			if depth < maxDeep {
				v.items = append(v.items, r.value(item, depth+1))
			}
		}
	case "string", "template_string":
		v.text = strings.Trim(text, "\"'`")
	case "number", "true", "false", "regex":
		v.text = text
	case "call_expression", "parenthesized_expression", "as_expression", "satisfies_expression", "arguments":
		for _, child := range n.NamedChildren() { // mergeConfig(a, {…}) and the like
			if inner := r.value(child, depth+1); inner.fields != nil && depth < maxDeep {
				v.fields = append(v.fields, inner.fields...)
			}
		}
	}
	return v
}
