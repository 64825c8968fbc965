package evidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/acta-git/acta/evidence/syntax"
)

// Outline is a source as others than this package read it: its syntax tree, and its definitions.
type Outline struct {
	// Path is that of the file, Language the name of its language.
	Path, Language string
	// Source is the whole file; it must not be changed. Offsets of the tree are bytes of it.
	Source []byte
	// Tree is its syntax tree.
	Tree *syntax.Tree
	// Definitions are sorted by where they begin, the wider first.
	Definitions []OutlinedDefinition
}

// OutlinedDefinition is a definition of an Outline. Offsets are bytes.
type OutlinedDefinition struct {
	// Name is its own name, Symbol that with what encloses it.
	Name, Symbol string
	// Class: it is a class, a module or the like; Titled: its name is the title of a test.
	Class, Titled bool
	// Outer is where its decorators and modifiers begin, Start its own node; End is the end of both.
	Outer, Start, End int
	// Body is where its body begins, -1 without one.
	Body int
	// Parent is the index of the definition around it, -1 at the top.
	Parent int
}

// Content returns the bytes of a file of the tree; nil where none stands there, or one that is longer than the default
// of Limits.
func (t *Tree) Content(ctx context.Context, path string) ([]byte, error) {
	entry, _, err := t.sized(ctx, path)
	if entry.Kind != File || err != nil {
		return nil, err
	}
	src, err := t.Read(ctx, entry)
	if src == nil && err == nil {
		src = []byte{}
	}
	return src, err
}

// sized tells what a path leads to, and how long that is; nothing where it is no file, or longer than the default of
// Limits.
func (t *Tree) sized(ctx context.Context, path string) (entry Entry, size int64, err error) {
	if entry, err = t.Stat(ctx, path); err == nil && entry.Kind == File {
		size, err = t.Size(ctx, entry)
	}
	if err != nil || size > defaultMaxFileBytes {
		return Entry{}, 0, err
	}
	return entry, size, nil
}

// Outline reads a file of the tree; what is returned must not be changed. It is nil where nothing of that name is
// there, no grammar reads such names, or the content cannot be read: it is longer than the default of Limits, binary,
// or beyond what a parser is given. The error is that of a reader.
func (t *Tree) Outline(ctx context.Context, path string) (*Outline, error) {
	g, entry, weight, err := t.outlined(ctx, path)
	if g == nil || err != nil {
		return nil, err
	}
	key := cacheKey{entry.ID, g.Name, entry.Path}
	return t.Cache.of(entry.ID).outlines.get(key, outlineBytes, func() (*Outline, int, error) {
		src, err := t.Read(ctx, entry)
		if err != nil || isBinary(src) {
			return nil, weight, err
		}
		o, err := g.outline(ctx, t.Cache, blob{path, entry.ID, src})
		if _, ok := errors.AsType[syntax.Unreadable](err); ok {
			return nil, weight, nil
		}
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", path, err)
		}
		return o, weight, nil
	})
}

// Reading returns what of makes of the outline of a file, nil where it has none. Of a blob it is made once while there
// is room for it: it must not be changed, nor may it depend on anything else.
func (t *Tree) Reading(ctx context.Context, path string, of func(*Outline) any) (any, error) {
	g, entry, weight, err := t.outlined(ctx, path)
	if g == nil || err != nil {
		return nil, err
	}
	key := cacheKey{entry.ID, g.Name, entry.Path}
	return t.Cache.of(entry.ID).readings.get(key, readingBytes, func() (any, int, error) {
		o, err := t.Outline(ctx, path)
		if o == nil || err != nil {
			return nil, weight, err
		}
		return of(o), weight, nil
	})
}

// Sums returns what of makes of the outline of a file, nil where it has none: what its definitions come to, by their
// names. They are small and stay longer than outlines. What is returned must not be changed.
func (t *Tree) Sums(
	ctx context.Context, path string, of func(*Outline) map[string]uint64,
) (map[string]uint64, error) {
	g, entry, _, err := t.outlined(ctx, path)
	if g == nil || err != nil {
		return nil, err
	}
	key := cacheKey{entry.ID, g.Name, entry.Path}
	return t.Cache.of(entry.ID).sums.get(key, keptSums, func() (map[string]uint64, int, error) {
		o, err := t.Outline(ctx, path)
		if o == nil || err != nil {
			return nil, 1, err
		}
		sums := of(o)
		return sums, 1 + len(sums), nil
	})
}

// outlined tells which grammar makes the outline of a file, nil for none, and about what that weighs.
func (t *Tree) outlined(ctx context.Context, path string) (g *grammar, entry Entry, weight int, err error) {
	if g = grammarOf(path); g == nil || g.Grammar == nil || !g.IsCode() {
		return nil, entry, 0, nil
	}
	entry, size, err := t.sized(ctx, path)
	if entry.Kind != File || err != nil {
		return nil, entry, 0, err
	}
	return g, entry, leastOutline + int(size), nil
}

// Lines are where the definitions of a symbol begin and end in a file of the tree, what stands before them included.
func (t *Tree) Lines(ctx context.Context, path, symbol string) (all [][2]int, err error) {
	o, err := t.Outline(ctx, path)
	if o == nil || err != nil {
		return nil, err
	}
	for _, d := range o.Definitions {
		if d.Symbol == symbol && !d.Titled {
			first := 1 + bytes.Count(o.Source[:d.Outer], []byte("\n"))
			text := bytes.TrimRight(o.Source[d.Outer:d.End], " \t\r\n")
			all = append(all, [2]int{first, first + bytes.Count(text, []byte("\n"))})
		}
	}
	return all, nil
}

func (g *grammar) outline(ctx context.Context, c *Cache, b blob) (*Outline, error) {
	s, err := g.parse(ctx, c, b, nil)
	if err != nil {
		return nil, err
	}
	m := newDefinitions(g, b.path, newText(b.src), s)
	o := &Outline{Path: b.path, Language: g.Name, Source: b.src, Tree: s.tree}
	for i := range m.definitions {
		o.Definitions = append(o.Definitions, m.definitions[i].outlined())
	}
	return o, nil
}

func (d *definition) outlined() OutlinedDefinition {
	return OutlinedDefinition{Name: d.name, Symbol: d.symbol, Class: d.kind != function, Titled: d.title, Outer: d.outer,
		Start: d.start, End: d.end, Body: d.body, Parent: d.parent}
}
