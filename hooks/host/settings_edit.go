package host

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/acta-git/acta/parser"
)

// settings is the text of a configuration that is added to.
type settings struct {
	text []byte
	// unit is what it indents by, line how it breaks lines; both are "" where it stands on one line.
	unit, line string
}

// settingsOf is a configuration as it is.
func settingsOf(text []byte) *settings {
	body := bytes.TrimSpace(text)
	if len(body) == 0 || string(body) == "{}" {
		return &settings{[]byte("{}\n"), "  ", "\n"}
	}
	s := &settings{text: text}
	_, rest, ok := bytes.Cut(body, []byte("\n"))
	if !ok {
		return s
	}
	s.unit, s.line = "  ", "\n"
	if bytes.Contains(body, []byte("\r\n")) {
		s.line = "\r\n"
	}
	if indented := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))]; len(indented) > 0 {
		s.unit = string(indented)
	}
	return s
}

// readSettings reads a configuration; one that is no JSON object is an error that says where.
func readSettings(before []byte) (*settings, error) {
	s := settingsOf(bytes.TrimPrefix(before, []byte("\xef\xbb\xbf")))
	return s, isJSON(s.text)
}

// orAsIt is the text, or what was read, where nothing has changed.
func (s *settings) orAsIt(before []byte) []byte {
	if bytes.Equal(s.text, settingsOf(bytes.TrimPrefix(before, []byte("\xef\xbb\xbf"))).text) {
		return before
	}
	return s.text
}

// withoutOurs is a configuration without every value that isOurs says so of, by its path of keys and positions, and
// without every object or list that holds nothing else; nil where nothing is left but, maybe, a key that its host wants
// there.
func withoutOurs(before []byte, wanted string, isOurs func(path []string, raw []byte) bool) ([]byte, error) {
	if len(bytes.TrimSpace(before)) == 0 {
		return before, nil
	}
	s, err := readSettings(before)
	if err != nil {
		return nil, err
	}
	for s.removeIn(placeAt(s.text, 0, 0), nil, isOurs) {
	}
	var v map[string]any
	after := s.orAsIt(before)
	if bytes.Equal(after, before) || json.Unmarshal(after, &v) != nil {
		return after, nil
	}
	if delete(v, wanted); len(v) > 0 {
		return after, nil
	}
	return nil, nil
}

// removeIn removes the first value within another that isOurs says so of, and reports whether there was one.
func (s *settings) removeIn(in *place, path []string, isOurs func(path []string, raw []byte) bool) (found bool) {
	all := children(s.text, in)
	for i := 0; i < len(all) && !found; i++ {
		at := append(path[:len(path):len(path)], all[i].key)
		if !s.isOnly(&all[i], at, isOurs) {
			found = s.removeIn(all[i].value, at, isOurs)
			continue
		}
		found = true
		from, to := in.from+1, in.to-1 // it stands alone
		switch {
		case i > 0:
			from, to = all[i-1].value.to, all[i].value.to
		case len(all) > 1:
			from, to = all[i].from, all[1].from
		}
		s.text = append(s.text[:from:from], s.text[to:]...)
	}
	return found
}

// isOnly reports whether there is nothing in a value but what isOurs says so of.
func (s *settings) isOnly(c *child, path []string, isOurs func(path []string, raw []byte) bool) bool {
	if isOurs(path, c.value.raw(s.text)) {
		return true
	}
	inner := children(s.text, c.value)
	return len(inner) == 1 && s.isOnly(&inner[0], append(path[:len(path):len(path)], inner[0].key), isOurs)
}

// place is where a value stands in a JSON text: from its first byte up to, not including, to.
type place struct {
	from, to int
	// depth is how many objects and lists it stands in.
	depth int
}

func (p *place) raw(text []byte) []byte { return text[p.from:p.to] }

// find is the place of the value under a path of keys; nil where there is none. Of a key that is there
// twice the last counts, as for who reads the file. What stands on the way must be an object.
func (s *settings) find(path ...string) (*place, error) {
	p := placeAt(s.text, 0, 0)
	for i, key := range path {
		if s.text[p.from] != '{' {
			return nil, fmt.Errorf("%s is not an object; acta adds its hooks only to an object",
				strings.Join(append([]string{"the file"}, path[:i]...), "."))
		}
		if p = member(s.text, p, key); p == nil {
			return nil, nil
		}
	}
	return p, nil
}

// placeAt is the place of the value that begins at or behind a position.
func placeAt(text []byte, at, depth int) *place {
	j := parser.JSON{Source: text, Offset: at}
	j.Next()
	p := &place{from: j.Offset, depth: depth}
	j.Skip()
	p.to = j.Offset
	return p
}

// child is a member of an object, or an element of a list, whose key is its position.
type child struct {
	from  int // of the key, or of the element
	key   string
	value *place
}

// children are those of an object or list, in the order of the text; other values have none.
func children(text []byte, of *place) (all []child) {
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

// member is the place of a member of an object.
func member(text []byte, of *place, key string) (found *place) {
	for _, c := range children(text, of) {
		if c.key == key {
			found = c.value
		}
	}
	return found
}

// addMember adds a member to the object under a path, unless it has it.
func (s *settings) addMember(path []string, key string, value any) error {
	if there, err := s.find(append(path[:len(path):len(path)], key)...); err != nil || there != nil {
		return err
	}
	holder, err := s.find(path...)
	if err != nil {
		return err
	}
	s.insert(holder, string(compact(key))+": ", value)
	return nil
}

// insert puts a member, whose key is given, or an element behind the last one of an object or list.
func (s *settings) insert(in *place, key string, value any) {
	outer := s.line + strings.Repeat(s.unit, in.depth)
	added := outer + s.unit + key + s.indented(value, in.depth+1)
	at, end := in.from+1, in.to-1
	there := children(s.text, in)
	if len(there) > 0 {
		at = there[len(there)-1].value.to
		end = at
		added = "," + added
	}
	if !bytes.Contains(s.text[at:in.to], []byte("\n")) || len(there) == 0 {
		added, end = added+outer, in.to-1 // what it stood on one line with goes on a line of its own
	}
	s.text = bytes.Join([][]byte{s.text[:at], s.text[end:]}, []byte(added))
}

// indented is a value as it stands in so many objects and lists.
func (s *settings) indented(value any, depth int) string {
	var b bytes.Buffer
	if s.line == "" || json.Indent(&b, compact(value), strings.Repeat(s.unit, depth), s.unit) != nil {
		return string(compact(value))
	}
	return strings.ReplaceAll(b.String(), "\n", s.line)
}

// compact is a value as JSON in a line.
func compact(value any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return []byte("null") // none of our values is one that JSON lacks
	}
	return bytes.TrimSpace(b.Bytes())
}

// block is a part of a file that is acta's, between two lines that say so.
type block struct {
	begin, end string
	body       string
	// head is what a file begins with that holds nothing else.
	head string
}

// text is the block as it stands in a file that breaks lines like another.
func (b block) text(like []byte) []byte {
	text := b.begin + "\n" + b.body + b.end + "\n"
	if bytes.Contains(like, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text)
}

// Add is a file with the block: in the place of one that is there, else at its end, behind an empty line. A file whose
// last line does not end gets a block whose last line does not, either, so that it can be taken away again.
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

// without is a file without the block, and without the empty line before it.
func (b block) without(file []byte) []byte {
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
		before = file[:from] // nothing but the end of the line before stands there
	}
	return append(before[:len(before):len(before)], after...)
}

// Remove is without, of a file that goes where nothing else was in it.
func (b block) Remove(file []byte) ([]byte, error) {
	rest := b.without(file)
	if len(bytes.TrimSpace(rest)) == 0 && len(rest) < len(file) || b.head != "" && string(rest) == b.head {
		return nil, nil
	}
	return rest, nil
}

// find is where the block stands, its last line's break included; from is -1 where there is none. Of several it is
// the first; one that does not end is none.
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
