package evidence

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/acta-git/acta/evidence/syntax"
)

const (
	// cacheBytes bounds the memory of the models that a Cache keeps.
	cacheBytes = 16 << 20
	// definitionBytes is about what a definition of a model takes, with its header and its names.
	definitionBytes = 1 << 10
	// comparisonBytes bounds the comparisons; a line takes up to six bytes.
	comparisonBytes = 4 << 20
	// outlineBytes bounds the outlines, in bytes of source; a syntax tree takes some ten times its source.
	outlineBytes = 3 << 20
	// readingBytes bounds what is made of outlines, in bytes of source; each takes some ten times its source.
	readingBytes = 4 << 20
	// keptSums is how many sums of definitions are kept, each of some hundred bytes.
	keptSums = 1 << 17
	// treeBytes bounds the memory of the syntax trees that are kept, so that a run parses a blob once.
	treeBytes = 16 << 20
	// leastOutline is what the outline of a small file counts for: it takes about ten times as much, however short.
	leastOutline = 1 << 10
)

// Cache keeps parsed files by content, language and name, so that a run parses a
// blob once however many claims cite it; and comparisons of two versions of a file, and outlines. Of models it
// holds 16 MiB. It is safe for concurrent use.
type Cache struct {
	models      kept[cacheKey, analysed]
	outlines    kept[cacheKey, *Outline]
	readings    kept[cacheKey, any]
	sums        kept[cacheKey, map[string]uint64]
	trees       kept[cacheKey, *syntax.Tree]
	comparisons kept[cacheKey, compared]
}

// cacheKey names a blob as a grammar reads it, or two versions; the path is part of it where a name can make a stub
// complete (.pyi).
type cacheKey struct{ id, language, path string }

// compared is a comparison, or why there is none.
type compared struct {
	*comparison
	why string
}

// analysed is a model, or what in the content defies the grammar.
type analysed struct {
	model *model
	err   error
}

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{} }

// of returns the cache; one for this question alone where there is none, or a blob has no id.
func (c *Cache) of(ids ...string) *Cache {
	if c == nil || slices.Contains(ids, "") {
		return &Cache{}
	}
	return c
}

// kept keeps what takes time to find, each found once however many ask at the same time. Beyond a weight any go: who
// reads the same files in the same order again and again would find none of them where the oldest went first. An error
// is not kept. The zero value is empty.
type kept[K comparable, V any] struct {
	mu     sync.Mutex
	found  map[K]*keptOne[V]
	order  []K
	weight int
}

type keptOne[V any] struct {
	mu     sync.Mutex
	value  V
	weight int
	done   bool
}

// get returns what find finds for a key, which says how much it weighs; bound is the most that all may weigh.
func (k *kept[K, V]) get(key K, bound int, find func() (value V, weight int, err error)) (V, error) {
	k.mu.Lock()
	one := k.found[key]
	if one == nil {
		one = &keptOne[V]{}
		if k.found == nil {
			k.found = map[K]*keptOne[V]{}
		}
		k.found[key], k.order = one, append(k.order, key)
	}
	k.mu.Unlock()
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.done {
		return one.value, nil
	}
	value, weight, err := find()
	if err != nil {
		return value, err
	}
	one.value, one.done = value, true
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.found[key] != one {
		return value, nil // it has gone already
	}
	one.weight = weight
	for k.weight += weight; k.weight > bound && len(k.order) > 1; {
		i, last := rand.IntN(len(k.order)), len(k.order)-1
		if k.order[i] == key {
			continue
		}
		k.weight -= k.found[k.order[i]].weight
		delete(k.found, k.order[i])
		k.order[i], k.order = k.order[last], k.order[:last]
	}
	return value, nil
}

// model returns the model of src, parsing it when it is not there. An error that says nothing of the content is not
// kept.
func (c *Cache) model(ctx context.Context, g *grammar, path, id string, src text) (*model, error) {
	a, err := c.of(id).models.get(cacheKey{id, g.Name, path}, cacheBytes, func() (a analysed, weight int, err error) {
		a.model, err = analyseBlob(ctx, c, g, id, path, src, ofAll)
		if _, ok := errors.AsType[syntax.Unreadable](err); ok {
			a.err, err = err, nil
		}
		return a, a.model.bytes() + 2*len(src.bytes), err
	})
	if err == nil {
		err = a.err
	}
	return a.model, err
}

// bytes is about the memory that a model takes, its source aside.
func (m *model) bytes() int {
	if m == nil {
		return leastOutline
	}
	return leastOutline + definitionBytes*len(m.definitions)
}

// tree returns the syntax tree of a blob, parsed once while there is room for it; one without an id is not kept.
func (c *Cache) tree(ctx context.Context, g *grammar, b blob) (*syntax.Tree, error) {
	return c.of(b.id).trees.get(cacheKey{b.id, g.Name, ""}, treeBytes, func() (*syntax.Tree, int, error) {
		tree, err := g.tree(ctx, b.src)
		if err != nil {
			return nil, 0, err
		}
		return tree, tree.Bytes(), nil
	})
}

// analyseBlob parses a blob, whose tree the cache may have, and builds its model. It tells what those bodies do that
// asks wants to know of.
func analyseBlob(
	ctx context.Context, c *Cache, g *grammar, id, path string, src text, asks asksOf,
) (*model, error) {
	src.bytes = g.Plain(src.bytes)
	s, err := g.parse(ctx, c, blob{path, id, src.bytes}, asks)
	if err != nil {
		return nil, err
	}
	return newModel(g, path, src, s), nil
}
