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
	if len(r.Findings) > 0 {
		b.WriteString("\n| | where | what | rule |\n| --- | --- | --- | --- |\n")
		if omitted := r.rows(&b); omitted > 0 {
			fmt.Fprintf(&b, "\n%s left out here; the other formats have all.\n", Plural(omitted, "finding"))
		}
	}
	r.claims(&b)
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

// rows writes the findings, errors first, and returns how many found no room.
func (r *Report) rows(b *strings.Builder) (omitted int) {
	for s := Error; s >= Note; s-- {
		for _, f := range r.Findings {
			if f.Severity == s {
				omitted += writeRow(b, f.row(r.Tests.ChangeOf(f)))
			}
		}
	}
	return omitted
}

// writeRow returns 1 if there is no room for the row, else 0.
func writeRow(b *strings.Builder, row string) (omitted int) {
	if b.Len()+len(row) > markdownLimit {
		return 1
	}
	b.WriteString(row)
	return 0
}

// claims writes a table of the claims, in the order of the commits.
func (r *Report) claims(b *strings.Builder) {
	omitted := 0
	for i, v := range r.Verdicts {
		if i == 0 {
			b.WriteString("\n| claim | task | verdict | evidence |\n| --- | --- | --- | --- |\n")
		}
		verdict, evidence := strings.ReplaceAll(v.Verdict.String(), "_", " "), ""
		if v.Reason != "" {
			verdict += "<br>" + MarkdownText(v.Reason)
		}
		if v.Evidence != "" {
			evidence = code(v.Evidence)
		}
		omitted += writeRow(b,
			fmt.Sprintf("| %s | %s | %s | %s |\n", MarkdownText(v.Item), MarkdownText(v.Unit), verdict, evidence))
	}
	if omitted > 0 {
		fmt.Fprintf(b, "\n%s left out here; the other formats have all.\n", Plural(omitted, "claim"))
	}
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
