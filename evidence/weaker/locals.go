package weaker

import (
	"slices"
	"strings"
)

func (w *walker) collect(b *block) {
	for _, t := range b.tokens {
		if text := plainText(t.text); t.kind != mark && text != "end" {
			w.unit.words[text]++
			w.unit.mentions[text] = true
		}
	}
	w.collectTables(b)
}

// collectTables notes the tables of a block, and the values of its locals.
func (w *walker) collectTables(b *block) {
	for _, s := range b.statements {
		for _, inner := range s.blocks {
			w.collectTables(inner)
		}
		for _, c := range s.clauses {
			isLoop := c.keyword == "for" || c.keyword == "foreach"
			if w.unit.hasLoop = w.unit.hasLoop || isLoop; isLoop && c.block != nil {
				w.unit.tables = append(w.unit.tables, flat(string(w.unit.file.Source[s.start:c.block.start])))
			}
			for _, e := range c.head {
				w.tables(e)
			}
			if !isLoop {
				eachAssignment(c.head, w.setLocal)
			}
		}
	}
}

func eachAssignment(head []*expr, give func(named string, value *expr)) {
	for i, e := range head {
		e = withoutModifiers(e)
		if e.shape != operator {
			continue
		}
		left, right := withoutModifiers(e.parts[0]), e.parts[1]
		if e.text == ":" && right.shape == operator && right.text == "=" { // x: T = v
			right = right.parts[1]
		} else if e.text != "=" && e.text != ":=" {
			if strings.HasSuffix(e.text, "=") && precedence[e.text] == 1 {
				give(left.String(), nil)
			}
			continue
		}
		if left.shape == operator && left.text == ":" {
			left = left.parts[0]
		}
		targets := append(slices.Clone(head[:i]), left)
		if left.shape == list {
			targets = append(targets[:i], left.parts...)
		}
		for k, target := range targets {
			value := right
			if len(targets) > 1 {
				value = join(index, "[", right, &expr{shape: literal, text: string(rune('0' + k%10))})
			}
			if target.shape == ident {
				give(target.text, value)
			}
		}
	}
}

// withoutModifiers returns an expression without the words before it: const x = 1.
func withoutModifiers(e *expr) *expr {
	for e.shape == call && e.text == bareCall && len(e.parts) > 1 {
		e = e.parts[len(e.parts)-1]
	}
	return e
}

// setLocal sets a local; nil if it is updated.
func (w *walker) setLocal(name string, value *expr) {
	w.setCounts[name]++
	if w.locals[name] = value; value == nil || name == "_" || name == "err" || value.start == 0 && value.end == 0 {
		w.setCounts[name]++
	}
}
