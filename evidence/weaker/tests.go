package weaker

import (
	"slices"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/gate"
)

// Kind says which question a Weakening answers.
type Kind string

const (
	Removed   Kind = "test_removed"    // a test, or what collects it, is gone
	Skipped   Kind = "test_skipped"    // it ran and does not now
	Weakened  Kind = "test_weakened"   // it asserts less
	Gate      Kind = "gate_weakened"   // what makes a build fail asks for less
	SeesTests Kind = "code_sees_tests" // production code asks whether it is under test
)

// Rule is the id of the rule of docs/rules.md that reports it: tests have one rule, whatever became of them.
func (k Kind) Rule() string {
	if k == Removed || k == Skipped {
		k = Weakened
	}
	return string(k)
}

// Place is where something stands in one of the two trees.
type Place = gate.Place

// Weakening is one place where the later tree asks for less than the earlier one.
type Weakening struct {
	Kind Kind
	// Form is the name of the form in bench/figures/tests.md, such as "assertion weaker" or "step removed".
	Form string
	// Subject is the symbol of the test, or what of a gate is meant: a job, a key, an option.
	Subject string
	// Before and After are the two sides; After is the zero value for what is gone.
	Before, After Place
	// Message says in one sentence, without its stop, what is asked less.
	Message string
	// Excuse says why this may be honest, as far as it can be seen ("more than tests changes with it"); "" where nothing
	// excuses it.
	Excuse string
	// CodeChanged: production code that the test reaches changes between the two trees, or something else explains it in
	// part; of a gate, that it suppresses what is asked of a file whose code changes.
	CodeChanged bool
}

// Account is what became of tests and gates between two trees.
type Account struct {
	// Added, Removed, Skipped and Weaker count tests: new ones, those that are gone, those that ran and do not now, and
	// those that assert less. What is excused is not counted in the last three.
	Added, Removed, Skipped, Weaker int
	// Gates counts what gates ask less, what is excused left out.
	Gates int
	// AssertionsBefore and AssertionsAfter count the assertions of all tests of the changed files.
	AssertionsBefore, AssertionsAfter int
	// Weakenings are all that was found, excused or not, by path and line of the later tree.
	Weakenings []Weakening
}

// Change is what is compared: two trees, and where they differ.
type Change struct {
	// Before is nil where nothing stands before, as for a root commit: nothing is weaker then.
	Before *evidence.Tree
	After  *evidence.Tree
	// Paths are those that differ, of both trees.
	Paths []string
	// Of are what another comparison found: nothing needs to be told but of their kinds, and their files are read first.
	// Without any all is.
	Of []Weakening
}

// asks reports whether one of the kinds is asked for.
func (c Change) asks(kinds ...Kind) bool {
	return len(c.Of) == 0 || slices.ContainsFunc(c.Of, func(w Weakening) bool { return slices.Contains(kinds, w.Kind) })
}
