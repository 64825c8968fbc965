package evidence

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/acta-git/acta/evidence/syntax"
)

const (
	// cacheBytes bounds the memory of a Cache's models.
	cacheBytes = 16 << 20
	// definitionBytes is about the memory of a model's definition, with header and names.
	definitionBytes = 1 << 10
	// comparisonBytes bounds the comparisons; a line takes up to six bytes.
	comparisonBytes = 4 << 20
	// readingBytes bounds the outlines and their readings, in bytes of source; each takes some ten times its source.
	readingBytes = 7 << 20
	// stubBytes bounds the comparisons of stubs, each of the weight leastOutline.
	stubBytes = 4 << 20
	// treeBytes bounds the memory of cached syntax trees.
	treeBytes = 16 << 20
	// leastOutline is the least weight of an outline: about a tenth of its memory, however short the file.
	leastOutline = 1 << 10
	// limitOfBounds is the memory limit that these bounds suit.
	limitOfBounds = 448 << 20
)

// boundFactor multiplies the bounds of all caches, 1 to 8: a higher memory limit leaves room for more.
var boundFactor = sync.OnceValue(func() int {
	limit := debug.SetMemoryLimit(-1)
	if limit == math.MaxInt64 { // there is none
		return 1
	}
	return int(min(max(limit/limitOfBounds, 1), 8))
})

// Cache keeps parsed files by content, language and name, so that a run parses a blob once however many claims cite it;
// also comparisons of two versions, and outlines. It is safe for concurrent use.
type Cache struct {
	models      cacheMap[cacheKey, *model]
	readings    cacheMap[cacheKey, any] // outlines, and what is read of them
	trees       cacheMap[cacheKey, *syntax.Tree]
	comparisons cacheMap[cacheKey, *comparison]
	stubs       cacheMap[cacheKey, []Stub] // that the second of two versions adds
}

// cacheKey identifies a blob as a grammar reads it, or two versions. The path is included since a name can exempt stubs
// (.pyi).
type cacheKey struct{ id, language, path string }

// key is that of a file as a grammar reads it.
func (f Source) key(g *grammar) cacheKey { return cacheKey{f.ID, g.Name, f.Path} }

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{} }

// orNew returns the cache; a new one if there is none, or a blob has no id.
func (c *Cache) orNew(ids ...string) *Cache {
	if c == nil || slices.Contains(ids, "") {
		return &Cache{}
	}
	return c
}

// cacheMap computes each value once, even for concurrent callers. Above a weight, random entries are evicted: with the
// oldest first, a run that reads the same files in the same order would never hit. An error is cached only if it is
// Unreadable: then the content is at fault. The zero value is empty.
type cacheMap[K comparable, V any] struct {
	mu      sync.Mutex
	entries map[K]*cacheEntry[V]
	order   []K
	weight  int
}

type cacheEntry[V any] struct {
	mu     sync.Mutex
	value  V
	err    error
	weight int
	isDone bool
}

// get returns the value of a key, from find if it is new, which also returns its weight; bound times
// boundFactor is the maximum total weight.
func (k *cacheMap[K, V]) get(key K, bound int, find func() (value V, weight int, err error)) (V, error) {
	k.mu.Lock()
	entry := k.entries[key]
	if entry == nil {
		entry = &cacheEntry[V]{}
		if k.entries == nil {
			k.entries = map[K]*cacheEntry[V]{}
		}
		k.entries[key], k.order = entry, append(k.order, key)
	}
	k.mu.Unlock()
	entry.mu.Lock()
	defer entry.mu.Unlock()
	if entry.isDone {
		return entry.value, entry.err
	}
	value, weight, err := find()
	if _, isFinal := errors.AsType[syntax.Unreadable](err); err != nil && !isFinal {
		return value, err
	}
	entry.value, entry.err, entry.isDone = value, err, true
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.entries[key] != entry {
		return value, err // evicted meanwhile
	}
	entry.weight = weight
	for k.weight += weight; k.weight > bound*boundFactor() && len(k.order) > 1; {
		i, last := rand.IntN(len(k.order)), len(k.order)-1
		if k.order[i] == key {
			continue
		}
		k.weight -= k.entries[k.order[i]].weight
		delete(k.entries, k.order[i])
		k.order[i], k.order = k.order[last], k.order[:last]
	}
	return value, err
}

// known returns the value of a key if it was found before, without an error.
func (k *cacheMap[K, V]) known(key K) (value V, ok bool) {
	k.mu.Lock()
	entry := k.entries[key]
	k.mu.Unlock()
	if entry == nil {
		return value, false
	}
	entry.mu.Lock()
	defer entry.mu.Unlock()
	return entry.value, entry.isDone && entry.err == nil
}

func (c *Cache) model(ctx context.Context, g *grammar, f Source) (*model, error) {
	return c.orNew(f.ID).models.get(f.key(g), cacheBytes, func() (*model, int, error) {
		m, err := g.analyse(ctx, c, f, everyBody)
		return m, m.bytes() + 2*len(f.Bytes), err
	})
}

// bytes is about the memory of a model without its source.
func (m *model) bytes() int {
	if m == nil {
		return leastOutline
	}
	return leastOutline + definitionBytes*len(m.definitions)
}

func (c *Cache) tree(ctx context.Context, g *grammar, f Source) (*syntax.Tree, error) {
	return c.orNew(f.ID).trees.get(cacheKey{f.ID, g.Name, ""}, treeBytes, func() (*syntax.Tree, int, error) {
		tree, err := g.tree(ctx, f.Bytes)
		if err != nil {
			return nil, 0, err
		}
		return tree, tree.Bytes(), nil
	})
}

// analyse builds the model of a file, whose tree may be cached. It judges only the bodies that wants selects.
func (g *grammar) analyse(ctx context.Context, c *Cache, f Source, wants bodyFilter) (*model, error) {
	lines := newText(f.Bytes)
	lines.bytes = g.Plain(f.Bytes)
	f.Bytes = lines.bytes
	s, err := g.parse(ctx, c, f, wants)
	if err != nil {
		return nil, err
	}
	m := newDefinitions(g, f.Path, lines, s)
	s.reader.followFunctions(m)
	m.paintStatements(s.captures)
	m.setOwnKinds()
	m.decide()
	m.paintFlags()
	return m, nil
}
