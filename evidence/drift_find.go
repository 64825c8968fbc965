package evidence

import (
	"bytes"
	"context"
	"slices"
)

const (
	// alike is how much of two definitions must be the same, in hundredths of
	// their tokens, for one under another name to be what became of the other.
	alike = 60
	// maxSought bounds how many changed files are read in search of code that left its own.
	maxSought = 400
	// maxNamesakes bounds how many definitions of one symbol are told apart.
	maxNamesakes = 100
)

// find looks for what a definition has become: what has its symbol in the file, else
// what descends from it under another. nil when there is none.
func (s *tracer) find(ctx context.Context, d *definition) (*found, error) {
	if s.now != nil {
		if f := s.namesake(d, s.old.all(d)); f != nil {
			return f, nil
		}
	}
	return s.descendant(ctx, d)
}

// descendant looks for the code of a definition among those that are new: in the
// file under any symbol, in other files that changed under the same name. Without
// the same code, it is the one that is most alike; nil when none is alike.
func (s *tracer) descendant(ctx context.Context, d *definition) (*found, error) {
	code := s.old.all(d)
	counted := census(code)
	var near *found
	best := alike - 1
	// settles reports whether it is the one; if not, it may still be the one most alike.
	settles := func(f *found) bool {
		its := f.in.all(f.definition)
		if f.same = equalCode(code, its); f.same {
			return true
		}
		if l := likeness(counted, len(code), its); l > best && f.status == sound {
			near, best = f, l
		}
		return false
	}
	if s.now != nil {
		for _, f := range s.fresh(d, s.old, s.now) {
			if settles(f) {
				return f, nil
			}
		}
	}
	there, err := s.elsewhere(ctx, d.name, func(is *source) bool { return is.model.hasNamed(d) },
		func(was, is *source) *found {
			for _, f := range s.fresh(d, was, is) {
				if f.name == d.name && settles(f) {
					return f
				}
			}
			return nil
		})
	if there != nil || err != nil {
		return there, err
	}
	return near, nil
}

// fresh lists the definitions of a file whose symbols its earlier version, nil for none, did not have.
func (s *tracer) fresh(d *definition, was, is *source) []*found {
	known := map[string]bool{}
	if was != nil && was.model != nil {
		for i := range was.model.definitions {
			known[was.model.definitions[i].symbol] = true
		}
	}
	var out []*found
	for i := range is.model.definitions {
		if n := &is.model.definitions[i]; n.kind == d.kind && !known[n.symbol] {
			out = append(out, &found{definition: n, in: is})
		}
	}
	return out
}

// namesake returns the definition of the same symbol in the file. Of several
// (overloads) it is the one with the same code; else the one that is left when
// those are left out that are unchanged; else the one with the same header. nil
// when there is none.
func (s *tracer) namesake(d *definition, code []step) *found {
	named, siblings := s.now.model.named(d), s.old.model.named(d)
	if len(named) == 0 {
		return nil
	}
	for _, n := range named[:min(len(named), maxNamesakes)] {
		if equalCode(code, s.now.all(n)) {
			return &found{definition: n, in: s.now, certain: true, same: true}
		}
	}
	if len(named) > maxNamesakes || len(siblings) > maxNamesakes {
		return &found{definition: named[0], in: s.now, oneOf: true}
	}
	left := s.withoutUnchanged(named, siblings)
	if len(left) > 1 {
		left = s.byHeader(d, left, named, siblings)
	}
	switch len(left) {
	case 0:
		return nil
	case 1:
		return &found{definition: left[0], in: s.now, certain: true}
	}
	// Which of them it is cannot be told: the first stands for all, and hollows nothing.
	return &found{definition: left[0], in: s.now, oneOf: true}
}

// withoutUnchanged leaves out what is one of the siblings, unchanged.
func (s *tracer) withoutUnchanged(named, siblings []*definition) []*definition {
	was := make([][]step, len(siblings))
	for i, o := range siblings {
		was[i] = s.old.all(o)
	}
	return slices.DeleteFunc(slices.Clone(named), func(n *definition) bool {
		is := s.now.all(n)
		return slices.ContainsFunc(was, func(c []step) bool { return equalCode(c, is) })
	})
}

// byHeader tells definitions of one symbol apart: by the header that d had, else,
// where there are as many as there were, by the order in which they stand.
func (s *tracer) byHeader(d *definition, left, named, siblings []*definition) []*definition {
	header := s.old.code(stretch{d.start, headerEnd(d)}, d)
	same := slices.DeleteFunc(slices.Clone(left), func(n *definition) bool {
		return !equalCode(header, s.now.code(stretch{n.start, headerEnd(n)}, n))
	})
	if len(same) == 1 {
		return same
	}
	if i := slices.Index(siblings, d); len(siblings) == len(named) && slices.Contains(left, named[i]) {
		return named[i : i+1]
	}
	return left
}

func headerEnd(d *definition) int {
	if d.body >= 0 {
		return d.body
	}
	return d.end
}

// hasNamed reports whether a definition has the name and kind of d.
func (m *model) hasNamed(d *definition) bool {
	for i := range m.definitions {
		if n := &m.definitions[i]; n.name == d.name && n.kind == d.kind && n.title == d.title {
			return true
		}
	}
	return false
}

// named lists the definitions of the symbol and kind of d.
func (m *model) named(d *definition) []*definition {
	var out []*definition
	for i := range m.definitions {
		if n := &m.definitions[i]; n.symbol == d.symbol && n.kind == d.kind && n.title == d.title {
			out = append(out, n)
		}
	}
	return out
}

// elsewhere visits the other changed files of the language that hold a text, each
// with its earlier version (nil where there was none), until one gives an answer.
// may says of a file that was parsed whether it is worth comparing.
func (s *tracer) elsewhere(ctx context.Context, text string, may func(is *source) bool,
	visit func(was, is *source) *found) (*found, error) {
	if s.Changed == nil {
		return nil, nil
	}
	paths, err := s.Changed(ctx)
	if err != nil {
		return nil, err
	}
	sought := 0
	for _, path := range paths {
		if path == s.old.Path || s.now != nil && path == s.now.Path || !sameLanguage(path, s.old.Path) {
			continue
		}
		if sought++; sought > maxSought {
			s.cut = true
			break
		}
		f, err := s.visit(ctx, path, text, may, visit)
		if f != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}

func (s *tracer) visit(ctx context.Context, path, text string, may func(is *source) bool,
	visit func(was, is *source) *found) (*found, error) {
	is, err := s.is(ctx, path)
	if err != nil || is == nil || !bytes.Contains(is.text.bytes, []byte(text)) {
		return nil, err
	}
	if err := is.parse(ctx, s.Judge.Cache); err != nil || is.why != "" || !may(is) {
		return nil, err
	}
	was, err := s.was(ctx, path)
	if err != nil {
		return nil, err
	}
	for _, file := range []*source{was, is} {
		if err := file.tokenise(ctx, s.Judge.Cache, s.seed); err != nil {
			return nil, err
		}
	}
	if is.why != "" || was != nil && was.why != "" {
		return nil, nil // what was new in it cannot be told
	}
	return visit(was, is), nil
}

// sameLanguage reports whether two files are read by the same grammar, or by none and have the same ending.
func sameLanguage(a, b string) bool {
	if g, h := grammarOf(a), grammarOf(b); g != nil || h != nil {
		return g == h
	}
	return ending(a) == ending(b)
}
