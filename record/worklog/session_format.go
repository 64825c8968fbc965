package worklog

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// Formats are those that Session.Write knows.
func Formats() []string { return []string{"text", "json", "yaml"} }

// Write prints a session in one of Formats.
func (s *Session) Write(w io.Writer, format string) error {
	var out []byte
	var err error
	switch format {
	case "text":
		out = []byte(s.text())
	case "json":
		out, err = state.IndentedJSON(s)
	case "yaml":
		out, err = toYAML(s)
	default:
		err = fmt.Errorf("there is no format %q for a worklog", format)
	}
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

// ReadSession reads what Write prints as YAML.
func ReadSession(data []byte) (*Session, error) {
	var s Session
	if err := yaml.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	if s.Version != version || !IsSessionID(s.ID) {
		return nil, fmt.Errorf("this is no worklog of version %s: version %q, session %q", version, s.Version, s.ID)
	}
	if s.Entries == nil {
		s.Entries = []Operation{}
	}
	return &s, nil
}

// text is a line that names the session, one that sums it up, and one an entry.
func (s *Session) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s  %s  %s\n", s.ID, s.Outcome, s.Tier, report.OneLine(s.Task))
	fmt.Fprintf(&b, "%s\n", s.summaryLine())
	for i := range s.Entries {
		e := &s.Entries[i]
		fmt.Fprintf(&b, "%s  %-10s %-9s  %s\n", e.Time, e.Action, e.Status, report.OneLine(e.line()))
		for _, c := range e.Details.Claims {
			fmt.Fprintf(&b, "    %s: %s\n", c.verdict(), report.OneLine(c.Item))
		}
		for _, d := range e.Details.Deviations {
			fmt.Fprintf(&b, "    deviation: %s\n", report.OneLine(d))
		}
	}
	return b.String()
}

// summaryLine is the summary as a line.
func (s *Session) summaryLine() string {
	sum := s.Summary
	end := "still running"
	if s.Completed != nil {
		end = "ended " + *s.Completed
	}
	said := fmt.Sprintf("began %s, %s; %d operations, %d files, %d checkpoints, %d s", s.Started, end, sum.Operations,
		sum.Files, sum.Checkpoints, sum.Seconds)
	if s.isSummary {
		said += "; summed up: what is listed is known from commits"
	}
	return said
}

// line is what an entry is about, in a line.
func (e *Operation) line() string {
	said := e.Context
	if e.Details.Proof != nil {
		said = e.Details.Proof.Line()
	}
	if e.Details.Since != nil && e.Details.Modified != nil {
		said += fmt.Sprintf(": %d operations, %d files", *e.Details.Since, *e.Details.Modified)
	}
	if e.Details.PlanTodos != nil {
		said += fmt.Sprintf("; tier %s, %d todos: %s", e.Details.Tier, *e.Details.PlanTodos, e.Details.Approach)
	}
	if d := &e.Details; d.Passed != nil && d.Failed != nil && d.Skipped != nil {
		said += fmt.Sprintf("; verifications: %d passed, %d failed, %d skipped", *d.Passed, *d.Failed, *d.Skipped)
	}
	if e.Details.ExitCode != nil {
		said += fmt.Sprintf(" (exit code %d)", *e.Details.ExitCode)
	}
	if e.Details.Summary != "" {
		said += ": " + e.Details.Summary
	}
	if e.Details.AgentType != "" {
		said += " by " + e.Details.AgentType
	}
	if files := e.Details.Files; len(files) > 0 && e.Action != ActDone && e.Action != AdaptDone {
		said += " [" + strings.Join(files, ", ") + "]"
	}
	if e.Details.Commit != "" {
		said += fmt.Sprintf(" (%.12s)", e.Details.Commit)
	}
	if e.Details.Verification != "" {
		said += ": " + e.Details.Verification
	}
	return said
}

func (c *ClaimOutcome) verdict() string {
	if c.Contradiction {
		return c.Verdict + ", contradiction"
	}
	return c.Verdict
}

// toYAML is a value as YAML. The library's own quotes are not enough: it reads a tab in plain text as nothing, and .inf
// as a number.
func toYAML(v any) ([]byte, error) {
	return yaml.MarshalWithOptions(v, yaml.UseJSONMarshaler(), yaml.CustomMarshaler(scalar))
}

// plain matches text that is safe without quotes, but for notText: words that are no text in YAML 1.1 or 1.2.
var (
	plain   = regexp.MustCompile(`^([A-Za-z/_][ !"$-9;-~]*|\d{8}_\d{6}-[0-9a-f]{4})$`)
	notText = regexp.MustCompile(`(?i)^(null|true|false|yes|no|on|off|y|n)$|\s$`)
)

// scalar is a text as it stands in YAML: plain where that is safe, else in double quotes, which are those of JSON but
// for characters that YAML does not print.
func scalar(text string) ([]byte, error) {
	if plain.MatchString(text) && !notText.MatchString(text) {
		return []byte(text), nil
	}
	quoted, err := state.JSONLine(text)
	var b strings.Builder
	for _, r := range strings.TrimSuffix(string(quoted), "\n") {
		if r >= 0x7f && r <= 0x9f || r == 0xfeff || r == 0xfffe || r == 0xffff {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return []byte(b.String()), err
}
