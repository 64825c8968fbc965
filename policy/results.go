package policy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
)

// Results says which reports of tests and coverage are held against claims, and what is required of them.
type Results struct {
	// JUnit, JUnitBase, Coverage and Mutants are patterns of paths from the top of the repository: reports of tests,
	// reports of the same tests over the base's code, of coverage, and of mutants.
	JUnit, JUnitBase, Coverage, Mutants []string
	// RequireTest is "ran" where what a cited test lacks is an error, "red" where that it passed on the base's code is one
	// too; RequireCode is "executed" where code that was not executed is one. "" for neither.
	RequireTest, RequireCode string
}

// IsZero reports whether nothing is named.
func (r *Results) IsZero() bool {
	return len(r.JUnit)+len(r.JUnitBase)+len(r.Coverage)+len(r.Mutants) == 0 && !r.Requires()
}

// Requires reports whether anything is required.
func (r *Results) Requires() bool { return r.RequireTest != "" || r.RequireCode != "" }

// resultsEntry is the key as written.
type resultsEntry struct {
	JUnit     []string `yaml:"junit"`
	JUnitBase []string `yaml:"junit_base"`
	Coverage  []string `yaml:"coverage"`
	Mutants   []string `yaml:"mutants"`
	Require   struct {
		Test string `yaml:"test"`
		Code string `yaml:"code"`
	} `yaml:"require"`
}

func (r *reader) results() error {
	e := &r.file.Results
	for _, list := range []struct {
		key      string
		patterns []string
	}{{"junit", e.JUnit}, {"junit_base", e.JUnitBase}, {"coverage", e.Coverage}, {"mutants", e.Mutants}} {
		for i, glob := range list.patterns {
			if glob == "" || !doublestar.ValidatePattern(glob) {
				return r.errorAt(fmt.Sprintf("$.results.%s[%d]", list.key, i), "%q is no path pattern", glob)
			}
		}
	}
	q := &e.Require
	if !slices.Contains([]string{"", "ran", "red"}, q.Test) {
		return r.errorAt("$.results.require.test", "test is ran or red, not %q", q.Test)
	}
	if !slices.Contains([]string{"", "executed"}, q.Code) {
		return r.errorAt("$.results.require.code", "code is executed, not %q", q.Code)
	}
	r.policy.Results = Results{e.JUnit, e.JUnitBase, e.Coverage, e.Mutants, q.Test, q.Code}
	return nil
}

// weaker says what is required no more, and which reports of what is required are not read any more.
func (r *Results) weaker(next *Results) []string {
	var all []string
	order := []string{"", "ran", "red"}
	if slices.Index(order, next.RequireTest) < slices.Index(order, r.RequireTest) {
		all = append(all, fmt.Sprintf("results.require.test: %s to %s", r.RequireTest, cmp.Or(next.RequireTest, "none")))
	}
	if r.RequireCode != "" && next.RequireCode == "" {
		all = append(all, fmt.Sprintf("results.require.code: %s to none", r.RequireCode))
	}
	if r.RequireTest != "" {
		all = append(all, grown("results.junit no longer has", next.JUnit, r.JUnit)...)
	}
	if r.RequireCode != "" {
		all = append(all, grown("results.coverage no longer has", next.Coverage, r.Coverage)...)
	}
	return all
}
