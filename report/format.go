package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// RuleInfo describes a rule for formats that list rules.
type RuleInfo struct {
	// Title is one line; Doc teaches, in Markdown.
	ID, Title, Doc string
}

// Formats lists the names that Write knows, that for people first.
func Formats() []string {
	return []string{"text", "json", "sarif", "github", "gitlab", "markdown"}
}

// Write prints the report in a format of Formats. rules are all rules, for formats that list them.
func Write(w io.Writer, format string, r *Report, rules []RuleInfo) error {
	switch format {
	case "text":
		return WriteText(w, r)
	case "json":
		return WriteJSON(w, r)
	case "sarif":
		return WriteSARIF(w, r, rules)
	case "github":
		return WriteGitHub(w, r)
	case "gitlab":
		return WriteGitLab(w, r)
	case "markdown":
		return WriteMarkdown(w, r)
	}
	return fmt.Errorf("report: there is no format %q", format)
}

// messageFile is the path of findings in the commit message, for formats that need one. It is git's name for the
// message file.
const messageFile = "COMMIT_EDITMSG"

func shortID(commit string) string { return commit[:min(12, len(commit))] }

// messagePlace is the place of a finding without a path in its commit message.
func (f Finding) messagePlace() string {
	where := "message"
	if f.Line > 0 {
		where = fmt.Sprintf("line %d of the message", f.Line)
	}
	if f.Commit == "" {
		return where + " of the commit"
	}
	return where + " of commit " + shortID(f.Commit)
}

// claimNames names the claim of a finding, unit before item; nil without a claim.
func (f Finding) claimNames() (about []string) {
	if f.Unit != "" {
		about = append(about, f.Unit)
	}
	if f.Item != "" {
		about = append(about, "«"+f.Item+"»")
	}
	return about
}

// fullMessage is the message with its context: the claim, the commit if the place does not show it, and the hint on its
// own line.
func (f Finding) fullMessage() string {
	var b strings.Builder
	b.WriteString(OneLine(f.Message))
	if f.Hint != "" {
		b.WriteString("\n" + OneLine(f.Hint))
	}
	about := f.claimNames()
	switch {
	case f.Path == "":
		about = append(about, f.messagePlace())
	case f.Commit != "":
		about = append(about, "commit "+shortID(f.Commit))
	}
	if about != nil {
		b.WriteString("\n(" + OneLine(strings.Join(about, ", ")) + ")")
	}
	return b.String()
}

// fingerprints let a service recognise findings in the next run: by rule, path and claim, since commits and lines
// change under a rebase; by the message without a claim. Equal ones are numbered.
func fingerprints(findings []Finding) []string {
	seen := map[string]int{}
	prints := make([]string, len(findings))
	for i, f := range findings {
		parts := []string{f.Rule, f.Path, f.Unit, f.Item}
		if f.Item == "" {
			parts = append(parts, f.Message)
		}
		key := strings.Join(parts, "\x00")
		seen[key]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
		prints[i] = hex.EncodeToString(sum[:])
	}
	return prints
}
