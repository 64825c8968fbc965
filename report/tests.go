package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Tests says how tests and gates changed. Nil if they did not.
type Tests struct {
	// Added, Removed, Skipped and Weaker count tests: new ones, missing ones, those that no longer run, and those that
	// assert less. The last three leave out excused ones.
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Skipped int `json:"skipped"`
	Weaker  int `json:"weaker"`
	// Gates counts weaker workflows, runners, linters, coverage and hooks, without excused ones.
	Gates int `json:"gates"`
	// Declared is how many of these a message says itself, with `Weakened:`.
	Declared int `json:"declared"`
	// AssertionsBefore and AssertionsAfter count the assertions of the files that changed.
	AssertionsBefore int `json:"assertions_before"`
	AssertionsAfter  int `json:"assertions_after"`
	// Changes are the weakened places: those of each commit, then those of the range.
	Changes []TestChange `json:"changes"`
}

// TestChange is one weakened place. Its JSON keys are all present, empty or not.
type TestChange struct {
	// Commit is the full id; "" before it is committed, and for the whole range.
	Commit string `json:"commit"`
	// Rule is the rule that reports it, Form the name of the form in bench/figures/tests.md.
	Rule string `json:"rule"`
	Form string `json:"form"`
	// Subject is the test, or the part of a gate.
	Subject string `json:"subject"`
	// Message describes the change in one sentence.
	Message string    `json:"message"`
	Before  TestPlace `json:"before"`
	After   TestPlace `json:"after"`
	// Excuse says why it may be honest; Declared is the reason in a message.
	Excuse   string `json:"excuse"`
	Declared string `json:"declared"`
}

// Reason is the excuse, or the declared reason; "" without either.
func (c *TestChange) Reason() string { return cmp.Or(c.Excuse, c.Declared) }

// IsSameTest reports whether two changes are about the same test or gate, even if it was weakened and then removed, or
// its file was renamed in between.
func (c *TestChange) IsSameTest(o *TestChange) bool {
	if c.Subject != o.Subject || c.topic() != o.topic() {
		return false
	}
	for _, a := range []TestPlace{c.Before, c.After} {
		for _, b := range []TestPlace{o.Before, o.After} {
			if a.Path != "" && (a.Path == b.Path || path.Base(a.Path) == path.Base(b.Path)) {
				return true
			}
		}
	}
	return false
}

// topic is the same for all rules about tests.
func (c *TestChange) topic() string {
	if strings.HasPrefix(c.Rule, "test_") {
		return "test"
	}
	return c.Rule
}

// TestPlace is one side of a TestChange; its path is "" if that side is missing. Lines count from 1.
type TestPlace struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	Text    string `json:"text"`
}

// Text is the change for people: a line as for a finding, both sides, and the excuse, with newlines.
func (c *TestChange) Text() string {
	at := c.After
	if at.Path == "" {
		at = c.Before
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s [%s]\n", Finding{Path: at.Path, Line: at.Line}.place(), OneLine(c.Message), c.Rule)
	for _, side := range []struct{ when, text string }{
		{"before", c.Before.Text}, {"after", c.After.Text}, {"excused", c.Excuse}, {"declared", c.Declared},
	} {
		for i, line := range strings.Split(strings.TrimRight(side.text, "\n"), "\n") {
			if i > 0 {
				side.when = ""
			}
			if line != "" {
				fmt.Fprintf(&b, "    %-8s %s\n", side.when, OneLine(line))
			}
		}
	}
	return b.String()
}

// IsEmpty reports whether nothing became of tests and gates.
func (t *Tests) IsEmpty() bool {
	return t == nil || len(t.Changes) == 0 && t.AssertionsBefore == t.AssertionsAfter &&
		t.Added+t.Removed+t.Skipped+t.Weaker+t.Gates == 0
}

// Summary is the account in one line: «tests: 4 added, 1 removed, 1 skipped, 2 weaker; 31 → 30 assertions».
func (t *Tests) Summary() string {
	gates := "gates weaker"
	if t.Gates == 1 {
		gates = "gate weaker"
	}
	var parts []string
	if counts := tally([]count{
		{t.Added, "added"}, {t.Removed, "removed"}, {t.Skipped, "skipped"}, {t.Weaker, "weaker"}, {t.Gates, gates},
		{t.Declared, "declared"},
	}); counts != "" {
		parts = append(parts, counts)
	}
	if t.AssertionsBefore+t.AssertionsAfter > 0 {
		parts = append(parts, fmt.Sprintf("%d → %s", t.AssertionsBefore, Plural(t.AssertionsAfter, "assertion")))
	}
	sees := func(c TestChange) bool { return c.Rule == "code_sees_tests" && c.Excuse == "" }
	switch {
	case parts == nil && slices.ContainsFunc(t.Changes, sees):
		parts = []string{"code asks whether it is under test"}
	case parts == nil:
		parts = []string{"nothing is weaker"}
	}
	return "tests: " + strings.Join(parts, "; ")
}

// ChangeOf is the change that a finding is about; nil if it is about something else.
func (t *Tests) ChangeOf(f Finding) *TestChange {
	if t == nil {
		return nil
	}
	var found *TestChange
	for i := range t.Changes {
		c := &t.Changes[i]
		if c.Rule == f.Rule && c.Message == f.Message && (c.Commit == f.Commit || c.Commit == "") {
			found = c
		}
	}
	return found
}
