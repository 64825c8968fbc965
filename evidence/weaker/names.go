package weaker

import (
	"context"
	"strings"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/report/results"
)

// TestName is a test of a file, with its name in reports of results.
type TestName struct {
	results.Test
	// Line and EndLine count from 1, inclusive, with decorators.
	Line, EndLine int
}

// Tests lists the tests of a file in order; none if it cannot be read.
func Tests(ctx context.Context, tree *evidence.Tree, path string) ([]TestName, error) {
	f, err := openFile(ctx, tree, path)
	if f == nil || err != nil {
		return nil, err
	}
	var all []TestName
	for _, u := range f.units {
		if !u.isTest {
			continue
		}
		n := TestName{Line: f.line(u.start), EndLine: f.line(max(u.start, u.end-1))}
		n.Path, n.Name, n.HasUnknownName = path, u.name, fits("made", u.header) || fits("made", u.name)
		n.Groups = groupsOf(u)
		n.IsTitled = u.isTitled
		for _, g := range f.groups {
			n.HasUnknownName = n.HasUnknownName || n.IsTitled && g.contains(u.start, u.end) &&
				(fits("made", g.header) || fits("made", g.title))
		}
		all = append(all, n)
	}
	return all, nil
}

// groupsOf returns the classes, modules or titles around a test.
func groupsOf(u *unit) []string {
	groups, ok := strings.CutSuffix(u.symbol, u.name)
	if !ok || groups == "" {
		return nil
	}
	if titles, ok := strings.CutSuffix(groups, " > "); ok {
		return strings.Split(titles, " > ")
	}
	return strings.Split(strings.TrimSuffix(groups, "."), ".")
}
