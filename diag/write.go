package diag

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// WriteJSON prints the report as one indented JSON object and a newline.
// Bytes that are not UTF-8 come out as U+FFFD.
func WriteJSON(w io.Writer, r *Report) error {
	out := *r
	// Readers get [] and never null.
	out.Findings = append([]Finding{}, r.Findings...)
	out.Verdicts = append([]ClaimVerdict{}, r.Verdicts...)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(&out)
}

// WriteText prints a finding a line, as `path:line:col: message [rule]`, with
// the hint and the claim it is about indented below, and one line that sums up.
func WriteText(w io.Writer, r *Report) error {
	var b strings.Builder
	for _, f := range r.Findings {
		b.WriteString(f.Text())
	}
	fmt.Fprintf(&b, "acta: %s\n", r.Summary())
	_, err := io.WriteString(w, b.String())
	return err
}

// Text is the finding as a person reads it, with its final newline.
func (f Finding) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s [%s]\n", f.place(), OneLine(f.Message), f.Rule)
	if f.Hint != "" {
		fmt.Fprintf(&b, "    %s\n", OneLine(f.Hint))
	}
	about := []string{f.Severity.String()}
	if f.Unit != "" {
		about = append(about, f.Unit)
	}
	if f.Item != "" {
		about = append(about, "«"+f.Item+"»")
	}
	if f.Commit != "" {
		about = append(about, "commit "+f.Commit[:min(12, len(f.Commit))])
	}
	fmt.Fprintf(&b, "    (%s)\n", OneLine(strings.Join(about, ", ")))
	return b.String()
}

func (f Finding) place() string {
	path := f.Path
	if path == "" {
		path = "commit message"
	}
	switch {
	case f.Line == 0:
		return OneLine(path)
	case f.Column == 0:
		return fmt.Sprintf("%s:%d:1", OneLine(path), f.Line)
	}
	return fmt.Sprintf("%s:%d:%d", OneLine(path), f.Line, f.Column)
}

// OneLine keeps what a commit message or a path can hold from breaking the line
// or moving the cursor of the terminal it is printed on.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\r':
			return ' '
		case r < ' ', r == 0x7f, r >= 0x80 && r < 0xa0:
			return '\uFFFD'
		}
		return r
	}, s)
}

// Summary is the counts of the report in one line.
func (r *Report) Summary() string {
	var claims []string
	for _, c := range []struct {
		n    int
		word string
	}{
		{r.Claims.Verified, "verified"},
		{r.Claims.NotVerified, "not verified"},
		{r.Claims.Unclear, "unclear"},
		{r.Claims.Skipped, "skipped"},
	} {
		if c.n > 0 {
			claims = append(claims, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	if claims == nil {
		claims = []string{"no claims"}
	}
	return fmt.Sprintf("%s, %d ACT, %d ADAPT; %s; %s, %s",
		plural(r.Commits, "commit"), r.Acts, r.Adapts, strings.Join(claims, ", "),
		plural(r.Count(Error), "error"), plural(r.Count(Warning), "warning"))
}

func plural(n int, word string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, word)
	}
	return fmt.Sprintf("%d %ss", n, word)
}
