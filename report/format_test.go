package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// shared is the report that every format prints: a finding in a file, in a
// message, without any place, of each severity, and text that tries to break out.
func shared() *Report {
	const one, two = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	r := &Report{Acta: "0.1.0", Range: one + ".." + two, Commits: 2, Acts: 2, Adapts: 1, Undecided: []string{"commit 333333333333: history is cut"}}
	r.Add([]Finding{
		{
			Rule: "checklist_evidence_empty_impl", Severity: Error, Path: "src/a b,c:d.py", Line: 42, Column: 5, EndLine: 58, Commit: one,
			Unit: "M01/T01", Item: "Add login | method", Message: "Empty implementation detected at 'src/a b,c:d.py:42-58'", Hint: "write the body",
		},
		{Rule: "evidence_unclear", Severity: Warning, Path: "src/a b,c:d.py", Line: 42, Commit: one, Unit: "M01/T01", Item: "Add login | method", Message: "unclear"},
		{
			Rule: "checklist_evidence_file_not_found", Severity: Error, Line: 3, Column: 1, Commit: one,
			Unit: "M01/T01", Item: "Add logout", Message: "100% gone\r\n::error::injected ##[error]too <script> @everyone ]]> [a](http://b)",
		},
	}, []ClaimVerdict{
		{Commit: one, Unit: "M01/T01", Item: "Add login | method", Status: "done", Verdict: NotVerified},
		{Commit: one, Unit: "M01/T01", Item: "Add logout", Status: "done", Verdict: NotVerified},
		{Commit: one, Unit: "M01/T01", Item: "Add \x1b[31msessions", Status: "skipped", Verdict: Skipped, Reason: "uses SessionManager"},
		{Commit: one, Unit: "M01/T01", Item: "Add tests", Status: "done", Verdict: Verified},
	})
	r.Add([]Finding{
		{Rule: "checklist_missing", Severity: Warning, Commit: two, Unit: "T02", Message: "the report is missing"},
		{Rule: "evidence_moved", Severity: Note, Path: "a:b.go", Commit: two, Message: "moved\xff"},
		{Rule: "evidence_moved", Severity: Note, Path: "a:b.go", Line: 7, Commit: two, Message: "moved\xff"},
	}, nil)
	return r
}

func rules() []RuleInfo {
	return []RuleInfo{{ID: "evidence_unclear", Title: "evidence that shows nothing", Doc: "Some *teaching*."}}
}

func written(t *testing.T, format string, r *Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r, rules()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The files under testdata/format are what each format prints; ACTA_UPDATE=1 writes them anew.
func TestEveryFormatPrintsWhatItPrinted(t *testing.T) {
	if len(Formats()) < 6 {
		t.Fatalf("only %v", Formats())
	}
	for _, format := range Formats() {
		file := filepath.Join("testdata", "format", format)
		got := written(t, format, shared())
		if os.Getenv("ACTA_UPDATE") != "" {
			if err := os.WriteFile(file, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s prints\n%s\nwant\n%s", format, got, want)
		}
	}
	if err := Write(io.Discard, "pdf", shared(), nil); err == nil {
		t.Error("an unknown format was written")
	}
}

func TestAFailedWriteIsAnError(t *testing.T) {
	for _, format := range Formats() {
		if err := Write(full{}, format, shared(), nil); err == nil {
			t.Errorf("%s: a full disk goes unseen", format)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// sarifSchema is the schema that OASIS publishes, with its formats asserted.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile("testdata/sarif/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSARIFIsValid(t *testing.T) {
	schema := sarifSchema(t)
	for _, r := range []*Report{shared(), {}} {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(written(t, "sarif", r)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Error(err)
		}
	}
	broken, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(broken) == nil {
		t.Error("the schema accepts a driver without name")
	}
}

func TestSARIFResultsPointAtTheirRuleAndAPlace(t *testing.T) {
	var log sarifLog
	report := shared()
	report.Undecided[0] += " [a](javascript:b)"
	for i := range report.Findings {
		report.Findings[i].Item += " [a](javascript:b)"
	}
	text := written(t, "sarif", report)
	if strings.Contains(string(text), "](") {
		t.Errorf("a commit put a link into\n%s", text)
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(run.Results) != 6 || run.Invocations[0].ExecutionSuccessful {
		t.Fatalf("%d results, success %v", len(run.Results), run.Invocations[0].ExecutionSuccessful)
	}
	uris := []string{}
	for _, r := range run.Results {
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s points at rule %d", r.RuleID, r.RuleIndex)
		}
		uris = append(uris, r.Locations[0].Physical.Artifact.URI)
	}
	want := []string{"COMMIT_EDITMSG", "src/a%20b,c:d.py", "src/a%20b,c:d.py", "COMMIT_EDITMSG", "./a:b.go", "./a:b.go"}
	if !slices.Equal(uris, want) {
		t.Errorf("%q, want %q", uris, want)
	}
}

// unescape reads a workflow command's text as GitHub's runner does.
func unescape(s string) string {
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(s)
}

func TestGitHubCommandsReadBackAndNothingBecomesOne(t *testing.T) {
	command := regexp.MustCompile(`^::(error|warning|notice) ((?:[a-zA-Z]+=[^,:]*,?)+)::(.*)$`)
	r := shared()
	lines := strings.Split(strings.TrimSuffix(string(written(t, "github", r)), "\n"), "\n")
	if len(lines) != len(r.Findings)+len(r.Undecided)+1 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, f := range r.Findings {
		m := command.FindStringSubmatch(lines[i])
		if m == nil {
			t.Errorf("no command: %s", lines[i])
			continue
		}
		properties := map[string]string{}
		for p := range strings.SplitSeq(m[2], ",") {
			key, value, _ := strings.Cut(p, "=")
			properties[key] = unescape(value)
		}
		if properties["file"] != f.Path || !strings.Contains(properties["title"], f.Rule) {
			t.Errorf("%v of %+v", properties, f)
		}
		if !strings.HasPrefix(strings.ReplaceAll(unescape(m[3]), "\u200b", ""), OneLine(f.Message)) {
			t.Errorf("it says %q", unescape(m[3]))
		}
	}
	if strings.Contains(strings.Join(lines, "\n"), "##[") {
		t.Error("the older form of a command is let through")
	}
}

func TestGitLabFindingsHaveEveryKeyAndTheirOwnFingerprint(t *testing.T) {
	var all []codeQuality
	dec := json.NewDecoder(bytes.NewReader(written(t, "gitlab", shared())))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&all); err != nil || len(all) != 6 {
		t.Fatalf("%d findings, %v", len(all), err)
	}
	seen := map[string]bool{}
	for _, q := range all {
		if q.Description == "" || q.CheckName == "" || q.Location.Path == "" || q.Location.Lines.Begin < 1 || seen[q.Fingerprint] {
			t.Errorf("%+v", q)
		}
		seen[q.Fingerprint] = true
	}
	if got := string(written(t, "gitlab", &Report{})); got != "[]\n" {
		t.Errorf("an empty report prints %q", got)
	}
}

func TestFingerprintsOutliveARebase(t *testing.T) {
	before := shared()
	after := shared()
	for i := range after.Findings {
		f := &after.Findings[i]
		f.Commit, f.Line = strings.Repeat("9", 40), f.Line+10
		if f.Item != "" {
			f.Message += " at other lines"
		}
	}
	if !slices.Equal(fingerprints(before.Findings), fingerprints(after.Findings)) {
		t.Error("a rebase makes new findings of old ones")
	}
}

func TestMarkdownHoldsWhatItPrintsInItsCells(t *testing.T) {
	got := string(written(t, "markdown", shared()))
	rows := regexp.MustCompile(`(?m)^\|.*\|$`).FindAllString(got, -1)
	if len(rows) != 2+6+2+4 {
		t.Fatalf("%d rows in\n%s", len(rows), got)
	}
	for _, row := range rows {
		if strings.Count(row, "|") != 5 {
			t.Errorf("a row has other cells: %s", row)
		}
	}
	for _, out := range []string{"<script>", "@everyone", "\x1b"} {
		if strings.Contains(got, out) {
			t.Errorf("%q got out", out)
		}
	}
	if first, last := strings.Index(got, "| error |"), strings.Index(got, "| note |"); first < 0 || last < first {
		t.Errorf("errors do not come first in\n%s", got)
	}
}

func TestMarkdownStaysBelowItsLimit(t *testing.T) {
	r := &Report{}
	for range 3000 {
		r.Findings = append(r.Findings, Finding{Rule: "r", Severity: Warning, Message: strings.Repeat("long ", 100)})
	}
	r.Findings = append(r.Findings, Finding{Rule: "r", Severity: Error, Message: "the one that counts"})
	r.Verdicts = make([]ClaimVerdict, 100_000)
	got := string(written(t, "markdown", r))
	if len(got) > 1<<20 || !strings.Contains(got, "the one that counts") || !strings.Contains(got, "findings left out here") ||
		!strings.Contains(got, "claims left out here") {
		t.Errorf("%d bytes", len(got))
	}
}
