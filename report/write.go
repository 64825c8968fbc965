package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
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

// WriteGitHub prints the report as GitHub's workflow commands, one annotation for each finding, and the summary
// (docs.github.com: "Workflow commands for GitHub Actions"). The title of a finding in a commit message names its
// place.
func WriteGitHub(w io.Writer, r *Report) error {
	var b strings.Builder
	for _, f := range r.Findings {
		properties := []string{}
		if f.Path != "" {
			properties = append(properties, "file="+escapeProperty(OneLine(f.Path)))
			if f.Line > 0 {
				properties = append(properties, fmt.Sprintf("line=%d,endLine=%d", f.Line, max(f.Line, f.EndLine)))
			}
		}
		title := "acta: " + f.Rule
		if f.Path == "" {
			title += " in " + f.messagePlace()
		}
		properties = append(properties, "title="+escapeProperty(title))
		fmt.Fprintf(&b, "::%s %s::%s\n", gitHubLevels[f.Severity], strings.Join(properties, ","), escapeData(f.fullMessage()))
	}
	for _, why := range r.Undecided {
		fmt.Fprintf(&b, "::error title=acta could not decide::%s\n", escapeData(OneLine(why)))
	}
	fmt.Fprintf(&b, "acta: %s\n", escapeData(r.Summary()))
	_, err := io.WriteString(w, b.String())
	return err
}

// What GitHub and GitLab call the severities.
var (
	gitHubLevels     = map[Severity]string{Note: "notice", Warning: "warning", Error: "error"}
	gitLabSeverities = map[Severity]string{Note: "info", Warning: "minor", Error: "critical"}
)

// escapeData escapes the text of a workflow command. A commit must not inject a command: the runner also obeys the
// older form ##[command] anywhere in a line, so that is broken up.
func escapeData(s string) string {
	s = strings.ReplaceAll(s, "##[", "##\u200b[")
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty escapes the value of a property of a workflow command.
func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}

// codeQuality is one finding as GitLab reads it (docs.gitlab.com: "Code Quality",
// report format). Every key is required.
type codeQuality struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// WriteGitLab prints the findings as a GitLab code quality report. The format has no place for undecided commits; the
// exit code reports them.
func WriteGitLab(w io.Writer, r *Report) error {
	all := []codeQuality{}
	prints := fingerprints(r.Findings)
	for i, f := range r.Findings {
		q := codeQuality{
			Description: strings.ReplaceAll(f.fullMessage(), "\n", " "), CheckName: f.Rule, Fingerprint: prints[i],
			Severity: gitLabSeverities[f.Severity],
		}
		q.Location.Path, q.Location.Lines.Begin = cmp.Or(f.Path, messageFile), max(f.Line, 1)
		all = append(all, q)
	}
	return WriteIndented(w, all)
}

// Plural is a number of things: «1 test», «2 tests».
func Plural(n int, word string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, word)
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// LazyRegexp compiles an expression, which must be valid, on first use: a command must start fast.
func LazyRegexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// Map lists a value of each element; nil without elements.
func Map[E, V any](list []E, value func(E) V) (all []V) {
	for _, e := range list {
		all = append(all, value(e))
	}
	return all
}

// Brief is a text in one line of at most so many characters.
func Brief(text string, most int) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > most {
		return string(line[:most-1]) + "…"
	}
	return string(line)
}

// count is a number of things.
type count struct {
	n    int
	word string
}

// tally joins counts greater than zero: «4 added, 1 removed»; "" without any.
func tally(counts []count) string {
	var parts []string
	for _, c := range counts {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	return strings.Join(parts, ", ")
}

// Enumerate joins at most three words, and says how many more there are.
func Enumerate(words []string) string { return EnumerateFirst(3, words) }

// EnumerateFirst joins at most so many words, and says how many more there are.
func EnumerateFirst(most int, words []string) string {
	if len(words) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), len(words)-most)
	}
	return strings.Join(words, ", ")
}
