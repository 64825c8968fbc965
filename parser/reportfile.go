package parser

import (
	"fmt"
	"path"
	"strings"

	"github.com/acta-git/acta/report"
)

// ReportFile is what a file named by «Report:» says:
//
//	{"task_id": …, "summary": …, "outcome": …, "checklist": [
//	  {"item": …, "status": "done", "evidence": "auth.py:42-58"},
//	  {"item": …, "status": "skipped", "reason": …}, …]}
//
// Every key but item and status is optional, null is the same as absent, and evidence may be a list of strings. Spans
// are in the file; a value with escapes has the span of its scalar.
type ReportFile struct {
	TaskID, Summary, Outcome Text
	// Claims are FromFile and Separated, in the order written.
	Claims []Claim
}

// ReportError says why a report file cannot be read, and where: Line and Column
// count from 1, columns in bytes.
type ReportError struct {
	Path         string
	Line, Column int
	Message      string
}

// Error begins with the place, as compilers write it.
func (e *ReportError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

// ParseReport reads a report file, which is JSON and whose name ends in .json. Unknown keys are ignored. The error is
// always a *ReportError: another name, a file longer than maxReportFile, an item without text or status, an unknown
// status, a repeated key, a value of a wrong type, or more than maxClaims items.
func ParseReport(file string, data []byte) (*ReportFile, error) {
	f := &reportReader{source: newSource(string(data)), path: file}
	if len(data) > maxReportFile {
		return nil, f.fail(maxReportFile, "the report has %d bytes; at most %d are read", len(data), maxReportFile)
	}
	if ext := strings.ToLower(path.Ext(file)); ext != ".json" {
		return nil, f.fail(0, "a report is a .json file, found %q", ext)
	}
	text := f.source.text
	if strings.HasPrefix(text, byteOrderMark) { // some editors write one
		text = "   " + text[len(byteOrderMark):]
	}
	f.JSON.Source = []byte(text)
	if at, err := CheckJSON(f.JSON.Source); err != nil {
		return nil, f.fail(at, "not JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	out := &ReportFile{}
	if err := f.object("the report", func(key string) error { return f.report(key, out) }); err != nil {
		return nil, err
	}
	return out, nil
}

type reportReader struct {
	*source
	JSON
	path string
}

func (f *reportReader) fail(offset int, format string, args ...any) error {
	at := f.at.Pos(offset)
	return &ReportError{Path: f.path, Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, args...)}
}

func (f *reportReader) valueKind() string {
	switch f.Next() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// object calls member at the value of every key that is not null. What member does not read is passed.
func (f *reportReader) object(what string, member func(key string) error) error {
	if kind := f.valueKind(); kind != "an object" {
		return f.fail(f.Offset, "%s must be an object, found %s", what, kind)
	}
	seen := map[string]bool{}
	for f.Enter(); f.More(); {
		at := f.Offset
		key := f.Key()
		if seen[key] {
			return f.fail(at, "the key %q occurs twice", key)
		}
		seen[key], at = true, f.Offset
		if f.valueKind() != "null" {
			if err := member(key); err != nil {
				return err
			}
		}
		if f.Offset == at {
			f.Skip()
		}
	}
	return nil
}

func (f *reportReader) report(key string, out *ReportFile) (err error) {
	switch key {
	case "task_id":
		out.TaskID, err = f.text(key, true)
	case "summary":
		out.Summary, err = f.text(key, false)
	case "outcome":
		out.Outcome, err = f.text(key, false)
	case "checklist":
		if kind := f.valueKind(); kind != "a list" {
			return f.fail(f.Offset, "checklist must be a list, found %s", kind)
		}
		for f.Enter(); f.More(); {
			if len(out.Claims) == maxClaims {
				return f.fail(f.Offset, "more than %d items in the checklist", maxClaims)
			}
			c, err := f.item()
			if err != nil {
				return err
			}
			out.Claims = append(out.Claims, c)
		}
	}
	return err
}

// text reads a string. numbers allows a number, as an id may be one.
func (f *reportReader) text(name string, allowNumbers bool) (Text, error) {
	kind, start, value := f.valueKind(), f.Offset, ""
	switch {
	case kind == "a string":
		value = f.Text()
	case kind == "a number" && allowNumbers:
		value = string(f.Skip())
	default:
		return Text{}, f.fail(start, "%s must be a string, found %s", name, kind)
	}
	if value = strings.Join(strings.Fields(value), " "); value == "" {
		return Text{}, nil
	}
	return Text{Value: value, Span: f.spanOf(start, f.Offset, value)}, nil
}

// spanOf is the span of a value in [start, end): exact, if the value is written literally.
func (f *reportReader) spanOf(start, end int, value string) report.Span {
	if i := strings.Index(f.source.text[start:end], value); i >= 0 {
		return f.span(start+i, start+i+len(value))
	}
	return f.span(start, end)
}

func (f *reportReader) item() (Claim, error) {
	c := Claim{Source: FromFile, HasBar: true}
	f.Next()
	start := f.Offset
	err := f.object("an item of the checklist", func(key string) (err error) {
		switch key {
		case "item":
			c.Item, err = f.text(key, false)
		case "status":
			c.Status, err = f.status()
		case "reason":
			c.Reason, err = f.text(key, false)
		case "evidence":
			err = f.evidence(&c)
		}
		return err
	})
	switch {
	case err != nil:
		return c, err
	case c.Item.Value == "":
		return c, f.fail(start, "an item of the checklist has no text: expected \"item\"")
	case c.Status == "":
		return c, f.fail(start, "an item of the checklist has no status: expected done, skipped or pending")
	}
	return c, nil
}

func (f *reportReader) status() (Status, error) {
	start := f.Offset
	word, err := f.text("status", false)
	if err != nil {
		return "", err
	}
	switch s := Status(strings.ToLower(word.Value)); s {
	case Done, Skipped, Pending:
		return s, nil
	}
	return "", f.fail(start, "status %q is unknown: expected done, skipped or pending", word.Value)
}

func (f *reportReader) evidence(c *Claim) error {
	start := f.Offset
	var all []string
	one := func() error {
		f.Next()
		at := f.Offset
		text, err := f.text("evidence", false)
		if err != nil || text.Value == "" {
			return err
		}
		all = append(all, text.Value)
		for _, e := range ParseEvidence(text.Value, text.Span.Start) {
			if string(e.Text.Span.Of(f.Source)) != e.Text.Value { // the list is not written as it reads
				e.Text.Span = text.Span
			}
			c.Evidence = append(c.Evidence, e)
		}
		if len(c.Evidence) > maxEvidence {
			return f.fail(at, "more than %d places in one evidence", maxEvidence)
		}
		return nil
	}
	if f.valueKind() != "a list" {
		if err := one(); err != nil {
			return err
		}
	} else {
		for f.Enter(); f.More(); {
			if err := one(); err != nil {
				return err
			}
		}
	}
	if len(all) > 0 {
		c.EvidenceText = Text{Value: strings.Join(all, ", "), Span: f.span(start, f.Offset)}
		if len(all) == 1 {
			c.EvidenceText.Span = f.spanOf(start, f.Offset, all[0])
		}
	}
	return nil
}
