package weaker

import (
	"context"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/gate"
)

// maxSources is how many files may change of which production code is read for suppressions and for what sees tests. A
// change of more is an import or a formatter's.
const maxSources = 300

// bounded is the change without its production code, where more changes than is read.
func (c Change) bounded() Change {
	if len(c.Paths) > maxSources {
		c.Paths = slices.DeleteFunc(slices.Clone(c.Paths), func(path string) bool {
			return evidence.HasDefinitions(path) && !evidence.HoldsTests(path) && !gate.MayBeGate(path)
		})
	}
	return c
}

// gates adds what the gates of the later tree ask less.
func (t *trees) gates(account *Account) {
	found := readOf(t, 0, func(ctx context.Context, before *evidence.Tree) ([]gate.Loosening, error) {
		return gate.Compare(ctx, t.Paths, before, t.After)
	})
	for _, l := range found {
		account.Gates++
		account.Weakenings = append(account.Weakenings, Weakening{Kind: Gate, Form: l.Form, Subject: l.Subject,
			Before: l.Before, After: l.After, Message: l.Message, CodeChanged: l.CodeChanged})
	}
}
