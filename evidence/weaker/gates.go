package weaker

import (
	"context"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/gate"
)

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
		if err := c.seesTests(ctx, account); err != nil {
			return err
		}
	}
	if !c.asks(Gate) {
		return nil
	}
	found, err := gate.Compare(ctx, c.Paths, c.Before, c.After)
	for _, l := range found {
		account.Gates++
		account.Weakenings = append(account.Weakenings, Weakening{Kind: Gate, Form: l.Form, Subject: l.Subject,
			Before: l.Before, After: l.After, Message: l.Message, CodeChanged: l.CodeChanged})
	}
	return err
}

// sides are a file as it is in both trees.
func (c Change) sides(ctx context.Context, path string) (before, after []byte, err error) {
	if before, err = c.Before.Content(ctx, path); err != nil {
		return nil, nil, err
	}
	after, err = c.After.Content(ctx, path)
	return before, after, err
}
