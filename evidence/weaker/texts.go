package weaker

import (
	"context"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/acta-git/acta/evidence"
)

// texts are what is compared of a file of production code, by sums of its tokens.
type texts struct {
	stands bool
	// of are its definitions by their names, whole is all of it.
	of    map[string]sum
	whole sum
}

type sum [sha256.Size]byte

// Texts keeps what comparisons of one run read of production code: a file is parsed once, however many of them it
// differs in. It is safe for concurrent use; nil keeps nothing.
type Texts struct {
	mu    sync.Mutex
	known map[textsKey]texts
	count int // definitions in known
}

// maxTexts is how many definitions are kept, of some 100 bytes each; then all of them go.
const maxTexts = 50_000

// textsKey names what texts rest on; own are the names of the tests that are left out of a source of Rust.
type textsKey struct{ id, path, own string }

// textsAt returns the texts of a file in a tree.
func (k *comparison) textsAt(ctx context.Context, tree *evidence.Tree, path string) (texts, error) {
	entry, err := tree.Stat(ctx, path)
	if err != nil {
		return texts{}, err
	}
	own := k.testNames(path)
	key := textsKey{entry.ID, path, strings.Join(slices.Sorted(maps.Keys(own)), " ")}
	if known, ok := k.Texts.get(key); ok {
		return known, nil
	}
	o, err := tree.Outline(ctx, path)
	if err != nil {
		return texts{}, err
	}
	found := textsOf(withoutTests(o, own))
	k.Texts.put(key, found)
	return found, nil
}

func (t *Texts) get(key textsKey) (texts, bool) {
	if t == nil {
		return texts{}, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	found, ok := t.known[key]
	return found, ok
}

func (t *Texts) put(key textsKey, found texts) {
	if t == nil || key.id == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count += 1 + len(found.of); t.known == nil || t.count > maxTexts {
		t.known, t.count = map[textsKey]texts{}, 1+len(found.of)
	}
	t.known[key] = found
}

// textsOf reads the texts of a source; nil is one that is not there or cannot be read.
func textsOf(o *evidence.Outline) texts {
	found := texts{of: map[string]sum{}, whole: sumOf("")}
	if o == nil {
		return found
	}
	written := map[string]string{}
	for _, d := range o.Definitions {
		written[d.Name] += flat(string(o.Source[d.Outer:d.End]))
	}
	for name, text := range written {
		found.of[name] = sumOf(text)
	}
	found.stands, found.whole = true, sumOf(flat(string(o.Source)))
	return found
}

func sumOf(text string) sum { return sha256.Sum256([]byte(text)) }
