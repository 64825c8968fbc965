package tests

import (
	"context"
	"slices"
	"sync"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/tests/sees"
)

// sights adds what the later tree's code has that only a test could want of it. A file is parsed only where a line of
// it that is new may be such a thing.
func (c Change) sights(ctx context.Context, account *Account) error {
	come := slices.ContainsFunc(c.Paths, func(path string) bool {
		return evidence.HoldsTests(path) && evidence.HasDefinitions(path)
	})
	tests := sync.OnceValues(func() (all []*evidence.Outline, err error) {
		for _, path := range c.Paths {
			if !evidence.HoldsTests(path) {
				continue
			}
			o, err := c.After.Outline(ctx, path)
			if err != nil {
				return nil, err
			}
			if o != nil {
				all = append(all, o)
			}
		}
		return all, nil
	})
	for _, path := range c.Paths {
		if !evidence.HasDefinitions(path) { // others have no outline
			continue
		}
		old, now, err := c.sides(ctx, path)
		if err != nil {
			return err
		}
		if now == nil || !sees.MayHoldSight(path, old, now, come) {
			continue
		}
		f := sees.File{Test: evidence.HoldsTests(path)}
		if f.Before, err = c.Before.Outline(ctx, path); err != nil {
			return err
		}
		if f.After, err = c.After.Outline(ctx, path); err != nil {
			return err
		}
		found, err := sees.Look(f, tests)
		if err != nil {
			return err
		}
		for _, s := range found {
			account.Weakenings = append(account.Weakenings, Weakening{Kind: SeesTests, Form: s.Form, Subject: s.Subject,
				After: Place{path, s.Line, s.EndLine, s.Text}, Message: s.Message, Excuse: s.Excuse})
		}
	}
	return nil
}
