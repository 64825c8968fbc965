package worklog

import (
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// Formats are those of Session.Write.
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

// ReadSession reads the YAML of Write.
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

func (s *Session) summaryLine() string {
	sum := s.Summary
	end := "still running"
	if s.Completed != nil {
		end = "ended " + *s.Completed
	}
	line := fmt.Sprintf("began %s, %s; %d operations, %d files, %d checkpoints, %d s", s.Started, end, sum.Operations,
		sum.Files, sum.Checkpoints, sum.Seconds)
	if s.isSummary {
		line += "; summarized: the entries come from commits"
	}
	return line
}

func (e *Operation) line() string {
	line := e.Context
	if e.Details.Proof != nil {
		line = e.Details.Proof.Line()
	}
	if e.Details.Since != nil && e.Details.Modified != nil {
		line += fmt.Sprintf(": %d operations, %d files", *e.Details.Since, *e.Details.Modified)
	}
	if e.Details.PlanTodos != nil {
		line += fmt.Sprintf("; tier %s, %d todos: %s", e.Details.Tier, *e.Details.PlanTodos, e.Details.Approach)
	}
	if d := &e.Details; d.Passed != nil && d.Failed != nil && d.Skipped != nil {
		line += fmt.Sprintf("; verifications: %d passed, %d failed, %d skipped", *d.Passed, *d.Failed, *d.Skipped)
	}
	if e.Details.ExitCode != nil {
		line += fmt.Sprintf(" (exit code %d)", *e.Details.ExitCode)
	}
	if e.Details.Summary != "" {
		line += ": " + e.Details.Summary
	}
	if e.Details.AgentType != "" {
		line += " by " + e.Details.AgentType
	}
	if files := e.Details.Files; len(files) > 0 && e.Action != ActDone && e.Action != AdaptDone {
		line += " [" + strings.Join(files, ", ") + "]"
	}
	if e.Details.Commit != "" {
		line += fmt.Sprintf(" (%.12s)", e.Details.Commit)
	}
	if e.Details.Verification != "" {
		line += ": " + e.Details.Verification
	}
	return line
}

func (c *ClaimOutcome) verdict() string {
	if c.Contradiction {
		return c.Verdict + ", contradiction"
	}
	return c.Verdict
}

// toYAML is a value as YAML. The library's own quoting is not enough: it reads a tab in plain text as nothing, and .inf
// as a number.
func toYAML(v any) ([]byte, error) {
	return yaml.MarshalWithOptions(v, yaml.UseJSONMarshaler(), yaml.CustomMarshaler(scalar))
}

// plainText matches text that is safe without quotes, except nonText: words that YAML 1.1 or 1.2 does not read as text.
var (
	plainText = report.LazyRegexp(`^([A-Za-z/_][ !"$-9;-~]*|\d{8}_\d{6}-[0-9a-f]{4})$`)
	nonText   = report.LazyRegexp(`(?i)^(null|true|false|yes|no|on|off|y|n)$|\s$`)
)

// scalar is a text in YAML: plain if that is safe, else in JSON's double quotes, with escapes for characters that YAML
// does not print.
func scalar(text string) ([]byte, error) {
	if plainText().MatchString(text) && !nonText().MatchString(text) {
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
