package gate

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/acta-git/acta/parser"
)

// maxDeep bounds how deep the values of a file may nest.
const maxDeep = 200

// readJSON reads a JSON file, with the comments and the trailing commas that some tools allow; nil where that cannot be
// read. What stands behind its value is not looked at.
func readJSON(src []byte) *value {
	plain := withoutComments(src)
	var first json.RawMessage
	if json.NewDecoder(bytes.NewReader(plain)).Decode(&first) != nil {
		return nil
	}
	r := jsonReader{JSON: parser.JSON{Source: plain}, line: 1}
	v := r.value(0)
	if r.tooDeep {
		return nil
	}
	return v
}

// jsonReader reads values and counts the lines up to them.
type jsonReader struct {
	parser.JSON
	line, counted int
	tooDeep       bool
}

// here is the line in which reading goes on.
func (r *jsonReader) here() int {
	r.line += bytes.Count(r.Source[r.counted:r.At], []byte("\n"))
	r.counted = r.At
	return r.line
}

func (r *jsonReader) value(depth int) *value {
	first := r.Next()
	v := &value{line: r.here()}
	switch {
	case depth > maxDeep:
		r.tooDeep = true
		r.Skip()
	case first == '{':
		for r.Enter(); r.More(); {
			line := r.here()
			v.fields = append(v.fields, field{r.Key(), line, r.value(depth + 1)})
		}
	case first == '[':
		v.items = []*value{}
		for r.Enter(); r.More(); {
			v.items = append(v.items, r.value(depth+1))
		}
	case first == '"':
		v.text = r.Text()
	case first == 'n':
		r.Skip()
	default:
		v.text = string(r.Skip())
	}
	v.end = r.here()
	return v
}

// withoutComments blanks comments and the commas before a closing bracket. Lines stay where they are.
func withoutComments(src []byte) []byte {
	out := slices.Clone(bytes.TrimPrefix(src, []byte("\ufeff")))
	comma := -1
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
			comma = -1
		case c == '/' && i+1 < len(out) && out[i+1] == '/':
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		case c == '/' && i+1 < len(out) && out[i+1] == '*':
			end := bytes.Index(out[i:], []byte("*/"))
			for n := i + max(end+2, 2); i < n; i++ {
				if out[i] != '\n' {
					out[i] = ' '
				}
			}
			i--
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\n' && c != '\t' && c != '\r':
			comma = -1
		}
	}
	return out
}
