package report

import (
	"fmt"
	"io"
	"strings"
)

// markdownLimit is how many bytes of findings are written. GitHub takes job
// summaries of at most 1 MiB a step, GitLab comments of 1,000,000 characters
// (docs.github.com: "Workflow commands for GitHub Actions", job summaries).
const markdownLimit = 900_000

// WriteMarkdown prints the report for a job summary or a comment: a heading that
// says how it went, the counts, a table of the findings, the worst first, and one of the claims.
func WriteMarkdown(w io.Writer, r *Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Acta: %s\n\n%s.\n", r.headline(), MarkdownText(r.Summary()))
	for _, boxes := range r.Boxes {
		fmt.Fprintf(&b, "\n%s.\n", MarkdownText(boxes.String()))
	}
	if !r.Tests.IsEmpty() {
		fmt.Fprintf(&b, "\n%s.\n", MarkdownText(upperFirst(r.Tests.Summary())))
	}
	r.Results.markdown(&b)
	r.proofs(&b)
	if len(r.Undecided) > 0 {
		b.WriteString("\nCould not be decided:\n\n")
		for _, why := range r.Undecided {
			fmt.Fprintf(&b, "- %s\n", MarkdownText(why))
		}
	}
	writeTable(&b, "finding", "| | where | what | rule |", r.findingRows())
	writeTable(&b, "claim", "| claim | task | verdict | evidence |", r.claimRows())
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) headline() string {
	switch {
	case len(r.Undecided) > 0:
		return "could not decide"
	case r.Proof != nil:
		return fmt.Sprintf("%d of %d proved", r.Proof.Noticed, r.Proof.Tried)
	case r.Count(Error) > 0:
		return Plural(r.Count(Error), "error")
	}
	return "clean"
}

// writeTable writes rows of four columns below a head, as many as have room, and says how many of what are left out.
func writeTable(b *strings.Builder, what, head string, rows []string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n| --- | --- | --- | --- |\n", head)
	omitted := 0
	for _, row := range rows {
		if b.Len()+len(row) > markdownLimit {
			omitted++
		} else {
			b.WriteString(row)
		}
	}
	if omitted > 0 {
		fmt.Fprintf(b, "\n%s left out here; the other formats have all.\n", Plural(omitted, what))
	}
}

// findingRows are the findings, errors first.
func (r *Report) findingRows() (rows []string) {
	for s := Error; s >= Note; s-- {
		for _, f := range r.Findings {
			if f.Severity == s {
				rows = append(rows, f.row(r.Tests.ChangeOf(f)))
			}
		}
	}
	return rows
}

// claimRows are the claims, in the order of the commits.
func (r *Report) claimRows() []string {
	return Map(r.Verdicts, func(v ClaimVerdict) string {
		verdict, evidence := strings.ReplaceAll(v.Verdict.String(), "_", " "), ""
		if v.Reason != "" {
			verdict += "<br>" + MarkdownText(v.Reason)
		}
		if v.Evidence != "" {
			evidence = code(v.Evidence)
		}
		return fmt.Sprintf("| %s | %s | %s | %s |\n", MarkdownText(v.Item), MarkdownText(v.Unit), verdict, evidence)
	})
}

// row is a line of the table; less is the finding's change of tests, nil without one.
func (f Finding) row(less *TestChange) string {
	where := code(f.place())
	if f.Path == "" {
		where = MarkdownText(f.messagePlace())
	} else if f.Commit != "" {
		where += "<br>commit " + shortID(f.Commit)
	}
	what := MarkdownText(f.Message)
	if f.Hint != "" {
		what += "<br>" + MarkdownText(f.Hint)
	}
	if less != nil {
		what += "<br>" + sideText(less.Before) + " → " + sideText(less.After)
	}
	if about := f.claimNames(); about != nil {
		what += "<br><sub>" + MarkdownText(strings.Join(about, ", ")) + "</sub>"
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", f.Severity, where, what, code(f.Rule))
}

// MarkdownText escapes text for a table cell of GitHub's or GitLab's Markdown, so that commits cannot mention, link or
// ping.
func MarkdownText(s string) string {
	var b strings.Builder
	for _, r := range OneLine(s) {
		if strings.ContainsRune("\\`*_{}[]()<>#~|&@!$:", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// sideText is one side of a change of tests.
func sideText(p TestPlace) string {
	if p.Path == "" {
		return "gone"
	}
	return code(p.Text)
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// code is a text in code font, whatever it holds.
func code(s string) string { return "<code>" + MarkdownText(s) + "</code>" }
