package gate

import (
	"bytes"

	"github.com/pelletier/go-toml/v2/unstable"
)

// readTOML reads a TOML file; nil where that cannot be read.
func readTOML(src []byte) *value {
	root := &value{line: 1}
	r := tomlReader{src: src, table: root}
	r.parser.Reset(src)
	for r.parser.NextExpression() {
		n := r.parser.Expression()
		switch n.Kind {
		case unstable.Table:
			r.table = r.enter(root, n, false)
		case unstable.ArrayTable:
			r.table = r.enter(root, n, true)
		case unstable.KeyValue:
			r.add(r.table, n, 0)
		}
	}
	if r.parser.Error() != nil {
		return nil
	}
	return root
}

// tomlReader turns the parser's expressions into values.
type tomlReader struct {
	src    []byte
	parser unstable.Parser
	table  *value // that the keys to come stand in
}

// lineAt is the line of bytes of the source.
func (r *tomlReader) lineAt(at unstable.Range) int {
	return 1 + bytes.Count(r.src[:min(int(at.Offset), len(r.src))], []byte("\n"))
}

// enter is the table of a header; another one of its name for an array.
func (r *tomlReader) enter(v *value, n *unstable.Node, array bool) *value {
	keys := n.Key()
	for keys.Next() {
		v = r.child(v, keys.Node(), array && keys.IsLast())
	}
	return v
}

// child is what stands at a key, made where it is not there: the last of an array, another one where more is asked for.
func (r *tomlReader) child(v *value, key *unstable.Node, more bool) *value {
	name, line := string(key.Data), r.lineAt(key.Raw)
	at := v.at(name)
	if at == nil {
		at = &value{line: line, end: line}
		v.fields = append(v.fields, field{name, line, at})
	}
	if more {
		at.items = append(at.items, &value{line: line, end: line})
	}
	if len(at.items) > 0 && at.items[len(at.items)-1].text == "" {
		return at.items[len(at.items)-1]
	}
	return at
}

// add puts a key and its value into a table.
func (r *tomlReader) add(table *value, n *unstable.Node, depth int) {
	keys := n.Key()
	var key *unstable.Node
	for keys.Next() {
		if key != nil {
			table = r.child(table, key, false)
		}
		key = keys.Node()
	}
	if key == nil || depth > maxDeep {
		return
	}
	line := r.lineAt(key.Raw)
	v := r.value(n.Value(), line, depth+1)
	table.fields, table.end = append(table.fields, field{string(key.Data), line, v}), v.end
}

func (r *tomlReader) value(n *unstable.Node, line, depth int) *value {
	v := &value{line: line, end: line}
	if n.Raw.Length > 0 {
		v.line = r.lineAt(n.Raw)
		v.end = v.line
	}
	children := n.Children()
	switch n.Kind {
	case unstable.Array:
		v.items = []*value{}
		for depth < maxDeep && children.Next() {
			item := r.value(children.Node(), v.end, depth+1)
			v.items, v.end = append(v.items, item), item.end
		}
	case unstable.InlineTable:
		for depth < maxDeep && children.Next() {
			r.add(v, children.Node(), depth+1)
		}
	default:
		v.text = string(n.Data)
	}
	return v
}
