package gate

import (
	"cmp"
	"context"
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/report"
)

// Place is a place in one version of a file. The zero value is nowhere. Its text is at most a few lines.
type Place = report.TestPlace

// Loosening is one weakened gate, or test. Its message has no full stop.
type Loosening struct {
	report.TestChange
	// CodeChanged: it suppresses checks of a file whose code changes.
	CodeChanged bool
}

// Compare reports the gates that the later tree weakens, by path and line. paths are the changed ones. The error is
// that of a tree.
func Compare(ctx context.Context, paths []string, before, after *evidence.Tree) ([]Loosening, error) {
	c := comparison{Reads: &evidence.Reads{Ctx: ctx}, before: before, after: after}
	for _, path := range paths {
		if !MayBeGate(path) && (!suppressionPattern(path).IsSet() || fits("taken over", path)) {
			continue
		}
		f := file{path: path, before: c.Content(before, path), after: c.Content(after, path)}
		c.files = append(c.files, f)
		c.oldChecks, c.newChecks = append(c.oldChecks, readChecks(path, f.before)...),
			append(c.newChecks, readChecks(path, f.after)...)
	}
	c.diff()
	c.compareSuppressions()
	slices.SortStableFunc(c.found, func(a, b Loosening) int {
		x, y := cmp.Or(a.After, a.Before), cmp.Or(b.After, b.Before)
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line), cmp.Compare(a.Subject, b.Subject))
	})
	return slices.Compact(c.found), c.Err // YAML aliases repeat values
}

// MayBeGate reports whether a file may be part of a gate, by its path. Sources with suppressions do not count.
func MayBeGate(name string) bool {
	isPart := settingRowsOf(name) != nil || IsManifest(name)
	for pattern := range readers {
		isPart = isPart || fits(pattern, name)
	}
	return isPart && !fits("taken over", name)
}
