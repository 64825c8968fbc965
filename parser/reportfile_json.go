package parser

import "strings"

// json reads the file as JSON. A byte order mark is passed over, as editors write one.
func (f *reportReader) json() (*node, error) {
	text := f.source.text
	if strings.HasPrefix(text, byteOrderMark) {
		text = "   " + text[len(byteOrderMark):]
	}
	if at, err := NotJSON([]byte(text)); err != nil {
		return nil, f.fail(at, "not JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	n := jsonNode(&JSON{Source: []byte(text)})
	return &n, nil
}

// jsonNode reads the value that comes.
func jsonNode(j *JSON) node {
	first := j.Next()
	n := node{start: j.At}
	switch first {
	case '{':
		n.kind = objectNode
		for j.Enter(); j.More(); {
			at := j.At
			n.fields = append(n.fields, field{j.Key(), at, jsonNode(j)})
		}
	case '[':
		n.kind = listNode
		for j.Enter(); j.More(); {
			n.items = append(n.items, jsonNode(j))
		}
	case '"':
		n.kind, n.text = stringNode, j.Text()
	case 't', 'f', 'n':
		n.kind = boolNode
		if first == 'n' {
			n.kind = nullNode
		}
		j.Skip()
	default:
		n.kind, n.text = numberNode, string(j.Skip())
	}
	n.end = j.At
	return n
}
