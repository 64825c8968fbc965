package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Results compares test and coverage reports with the claims.
type Results struct {
	// Files are the reports that were read.
	Files []ResultFile `json:"files"`
	// Claims are the verified claims that the reports say something about.
	Claims []ClaimResults `json:"claims"`
}

// ResultFile is a report that was read.
type ResultFile struct {
	// Path is its name as given, Kind its given kind (junit, coverage), Format its detected format.
	Path   string `json:"path"`
	Kind   string `json:"kind"`
	Format string `json:"format"`
	// SHA256 is that of its bytes, in hex.
	SHA256 string `json:"sha256"`
	// Tests counts the tests of a report of tests.
	Tests *TestCounts `json:"tests,omitempty"`
}

// TestCounts counts tests by outcome. Ran are the executed ones.
type TestCounts struct {
	Ran      int `json:"ran"`
	Passed   int `json:"passed"`
	Failed   int `json:"failed"`
	Skipped  int `json:"skipped"`
	Disabled int `json:"disabled"`
}

// Add adds counts of another report.
func (c *TestCounts) Add(o TestCounts) {
	c.Ran += o.Ran
	c.Passed += o.Passed
	c.Failed += o.Failed
	c.Skipped += o.Skipped
	c.Disabled += o.Disabled
}

// ClaimResults is what test and coverage reports say about a claim; Commit, Unit and Item are those of its verdict.
type ClaimResults struct {
	Commit string `json:"commit"`
	Unit   string `json:"unit"`
	Item   string `json:"item"`
	// Test is the outcome of the cited tests: passed, failed, skipped, "not run", or unclear; "" if it cites none.
	Test string `json:"test"`
	// Lines counts the cited instrumented lines, LinesRan the executed ones.
	Lines    int `json:"lines"`
	LinesRan int `json:"lines_ran"`
}

// Words say it in a line: «test passed; 7 of 9 lines ran».
func (c *ClaimResults) Words() string {
	var all []string
	if c.Test != "" {
		all = append(all, "test "+c.Test)
	}
	if c.Lines > 0 {
		all = append(all, fmt.Sprintf("%d of %d lines ran", c.LinesRan, c.Lines))
	}
	return strings.Join(all, "; ")
}

// Summary counts tests, and the claims whose code ran.
func (r *Results) Summary() string {
	var tests TestCounts
	for _, f := range r.Files {
		if f.Tests != nil {
			tests.Add(*f.Tests)
		}
	}
	line := fmt.Sprintf("results of %s", Plural(len(r.Files), "file"))
	if tests != (TestCounts{}) {
		line += fmt.Sprintf(", %s ran, %d failed, %d skipped", Plural(tests.Ran, "test"), tests.Failed,
			tests.Skipped+tests.Disabled)
	}
	ran := 0
	for _, c := range r.Claims {
		if c.Test == "passed" || c.Test == "" && c.LinesRan > 0 {
			ran++
		}
	}
	return line + fmt.Sprintf("; %d of %s confirmed", ran, Plural(len(r.Claims), "claim"))
}

// markdown writes a row for each claim in the results.
func (r *Results) markdown(b *strings.Builder) {
	if r == nil {
		return
	}
	fmt.Fprintf(b, "\n%s.\n", MarkdownText(upperFirst(r.Summary())))
	if len(r.Claims) > 0 {
		b.WriteString("\n| task | claim | results |\n| --- | --- | --- |\n")
	}
	for i := range r.Claims {
		c := &r.Claims[i]
		if b.Len() > markdownLimit/2 {
			fmt.Fprintf(b, "\n%s left out here; JSON has all.\n", Plural(len(r.Claims)-i, "claim"))
			return
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", MarkdownText(c.Unit), MarkdownText(c.Item), MarkdownText(c.Words()))
	}
}

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
