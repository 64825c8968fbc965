package policy

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Results names the test and coverage reports that are compared with claims, and what is required of them.
type Results struct {
	// JUnit and Coverage are patterns of paths from the top of the repository: reports of tests, and of coverage.
	JUnit    []string `yaml:"junit"`
	Coverage []string `yaml:"coverage"`
	// Require.Test is "ran" if findings about cited tests are errors, Require.Code "executed" if findings about code that
	// did not run are. "" for neither.
	Require struct {
		Test string `yaml:"test"`
		Code string `yaml:"code"`
	} `yaml:"require"`
}

// IsZero reports whether nothing is named.
func (r *Results) IsZero() bool {
	return len(r.JUnit)+len(r.Coverage) == 0 && !r.Requires()
}

// Requires reports whether anything is required.
func (r *Results) Requires() bool { return r.Require.Test != "" || r.Require.Code != "" }

func (r *reader) results() {
	e := &r.file.Results
	for _, list := range []struct {
		key      string
		patterns []string
	}{{"junit", e.JUnit}, {"coverage", e.Coverage}} {
		for i, glob := range list.patterns {
			if glob == "" || !doublestar.ValidatePattern(glob) {
				r.fail(fmt.Sprintf("$.results.%s[%d]", list.key, i), "%q is not a path pattern", glob)
			}
		}
	}
	q := &e.Require
	if q.Test != "" && q.Test != "ran" {
		r.fail("$.results.require.test", "test must be ran, not %q", q.Test)
	}
	if q.Code != "" && q.Code != "executed" {
		r.fail("$.results.require.code", "code must be executed, not %q", q.Code)
	}
	r.policy.Results = *e
}

// loosenings lists requirements that the next policy drops, and reports for remaining requirements that it no longer
// reads.
func (r *Results) loosenings(next *Results) []string {
	var all []string
	if r.Require.Test != "" && next.Require.Test == "" {
		all = append(all, fmt.Sprintf("results.require.test: %s to none", r.Require.Test))
	}
	if r.Require.Code != "" && next.Require.Code == "" {
		all = append(all, fmt.Sprintf("results.require.code: %s to none", r.Require.Code))
	}
	if r.Require.Test != "" {
		all = append(all, addedEntries("results.junit no longer has", next.JUnit, r.JUnit)...)
	}
	if r.Require.Code != "" {
		all = append(all, addedEntries("results.coverage no longer has", next.Coverage, r.Coverage)...)
	}
	return all
}

// Prove says by which command claims are proved, and which need a proof.
type Prove struct {
	Command []string `yaml:"command"`
	// Require are tasks, by key or id, and tiers.
	Require []string `yaml:"require"`
}

// Requires reports whether a proof is required of a unit, or in a tier.
func (p *Prove) Requires(unit string, tier Tier) bool {
	return slices.ContainsFunc(p.Require, func(name string) bool {
		return name == unit || name == path.Base(unit) || name == tier.String()
	})
}

func (r *reader) prove() {
	r.policy.Prove = r.file.Prove
	isEmpty := func(word string) bool { return strings.TrimSpace(word) == "" }
	if slices.ContainsFunc(slices.Concat(r.file.Prove.Command, r.file.Prove.Require), isEmpty) {
		r.fail("$.prove", "command and require are lists of words, and none may be empty")
	}
}
