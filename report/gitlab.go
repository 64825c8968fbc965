package report

import (
	"cmp"
	"io"
	"strings"
)

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
			Severity: gitLabSeverity(f.Severity),
		}
		q.Location.Path, q.Location.Lines.Begin = cmp.Or(f.Path, messageFile), max(f.Line, 1)
		all = append(all, q)
	}
	return WriteIndented(w, all)
}

func gitLabSeverity(s Severity) string {
	switch s {
	case Error:
		return "critical"
	case Warning:
		return "minor"
	}
	return "info"
}
