package rules

import (
	"context"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
	"github.com/acta-git/acta/report/results"
)

// Results are reports of tests and coverage, and the snapshot that they are of.
type Results struct {
	set   *results.Set
	tree  *evidence.Tree
	files []string
	paths *results.Paths
	// index finds tests in the reports.
	index        *results.Index
	coverage     map[string][]*results.FileCoverage
	tests        map[string][]weaker.TestName // of a file
	headers      map[string]map[int]bool      // of a file
	partialFiles map[string]bool              // files whose coverage may be incomplete
}

// NewResults matches reports with the snapshot that they are of.
func NewResults(ctx context.Context, set *results.Set, tree *evidence.Tree) (*Results, error) {
	files, err := tree.Paths(ctx)
	if err != nil {
		return nil, err
	}
	r := &Results{set: set, tree: tree, files: files, coverage: map[string][]*results.FileCoverage{},
		tests: map[string][]weaker.TestName{}, headers: map[string]map[int]bool{}, partialFiles: map[string]bool{}}
	modules, err := modulesOf(ctx, tree, files)
	if err != nil {
		return nil, err
	}
	r.paths = results.NewPaths(files, modules)
	r.index = results.NewIndex(set.Tests, r.paths)
	for _, c := range set.Coverage {
		r.addCoverage(c)
	}
	return r, nil
}

// modulesOf maps the names of a tree's Go modules to their folders.
func modulesOf(ctx context.Context, tree *evidence.Tree, files []string) (map[string]string, error) {
	modules := map[string]string{}
	for _, f := range files {
		if path.Base(f) != "go.mod" || strings.Contains("/"+f, "/testdata/") {
			continue
		}
		e, err := tree.Stat(ctx, f)
		if err != nil {
			return nil, err
		}
		data, err := tree.Read(ctx, e)
		if err != nil {
			return nil, err
		}
		if name := modfile.ModulePath(data); name != "" {
			modules[name] = strings.TrimPrefix(path.Dir(f), ".")
		}
	}
	return modules, nil
}

// testState is the state of a cited test in the reports.
type testState uint8

const (
	statePassed  testState = iota + 1 // it ran and did not fail
	stateUnclear                      // not certain
	stateSkipped                      // it did not run: the report says so
	stateNotRun                       // the report has other tests of its file
	stateFailed
)

var stateNames = map[testState]string{stateUnclear: "unclear", statePassed: "passed", stateSkipped: "skipped",
	stateNotRun: "not run",
	stateFailed: "failed"}

// checkedTest is a cited test and its state.
type checkedTest struct {
	weaker.TestName
	state testState
}

// checkedPlace is a cited place in the snapshot of the reports, and what they say about it.
type checkedPlace struct {
	// citedAs is the place as cited; the others are where it is now.
	citedAs     string
	path        string
	first, last int
	tests       []checkedTest
	// lines counts the instrumented lines, ranLines the executed ones. isPartial: the coverage may be incomplete.
	lines, ranLines int
	isPartial       bool
	// tier is the tier of the commit that cites the place, waive its waivers.
	tier    policy.Tier
	waivers []parser.Waiver
}

// checkPlace finds the tests and executed lines of a place.
func (r *Results) checkPlace(ctx context.Context, h *checkedPlace) error {
	tests, err := r.testsOf(ctx, h.path)
	if err != nil {
		return err
	}
	for _, t := range tests {
		isInside := h.first <= t.Line && t.EndLine <= h.last
		isAround := t.Line <= h.first && h.last <= t.EndLine
		if !isInside && !isAround {
			continue
		}
		test := checkedTest{TestName: t}
		if test.state, err = r.stateOf(ctx, t); err != nil {
			return err
		}
		h.tests = append(h.tests, test)
	}
	return r.countExecuted(ctx, h)
}

// testsOf are the tests of a file.
func (r *Results) testsOf(ctx context.Context, path string) ([]weaker.TestName, error) {
	if all, exists := r.tests[path]; exists {
		return all, nil
	}
	all, err := weaker.Tests(ctx, r.tree, path)
	r.tests[path] = all
	return all, err
}

// stateOf finds a test in the reports.
func (r *Results) stateOf(ctx context.Context, t weaker.TestName) (testState, error) {
	if len(r.set.Tests) == 0 {
		return 0, nil
	}
	m, err := r.find(ctx, t)
	if err != nil {
		return stateUnclear, err
	}
	switch o := m.Outcome; {
	case o == results.Failed:
		return stateFailed, nil
	case o == results.Unfinished:
		return stateUnclear, nil
	case o.HasRun():
		return statePassed, nil
	case o != 0:
		return stateSkipped, nil
	case t.HasUnknownName || m.Candidates > 0 || m.IsByTitle:
		return stateUnclear, nil
	}
	siblings, err := r.testsOf(ctx, t.Path)
	if err != nil || r.index.HasStrays(t.Test, withoutLines(siblings)) {
		return stateUnclear, err
	}
	for _, s := range siblings {
		if s.Test.Name == t.Name && slices.Equal(s.Groups, t.Groups) {
			continue
		}
		if m, err := r.find(ctx, s); err != nil || m.Outcome != 0 {
			return stateNotRun, err
		}
	}
	return stateUnclear, nil
}

// withoutLines removes the lines from tests.
func withoutLines(tests []weaker.TestName) []results.Test {
	var all []results.Test
	for _, n := range tests {
		all = append(all, n.Test)
	}
	return all
}

// find finds a test in the reports. A test known only by its title must be the only one with that title.
func (r *Results) find(ctx context.Context, t weaker.TestName) (results.Match, error) {
	m := r.index.Find(t.Test)
	if !m.IsByTitle {
		return m, nil
	}
	isUnique, err := r.hasUniqueName(ctx, t)
	if err == nil && !isUnique {
		m.Outcome = 0
	}
	return m, err
}

// maxSearchedFiles bounds in how many files of tests a name is looked for.
const maxSearchedFiles = 2000

// hasUniqueName reports whether no other test file contains the test's name.
func (r *Results) hasUniqueName(ctx context.Context, t weaker.TestName) (bool, error) {
	searched, found := 0, 0
	for _, f := range r.files {
		if path.Ext(f) != path.Ext(t.Path) || !evidence.HoldsTests(f) && f != t.Path {
			continue
		}
		if searched++; searched > maxSearchedFiles {
			return false, nil
		}
		e, err := r.tree.Stat(ctx, f)
		if err != nil || e.Kind != evidence.File {
			return false, err
		}
		src, err := r.tree.Read(ctx, e)
		if err != nil {
			return false, err
		}
		if strings.Contains(string(src), t.Name) {
			found++
		}
	}
	return found == 1, nil
}

// checkedClaim is a verified claim and its checked places.
type checkedClaim struct {
	report.ClaimVerdict
	places []checkedPlace
}

// report is the claim's entry in the report; nil if test and coverage reports say nothing.
func (c *checkedClaim) report() *report.ClaimResults {
	out := report.ClaimResults{Commit: c.Commit, Unit: c.Unit, Item: c.Item}
	worst := testState(0)
	for i := range c.places {
		h := &c.places[i]
		out.Lines, out.LinesRan = out.Lines+h.lines, out.LinesRan+h.ranLines
		for _, t := range h.tests {
			worst = max(worst, t.state)
		}
	}
	if out.Test = stateNames[worst]; out.Words() == "" {
		return nil
	}
	return &out
}
