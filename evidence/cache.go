package evidence

import (
	"context"
	"errors"
	"sync"

	"github.com/acta-git/acta/evidence/syntax"
)

// cacheBytes bounds what a Cache keeps, in bytes of source; a model takes about twice its source.
const cacheBytes = 64 << 20

// comparisonBytes bounds the comparisons that a Cache keeps; a line takes up to six bytes.
const comparisonBytes = 8 << 20

// outlineBytes bounds the outlines that a Cache keeps, in bytes of source; a syntax tree takes some ten times its
// source.
const outlineBytes = 8 << 20

// leastOutline is what the outline of a small file counts for: it takes about ten times as much, however short that is.
const leastOutline = 1 << 10

// Cache keeps parsed files by content, language and name, so that a run parses a
// blob once however many claims cite it. It is safe for concurrent use. When it
// holds 64 MiB of source, the oldest go. It keeps comparisons of two versions of a file, and outlines, as well.
type Cache struct {
	mu      sync.Mutex
	entries map[cacheKey]*cacheEntry
	order   []cacheKey
	bytes   int

	outlining    sync.Mutex
	outlines     map[cacheKey]*outlined
	outlineBytes int // what they count for

	comparing   sync.Mutex
	comparisons map[comparedIDs]compared
	compared    int // bytes that comparisons hold
}

// comparedIDs names two versions of a file.
type comparedIDs struct{ old, new string }

// compared is a comparison, or why there is none.
type compared struct {
	*comparison
	why string
}

// cacheKey: the path is part of it because a name can make a stub complete (.pyi).
type cacheKey struct{ id, language, path string }

// outlined is an outline that is read once.
type outlined struct {
	mu      sync.Mutex
	outline *Outline
	done    bool
}

type cacheEntry struct {
	size  int
	mu    sync.Mutex
	model *model
	err   error
	done  bool
}

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{entries: map[cacheKey]*cacheEntry{}} }

// model returns the model of src, parsing it when it is not there. An error that says nothing of the content is not
// kept.
func (c *Cache) model(ctx context.Context, g *grammar, path, id string, src text) (*model, error) {
	if c == nil || id == "" {
		return analyse(ctx, g, path, src)
	}
	e := c.entry(cacheKey{id, g.Name, path}, len(src.bytes))
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.done {
		return e.model, e.err
	}
	m, err := analyse(ctx, g, path, src)
	var content syntax.Unreadable
	e.done = err == nil || errors.As(err, &content)
	e.model, e.err = m, err
	return m, err
}

// compare returns what compute finds of two versions, computed once however many
// claims cite their lines: a comparison can take a fifth of a second. An error is not kept.
func (c *Cache) compare(old, new string, compute func() (*comparison, string, error)) (*comparison, string, error) {
	if c == nil || old == "" || new == "" {
		return compute()
	}
	c.comparing.Lock()
	defer c.comparing.Unlock()
	key := comparedIDs{old, new}
	if known, ok := c.comparisons[key]; ok {
		return known.comparison, known.why, nil
	}
	found, why, err := compute()
	if err != nil {
		return nil, "", err
	}
	size := 0
	if found != nil {
		size = found.size()
	}
	if c.compared += size; c.comparisons == nil || c.compared > comparisonBytes {
		c.comparisons, c.compared = map[comparedIDs]compared{}, size
	}
	c.comparisons[key] = compared{found, why}
	return found, why, nil
}

// outline returns what read finds of a file, read once while there is room for it; nil says that it cannot be read.
func (c *Cache) outline(entry Entry, g *grammar, size int64, read func() (*Outline, error)) (*Outline, error) {
	if c == nil || entry.ID == "" {
		return read()
	}
	key := cacheKey{entry.ID, g.Name, entry.Path}
	c.outlining.Lock()
	o := c.outlines[key]
	if o == nil {
		weight := leastOutline + int(size)
		if c.outlineBytes += weight; c.outlines == nil || c.outlineBytes > outlineBytes {
			c.outlines, c.outlineBytes = map[cacheKey]*outlined{}, weight
		}
		o = &outlined{}
		c.outlines[key] = o
	}
	c.outlining.Unlock()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return o.outline, nil
	}
	found, err := read()
	o.outline, o.done = found, err == nil
	return found, err
}

func (c *Cache) entry(key cacheKey, size int) *cacheEntry {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[key]; e != nil {
		return e
	}
	e := &cacheEntry{size: size}
	if c.entries == nil {
		c.entries = map[cacheKey]*cacheEntry{}
	}
	for c.bytes+size > cacheBytes && len(c.order) > 0 {
		c.evict()
	}
	c.entries[key] = e
	c.order = append(c.order, key)
	c.bytes += size
	return e
}

// evict drops the oldest entry.
func (c *Cache) evict() {
	oldest := c.order[0]
	c.order = c.order[1:]
	c.bytes -= c.entries[oldest].size
	delete(c.entries, oldest)
}

// analyse parses src and builds its model.
func analyse(ctx context.Context, g *grammar, path string, src text) (*model, error) {
	s, err := g.parse(ctx, src.bytes)
	if err != nil {
		return nil, err
	}
	return newModel(g, path, src, s), nil
}
