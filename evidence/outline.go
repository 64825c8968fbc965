package evidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"

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
