package weaker

// collect notes words, names and locals of a block and all in it.
func (w *walker) collect(b *block) {
	for _, s := range b.statements {
		for _, t := range s.tokens {
			switch t.sort {
			case word:
				w.unit.names[t.text] = true
				w.unit.words[t.text]++
			case text, number:
				w.unit.words[plainText(t.text)]++
				w.unit.literals[plainText(t.text)] = true
			case braces:
				w.collect(t.block)
			}
		}
		w.notes(s)
		for _, c := range s.parts(w.unit.file.tongue) {
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
		for e.shape == call && e.text == bareCall && len(e.parts) > 1 {
			e = e.parts[len(e.parts)-1]
		}
		if e.shape != operator || len(e.parts) != 2 {
			continue
		}
		left, right := e.parts[0], e.parts[1]
		for left.shape == call && left.text == bareCall {
			left = left.parts[len(left.parts)-1]
		}
		switch e.text {
		case "=", ":=":
		case ":": // x: T = v
			if right.shape == operator && right.text == "=" {
				right = right.parts[1]
			} else {
				continue
			}
		case "+=", "-=", "*=", "/=":
			w.give(left.String(), right, 2)
			continue
		default:
			continue
		}
		if left.shape == operator && left.text == ":" {
			left = left.parts[0]
		}
		targets := append([]*expr{}, head[:i]...)
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
				w.give(target.text, value, 1)
			}
		}
	}
}

func (w *walker) give(named string, value *expr, times int) {
	if named == "_" || named == "err" || value.start == 0 && value.end == 0 {
		w.given[named] += 2
		return
	}
	w.given[named] += times
	w.locals[named] = value
}
