package gate

import (
	"cmp"
	"context"
	"slices"

	"github.com/acta-git/acta/evidence"
)

// Place is where something stands in one version of a file. The zero value is nowhere.
type Place struct {
	Path string
	// Line and EndLine count from 1, both included.
	Line, EndLine int
	// Text is what stands there, of at most a few lines: it is shown side by side with that of the other tree.
	Text string
}

// Loosening is one thing that the later version of the gates asks less.
type Loosening struct {
	// Form is the name of the form, Subject what of a gate is meant: a job and a tool, a key, an option.
	Form, Subject string
	// Before and After are the two sides; After is the zero value for what is gone.
	Before, After Place
	// Message says in one sentence, without its stop, what is asked less.
	Message string
	// CodeChanged: it suppresses what is asked of a file whose code changes.
	CodeChanged bool
}

// Compare tells what the gates of the later tree ask less, by path and line. paths are those that differ. The error is
// that of a tree.
func Compare(ctx context.Context, paths []string, before, after *evidence.Tree) ([]Loosening, error) {
	c := comparison{ctx: ctx, before: before, after: after}
	for _, path := range paths {
		if !isRead(path) {
			continue
		}
		f := file{path: path, before: c.content(before, path), after: c.content(after, path)}
		c.files = append(c.files, f)
		c.old, c.now = append(c.old, read(path, f.before)...), append(c.now, read(path, f.after)...)
	}
	c.diff()
	c.suppressions()
	slices.SortStableFunc(c.found, func(a, b Loosening) int {
		x, y := cmp.Or(a.After, a.Before), cmp.Or(b.After, b.Before)
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line), cmp.Compare(a.Subject, b.Subject))
	})
	return slices.Compact(c.found), c.err // an alias of YAML repeats what it names
}

// isRead reports whether a file of a path may be part of a gate, or suppress one.
func isRead(name string) bool {
	return (suppressed(name).IsSet() || MayBeGate(name)) && !fits("taken over", name)
}

// MayBeGate reports whether a file of a path may ask something of a build: it is no source that only suppresses.
func MayBeGate(name string) bool {
	for as := range readers {
		if fits(as, name) {
			return !fits("taken over", name)
		}
	}
	return (holding(name) != nil || IsManifest(name)) && !fits("taken over", name)
}
