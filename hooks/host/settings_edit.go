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
			return nil, fmt.Errorf("%s is no object; acta adds its hooks to an object "+
				"alone", strings.Join(append([]string{"the file"}, path[:i]...), "."))
		}
		if p = member(s.text, p, key); p == nil {
			return nil, nil
		}
	}
	return p, nil
}

// placeAt is the place of the value that begins at or behind a position.
func placeAt(text []byte, at, depth int) *place {
	j := parser.JSON{Source: text, At: at}
	j.Next()
	p := &place{from: j.At, depth: depth}
	j.Skip()
	p.to = j.At
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
	j := parser.JSON{Source: text, At: of.from}
	opening := j.Next()
	if opening != '{' && opening != '[' {
		return nil
	}
	for j.Enter(); j.More(); {
		c := child{from: j.At, key: strconv.Itoa(len(all))}
		if opening == '{' {
			c.key = j.Key()
		}
		c.value = placeAt(text, j.At, of.depth+1)
		j.At = c.value.to
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
