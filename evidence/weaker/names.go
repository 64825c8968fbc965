package weaker

import (
	"context"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/report/results"
)

// Named is a test of a file, as reports of results may call it.
type Named struct {
	results.Test
	// Line and EndLine count from 1, both included, decorators too.
	Line, EndLine int
}

// Names lists the tests of a file of a tree, in its order; none where it cannot be read.
func Names(ctx context.Context, tree *evidence.Tree, path string) ([]Named, error) {
	f, err := open(ctx, tree, path)
	if f == nil || err != nil {
		return nil, err
	}
	var all []Named
	for _, u := range f.units {
		if !u.test {
			continue
		}
		n := Named{Line: f.line(u.start), EndLine: f.line(max(u.start, u.end-1))}
		n.Path, n.Name, n.HasUnknownName = path, u.name, fits("made", u.header) || fits("made", u.name)
		n.Groups = groupsOf(u)
		n.IsTitled = u.titled
		for _, g := range f.groups {
			n.HasUnknownName = n.HasUnknownName || n.IsTitled && g.around(u.start, u.end) &&
				(fits("made", g.header) || fits("made", g.title))
		}
		all = append(all, n)
	}
	return all, nil
}

// groupsOf are the classes, modules or titles around a test.
func groupsOf(u *unit) []string {
	around, of := strings.CutSuffix(u.symbol, u.name)
	if !of || around == "" {
		return nil
	}
	if titles, ok := strings.CutSuffix(around, " > "); ok {
		return strings.Split(titles, " > ")
	}
	return strings.Split(strings.TrimSuffix(around, "."), ".")
}
