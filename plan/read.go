package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// Error is one error in a plan file, with its place.
type Error struct {
	Line, Column int
	Message      string

	offset int
	// isGrave: without it the plan says nothing that could be used.
	isGrave bool
}

// Error begins with line and column; the caller knows which file.
func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message) }

// Errors is everything that is wrong with a plan file, in the order of the file. It is never empty.
type Errors []*Error

// Error is the first one, and how many more there are.
func (e Errors) Error() string {
	if len(e) == 1 {
		return e[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", e[0].Error(), len(e)-1)
}

// Read reads a plan file strictly: JSON of the right types, without a key or an id
// twice, and everything that [problems] asks for. Any error is an Errors.
func Read(data []byte) (*Unit, error) { return parse(data, true) }

// Parse reads a landed plan as far as possible: malformed statuses, thresholds, records and relations are ignored. It
// fails, with an Errors, for invalid JSON, or ids, checklists or children of a wrong type.
func Parse(data []byte) (*Unit, error) { return parse(data, false) }

// offsets are the offsets of a unit's values in its file, by field.
type offsets [fields]int32

const (
	atID = iota
	atType
	atDescription
	atRisk
	atStatus
	atThreshold
	atChecklist
	atDepends
	atPaths
	atAssessments
	atReplans
	atChildren
	fields
)

// keys are the known keys of a unit in canonical order.
var keys = [fields]string{
	"id", "type", "description", "risk", "status", "failure_threshold", "checklist", "depends_on", "paths",
	"assessments", "replans", "children",
}

// otherKeys are the keys of the other unit of a record.
var otherKeys = map[int]string{atAssessments: "slice", atReplans: "blocker"}

// Limits of a plan. Reading takes linear time.
const (
	MaxBytes = 16 << 20 // of the file
	maxUnits = 50_000
	maxDepth = 100 // of units in units
)

type reader struct {
	parser.JSON
	lines       *report.Lines
	problems    Errors
	units       int      // that were read
	depth       int      // of the unit that is being read
	isOverLimit bool     // units or levels
	members     []member // of all open objects, one after another
}

func parse(data []byte, isStrict bool) (root *Unit, err error) {
	r := &reader{JSON: parser.JSON{Source: data}, lines: report.NewLines(data)}
	at := 0
	if len(data) > MaxBytes {
		err = fmt.Errorf("the plan has %d bytes, and at most %d are read", len(data), MaxBytes)
	} else {
		at, err = parser.CheckJSON(data)
	}
	if err != nil {
		r.addProblem(at, true, "%v", err)
	} else {
		root = r.unit()
	}
	switch {
	case root == nil:
	case isStrict:
		for _, p := range problems(root) { // a value of the wrong type is no value, and that has been said
			if !slices.ContainsFunc(r.problems, func(o *Error) bool { return o.offset == p.offset }) {
				r.problems = append(r.problems, p)
			}
		}
	default:
		r.problems = slices.DeleteFunc(r.problems, func(e *Error) bool { return !e.isGrave })
	}
	if len(r.problems) == 0 {
		return root, nil
	}
	slices.SortStableFunc(r.problems, func(a, b *Error) int { return a.offset - b.offset })
	for _, e := range r.problems {
		at := r.lines.Pos(e.offset)
		e.Line, e.Column = at.Line, at.Column
	}
	return nil, r.problems
}

func (r *reader) unit() *Unit {
	if c := r.Next(); c != '{' {
		r.addProblem(r.Offset, c != 'n', "found a JSON %s where a task (an object) is expected", kindOf(c))
		r.Skip()
		return nil
	}
	if r.units == maxUnits || r.depth == maxDepth {
		if !r.isOverLimit {
			r.addProblem(r.Offset, true, "a plan has at most %d tasks, and %d levels of them", maxUnits, maxDepth)
		}
		r.isOverLimit = true
		r.Skip()
		return nil
	}
	r.units, r.depth = r.units+1, r.depth+1
	defer func() { r.depth-- }()
	u := &Unit{Pos: r.lines.Pos(r.Offset), Status: Pending}
	for i := range u.offsets {
		u.offsets[i] = int32(r.Offset)
	}
	u.members = r.object(func(key string) bool {
		field := slices.Index(keys[:], key)
		if field >= 0 {
			u.offsets[field] = int32(r.Offset)
			r.field(u, field)
		}
		return field >= 0
	})
	return u
}

// value points to the value of a field.
func (u *Unit) value(field int) any {
	return [fields]any{
		&u.ID, &u.Type, &u.Description, &u.Risk, &u.Status, &u.FailureThreshold, &u.Checklist, &u.DependsOn, &u.Paths,
		&u.Assessments, &u.Replans, &u.Children,
	}[field]
}

func (r *reader) field(u *Unit, field int) {
	key := keys[field]
	switch to := u.value(field).(type) {
	case *string:
		*to = r.string(key, field == atID)
	case *float64:
		if r.expect('0', key, "a number", false) {
			*to, _ = strconv.ParseFloat(string(r.Skip()), 64) // a number too large is out of range
		}
	case *[]Item:
		*to = nil
		r.list(key, true, func() { *to = append(*to, r.item()) })
	case *[]string:
		r.list(key, false, func() { *to = append(*to, r.string(key, false)) })
	case *[]Record:
		r.list(key, false, func() { *to = append(*to, r.record(key, otherKeys[field])) })
	case *[]*Unit:
		*to = nil
		r.list(key, true, func() {
			if c := r.unit(); c != nil {
				*to = append(*to, c)
			}
		})
	}
	switch field {
	case atRisk:
		u.Risk = strings.ToLower(u.Risk)
	case atStatus:
		u.rawStatus, u.Status = u.Status, status(u.Status)
	}
}

// status reads a status; one that there is not stays as it is.
func status(spelled string) string {
	switch spelled {
	case "":
		return Pending
	case "active":
		return InProgress
	}
	return spelled
}

func (r *reader) list(field string, isGrave bool, element func()) {
	if r.expect('[', field, "an array", isGrave) {
		for r.Enter(); r.More(); {
			element()
		}
	}
}

func (r *reader) item() Item {
	i := Item{offset: r.Offset}
	if !r.expect('{', "checklist", "an object for each item", true) {
		return i
	}
	i.members = r.object(func(key string) bool {
		switch key {
		case "item":
			i.Text = r.string(key, true)
		case "kind":
			i.Kind = r.string(key, false)
		case "required":
			if r.expect('t', key, "true or false", false) {
				i.IsOptional = string(r.Skip()) == "false"
			}
		default:
			return false
		}
		return true
	})
	return i
}

// record reads a record with the key of its other unit.
func (r *reader) record(field, with string) (out Record) {
	if !r.expect('{', field, "an object for each record", false) {
		return out
	}
	into := map[string]*string{with: &out.Other, "note": &out.Note, "at": &out.At}
	out.members = r.object(func(key string) bool {
		to := into[key]
		if to != nil {
			*to = r.string(key, false)
		}
		return to != nil
	})
	return out
}

// object calls known at the value of every key, and keeps the value that it does not know.
// Keys are remembered in their order.
func (r *reader) object(readValue func(key string) bool) []member {
	start := len(r.members)
	seen := map[string]bool{}
	for r.Enter(); r.More(); {
		at := r.Offset
		m := member{key: r.Key()}
		if seen[m.key] {
			r.addProblem(at, false, "the key %q occurs twice in one object", m.key)
		}
		seen[m.key] = true
		if !readValue(m.key) {
			var b bytes.Buffer
			_ = json.Compact(&b, r.Skip()) // it is well formed
			m.raw = b.Bytes()
		}
		r.members = append(r.members, m)
	}
	all := append([]member{}, r.members[start:]...) // never nil: the object was read
	r.members = r.members[:start]
	return all
}

func (r *reader) addProblem(offset int, isGrave bool, format string, args ...any) {
	r.problems = append(r.problems, &Error{Message: fmt.Sprintf(format, args...), offset: offset, isGrave: isGrave})
}

// expect reports whether the next value has a type, given its first byte. Another value is skipped and reported, except
// null.
func (r *reader) expect(first byte, field, expected string, isGrave bool) bool {
	c := r.Next()
	number := first == '0' && (c == '-' || c >= '0' && c <= '9')
	truth := first == 't' && (c == 't' || c == 'f')
	if c == first || number || truth {
		return true
	}
	at := r.Offset
	r.Skip()
	if c != 'n' {
		r.addProblem(at, isGrave, "%q holds a JSON %s where %s is expected", field, kindOf(c), expected)
	}
	return false
}

func kindOf(first byte) string {
	switch first {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func (r *reader) string(field string, isGrave bool) string {
	if !r.expect('"', field, "a string", isGrave) {
		return ""
	}
	return r.Text()
}
