package report

import (
	"fmt"
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
	return line + fmt.Sprintf("; %d of %s ran", ran, Plural(len(r.Claims), "claim"))
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
