package weaker

import (
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/gate"
)

// maxSources is how many files may change for production code to be read, for suppressions and for test-aware code.
// Larger changes are imports or those of a formatter.
const maxSources = 300

// limited returns the change without production code if it is too large.
func (c Change) limited() Change {
	if len(c.Paths) > maxSources {
		c.Paths = slices.DeleteFunc(slices.Clone(c.Paths), func(path string) bool {
			return evidence.HasDefinitions(path) && !evidence.HoldsTests(path) && !gate.MayBeGate(path)
		})
	}
	return c
}

func (t *trees) addGates(account *Account) {
	found := evidence.ReadOf(t.Reads, func() ([]gate.Loosening, error) {
		return gate.Compare(t.Ctx, t.Paths, t.Before, t.After)
	})
	for _, l := range found {
		account.Gates++
		account.Weakenings = append(account.Weakenings, Weakening{Kind: Gate, Loosening: l})
	}
}
