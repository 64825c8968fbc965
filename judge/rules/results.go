package rules

import (
	"bytes"
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
	q := newInquiry(ctx)
	files := answer(q, tree.Paths)
	r := &Results{set: set, tree: tree, files: files, coverage: map[string][]*results.FileCoverage{},
		tests: map[string][]weaker.TestName{}, headers: map[string]map[int]bool{}, partialFiles: map[string]bool{}}
	r.paths = results.NewPaths(files, q.modulesOf(tree, files))
	if q.Err != nil {
		return nil, q.Err
	}
	r.index = results.NewIndex(set.Tests, r.paths)
	for _, c := range set.Coverage {
		r.addCoverage(c)
	}
	return r, nil
}

func (q *inquiry) modulesOf(tree *evidence.Tree, files []string) map[string]string {
	modules := map[string]string{}
	for _, f := range files {
		if path.Base(f) != "go.mod" || strings.Contains("/"+f, "/testdata/") {
			continue
		}
		if name := modfile.ModulePath(q.read(version{tree, q.Stat(tree, f)})); name != "" {
			modules[name] = strings.TrimPrefix(path.Dir(f), ".")
		}
	}
	return modules
}

type testState uint8

const (
	statePassed  testState = iota + 1 // it ran and did not fail
	stateUnclear                      // not certain
	stateSkipped                      // it did not run: the report says so
	stateNotRun                       // the report has other tests of its file
	stateFailed
)

var stateNames = map[testState]string{stateUnclear: "unclear", statePassed: "passed", stateSkipped: "skipped",
	stateNotRun: "not run", stateFailed: "failed"}

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

func (r *Results) checkPlace(q *inquiry, h *checkedPlace) {
	for _, t := range r.testsOf(q, h.path) {
		isInside := h.first <= t.Line && t.EndLine <= h.last
		isAround := t.Line <= h.first && h.last <= t.EndLine
		if isInside || isAround {
			h.tests = append(h.tests, checkedTest{t, r.stateOf(q, t)})
		}
	}
	r.countExecuted(q, h)
}

func (r *Results) testsOf(q *inquiry, path string) []weaker.TestName {
	all, isKnown := r.tests[path]
	if !isKnown {
		all = answer(q, func(ctx context.Context) ([]weaker.TestName, error) { return weaker.Tests(ctx, r.tree, path) })
		r.tests[path] = all
	}
	return all
}

func (r *Results) stateOf(q *inquiry, t weaker.TestName) testState {
	if len(r.set.Tests) == 0 {
		return 0
	}
	m := r.find(q, t)
	switch o := m.Outcome; {
	case o == results.Failed:
		return stateFailed
	case o == results.Unfinished:
		return stateUnclear
	case o.HasRun():
		return statePassed
	case o != 0:
		return stateSkipped
	case t.HasUnknownName || m.Candidates > 0 || m.IsByTitle:
		return stateUnclear
	}
	siblings := r.testsOf(q, t.Path)
	hasRun := func(s weaker.TestName) bool {
		isOther := s.Test.Name != t.Name || !slices.Equal(s.Groups, t.Groups)
		return isOther && r.find(q, s).Outcome != 0
	}
	tests := report.Map(siblings, func(n weaker.TestName) results.Test { return n.Test })
	if !r.index.HasStrays(t.Test, tests) && slices.ContainsFunc(siblings, hasRun) {
		return stateNotRun
	}
	return stateUnclear
}

// find finds a test in the reports. A test known only by its title must be the only one with that title.
func (r *Results) find(q *inquiry, t weaker.TestName) results.Match {
	m := r.index.Find(t.Test)
	if m.IsByTitle && !r.hasUniqueName(q, t) {
		m.Outcome = 0
	}
	return m
}

// maxSearchedFiles bounds in how many files of tests a name is looked for.
const maxSearchedFiles = 2000

// hasUniqueName reports whether no other test file contains the test's name.
func (r *Results) hasUniqueName(q *inquiry, t weaker.TestName) bool {
	searched, found := 0, 0
	for _, f := range r.files {
		if path.Ext(f) != path.Ext(t.Path) || !evidence.HoldsTests(f) && f != t.Path {
			continue
		}
		e := q.Stat(r.tree, f)
		if searched++; searched > maxSearchedFiles || e.Kind != evidence.File {
			return false
		}
		if bytes.Contains(q.read(version{r.tree, e}), []byte(t.Name)) {
			found++
		}
	}
	return found == 1
}

type checkedClaim struct {
	report.ClaimVerdict
	places []*checkedPlace
}

// report is the claim's entry in the report; nil if test and coverage reports say nothing.
func (c *checkedClaim) report() *report.ClaimResults {
	out := report.ClaimResults{Commit: c.Commit, Unit: c.Unit, Item: c.Item}
	worst := testState(0)
	for _, h := range c.places {
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
