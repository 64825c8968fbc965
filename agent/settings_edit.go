package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
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

// place is where a value stands in a JSON text: from its first byte up to, not including, to.
type place struct {
	from, to int
	// depth is how many objects and lists it stands in.
	depth int
	// last is where its last member or element ends, 0 where it is empty.
	last int
}

func (p *place) raw(text []byte) []byte { return text[p.from:p.to] }

// find is the place of the value under a path of keys; nil where there is none. Of a key that is there
// twice the last counts, as for who reads the file. What stands on the way must be an object.
func (s *settings) find(path ...string) (*place, error) {
	text := s.text
	p, err := placeAt(text, 0, 0)
	for i, key := range path {
		if err != nil {
			return nil, err
		}
		if text[p.from] != '{' {
			return nil, fmt.Errorf("%s is no object; acta adds its hooks to an object alone", strings.Join(append([]string{"the file"}, path[:i]...), "."))
		}
		if p, err = member(text, p, key); p == nil {
			return nil, err
		}
	}
	return p, err
}

// placeAt is the place of the value that begins at or behind a position.
func placeAt(text []byte, at, depth int) (*place, error) {
	at += len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t\r\n,:"))
	d := json.NewDecoder(bytes.NewReader(text[at:]))
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return nil, err
	}
	p := &place{from: at, to: at + int(d.InputOffset()), depth: depth}
	if raw[0] != '{' && raw[0] != '[' {
		return p, nil
	}
	inner := bytes.TrimRight(text[p.from+1:p.to-1], " \t\r\n")
	if len(inner) > 0 {
		p.last = p.from + 1 + len(inner)
	}
	return p, nil
}

// member is the place of a member of an object.
func member(text []byte, of *place, key string) (found *place, err error) {
	for at := of.from + 1; at < of.last; {
		name, err := placeAt(text, at, of.depth+1)
		if err != nil {
			return nil, err
		}
		value, err := placeAt(text, name.to, of.depth+1)
		if err != nil {
			return nil, err
		}
		var k string
		if json.Unmarshal(name.raw(text), &k) == nil && k == key {
			found = value
		}
		at = value.to
	}
	return found, nil
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
	if in.last > 0 {
		at, end = in.last, in.last
		added = "," + added
	}
	if !bytes.Contains(s.text[at:in.to], []byte("\n")) || in.last == 0 {
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
