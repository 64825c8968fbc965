package gate

import (
	"slices"
	"strings"
)

// value is a value of a configuration file in any format: a mapping, a list or a text.
type value struct {
	// text is a scalar without quotes; "" for a mapping or a list.
	text   string
	fields []field
	items  []*value
	// line and end count from 1. isBlock: the text begins in the line after line.
	line, end int
	isBlock   bool
}

type field struct {
	key  string
	line int
	*value
}

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

func (v *value) all() []field {
	if v == nil {
		return nil
	}
	return v.fields
}

func (v *value) str(keys ...string) string {
	if v = v.at(keys...); v != nil {
		return strings.TrimSpace(v.text)
	}
	return ""
}

// list returns the texts at a path: the items of a list, or a single text.
func (v *value) list(keys ...string) []*value {
	switch v = v.at(keys...); {
	case v == nil:
		return nil
	case v.items == nil && v.text != "":
		return []*value{v}
	}
	return v.items
}

func (v *value) texts() (all []string) {
	for _, item := range v.list() {
		all = append(all, item.text)
	}
	return all
}

// source is a file of a tree with the checks that are read from it.
type source struct {
	path      string
	src       []byte
	lines     []string
	nameLines map[string][]int // lines by the name before = or in brackets, made on first use
	checks    []*check
}

func (f *source) place(first, last int) Place {
	last = max(first, last)
	from := min(max(first, 1), len(f.lines)) - 1
	text := strings.Join(f.lines[from:min(last, len(f.lines), from+4)], "\n")
	return Place{Path: f.path, Line: first, EndLine: last, Text: strings.ReplaceAll(text, "\r", "")}
}
