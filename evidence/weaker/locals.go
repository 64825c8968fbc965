package weaker

import (
	"slices"
	"strings"
)

// collect notes words, names and locals of a block and all in it.
func (w *walker) collect(b *block) {
	for _, s := range b.statements {
		for i, t := range s.tokens {
			switch t.sort {
			case word:
				w.taken[t.text] = w.taken[t.text] || i > 0 && isListed("takers", s.tokens[i-1].text)
				w.unit.names[t.text] = true
				w.unit.words[t.text]++
			case text, number:
				w.unit.words[plainText(t.text)]++
				w.unit.literals[plainText(t.text)] = true
			case braces:
				w.collect(t.block)
			}
		}
		for _, c := range s.parts(w.unit.file.Language) {
			w.unit.loops = w.unit.loops || c.keyword == "for" || c.keyword == "foreach"
			for _, e := range c.head {
				w.tables(e)
			}
			if c.keyword != "for" && c.keyword != "foreach" {
				w.assigned(c.head)
			}
		}
	}
}

// assigned notes the locals that expressions give a value.
func (w *walker) assigned(head []*expr) {
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
				w.given[left.String()] += 2
			}
			continue
		}
		if left.shape == operator && left.text == ":" {
			left = left.parts[0]
		}
		targets := slices.Clone(head[:i])
		if left.shape == list {
			targets = append(targets, left.parts...)
		} else {
			targets = append(targets, left)
		}
		for k, target := range targets {
			value := right
			if len(targets) > 1 {
				value = join(index, "[", right, &expr{shape: literal, text: string(rune('0' + k%10))})
			}
			if target.shape == name {
				w.give(target.text, value)
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

func (w *walker) give(named string, value *expr) {
	w.given[named]++
	if w.locals[named] = value; named == "_" || named == "err" || value.start == 0 && value.end == 0 {
		w.given[named]++
	}
}
