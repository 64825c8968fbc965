package gate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"path"
	"slices"
	"sync"
)

// Place is where something stands in one version of a file. The zero value is nowhere.
type Place struct {
	Path string
	// Line and EndLine count from 1, both included.
	Line, EndLine int
	// Text is what stands there, of at most a few lines.
	Text string
}

// Loosening is one thing that the later version of the gates asks less.
type Loosening struct {
	// Form is the name of the form in docs/tests.md, Subject what of a gate is meant: a job and a tool, a key, an option.
	Form, Subject string
	// Before and After are the two sides; After is the zero value for what is gone.
	Before, After Place
	// Message says in one sentence, without its stop, what is asked less.
	Message string
	// Excuse says why this may be honest; "" where nothing excuses it.
	Excuse string
	// CodeChanged: it suppresses what is asked of a file whose code changes.
	CodeChanged bool
}

// File is a path that differs, in both versions; nil is one in which it is not there.
type File struct {
	Path          string
	Before, After []byte
}

// Tree is one of the two trees, for what the files that differ name.
type Tree interface {
	// Read returns the content of a file, nil where there is none, or none that is to be read.
	Read(ctx context.Context, path string) ([]byte, error)
	// Exists reports whether a file or a folder stands at a path.
	Exists(ctx context.Context, path string) (bool, error)
	// Paths lists every file.
	Paths(ctx context.Context) ([]string, error)
}

// Compare tells what the gates of the later tree ask less, by path and line. known keeps what files ask for other
// comparisons, nil keeps nothing. An error is that of a tree.
func Compare(ctx context.Context, files []File, before, after Tree, known *Known) ([]Loosening, error) {
	c := comparison{ctx: ctx, files: files, before: before, after: after, known: known}
	for _, f := range files {
		c.old = append(c.old, known.read(ctx, f.Path, f.Before)...)
		c.now = append(c.now, known.read(ctx, f.Path, f.After)...)
	}
	c.diff()
	c.suppressions()
	slices.SortStableFunc(c.found, func(a, b Loosening) int {
		x, y := cmp.Or(a.After, a.Before), cmp.Or(b.After, b.Before)
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line), cmp.Compare(a.Subject, b.Subject))
	})
	return slices.Compact(c.found), c.err // an alias of YAML repeats what it names
}

// Reads reports whether a file of a path may be part of a gate.
func Reads(name string) bool {
	return (suppressed(name).IsSet() || MayBeGate(name)) && !fits("taken over", name)
}

// MayBeGate reports whether a file of a path may ask something of a build: it is no source that only suppresses.
func MayBeGate(name string) bool {
	return (readerOf(name) != nil || holdsSettings(path.Base(name)) || isManifest(name)) && !fits("taken over", name)
}

// Known keeps what files ask of a build, by path and content, for the comparisons of one run: what a commit leaves is
// what the next one finds. It is safe for concurrent use.
type Known struct {
	mu    sync.Mutex
	found map[[sha256.Size]byte][]check
	size  int // of the sources, in bytes
}

// maxKnown bounds the sources of which something is kept, in bytes; then all of it goes.
const maxKnown = 4 << 20

// read is what a file asks.
func (k *Known) read(ctx context.Context, path string, src []byte) []check {
	if src == nil || !MayBeGate(path) {
		return nil
	}
	if k == nil {
		return read(ctx, path, src)
	}
	key := sha256.Sum256(slices.Concat([]byte(path), []byte{0}, src))
	k.mu.Lock()
	defer k.mu.Unlock()
	found, ok := k.found[key]
	if !ok {
		if k.size += len(src); k.found == nil || k.size > maxKnown {
			k.found, k.size = map[[sha256.Size]byte][]check{}, len(src)
		}
		if found = read(ctx, path, src); ctx.Err() == nil {
			k.found[key] = found
		}
	}
	return found
}
