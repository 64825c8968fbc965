package weaker

import "strings"

// String writes an expression in one way, however it was laid out.
func (e *expr) String() string { return e.with(nil) }

// with writes an expression with the values of locals in the place of their names.
func (e *expr) with(values map[string]*expr) string {
	w := writer{values: values}
	w.write(e)
	return w.String()
}

const (
	// maxSteps bounds how many locals are followed from one name.
	maxSteps = 6
	// maxWritten bounds what is written of an expression, in bytes.
	maxWritten = 4000
)

// writer writes expressions.
type writer struct {
	strings.Builder
	values map[string]*expr
	steps  int
}

func (w *writer) write(e *expr) {
	if e == nil || w.Len() > maxWritten {
		return
	}
	switch e.shape {
	case name:
		if value, ok := w.values[e.text]; ok && w.steps < maxSteps {
			w.steps++
			w.write(value)
			w.steps--
			return
		}
		w.WriteString(e.text)
	case literal:
		w.WriteString(plainText(e.text))
	case call, index:
		w.write(e.parts[0])
		w.list(strings.TrimSpace(e.text), e.parts[1:])
	case list:
		if e.text == "(" && len(e.parts) == 1 {
			w.write(e.parts[0])
			return
		}
		w.list(e.text, e.parts)
	case dot:
		w.write(e.parts[0])
		w.WriteString("." + e.text)
	case operator:
		for i, part := range e.parts {
			if i > 0 {
				w.WriteString(" " + e.text + " ")
			}
			if part.shape == operator {
				w.list("(", []*expr{part})
				continue
			}
			w.write(part)
		}
	case body:
		w.block(e.block)
	}
}

// ends are the brackets that close others.
var ends = map[string]string{"(": ")", "[": "]", "{": "}", "<": ">"}

func (w *writer) list(open string, parts []*expr) {
	if open == "" {
		open = "("
	}
	w.WriteString(open)
	for i, part := range parts {
		if i > 0 {
			w.WriteString(", ")
		}
		w.write(part)
	}
	w.WriteString(ends[open])
}

func (w *writer) block(b *block) {
	w.WriteByte('{')
	for _, t := range b.tokens {
		if t.text != ";" {
			w.WriteString(plainText(t.text) + " ")
		}
	}
	w.WriteByte('}')
}

// plainText is a token without what a formatter may change in it: which quotes it stands in.
func plainText(s string) string {
	if n := len(s); n >= 2 && s[0] == '\'' && s[n-1] == '\'' && !strings.ContainsAny(s[1:n-1], "'\"\\") {
		return `"` + s[1:n-1] + `"`
	}
	return s
}
