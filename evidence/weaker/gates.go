package weaker

import (
	"context"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/gate"
)

// maxGate is the largest file of a gate that is read, in bytes.
const maxGate = 1 << 20

// maxSources is how many changed files of production code are read for suppressions and for what sees tests. A change
// of more is an import or a formatter's.
const maxSources = 300

// bounded is the change without its production code, where that is more than is read.
func (c Change) bounded() Change {
	if len(c.Paths) <= maxSources {
		return c
	}
	var code int
	others := slices.DeleteFunc(slices.Clone(c.Paths), func(path string) bool {
		if !evidence.HasDefinitions(path) || evidence.HoldsTests(path) || gate.MayBeGate(path) {
			return false
		}
		code++
		return true
	})
	if code > maxSources {
		c.Paths = others
	}
	return c
}

// gates adds what the gates of the later tree ask less, and what its code has for tests alone.
func (c Change) gates(ctx context.Context, account *Account) error {
	if c.Before == nil {
		return nil
	}
	if c.asks(SeesTests) {
		if err := c.sights(ctx, account); err != nil {
			return err
		}
	}
	if !c.asks(Gate) {
		return nil
	}
	var files []gate.File
	for _, path := range c.Paths {
		if !gate.Reads(path) {
			continue
		}
		old, now, err := c.sides(ctx, path)
		if err != nil {
			return err
		}
		files = append(files, gate.File{Path: path, Before: old, After: now})
	}
	if len(files) == 0 {
		return nil
	}
	found, err := gate.Compare(ctx, files, gateTree{c.Before}, gateTree{c.After})
	for _, l := range found {
		if l.Excuse == "" {
			account.Gates++
		}
		account.Weakenings = append(account.Weakenings, Weakening{Kind: Gate, Form: l.Form, Subject: l.Subject,
			Before: Place(l.Before), After: Place(l.After), Message: l.Message, Excuse: l.Excuse,
			CodeChanged: l.CodeChanged})
	}
	return err
}

// sides are a file as it is in both trees.
func (c Change) sides(ctx context.Context, path string) (before, after []byte, err error) {
	if before, err = (gateTree{c.Before}).Read(ctx, path); err != nil {
		return nil, nil, err
	}
	after, err = gateTree{c.After}.Read(ctx, path)
	return before, after, err
}

// gateTree is a tree as package gate asks for it.
type gateTree struct{ *evidence.Tree }

// Read is nil for what is no file, or larger than maxGate.
func (t gateTree) Read(ctx context.Context, path string) ([]byte, error) {
	entry, err := t.Tree.Stat(ctx, path)
	if err != nil || entry.Kind != evidence.File {
		return nil, err
	}
	if size, err := t.Size(ctx, entry); err != nil || size > maxGate {
		return nil, err
	}
	src, err := t.Tree.Read(ctx, entry)
	if src == nil && err == nil {
		src = []byte{}
	}
	return src, err
}

// Exists reports whether anything stands at a path.
func (t gateTree) Exists(ctx context.Context, path string) (bool, error) {
	entry, err := t.Tree.Stat(ctx, path)
	return entry.Kind != evidence.Missing, err
}

// Paths lists every file.
func (t gateTree) Paths(ctx context.Context) ([]string, error) { return t.Tree.Paths(ctx) }
