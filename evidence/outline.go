package evidence

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// Outline is a source for other packages: its syntax tree and definitions.
type Outline struct {
	// Path is that of the file, Language the name of its language.
	Path, Language string
	// Source is the whole file; it must not be changed. Offsets of the tree are bytes of it.
	Source []byte
	// Tree is its syntax tree.
	Tree *syntax.Tree
	// Definitions are sorted by where they begin, the wider first.
	Definitions []OutlineDefinition
}

// OutlineDefinition is a definition of an Outline. Offsets are bytes.
type OutlineDefinition struct {
	// Symbol is its Name, qualified by enclosing definitions.
	Name, Symbol string
	// IsClass: it is a class, a module or the like. IsTitled: its name is the title of a test.
	IsClass, IsTitled bool
	// Outer is the start of its decorators and modifiers, Start that of its node; End is the end of both.
	Outer, Start, End int
	// Body is the start of its body, -1 if it has none.
	Body int
	// Parent is the index of the enclosing definition, -1 at the top.
	Parent int
}

// Content returns the bytes of a file; nil if it is missing, or longer than the default of Limits.
func (t *Tree) Content(ctx context.Context, path string) ([]byte, error) {
	entry, _, err := t.readableEntry(ctx, path)
	if entry.Kind != File || err != nil {
		return nil, err
	}
	src, err := t.Read(ctx, entry)
	if src == nil && err == nil {
		src = []byte{}
	}
	return src, err
}

// readableEntry returns an entry and its size; neither if it is longer than the default of Limits.
func (t *Tree) readableEntry(ctx context.Context, path string) (entry Entry, size int64, err error) {
	if entry, err = t.Stat(ctx, path); err == nil && entry.Kind == File {
		size, err = t.Size(ctx, entry)
	}
	if err != nil || size > defaultMaxFileBytes {
		return Entry{}, 0, err
	}
	return entry, size, nil
}

// Outline reads a file; the result must not be changed. It is nil if the file is missing, has no grammar, or is
// unreadable: too long, binary, or beyond the parser's limits. The error is that of a reader.
func (t *Tree) Outline(ctx context.Context, path string) (*Outline, error) {
	found, err := t.reading(ctx, path, "", func(g *grammar, entry Entry) (any, error) {
		src, err := t.Read(ctx, entry)
		if err != nil || isBinary(src) {
			return nil, err
		}
		o, err := g.outline(ctx, t.Cache, Source{path, src, entry.ID})
		if _, ok := errors.AsType[syntax.Unreadable](err); ok {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return o, nil
	})
	o, _ := found.(*Outline)
	return o, err
}

// Reading returns the result of a function on a file's outline, nil if it has none. Results are cached by blob and by
// the function's name: it must depend on nothing else, and its result must not be changed.
func (t *Tree) Reading(ctx context.Context, path, name string, read func(*Outline) any) (any, error) {
	return t.reading(ctx, path, name, func(*grammar, Entry) (any, error) {
		o, err := t.Outline(ctx, path)
		if o == nil || err != nil {
			return nil, err
		}
		return read(o), nil
	})
}

// reading returns what find finds in a file of code, by a name from the cache; nil if there is no such file.
func (t *Tree) reading(
	ctx context.Context, path, name string, find func(g *grammar, entry Entry) (any, error),
) (any, error) {
	g := grammarOf(path)
	if g == nil || g.Grammar == nil || !g.IsCode() {
		return nil, nil
	}
	entry, size, err := t.readableEntry(ctx, path)
	if entry.Kind != File || err != nil {
		return nil, err
	}
	key := cacheKey{entry.ID, g.Name + " " + name, entry.Path}
	return t.Cache.orNew(entry.ID).readings.get(key, readingBytes, func() (any, int, error) {
		found, err := find(g, entry)
		return found, leastOutline + int(size), err
	})
}

// Lines returns the first and last lines of the definitions of a symbol, with decorators.
func (t *Tree) Lines(ctx context.Context, path, symbol string) (all [][2]int, err error) {
	o, err := t.Outline(ctx, path)
	if o == nil || err != nil {
		return nil, err
	}
	for _, d := range o.Definitions {
		if d.Symbol == symbol && !d.IsTitled {
			first := 1 + bytes.Count(o.Source[:d.Outer], []byte("\n"))
			text := bytes.TrimRight(o.Source[d.Outer:d.End], " \t\r\n")
			all = append(all, [2]int{first, first + bytes.Count(text, []byte("\n"))})
		}
	}
	return all, nil
}

func (g *grammar) outline(ctx context.Context, c *Cache, f Source) (*Outline, error) {
	s, err := g.parse(ctx, c, f, nil)
	if err != nil {
		return nil, err
	}
	m := newDefinitions(g, f.Path, newText(f.Bytes), s)
	o := &Outline{Path: f.Path, Language: g.Name, Source: f.Bytes, Tree: s.tree}
	for _, d := range m.definitions {
		o.Definitions = append(o.Definitions, d.outline())
	}
	return o, nil
}

func (d *definition) outline() OutlineDefinition {
	o := OutlineDefinition{Name: d.name, Symbol: d.symbol, IsClass: d.kind != function, IsTitled: d.isTitled,
		Outer: d.outer, Start: d.start, End: d.end, Body: d.body, Parent: -1}
	if d.parent != nil {
		o.Parent = d.parent.index
	}
	return o
}

func (m *model) paintBytes() {
	var table [256]kind
	for i := range table {
		table[i] = real
	}
	for _, b := range []byte(" \t\r\n\f\v") {
		table[b] = blank
	}
	for _, b := range []byte("()[]{},;") {
		table[b] = bracket
	}
	for i, b := range m.text.bytes {
		m.kinds[i] = table[b]
	}
	if bytes.HasPrefix(m.text.bytes, []byte(byteOrderMark)) {
		copy(m.kinds, []kind{blank, blank, blank})
	}
}

// paint sets the kind of the bytes in a stretch, except blanks and comments.
func (m *model) paint(s stretch, k kind) {
	for i := s.start; i < s.end; i++ {
		if old := m.kinds[i]; old != blank && old != comment {
			m.kinds[i] = k
		}
	}
}

func (m *model) sortCaptures(captures []capture) {
	for _, c := range captures {
		switch c.kind {
		case "comment":
			m.comments = append(m.comments, c.stretch)
			m.paint(c.stretch, comment)
		case "decorator":
			m.decorators = append(m.decorators, c.stretch)
		case "docstring":
			m.docstrings = append(m.docstrings, c.stretch)
		}
	}
	for i, d := range m.decorators { // some grammars include a comment after them
		m.decorators[i].end = m.trimEnd(d.start, d.end)
	}
	for _, list := range [][]stretch{m.comments, m.decorators, m.docstrings} {
		slices.SortFunc(list, byStart)
	}
}

// paintStatements sets the kinds of imports, decorators, headers and idle statements.
func (m *model) paintStatements(captures []capture) {
	for _, d := range m.definitions {
		if d.body >= 0 {
			m.paint(stretch{d.outer, d.body}, weak)
		}
	}
	for _, c := range captures {
		k, ok := captureKinds[c.kind]
		switch c.kind {
		case "todo":
			ok = c.end-c.start <= maxMessage && m.grammar.IsUnfilled(m.path, m.of(c.stretch))
		case "pair":
			ok = c.end-c.start <= maxMessage && lang.IsUnfilledPair(m.of(c.stretch))
		case "vacuous", "skips":
			ok = m.inTest(c.stretch)
		}
		if ok {
			m.paint(c.stretch, k)
		}
	}
}

// captureKinds are the kinds of captures; the last four depend on conditions.
var captureKinds = map[string]kind{
	"import": weak, "decorator": weak, "heading": weak, "bracket": bracket, "content": real, "pass": passes,
	"ellipsis": ellipsis, "docstring": docstring, "dropped": discarded, "undone": notImplemented,
	"todo": passes, "pair": passes, "vacuous": vacuous, "skips": skips,
}

func (m *model) paintFlags() {
	painted := 0
	for _, d := range m.definitions {
		if d.status == sound || d.end <= painted || m.isOption(d) {
			continue // a definition in a stub is part of that stub
		}
		flag := map[status]kind{stub: inStub, exempt: inExempt, doubtful: inDoubt, vague: inVague}[d.status]
		if d.status == stub && m.isSkipped(d) {
			flag |= inSkip
		}
		for at := d.outer; at < d.end; at++ {
			m.kinds[at] |= flag
		}
		painted = d.end
	}
}

// Reads are the reads of one judgement or comparison: after the first error everything is missing, and Err says why.
type Reads struct {
	Ctx context.Context
	Err error
}

// ReadOf returns what a reader gives, the zero value after an error.
func ReadOf[T any](r *Reads, from func() (T, error)) (found T) {
	if r.Err == nil {
		if found, r.Err = from(); r.Err != nil {
			found = *new(T)
		}
	}
	return found
}

// Note keeps an error, if it is the first.
func (r *Reads) Note(err error) { r.Err = cmp.Or(r.Err, err) }

// Stat returns an entry of a tree; nil has none.
func (r *Reads) Stat(t *Tree, path string) Entry {
	if t == nil {
		return Entry{}
	}
	return ReadOf(r, func() (Entry, error) { return t.Stat(r.Ctx, path) })
}

// Content returns a file of a tree, nil if there is none.
func (r *Reads) Content(t *Tree, path string) []byte {
	return ReadOf(r, func() ([]byte, error) { return t.Content(r.Ctx, path) })
}

// AllPaths lists every file of a tree.
func (r *Reads) AllPaths(t *Tree) []string {
	return ReadOf(r, func() ([]string, error) { return t.Paths(r.Ctx) })
}

func (r *Reads) origin(earlier, later *Tree, path string) Entry {
	return ReadOf(r, func() (Entry, error) { return Origin(r.Ctx, earlier, later, path) })
}

func (r *Reads) size(t *Tree, e Entry) int64 {
	return ReadOf(r, func() (int64, error) { return t.Size(r.Ctx, e) })
}

func (r *Reads) read(t *Tree, e Entry) []byte {
	return ReadOf(r, func() ([]byte, error) { return t.Read(r.Ctx, e) })
}

func (r *Reads) changed(c Change) []string {
	return ReadOf(r, func() ([]string, error) { return c.Changed(r.Ctx) })
}
