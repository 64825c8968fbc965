package evidence

import (
	"cmp"
	"context"
)

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
