package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteJSON prints the report as one indented JSON object and a newline.
// Bytes that are not UTF-8 come out as U+FFFD.
func WriteJSON(w io.Writer, r *Report) error { return WriteIndented(w, r.ForJSON()) }

// ForJSON is a copy in which lists without entries are empty: readers get [] and never null.
func (r *Report) ForJSON() *Report {
	out := *r
	out.Findings = append([]Finding{}, r.Findings...)
	out.Verdicts = append([]ClaimVerdict{}, r.Verdicts...)
	if r.Tests != nil {
		all := *r.Tests
		all.Changes = append([]TestChange{}, all.Changes...)
		out.Tests = &all
	}
	if r.Results != nil {
		all := *r.Results
		all.Files = append([]ResultFile{}, all.Files...)
		all.Claims = append([]ClaimResults{}, all.Claims...)
		out.Results = &all
	}
	return &out
}

// WriteIndented prints a value as JSON, a key a line, with a newline.
func WriteIndented(w io.Writer, v any) error { return encodeJSON(w, v, "  ") }

// WriteLine prints a value as JSON in one line, with a newline.
func WriteLine(w io.Writer, v any) error { return encodeJSON(w, v, "") }

func encodeJSON(w io.Writer, v any, indent string) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}

// WriteText prints the findings as text, and the summary.
func WriteText(w io.Writer, r *Report) error {
	_, err := fmt.Fprintf(w, "%s%s", findingsText(r.Findings), r.summaryLines())
	return err
}

// summaryLines sums the report up: a line for each plan with ticked boxes, one for tests and gates, one for results,
// and the counts.
func (r *Report) summaryLines() string {
	lines := ""
	for _, b := range r.Boxes {
		lines += "acta: " + OneLine(b.String()) + "\n"
	}
	if !r.Tests.IsEmpty() {
		lines += "acta: " + r.Tests.Summary() + "\n"
	}
	if r.Results != nil {
		lines += "acta: " + r.Results.Summary() + "\n"
	}
	return lines + "acta: " + r.Summary() + "\n"
}

// WriteDigest is WriteText in so many lines at most: where there are more, errors
// stay before warnings, warnings before notes, and a line says how many findings
// are left out, and the command that prints all.
func WriteDigest(w io.Writer, r *Report, maxLines int, allCommand string) error {
	sums := r.summaryLines()
	if strings.Count(findingsText(r.Findings)+sums, "\n") <= maxLines {
		return WriteText(w, r)
	}
	var kept []int
	room := maxLines - 1 - strings.Count(sums, "\n") // for the lines that come last
	for s := Error; s >= Note; s-- {
		for i, f := range r.Findings {
			if f.Severity != s {
				continue
			}
			if room -= strings.Count(f.Text(), "\n"); room < 0 {
				break
			}
			kept = append(kept, i)
		}
	}
	slices.Sort(kept)
	var findings []Finding
	for _, i := range kept {
		findings = append(findings, r.Findings[i])
	}
	_, err := fmt.Fprintf(w, "%sacta: and %d more: %s\n%s", findingsText(findings), len(r.Findings)-len(kept), allCommand,
		sums)
	return err
}

func findingsText(findings []Finding) string {
	var b strings.Builder
	for i, f := range findings {
		b.WriteString(f.headLine())
		// What several findings in a row have in common is said once, below the last.
		if about := f.details(); i == len(findings)-1 || about != findings[i+1].details() || f.Rule != findings[i+1].Rule {
			b.WriteString(about)
		}
	}
	return b.String()
}

// Text is the finding for people, with its final newline: a line `path:line:col: severity: message [rule]` as compilers
// print it, then the hint and the claim, each on its own line.
func (f Finding) Text() string { return f.headLine() + f.details() }

func (f Finding) headLine() string {
	return fmt.Sprintf("%s: %s: %s [%s]\n", f.place(), f.Severity, OneLine(f.Message), f.Rule)
}

// details is the hint and the claim, indented; "" where there is neither.
func (f Finding) details() string {
	var b strings.Builder
	if f.Hint != "" {
		fmt.Fprintf(&b, "    %s\n", OneLine(f.Hint))
	}
	about := f.claimNames()
	if f.Commit != "" {
		about = append(about, "commit "+shortID(f.Commit))
	}
	if about != nil {
		fmt.Fprintf(&b, "    (%s)\n", OneLine(strings.Join(about, ", ")))
	}
	return b.String()
}

func (f Finding) place() string {
	path := cmp.Or(f.Path, "commit message")
	switch {
	case f.Line == 0:
		return OneLine(path)
	case f.Column == 0:
		return fmt.Sprintf("%s:%d:1", OneLine(path), f.Line)
	}
	return fmt.Sprintf("%s:%d:%d", OneLine(path), f.Line, f.Column)
}

// Summary is the counts of the report in one line.
func (r *Report) Summary() string {
	claims := tally([]count{
		{r.Claims.Verified, "verified"}, {r.Claims.NotVerified, "not verified"}, {r.Claims.Unclear, "unclear"},
		{r.Claims.Skipped, "skipped"},
	})
	return fmt.Sprintf("%s, %d ACT, %d ADAPT; %s; %s, %s",
		Plural(r.Commits, "commit"), r.Acts, r.Adapts, cmp.Or(claims, "no claims"),
		Plural(r.Count(Error), "error"), Plural(r.Count(Warning), "warning"))
}
