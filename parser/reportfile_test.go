package parser

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReportFileSaysWhatIsInIt(t *testing.T) {
	asJSON := `{"task_id": "T1", "summary": "Log  in\nand out", "outcome": "success", "extra": [1, {"a": null}], "checklist": [
		{"item": "Add é", "status": "done", "evidence": "a.py:42-58, é.py:3#X.y"},
		{"item": "Use ` + "`x`" + `", "status": "Skipped", "reason": "there is one already", "evidence": null},
		{"item": "Remove", "status": "done", "evidence": ["-old.py:1-2", "b.py:7"]},
		{"item": "Later", "status": "pending"}]}`
	want := `T1 | Log in and out | success
done "Add é" cites "a.py:42-58, é.py:3#X.y" [a.py:42-58 é.py:3#X.y] reason ""
skipped "Use ` + "`x`" + `" cites "" [] reason "there is one already"
done "Remove" cites "-old.py:1-2, b.py:7" [-old.py:1-2 b.py:7] reason ""
pending "Later" cites "" [] reason ""
`
	for path, data := range map[string]string{"r.json": asJSON, "r.JSON": strings.ReplaceAll(asJSON, "\n", "\r\n"), "bom.json": "\ufeff" + asJSON} {
		f, err := ParseReport(path, []byte(data))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s | %s | %s\n", f.TaskID.Value, f.Summary.Value, f.Outcome.Value)
		for _, c := range f.Claims {
			fmt.Fprintf(&b, "%s %q cites %q %v reason %q\n", c.Status, c.Item.Value, c.EvidenceText.Value, c.Evidence, c.Reason.Value)
			if c.Source != FromFile || !c.HasBar {
				t.Errorf("%s: %q is from %s, separated %v", path, c.Item.Value, c.Source, c.HasBar)
			}
		}
		if b.String() != want {
			t.Errorf("%s\ngot  %s\nwant %s", path, b.String(), want)
		}
	}
}

func TestReportFileSpansAreInTheFile(t *testing.T) {
	for path, data := range map[string]string{
		"a.json": `{"task_id": 12, "checklist": [{"item": "Add é", "status": "done", "evidence": ["é.py:1", "a.py:2, b.py:3"]}]}`,
	} {
		f, err := ParseReport(path, []byte(data))
		if err != nil {
			t.Fatal(err)
		}
		texts := []Text{f.TaskID, f.Claims[0].Item}
		for _, e := range f.Claims[0].Evidence {
			texts = append(texts, e.Text)
		}
		if len(texts) != 5 {
			t.Fatalf("%s: %d texts", path, len(texts))
		}
		for _, x := range texts {
			if got := string(x.Span.Of([]byte(data))); got != x.Value {
				t.Errorf("%s: the span of %q holds %q", path, x.Value, got)
			}
		}
	}
	escaped := `{"checklist": [{"item": "a\tb", "status": "done", "evidence": "x.py:1,\ty.py:2"}]}`
	f, err := ParseReport("a.json", []byte(escaped))
	if err != nil {
		t.Fatal(err)
	}
	c := f.Claims[0]
	if c.Item.Value != "a b" || string(c.Item.Span.Of([]byte(escaped))) != `"a\tb"` {
		t.Errorf("item %q at %q", c.Item.Value, c.Item.Span.Of([]byte(escaped)))
	}
	for _, e := range c.Evidence {
		if got := string(e.Text.Span.Of([]byte(escaped))); got != `"x.py:1,\ty.py:2"` {
			t.Errorf("evidence %q at %q", e.Text.Value, got)
		}
	}
}

func TestReportFileErrorsNameThePlace(t *testing.T) {
	for _, c := range []struct{ path, data, want string }{
		{"a.json", `{"checklist":[{"item":1,"status":"done"}]}`, `a.json:1:23: item must be a string, found a number`},
		{"a.json", `{"checklist":[{"status":"done"}]}`, `a.json:1:15: an item of the checklist has no text: expected "item"`},
		{"a.json", `{"checklist":[{"item":" ","status":"done"}]}`, `a.json:1:15: an item of the checklist has no text: expected "item"`},
		{"a.json", "{\"checklist\":[\n {\"item\":\"x\"}]}", `a.json:2:2: an item of the checklist has no status: expected done, skipped or pending`},
		{"a.json", `{"checklist":[{"item":"x","status":"dne"}]}`, `a.json:1:36: status "dne" is unknown: expected done, skipped or pending`},
		{"a.json", `{"checklist":[{"item":"x","status":"done","evidence":[1]}]}`, `a.json:1:55: evidence must be a string, found a number`},
		{"a.json", `{"checklist":[{"item":"x","status":"done","evidence":{}}]}`, `a.json:1:54: evidence must be a string, found an object`},
		{"a.json", `{"checklist":["x"]}`, `a.json:1:15: an item of the checklist must be an object, found a string`},
		{"a.json", `{"checklist":{}}`, `a.json:1:14: checklist must be a list, found an object`},
		{"a.json", `{"summary":true}`, `a.json:1:12: summary must be a string, found true or false`},
		{"a.json", `{"task_id":1,"task_id":1}`, `a.json:1:14: the key "task_id" occurs twice`},
		{"a.json", "{\n \"a\": ]", "a.json:2:7: not JSON: invalid character ']' looking for beginning of value"},
		{"a.json", "\ufeff{\"summary\": 1}", "a.json:1:16: summary must be a string, found a number"},
		{"a.json", "{", "a.json:1:2: not JSON: unexpected end of JSON input"},
		{"a.json", "", "a.json:1:1: not JSON: unexpected end of JSON input"},
		{"a.json", "[]", "a.json:1:1: the report must be an object, found a list"},
		{"a.json", "{} x", "a.json:1:4: not JSON: invalid character 'x' after top-level value"},
		{"a.yaml", "{}", `a.yaml:1:1: a report is a .json file, found ".yaml"`},
	} {
		f, err := ParseReport(c.path, []byte(c.data))
		if err == nil || err.Error() != c.want {
			t.Errorf("%.60q\ngot  %v\nwant %s", c.data, err, c.want)
		}
		if f != nil {
			t.Errorf("%.60q: a report beside the error", c.data)
		}
		var re *ReportError
		if !errors.As(err, &re) || re.Line < 1 || re.Column < 1 || re.Path != c.path {
			t.Errorf("%.60q: %#v", c.data, err)
		}
	}
}

func TestReportFileLimitsAreInclusive(t *testing.T) {
	padded := func(data string, size int) []byte { return []byte(data + strings.Repeat(" ", size-len(data))) }
	if _, err := ParseReport("a.json", padded(`{"summary": "x"}`, maxReportFile)); err != nil {
		t.Error(err)
	}
	if _, err := ParseReport("a.json", padded(`{"summary": "x"}`, maxReportFile+1)); err == nil {
		t.Errorf("%d bytes were read", maxReportFile+1)
	}
	items := func(n int) []byte {
		return []byte(`{"checklist":[` + strings.TrimSuffix(strings.Repeat(`{"item":"x","status":"pending"},`, n), ",") + `]}`)
	}
	if f, err := ParseReport("a.json", items(maxClaims)); err != nil || len(f.Claims) != maxClaims {
		t.Errorf("%d items: %v", maxClaims, err)
	}
	if _, err := ParseReport("a.json", items(maxClaims+1)); err == nil {
		t.Errorf("%d items were read", maxClaims+1)
	}
}

func FuzzParseReport(f *testing.F) {
	for _, s := range []string{
		`{"task_id":"T1","checklist":[{"item":"x","status":"done","evidence":["a.py:1","b.py:2"]}]}`,
		"{", `{"summary": "é"}`, "[1, null, true]",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := ParseReport("r.json", data)
		again, errAgain := ParseReport("r.json", data)
		if !reflect.DeepEqual(got, again) || fmt.Sprint(err) != fmt.Sprint(errAgain) {
			t.Fatalf("two readings differ: %v, %v", err, errAgain)
		}
		var re *ReportError
		if (err == nil) != (got != nil) || err != nil && !errors.As(err, &re) {
			t.Fatalf("got %v and %v", got, err)
		}
		if got == nil {
			return
		}
		for _, c := range got.Claims {
			if c.Item.Value == "" || c.Status == "" {
				t.Fatalf("claim %+v", c)
			}
			if c.Item.Span.Of(data) == nil && utf8.Valid(data) {
				t.Fatalf("item %q has the span %+v in %d bytes", c.Item.Value, c.Item.Span, len(data))
			}
		}
	})
}
