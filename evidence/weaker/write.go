package weaker

import "strings"

// String writes an expression in normal form.
func (e *expr) String() string { return e.textWith(nil) }

// textWith writes an expression with names of locals replaced by their values.
func (e *expr) textWith(values map[string]*expr) string {
	w := writer{values: values}
	w.write(e)
	return w.String()
}

const (
	// maxSteps bounds how many locals are followed from one name.
	maxSteps = 6
	// maxText bounds the text of an expression, in bytes.
	maxText = 4000
)

type writer struct {
	strings.Builder
	values map[string]*expr
	steps  int
}

func (w *writer) write(e *expr) {
	if e == nil || w.Len() > maxText {
		return
	}
	switch e.shape {
	case ident:
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

var closers = map[string]string{"(": ")", "[": "]", "{": "}", "<": ">"}

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
	w.WriteString(closers[open])
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

// plainText returns a token with normal quotes.
func plainText(s string) string {
	if n := len(s); n >= 2 && s[0] == '\'' && s[n-1] == '\'' && !strings.ContainsAny(s[1:n-1], "'\"\\") {
		return `"` + s[1:n-1] + `"`
	}
	return s
}
