package gate

import (
	"slices"
	"strings"
)

// value is what a configuration file says at one place, whatever its format: a mapping, a list or a text.
type value struct {
	// text is a scalar as it is meant, without its quotes; "" for a mapping or a list.
	text string
	// fields are those of a mapping, in order; items those of a list.
	fields []field
	items  []*value
	// line and end count from 1. block: the text begins in the line after line.
	line, end int
	block     bool
}

// field is a key of a mapping with what stands at it.
type field struct {
	key  string
	line int
	*value
}

// at is what stands at a path of keys; nil where nothing does.
func (v *value) at(keys ...string) *value {
	for _, key := range keys {
		i := slices.IndexFunc(v.all(), func(f field) bool { return f.key == key })
		if i < 0 {
			return nil
		}
		v = v.fields[i].value
	}
	return v
}

// all are the fields of a mapping, none where it is not there.
func (v *value) all() []field {
	if v == nil {
		return nil
	}
	return v.fields
}

// str is the text at a path of keys, "" where there is none.
func (v *value) str(keys ...string) string {
	if v = v.at(keys...); v != nil {
		return strings.TrimSpace(v.text)
	}
	return ""
}

// list are the texts at a path: those of a list, or the one that stands alone.
func (v *value) list(keys ...string) []*value {
	switch v = v.at(keys...); {
	case v == nil:
		return nil
	case v.items == nil && v.text != "":
		return []*value{v}
	}
	return v.items
}

// texts are those of a list, or the one that stands alone.
func (v *value) texts() (all []string) {
	for _, of := range v.list() {
		all = append(all, of.text)
	}
	return all
}

// lineOf is the line of a file in which a line of a script is that stands at a value.
func (v *value) lineOf(line int) int {
	if v.block {
		return v.line + line
	}
	return v.line
}

// source is a file that is read, with its lines.
type source struct {
	path  string
	src   []byte
	lines []string
	names map[string][]int // lines by what stands there before = or in brackets, once somebody has asked
}

// place is that of the lines from first to last, with what stands in the first few of them.
func (f *source) place(first, last int) Place {
	last = max(first, last)
	from := min(max(first, 1), len(f.lines)) - 1
	text := strings.Join(f.lines[from:min(last, len(f.lines), from+4)], "\n")
	return Place{f.path, first, last, strings.ReplaceAll(text, "\r", "")}
}
