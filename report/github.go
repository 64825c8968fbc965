package report

import (
	"fmt"
	"io"
	"strings"
)

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
		fmt.Fprintf(&b, "::%s %s::%s\n", gitHubLevel(f.Severity), strings.Join(properties, ","), escapeData(f.fullMessage()))
	}
	for _, why := range r.Undecided {
		fmt.Fprintf(&b, "::error title=acta could not decide::%s\n", escapeData(OneLine(why)))
	}
	fmt.Fprintf(&b, "acta: %s\n", escapeData(r.Summary()))
	_, err := io.WriteString(w, b.String())
	return err
}

func gitHubLevel(s Severity) string {
	if s == Note {
		return "notice"
	}
	return s.String()
}

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
