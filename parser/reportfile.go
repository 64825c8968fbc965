package parser

import (
	"fmt"
	"path"
	"strings"

	"github.com/acta-git/acta/diag"
)

// ReportFile is what a file named by «Report:» says:
//
//	{"task_id": …, "summary": …, "outcome": …, "checklist": [
//	  {"item": …, "status": "done", "evidence": "auth.py:42-58"},
//	  {"item": …, "status": "skipped", "reason": …}, …]}
//
// Every key but item and status is optional, null is the same as absent, and
// evidence may be a list of strings. Spans are in the file: a value that is
// written there as it reads has its own, one with escapes that of the
// scalar that holds it.
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

// ParseReport reads a report file, which is JSON and whose name ends in .json.
// Unknown keys are ignored. The error is always a *ReportError: the file
// is no such file, is longer than MaxReportFile, has an item without text or
// status, an unknown status, a key twice, a value of the wrong type, or more
// than MaxClaims items.
func ParseReport(file string, data []byte) (*ReportFile, error) {
	f := &reportReader{source: newSource(string(data)), path: file}
	if len(data) > MaxReportFile {
		return nil, f.fail(MaxReportFile, "the report has %d bytes; at most %d are read", len(data), MaxReportFile)
	}
	if ext := strings.ToLower(path.Ext(file)); ext != ".json" {
		return nil, f.fail(0, "a report is a .json file, found %q", ext)
	}
	root, err := f.json()
	if err != nil {
		return nil, err
	}
	out := &ReportFile{}
	if err := f.report(root, out); err != nil {
		return nil, err
	}
	return out, nil
}

// reportReader reads one report file.
type reportReader struct {
	*source
	path string
}

func (f *reportReader) fail(offset int, format string, args ...any) error {
	at := f.at.Pos(offset)
	return &ReportError{Path: f.path, Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, args...)}
}

// node is a value of JSON.
type node struct {
	kind nodeKind
	// text is the value of a scalar; the node stands at [start, end).
	text       string
	start, end int
	fields     []field // of an object, in order
	items      []node  // of a list
}

type field struct {
	name  string
	start int
	value node
}

// nodeKind names the kinds as errors do.
type nodeKind string

const (
	objectNode nodeKind = "an object"
	listNode   nodeKind = "a list"
	stringNode nodeKind = "a string"
	numberNode nodeKind = "a number"
	boolNode   nodeKind = "true or false"
	nullNode   nodeKind = "null"
)

// report reads the root of a file.
func (f *reportReader) report(root *node, out *ReportFile) error {
	fields, err := f.object(root, "the report")
	if err != nil {
		return err
	}
	for _, t := range []struct {
		name string
		to   *Text
	}{{"task_id", &out.TaskID}, {"summary", &out.Summary}, {"outcome", &out.Outcome}} {
		if *t.to, err = f.text(fields[t.name], t.name, t.name == "task_id"); err != nil {
			return err
		}
	}
	list := fields["checklist"]
	if list == nil {
		return nil
	}
	if list.kind != listNode {
		return f.fail(list.start, "checklist must be a list, found %s", list.kind)
	}
	if len(list.items) > MaxClaims {
		return f.fail(list.items[MaxClaims].start, "more than %d items in the checklist", MaxClaims)
	}
	for i := range list.items {
		c, err := f.item(&list.items[i])
		if err != nil {
			return err
		}
		out.Claims = append(out.Claims, c)
	}
	return nil
}

// object gives the fields of an object that are not null.
func (f *reportReader) object(n *node, what string) (map[string]*node, error) {
	if n.kind != objectNode {
		return nil, f.fail(n.start, "%s must be an object, found %s", what, n.kind)
	}
	out := make(map[string]*node, len(n.fields))
	seen := make(map[string]bool, len(n.fields))
	for i := range n.fields {
		field := &n.fields[i]
		if seen[field.name] {
			return nil, f.fail(field.start, "the key %q occurs twice", field.name)
		}
		seen[field.name] = true
		if field.value.kind != nullNode {
			out[field.name] = &field.value
		}
	}
	return out, nil
}

// text reads a string; nil is none. numbers allows a number, as an id may be one.
func (f *reportReader) text(n *node, name string, numbers bool) (Text, error) {
	switch {
	case n == nil:
		return Text{}, nil
	case n.kind != stringNode && (!numbers || n.kind != numberNode):
		return Text{}, f.fail(n.start, "%s must be a string, found %s", name, n.kind)
	}
	value := strings.Join(strings.Fields(n.text), " ")
	if value == "" {
		return Text{}, nil
	}
	return Text{Value: value, Span: f.spanOf(n, value)}, nil
}

// spanOf is where a value stands in a scalar: exactly, if it is written there as it reads.
func (f *reportReader) spanOf(n *node, value string) diag.Span {
	if i := strings.Index(f.source.text[n.start:n.end], value); i >= 0 {
		return f.span(n.start+i, n.start+i+len(value))
	}
	return f.span(n.start, n.end)
}

// item reads one item of the checklist.
func (f *reportReader) item(n *node) (Claim, error) {
	c := Claim{Source: FromFile, Separated: true}
	fields, err := f.object(n, "an item of the checklist")
	if err != nil {
		return c, err
	}
	if c.Item, err = f.text(fields["item"], "item", false); err != nil {
		return c, err
	}
	if c.Item.Value == "" {
		return c, f.fail(n.start, "an item of the checklist has no text: expected \"item\"")
	}
	if c.Status, err = f.status(n, fields["status"]); err != nil {
		return c, err
	}
	if c.Reason, err = f.text(fields["reason"], "reason", false); err != nil {
		return c, err
	}
	return c, f.cited(fields["evidence"], &c)
}

// status reads done, skipped or pending.
func (f *reportReader) status(item, n *node) (Status, error) {
	if n == nil {
		return "", f.fail(item.start, "an item of the checklist has no status: expected done, skipped or pending")
	}
	word, err := f.text(n, "status", false)
	if err != nil {
		return "", err
	}
	switch s := Status(strings.ToLower(word.Value)); s {
	case Done, Skipped, Pending:
		return s, nil
	}
	return "", f.fail(n.start, "status %q is unknown: expected done, skipped or pending", word.Value)
}

// cited reads the evidence of an item: a string, or a list of them.
func (f *reportReader) cited(n *node, c *Claim) error {
	if n == nil {
		return nil
	}
	list := []node{*n}
	if n.kind == listNode {
		list = n.items
	}
	var all []string
	for i := range list {
		text, err := f.text(&list[i], "evidence", false)
		if err != nil {
			return err
		}
		if text.Value == "" {
			continue
		}
		all = append(all, text.Value)
		for _, e := range ParseEvidence(text.Value, text.Span.Start) {
			e.Text.Span = f.spanOfPart(text, e.Text)
			c.Evidence = append(c.Evidence, e)
		}
		if len(c.Evidence) > MaxEvidence {
			return f.fail(list[i].start, "more than %d places in one evidence", MaxEvidence)
		}
	}
	if len(all) > 0 {
		c.Cited = Text{Value: strings.Join(all, ", "), Span: f.span(n.start, n.end)}
		if len(all) == 1 {
			c.Cited.Span = f.spanOf(n, all[0])
		}
	}
	return nil
}

// spanOfPart keeps the span of one place where the list is written as it reads, and is the list's otherwise.
func (f *reportReader) spanOfPart(list, part Text) diag.Span {
	if string(part.Span.Of([]byte(f.source.text))) == part.Value {
		return part.Span
	}
	return list.Span
}

// json reads the file as JSON. A byte order mark is passed over, as editors write one.
func (f *reportReader) json() (*node, error) {
	text := f.source.text
	if strings.HasPrefix(text, byteOrderMark) {
		text = "   " + text[len(byteOrderMark):]
	}
	if at, err := NotJSON([]byte(text)); err != nil {
		return nil, f.fail(at, "not JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	n := jsonNode(&JSON{Source: []byte(text)})
	return &n, nil
}

// jsonNode reads the value that comes.
func jsonNode(j *JSON) node {
	first := j.Next()
	n := node{start: j.At}
	switch first {
	case '{':
		n.kind = objectNode
		for j.Enter(); j.More(); {
			at := j.At
			n.fields = append(n.fields, field{j.Key(), at, jsonNode(j)})
		}
	case '[':
		n.kind = listNode
		for j.Enter(); j.More(); {
			n.items = append(n.items, jsonNode(j))
		}
	case '"':
		n.kind, n.text = stringNode, j.Text()
	case 't', 'f', 'n':
		n.kind = boolNode
		if first == 'n' {
			n.kind = nullNode
		}
		j.Skip()
	default:
		n.kind, n.text = numberNode, string(j.Skip())
	}
	n.end = j.At
	return n
}
