package weaker

import "maps"

// maxElements bounds the list of a loop whose elements are put in the place of what they are called.
const maxElements = 20

// enter notes the list of literals that a loop goes over, up to when what it returns is called.
func (w *walker) enter(head []*expr) (leave func()) {
	for _, e := range head {
		for e.shape == call && e.text == bareCall && len(e.parts) > 1 { // const x of …
			e = e.parts[len(e.parts)-1]
		}
		if e.shape != operator || e.text != "in" && e.text != ":" || len(e.parts) != 2 {
			continue
		}
		named, over := e.parts[0], e.parts[1]
		if named.shape != name || over.shape != list || len(over.parts) > maxElements {
			continue
		}
		if w.loops == nil {
			w.loops = map[string][]*expr{}
		}
		w.loops[named.text] = over.parts
		return func() { delete(w.loops, named.text) }
	}
	return func() {}
}

// goesOver reports whether an assertion in a loop makes the demand of another one for an element of the loop's list.
func (a *assertion) goesOver(gone *assertion) bool {
	for named, elements := range a.loops {
		values := map[string]*expr{}
		maps.Copy(values, a.locals)
		for _, element := range elements {
			values[named] = element
			if a.subject.with(values) == gone.subjectKey && a.expected.with(values) == gone.expectedKey {
				return a.dead == "" && a.strength >= gone.strength && a.negative == gone.negative
			}
		}
	}
	return false
}

// isEmptyLoop reports whether a loop is over an empty list or never true.
func isEmptyLoop(head []*expr) bool {
	for _, e := range head {
		if e.shape == operator && (e.text == "in" || e.text == ":") && len(e.parts) == 2 {
			if over := e.parts[1]; over.shape == list && len(over.parts) == 0 || over.String() == "range(0)" {
				return true
			}
		}
	}
	return false
}

// emptyEach reports whether a call goes over an empty list: [].forEach(…).
func emptyEach(e *expr) bool {
	callee := e.parts[0]
	if callee.shape != dot {
		return false
	}
	switch callee.text {
	case "forEach", "each", "map", "for_each", "ForEach":
		return callee.parts[0].shape == list && len(callee.parts[0].parts) == 0
	}
	return false
}
