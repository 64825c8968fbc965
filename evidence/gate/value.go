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
		if v == nil {
			return nil
		}
		i := slices.IndexFunc(v.fields, func(f field) bool { return f.key == key })
		if i < 0 {
			return nil
		}
		v = v.fields[i].value
	}
	return v
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
	v = v.at(keys...)
	switch {
	case v == nil:
		return nil
	case v.items != nil:
		return v.items
	case v.text != "":
		return []*value{v}
	}
	return nil
}

// isTrue reports a text that is true, however it is written.
func isTrue(text string) bool {
	return slices.Contains([]string{"true", "yes", "on", "1"}, constant(text))
}

// isFalse reports a text that is false, however it is written.
func isFalse(text string) bool {
	return slices.Contains([]string{"false", "no", "off", "0", "never"}, constant(text))
}

// constant is a text in lower case without the marks of an expression around it.
func constant(text string) string {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "${{"); ok {
		text = strings.TrimSpace(strings.TrimSuffix(inner, "}}"))
	}
	return strings.ToLower(text)
}

// lines is a source by its lines, for what is shown of it.
type lines []string

func linesOf(src []byte) lines { return strings.Split(string(src), "\n") }

// shown is how many lines of a place are shown.
const shown = 4

// text is what stands in the lines from first to last, those beyond the first few left out.
func (l lines) text(first, last int) string {
	first, last = max(first, 1), min(last, len(l), first+shown-1)
	if first > last {
		return ""
	}
	all := slices.Clone(l[first-1 : last])
	for i := range all {
		all[i] = strings.TrimRight(all[i], "\r")
	}
	return strings.Join(all, "\n")
}
