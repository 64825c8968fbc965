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
	index   *results.Index
	covered map[string][]*results.Covered
	named   map[string][]weaker.Named // of a file
	headers map[string]map[int]bool   // of a file
	partial map[string]bool           // the files of which coverage may lack what ran
}

// NewResults finds what reports say in the snapshot that they are of.
func NewResults(ctx context.Context, set *results.Set, tree *evidence.Tree) (*Results, error) {
	files, err := tree.Paths(ctx)
	if err != nil {
		return nil, err
	}
	r := &Results{set: set, tree: tree, files: files, covered: map[string][]*results.Covered{},
		named: map[string][]weaker.Named{}, headers: map[string]map[int]bool{}, partial: map[string]bool{}}
	modules, err := modulesOf(ctx, tree, files)
	if err != nil {
		return nil, err
	}
	r.paths = results.NewPaths(files, modules)
	r.index = results.NewIndex(set.Tests, r.paths)
	for _, c := range set.Coverage {
		r.cover(c)
	}
	return r, nil
}

// modulesOf are the folders of a tree's Go modules, by what they are called.
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

// fate is what results say of a cited test.
type fate uint8

const (
	fatePassed  fate = iota + 1 // it ran, and nothing is wrong with it
	fateUntold                  // not surely anything
	fateSkipped                 // it did not run: the report says so
	fateNotRun                  // it did not run: the report has others of its file
	fateFailed
)

var fates = map[fate]string{fateUntold: "unclear", fatePassed: "passed", fateSkipped: "skipped", fateNotRun: "not run",
	fateFailed: "failed"}

// heldTest is a cited test, and what results say of it.
type heldTest struct {
	weaker.Named
	fate fate
}

// heldPlace is a cited place as it stands in the snapshot of the results, and what they say of it.
type heldPlace struct {
	// cited is how the claim has it; the rest is where it stands.
	cited       string
	path        string
	first, last int
	tests       []heldTest
	// lines counts the instrumented lines, ran those of them that were executed. partial: the coverage may lack what ran.
	lines, ran int
	partial    bool
	// tier is how strictly the commit of a range is held that cites the place, waive what its message waives.
	tier  policy.Tier
	waive []parser.Waive
}

// place finds what results say of lines of a file of the snapshot.
func (r *Results) place(ctx context.Context, h *heldPlace) error {
	named, err := r.names(ctx, h.path)
	if err != nil {
		return err
	}
	for _, t := range named {
		inside := h.first <= t.Line && t.EndLine <= h.last
		around := t.Line <= h.first && h.last <= t.EndLine
		if !inside && !around {
			continue
		}
		held := heldTest{Named: t}
		if held.fate, err = r.fate(ctx, t); err != nil {
			return err
		}
		h.tests = append(h.tests, held)
	}
	return r.executed(ctx, h)
}

// names are the tests of a file.
func (r *Results) names(ctx context.Context, path string) ([]weaker.Named, error) {
	if all, known := r.named[path]; known {
		return all, nil
	}
	all, err := weaker.Names(ctx, r.tree, path)
	r.named[path] = all
	return all, err
}

// fate finds a test in the reports.
func (r *Results) fate(ctx context.Context, t weaker.Named) (fate, error) {
	if len(r.set.Tests) == 0 {
		return 0, nil
	}
	m, err := r.find(ctx, t)
	if err != nil {
		return fateUntold, err
	}
	switch o := m.Outcome; {
	case o == results.Failed:
		return fateFailed, nil
	case o == results.Unended:
		return fateUntold, nil
	case o.Ran():
		return fatePassed, nil
	case o != 0:
		return fateSkipped, nil
	case t.Open || m.Alike > 0 || m.ByTitle:
		return fateUntold, nil
	}
	siblings, err := r.names(ctx, t.Path)
	if err != nil || r.index.Strays(t.Test, unplaced(siblings)) {
		return fateUntold, err
	}
	for _, s := range siblings {
		if s.Test.Name == t.Name && slices.Equal(s.Groups, t.Groups) {
			continue
		}
		if m, err := r.find(ctx, s); err != nil || m.Outcome != 0 {
			return fateNotRun, err
		}
	}
	return fateUntold, nil
}

// unplaced are tests without the lines that they stand at.
func unplaced(named []weaker.Named) []results.Test {
	var all []results.Test
	for _, n := range named {
		all = append(all, n.Test)
	}
	return all
}

// find finds a test in the reports. One that is known by its title alone must be the only one of that title.
func (r *Results) find(ctx context.Context, t weaker.Named) (results.Match, error) {
	m := r.index.Of(t.Test)
	if !m.ByTitle {
		return m, nil
	}
	only, err := r.isOnly(ctx, t)
	if err == nil && !only {
		m.Outcome = 0
	}
	return m, err
}

// maxSearched bounds in how many files of tests a name is looked for.
const maxSearched = 2000

// isOnly reports whether of all files of tests that of a test alone holds its name.
func (r *Results) isOnly(ctx context.Context, t weaker.Named) (bool, error) {
	looked, found := 0, 0
	for _, f := range r.files {
		if path.Ext(f) != path.Ext(t.Path) || !evidence.HoldsTests(f) && f != t.Path {
			continue
		}
		if looked++; looked > maxSearched {
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

// heldClaim is a verified claim, and what results say of its places.
type heldClaim struct {
	report.ClaimVerdict
	places []heldPlace
}

// report is what the report says of the claim; nil where results say nothing.
func (c *heldClaim) report() *report.ClaimResults {
	out := report.ClaimResults{Commit: c.Commit, Unit: c.Unit, Item: c.Item}
	worst := fate(0)
	for i := range c.places {
		h := &c.places[i]
		out.Lines, out.LinesRan = out.Lines+h.lines, out.LinesRan+h.ran
		for _, t := range h.tests {
			worst = max(worst, t.fate)
		}
	}
	if out.Test = fates[worst]; out.Words() == "" {
		return nil
	}
	return &out
}
