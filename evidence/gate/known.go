package gate

import (
	"crypto/sha256"
	"sync"
)

// Known keeps what files ask of a build, by path and content, for the comparisons of one run: what a commit leaves is
// what the next one finds. It is safe for concurrent use.
type Known struct {
	mu    sync.Mutex
	found map[knownKey]*surface
	size  int // of the sources, in bytes
}

type knownKey struct {
	path string
	sum  [sha256.Size]byte
}

// maxKnown bounds the sources of which something is kept, in bytes; then all of it goes.
const maxKnown = 4 << 20

// read adds to a surface what a file asks.
func (k *Known) read(s *surface, path string, src []byte) {
	if src == nil || !MayBeGate(path) {
		return
	}
	if k == nil {
		s.read(path, src)
		return
	}
	key := knownKey{path, sha256.Sum256(src)}
	k.mu.Lock()
	found := k.found[key]
	k.mu.Unlock()
	if found == nil {
		found = &surface{ctx: s.ctx}
		found.read(path, src)
		if found.ctx = nil; s.ctx.Err() == nil {
			k.put(key, found, len(src))
		}
	}
	s.checks = append(s.checks, found.checks...)
	s.triggers = append(s.triggers, found.triggers...)
	s.demandsOf = append(s.demandsOf, found.demandsOf...)
	s.tools = append(s.tools, found.tools...)
}

func (k *Known) put(key knownKey, found *surface, size int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.size += size; k.found == nil || k.size > maxKnown {
		k.found, k.size = map[knownKey]*surface{}, size
	}
	k.found[key] = found
}
