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
	text := f.source.text
	if strings.HasPrefix(text, byteOrderMark) { // some editors write one
		text = "   " + text[len(byteOrderMark):]
	}
	f.JSON.Source = []byte(text)
	out := &ReportFile{}
	if len(data) > maxReportFile {
		f.fail(maxReportFile, "the report has %d bytes; at most %d are read", len(data), maxReportFile)
	} else if ext := strings.ToLower(path.Ext(file)); ext != ".json" {
		f.fail(0, "a report is a .json file, found %q", ext)
	} else if at, err := CheckJSON(f.JSON.Source); err != nil {
		f.fail(at, "not JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	} else {
		f.object("the report", func(key string) { f.report(key, out) })
	}
	if f.err != nil {
		return nil, f.err
	}
	return out, nil
}

type reportReader struct {
	*source
	JSON
	path string
	err  *ReportError // the first one, which ends the reading
}

func (f *reportReader) fail(offset int, format string, args ...any) {
	if f.err == nil {
		at := f.at.Pos(offset)
		f.err = &ReportError{Path: f.path, Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, args...)}
	}
}

// hasMore reports whether the object or list has another member or element to read.
func (f *reportReader) hasMore() bool { return f.err == nil && f.More() }

// isKind reports whether a value is of a kind, and fails if it is not.
func (f *reportReader) isKind(what, kind string) bool {
	found := f.valueKind()
	if found != kind {
		f.fail(f.Offset, "%s must be %s, found %s", what, kind, found)
	}
	return found == kind
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
func (f *reportReader) object(what string, member func(key string)) {
	if !f.isKind(what, "an object") {
		return
	}
	seen := map[string]bool{}
	for f.Enter(); f.hasMore(); {
		at := f.Offset
		key := f.Key()
		if seen[key] {
			f.fail(at, "the key %q occurs twice", key)
			return
		}
		seen[key], at = true, f.Offset
		if f.valueKind() != "null" {
			member(key)
		}
		if f.Offset == at {
			f.Skip()
		}
	}
}

func (f *reportReader) report(key string, out *ReportFile) {
	switch key {
	case "task_id":
		out.TaskID = f.text(key, true)
	case "summary":
		out.Summary = f.text(key, false)
	case "outcome":
		out.Outcome = f.text(key, false)
	case "checklist":
		if !f.isKind(key, "a list") {
			return
		}
		for f.Enter(); f.hasMore(); {
			if len(out.Claims) == maxClaims {
				f.fail(f.Offset, "more than %d items in the checklist", maxClaims)
				return
			}
			out.Claims = append(out.Claims, f.item())
		}
	}
}

// text reads a string. allowNumbers allows a number, as an id may be one.
func (f *reportReader) text(name string, allowNumbers bool) Text {
	kind, start, value := f.valueKind(), f.Offset, ""
	switch {
	case kind == "a number" && allowNumbers:
		value = string(f.Skip())
	case f.isKind(name, "a string"):
		value = f.Text()
	}
	if value = strings.Join(strings.Fields(value), " "); value == "" {
		return Text{}
	}
	return Text{Value: value, Span: f.spanOf(start, f.Offset, value)}
}

// spanOf is the span of a value in [start, end): exact, if the value is written literally.
func (f *reportReader) spanOf(start, end int, value string) report.Span {
	if i := strings.Index(f.source.text[start:end], value); i >= 0 {
		return f.span(start+i, start+i+len(value))
	}
	return f.span(start, end)
}

func (f *reportReader) item() Claim {
	c := Claim{Source: FromFile, HasBar: true}
	f.Next()
	start := f.Offset
	f.object("an item of the checklist", func(key string) {
		switch key {
		case "item":
			c.Item = f.text(key, false)
		case "status":
			c.Status = f.status()
		case "reason":
			c.Reason = f.text(key, false)
		case "evidence":
			f.evidence(&c)
		}
	})
	if c.Item.Value == "" {
		f.fail(start, "an item of the checklist has no text: expected \"item\"")
	}
	if c.Status == "" {
		f.fail(start, "an item of the checklist has no status: expected done, skipped or pending")
	}
	return c
}

func (f *reportReader) status() Status {
	start := f.Offset
	word := f.text("status", false).Value
	switch s := Status(strings.ToLower(word)); s {
	case Done, Skipped, Pending:
		return s
	}
	f.fail(start, "status %q is unknown: expected done, skipped or pending", word)
	return ""
}

func (f *reportReader) evidence(c *Claim) {
	start := f.Offset
	var all []string
	one := func() {
		f.Next()
		at := f.Offset
		text := f.text("evidence", false)
		if text.Value == "" {
			return
		}
		all = append(all, text.Value)
		for _, e := range ParseEvidence(text.Value, text.Span.Start) {
			if string(e.Text.Span.Of(f.Source)) != e.Text.Value { // the list is not written as it reads
				e.Text.Span = text.Span
			}
			c.Evidence = append(c.Evidence, e)
		}
		if len(c.Evidence) > maxEvidence {
			f.fail(at, "more than %d places in one evidence", maxEvidence)
		}
	}
	if f.valueKind() != "a list" {
		one()
	} else {
		for f.Enter(); f.hasMore(); {
			one()
		}
	}
	if len(all) > 0 {
		c.EvidenceText = Text{Value: strings.Join(all, ", "), Span: f.span(start, f.Offset)}
		if len(all) == 1 {
			c.EvidenceText.Span = f.spanOf(start, f.Offset, all[0])
		}
	}
}
