package evidence

import (
	"bytes"
	"context"
	"slices"
)

const (
	// alike is how much of two definitions must be the same for one under another name to be what became of the other:
	// three of five tokens of each.
	alike = 43
	// maxSought bounds how many changed files are read in search of code that left its own.
	maxSought = 400
)

// find looks for what a definition has become: what has its symbol in the file, else
// what descends from it under another. nil when there is none.
func (s *tracer) find(ctx context.Context, d *definition) (*found, error) {
	if s.now != nil {
		if f := s.namesake(d); f != nil {
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
	var near *found
	best := alike - 1
	among := func(was, is *source) (*found, error) {
		known := map[string]bool{}
		for i := 0; was != nil && was.model != nil && i < len(was.model.definitions); i++ {
			known[was.model.definitions[i].symbol] = true
		}
		for i := range is.model.definitions {
			n := &is.model.definitions[i]
			if n.kind != d.kind || known[n.symbol] || is != s.now && n.name != d.name {
				continue
			}
			for _, file := range []*source{was, is} {
				if err := file.tokenise(ctx, s.Judge.Cache); err != nil {
					return nil, err
				}
				if file != nil && file.why != "" {
					return nil, nil // what was new in it cannot be told
				}
			}
			f := &found{definition: n, in: is}
			if f.same = is.key(n) == s.old.key(d); f.same {
				return f, nil
			}
			if l := likeness(code, is.all(n)); l > best && n.status == sound {
				near, best = f, l
			}
		}
		return nil, nil
	}
	if s.now != nil {
		if f, err := among(s.old, s.now); f != nil || err != nil {
			return f, err
		}
	}
	there, err := s.elsewhere(ctx, d.name, among)
	if there != nil || err != nil {
		return there, err
	}
	return near, nil
}

// namesake returns the definition of the same symbol in the file. Of several (overloads) it is the one with the same
// code; else the one that is left when those are left out that are unchanged; else the one with the same header. nil
// when there is none.
func (s *tracer) namesake(d *definition) *found {
	named, siblings := s.now.model.named(d), s.old.model.named(d)
	if i := slices.IndexFunc(named, func(n *definition) bool { return s.now.key(n) == s.old.key(d) }); i >= 0 {
		return &found{definition: named[i], in: s.now, certain: true, same: true}
	}
	unchanged := map[string]bool{}
	for _, o := range siblings {
		unchanged[s.old.key(o)] = true
	}
	left := slices.DeleteFunc(slices.Clone(named), func(n *definition) bool { return unchanged[s.now.key(n)] })
	if len(left) > 1 {
		header := func(in *source, d *definition) string {
			end := d.body
			if end < 0 {
				end = d.end
			}
			return keyOf(in.code(stretch{d.start, end}, d))
		}
		mine := header(s.old, d)
		same := slices.DeleteFunc(slices.Clone(left), func(n *definition) bool { return header(s.now, n) != mine })
		if len(same) == 1 {
			left = same
		}
	}
	if len(left) == 0 {
		return nil
	}
	// Where it cannot be told which of them it is, the first stands for all, and hollows nothing.
	return &found{definition: left[0], in: s.now, certain: len(left) == 1, oneOf: len(left) > 1}
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
func (s *tracer) elsewhere(
	ctx context.Context, text string, visit func(was, is *source) (*found, error),
) (*found, error) {
	if s.Changed == nil {
		return nil, nil
	}
	paths, err := s.Changed(ctx)
	if err != nil {
		return nil, err
	}
	sought := 0
	for _, path := range paths {
		if path == s.old.Path || s.now != nil && path == s.now.Path || grammarOf(path) != grammarOf(s.old.Path) ||
			grammarOf(path) == nil && ending(path) != ending(s.old.Path) {
			continue
		}
		if sought++; sought > maxSought {
			s.cut = true
			break
		}
		is, err := s.newer.source(ctx, path)
		if err != nil {
			return nil, err
		}
		if is == nil || !bytes.Contains(is.text.bytes, []byte(text)) {
			continue
		}
		if is, err = s.newer.parsed(ctx, path); err != nil {
			return nil, err
		}
		was, err := s.older.parsed(ctx, path)
		if err != nil {
			return nil, err
		}
		if is.why != "" || was != nil && was.why != "" {
			continue // what was new in it cannot be told
		}
		if f, err := visit(was, is); f != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}
