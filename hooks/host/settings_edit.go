package host

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo/state"
)

type settings struct {
	text, original []byte
	// indent is its indentation, lineBreak its line break; both are "" for a text on one line.
	indent, lineBreak string
	// err is the first error; nothing is added after it.
	err error
}

func readSettings(before []byte) *settings {
	text := bytes.TrimPrefix(before, []byte("\xef\xbb\xbf"))
	body := bytes.TrimSpace(text)
	if len(body) == 0 || string(body) == "{}" {
		text = []byte("{}\n")
		return &settings{text: text, original: text, indent: "  ", lineBreak: "\n"}
	}
	s := &settings{text: text, original: text, err: isJSON(text)}
	_, rest, ok := bytes.Cut(body, []byte("\n"))
	if !ok {
		return s
	}
	s.indent, s.lineBreak = "  ", "\n"
	if bytes.Contains(body, []byte("\r\n")) {
		s.lineBreak = "\r\n"
	}
	if indented := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))]; len(indented) > 0 {
		s.indent = string(indented)
	}
	return s
}

// result is the text, or before if nothing has changed.
func (s *settings) result(before []byte) ([]byte, error) {
	switch {
	case s.err != nil:
		return nil, s.err
	case bytes.Equal(s.text, s.original):
		return before, nil
	}
	return s.text, nil
}

// Remove removes the values, whatever options a command was given, and objects or lists that would then be empty.
func (j jsonPart) Remove(before []byte) ([]byte, error) {
	if len(bytes.TrimSpace(before)) == 0 {
		return before, nil
	}
	s := readSettings(before)
	if s.err == nil {
		s.removeIn(placeAt(s.text, 0, 0).from, nil, j)
	}
	var left map[string]any
	after, err := s.result(before)
	if err != nil || bytes.Equal(after, before) || json.Unmarshal(after, &left) != nil {
		return after, err
	}
	for _, v := range j {
		if v.isHead {
			delete(left, v.path[0])
		}
	}
	if len(left) > 0 {
		return after, nil
	}
	return nil, nil
}

// isAt reports whether a value is one of the part, or an entry of a list with the command of one.
func (j jsonPart) isAt(path []string, raw []byte) bool {
	return slices.ContainsFunc(j, func(v jsonValue) bool { return v.isAt(path, raw) })
}

// removeIn removes the values of ours from the object or list at a position, and reports whether it is empty because of
// that. The last go first, so that the positions of the others stay.
func (s *settings) removeIn(at int, path []string, ours jsonPart) (isEmptied bool) {
	all := children(s.text, &span{from: at})
	left := len(all)
	for i, c := range slices.Backward(all) {
		way := append(path[:len(path):len(path)], c.key)
		if !ours.isAt(way, c.value.raw(s.text)) && !s.removeIn(c.value.from, way, ours) {
			continue
		}
		left--
		from, to := c.from, placeAt(s.text, c.value.from, 0).to
		switch {
		case i > 0:
			from = all[i-1].value.to
		case left > 0:
			to = children(s.text, &span{from: at})[1].from
		}
		s.text = append(s.text[:from:from], s.text[to:]...)
	}
	return left == 0 && len(all) > 0
}

// span is a value's position in a JSON text: from its first byte up to, not including, to.
type span struct {
	from, to int
	// depth is the number of objects and lists around it.
	depth int
}

func (p *span) raw(text []byte) []byte { return text[p.from:p.to] }

// find is the span of the value under a path of keys; nil for none. Of duplicate keys the last counts, as in JSON
// parsers. The values on the way must be objects.
func (s *settings) find(path ...string) *span {
	p := placeAt(s.text, 0, 0)
	for i, key := range path {
		if s.text[p.from] != '{' {
			s.err = fmt.Errorf("%s is not an object; acta adds its hooks only to an object",
				strings.Join(append([]string{"the file"}, path[:i]...), "."))
			return nil
		}
		var found *span
		for _, c := range children(s.text, p) {
			if c.key == key {
				found = c.value
			}
		}
		if p = found; p == nil {
			return nil
		}
	}
	return p
}

// placeAt is the span of the value that begins at or after a position.
func placeAt(text []byte, at, depth int) *span {
	j := parser.JSON{Source: text, Offset: at}
	j.Next()
	p := &span{from: j.Offset, depth: depth}
	j.Skip()
	p.to = j.Offset
	return p
}

// child is a member of an object, or an element of a list with its position as key.
type child struct {
	from  int // position of the key or element
	key   string
	value *span
}

// children are the children of an object or list, in order; other values have none.
func children(text []byte, of *span) (all []child) {
	j := parser.JSON{Source: text, Offset: of.from}
	opening := j.Next()
	if opening != '{' && opening != '[' {
		return nil
	}
	for j.Enter(); j.More(); {
		c := child{from: j.Offset, key: strconv.Itoa(len(all))}
		if opening == '{' {
			c.key = j.Key()
		}
		c.value = placeAt(text, j.Offset, of.depth+1)
		j.Offset = c.value.to
		all = append(all, c)
	}
	return all
}

// add adds a value with the objects that lead to it, unless it is there.
func (s *settings) add(v jsonValue) {
	if s.err != nil {
		return
	}
	switch at, last := s.find(v.path...), len(v.path)-1; {
	case s.err != nil:
	case at == nil:
		if last > 0 {
			s.add(jsonValue{path: v.path[:last], value: struct{}{}})
		}
		if v.command != "" {
			v.value = []any{v.value}
		}
		s.insert(s.find(v.path[:last]...), string(compact(v.path[last]))+": ", v.value)
	case v.command == "" || isCall(string(at.raw(s.text)), v.command):
	case s.text[at.from] != '[':
		s.err = fmt.Errorf("%s is not a list; acta adds its hook only to a list", strings.Join(v.path, "."))
	default:
		s.insert(at, "", v.value)
	}
}

// insert adds a member with this key, or an element without one, at the end of an object or list.
func (s *settings) insert(in *span, key string, value any) {
	outer := s.lineBreak + strings.Repeat(s.indent, in.depth)
	added := outer + s.indent + key + s.indentValue(value, in.depth+1)
	at, end := in.from+1, in.to-1
	elements := children(s.text, in)
	if len(elements) > 0 {
		at = elements[len(elements)-1].value.to
		end = at
		added = "," + added
	}
	if !bytes.Contains(s.text[at:in.to], []byte("\n")) || len(elements) == 0 {
		added, end = added+outer, in.to-1 // the closing bracket moves to a line of its own
	}
	s.text = bytes.Join([][]byte{s.text[:at], s.text[end:]}, []byte(added))
}

func (s *settings) indentValue(value any, depth int) string {
	var b bytes.Buffer
	if s.lineBreak == "" || json.Indent(&b, compact(value), strings.Repeat(s.indent, depth), s.indent) != nil {
		return string(compact(value))
	}
	return strings.ReplaceAll(b.String(), "\n", s.lineBreak)
}

func compact(value any) []byte {
	line, _ := state.JSONLine(value) // our values are all valid JSON
	return bytes.TrimSpace(line)
}

// block is acta's part of a file, between two marker lines.
type block struct {
	begin, end string
	body       string
	// head is the beginning of a file with nothing else in it.
	head string
}

// text is the block with the line breaks of another text.
func (b block) text(like []byte) []byte {
	text := b.begin + "\n" + b.body + b.end + "\n"
	if bytes.Contains(like, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text)
}

// Add is a file with the block: replacing an existing one, else at its end, after an empty line. If the file's last
// line has no line break, the block's has none either, so that it can be removed again.
func (b block) Add(file []byte) ([]byte, error) {
	text := b.text(file)
	if from, to := b.find(file); from >= 0 {
		if to == len(file) && !bytes.HasSuffix(file, []byte("\n")) {
			text = bytes.TrimRight(text, "\r\n")
		}
		return bytes.Join([][]byte{file[:from], text, file[to:]}, nil), nil
	}
	line := text[len(bytes.TrimRight(text, "\r\n")):]
	switch {
	case len(bytes.TrimSpace(file)) == 0:
		return append([]byte(b.head), text...), nil
	case bytes.HasSuffix(file, []byte("\n")):
		return bytes.Join([][]byte{file, line, text}, nil), nil
	}
	return bytes.Join([][]byte{file, line, line, bytes.TrimRight(text, "\r\n")}, nil), nil
}

// removeFrom is a file without the block, and without the empty line before it.
func (b block) removeFrom(file []byte) []byte {
	from, to := b.find(file)
	if from < 0 {
		return file
	}
	before, after := file[:from], file[to:]
	lines := 1
	if len(after) == 0 && !bytes.HasSuffix(file, []byte("\n")) {
		lines = 2
	}
	for range lines {
		before = bytes.TrimSuffix(bytes.TrimSuffix(before, []byte("\n")), []byte("\r"))
	}
	if from > 0 && len(before) > 0 && lines == 1 && !bytes.HasSuffix(before, []byte("\n")) {
		before = file[:from] // only a line break precedes it
	}
	return append(before[:len(before):len(before)], after...)
}

// Remove is removeFrom; nil if the file contained nothing else.
func (b block) Remove(file []byte) ([]byte, error) {
	rest := b.removeFrom(file)
	if len(bytes.TrimSpace(rest)) == 0 && len(rest) < len(file) || b.head != "" && string(rest) == b.head {
		return nil, nil
	}
	return rest, nil
}

// find is the span of the first block, with its last line break; from is -1 if there is none, or if it does not end.
func (b block) find(file []byte) (from, to int) {
	at := 0
	from = -1
	for line := range bytes.Lines(file) {
		switch text := string(bytes.TrimSpace(line)); {
		case text == b.begin && from < 0:
			from = at
		case text == b.end && from >= 0:
			return from, at + len(line)
		}
		at += len(line)
	}
	return -1, 0
}
