package tests

import "context"

// IsQuiet reports whether what differs of a file shows that its tests ask no less.
func (c Change) IsQuiet(ctx context.Context, name string) (bool, error) {
	return (&comparison{Change: c}).isQuiet(ctx, name)
}
