package weaker

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker/sees"
)

// sights adds what the later tree's code has that only a test could want of it.
func (c Change) sights(ctx context.Context, account *Account) error {
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
	var gone []byte
	files := map[string][]byte{}
	for _, path := range c.Paths {
		if !evidence.HasDefinitions(path) || sees.IsAside(path) { // others have no outline
			continue
		}
		was, is, err := c.sides(ctx, path)
		if err != nil {
			return err
		}
		if files[path] = was; is == nil {
			gone = append(append(gone, was...), '\n')
		}
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		f := sees.File{Test: evidence.HoldsTests(path), Was: files[path]}
		if f.Was == nil {
			f.Was = gone
		}
		var err error
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
