package weaker

import (
	"slices"
	"strings"
)

// collect notes words, names and locals of a block and all in it.
func (w *walker) collect(b *block) {
	for _, t := range b.tokens {
		switch {
		case t.text == "end":
		case t.sort == word:
			w.unit.names[t.text] = true
			w.unit.words[t.text]++
		case t.sort != mark:
			w.unit.words[plainText(t.text)]++
			w.unit.names[plainText(t.text)] = true
		}
	}
	w.gives(b)
}

// gives notes the tables of a block and all in it, and what its locals are given.
func (w *walker) gives(b *block) {
	for _, s := range b.statements {
		for _, inner := range s.blocks {
			w.gives(inner)
		}
		for _, c := range s.clauses {
			w.unit.loops = w.unit.loops || c.keyword == "for" || c.keyword == "foreach"
			for _, e := range c.head {
				w.tables(e)
			}
			if c.keyword != "for" && c.keyword != "foreach" {
				assigned(c.head, w.give)
			}
		}
	}
}

// assigned tells which names expressions give a value.
func assigned(head []*expr, give func(named string, value *expr)) {
	for i, e := range head {
		e = bared(e)
		if e.shape != operator || len(e.parts) != 2 {
			continue
		}
		left, right := bared(e.parts[0]), e.parts[1]
		if e.text == ":" && right.shape == operator && right.text == "=" { // x: T = v
			right = right.parts[1]
		} else if e.text != "=" && e.text != ":=" {
			if strings.HasSuffix(e.text, "=") && powers[e.text] == 1 {
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
			if target.shape == name {
				give(target.text, value)
			}
		}
	}
}

// bared is an expression without the words before it: const x = 1.
func bared(e *expr) *expr {
	for e.shape == call && e.text == bareCall && len(e.parts) > 1 {
		e = e.parts[len(e.parts)-1]
	}
	return e
}

// give notes what a name is given; nil changes what it holds.
func (w *walker) give(named string, value *expr) {
	w.given[named]++
	if w.locals[named] = value; value == nil || named == "_" || named == "err" || value.start == 0 && value.end == 0 {
		w.given[named]++
	}
}
