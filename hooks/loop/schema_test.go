package loop

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
)

func valid(t *testing.T, schema, text string) error {
	t.Helper()
	c := jsonschema.NewCompiler()
	planSchema, err := os.ReadFile("../../docs/schema/plan.json") // the others name it by its address
	if err != nil {
		t.Fatal(err)
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(planSchema))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("https://github.com/acta-git/acta/docs/schema/plan.json", tree); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("../../docs/schema/" + schema + ".json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// The schemas of the replies and what reads them agree.
func TestRepliesAreReadAsTheSchemasSay(t *testing.T) {
	readers := map[string]func([]byte) error{
		"executor-reply":  func(b []byte) error { _, err := readReport(b, "M01/T01"); return err },
		"assessor-reply":  func(b []byte) error { _, err := readObservations(b); return err },
		"navigator-reply": func(b []byte) error { _, err := readTree(b); return err },
	}
	for _, c := range []struct {
		schema, reply string
		fits          bool
	}{
		{"executor-reply", `{"outcome": "success"}`, true},
		{"executor-reply", `{"task_id": "T01", "outcome": "failure", "summary": "s", "checklist": [{"item": "a", "status": "skipped", "reason": "r"}]}`, true},
		{"executor-reply", `{"outcome": "aborted", "checklist": [{"item": "a", "status": "done", "evidence": ["a.go:1", "b.go:2"]}], "more": 1}`, true},
		{"executor-reply", `{}`, false},
		{"executor-reply", `{"outcome": "fine"}`, false},
		{"executor-reply", `{"outcome": "success", "checklist": [{"item": "a"}]}`, false},
		{"executor-reply", `{"outcome": "success", "checklist": [{"item": " ", "status": "done"}]}`, false},
		{"executor-reply", `{"outcome": "success", "checklist": [{"item": "a", "status": "finished"}]}`, false},
		{"executor-reply", `{"outcome": "success", "checklist": [{"item": "a", "status": "done", "evidence": 7}]}`, false},
		{"executor-reply", `{"outcome": "success", "checklist": {}}`, false},
		{"executor-reply", "Done!\n" + `{"outcome": "success"}`, false},
		{"executor-reply", ``, false},
		{"assessor-reply", `{"observations": []}`, true},
		{"assessor-reply", `{"observations": [{"perspective": "build", "fact": "it builds"}]}`, true},
		{"assessor-reply", `{"Observations": []}`, false},
		{"assessor-reply", `{"observations": null}`, false},
		{"assessor-reply", `{"observations": [{"perspective": "taste", "fact": "it builds"}]}`, false},
		{"assessor-reply", `{"observations": [{"perspective": "build", "fact": " "}]}`, false},
		{"assessor-reply", `{"observations": [{"perspective": "build"}]}`, false},
		{"assessor-reply", `[]`, false},
		{"navigator-reply", `{"tree": {"id": "R", "children": [{"id": "T01"}]}}`, true},
		{"navigator-reply", `{"tree": {"id": "R", "status": "done"}}`, false},
		{"navigator-reply", `{"tree": null}`, false},
		{"navigator-reply", `{"id": "R"}`, false},
	} {
		err := readers[c.schema]([]byte(c.reply))
		if (err == nil) != c.fits || err != nil && !isUnusable(err) {
			t.Errorf("%s: read: %v", c.reply, err)
		}
		if err := valid(t, c.schema, c.reply); (err == nil) != c.fits {
			t.Errorf("%s: the schema says: %v", c.reply, err)
		}
	}
}

// Requests are what their schemas say.
func TestRequestsFitTheSchemas(t *testing.T) {
	root, err := plan.Read([]byte(`{"id": "R", "children": [{"id": "T01", "checklist": [{"item": "Add a() to a.py"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	part := parser.Parse([]byte("ACT: T01\n\nDone: Add a() to a.py | a.py:1\nSkipped: b | it is not needed\nOutcome: failure\n")).Parts[0]
	unit, seen := root.Find("T01"), []observation{{"build", "it builds"}}
	for schema, request := range map[string]map[string]any{
		"executor-request": {"unit": unit, "key": "T01", "tree": root, "error": "why"},
		"assessor-request": {"unit": unit, "key": "T01", "result": resultOf(plan.Act{Commit: "c", HasFailed: true}, part), "tree": root, "perspectives": perspectives},
		"navigator-request": {
			"unit": unit, "key": "T01", "observations": seen, "tree": root, "intent": &intent{Project: json.RawMessage("null")}, "perspectives": strategies,
		},
	} {
		text, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		if err := valid(t, schema, string(text)); err != nil {
			t.Errorf("%s: %v\n%s", schema, err, text)
		}
		delete(request, "key")
		if text, _ = json.Marshal(request); valid(t, schema, string(text)) == nil {
			t.Errorf("%s asks for nothing", schema)
		}
	}
}

// What an executor reports is read back from the commit as it was meant, or refused.
func TestAReportIsReadAsItWasMeant(t *testing.T) {
	by := journal.Caller{Name: "executor-01", Session: "s", Reason: "two\nlines"}
	for _, c := range []struct{ reply, want string }{
		{`{"summary": "login", "outcome": "success", "checklist": [{"item": "Add a()", "status": "done", "evidence": ["a.py:1-2", "b.py:3"]}, {"item": "Add b()", "status": "skipped", "reason": "there already"}, {"item": "c", "status": "pending"}]}`,
			"ACT: M01/T01 login\n\nDone: Add a() | a.py:1-2, b.py:3\nSkipped: Add b() | there already\nPending: c\nOutcome: success\nActor: executor-01\nSession: s\nReason: two lines\n"},
		{`{"outcome": "failure", "summary": "` + strings.Repeat("much to say ", 10) + `"}`, "ACT: M01/T01 much to say much to say much to say much to say much to sa…\n\n" +
			strings.Repeat("much to say ", 9) + "much to say\n\nOutcome: failure\n"},
		{`{"outcome": "failure", "summary": "Done: ` + strings.Repeat("much to say ", 10) + `| a.py:1"}`, "ACT: M01/T01 Done: much to say much to say much to say much to say much…\n\nOutcome: failure\n"},
		{`{"outcome": "success", "checklist": [{"item": "a", "status": "skipped", "reason": "either | or"}]}`, ""},
	} {
		report, err := readReport([]byte(c.reply), "M01/T01")
		if err != nil {
			t.Fatal(err)
		}
		text, err := ActMessage("M01/T01", report, by)
		if c.want == "" {
			if !isUnusable(err) {
				t.Errorf("%s: %v\n%s", c.reply, err, text)
			}
			continue
		}
		if err != nil || !bytes.HasPrefix(text, []byte(c.want)) {
			t.Errorf("got\n%s\nwant\n%s (%v)", text, c.want, err)
		}
	}
}
