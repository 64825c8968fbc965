package weaker

import (
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/gate"
	"github.com/acta-git/acta/report"
)

// Kind is the kind of a Weakening.
type Kind string

const (
	Removed   Kind = "test_removed"    // a test is gone or not collected
	Skipped   Kind = "test_skipped"    // a test is skipped now
	Weakened  Kind = "test_weakened"   // a test asserts less
	Gate      Kind = "gate_weakened"   // a check of the build asks for less
	SeesTests Kind = "code_sees_tests" // production code detects tests
)

// Place is a place in one of the two trees.
type Place = gate.Place

// Weakening is one place where the later tree asks for less than the earlier one. CodeChanged also says that production
// code that a test reaches changes, or that another change explains the weakening in part.
type Weakening struct {
	gate.Loosening
	Kind Kind
}

// Account sums up the changes of tests and gates between two trees. The list of Tests is empty.
type Account struct {
	report.Tests
	// Weakenings are all weakenings, excused or not, by path and line of the later tree.
	Weakenings []Weakening
}

// Change is two trees and the paths that differ.
type Change struct {
	// Before is nil for a root commit: nothing is weaker then.
	Before *evidence.Tree
	After  *evidence.Tree
	// Paths are the paths that differ, of both trees.
	Paths []string
	// Requested are weakenings found by another comparison: only their kinds are needed, and their files are read first.
	// If empty, everything is needed.
	Requested []Weakening
}

func (c Change) includes(kinds ...Kind) bool {
	return len(c.Requested) == 0 || slices.ContainsFunc(c.Requested,
		func(w Weakening) bool { return slices.Contains(kinds, w.Kind) })
}
