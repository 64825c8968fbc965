package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/diag"
)

// Error is one thing that is wrong with a plan file: where, and what.
type Error struct {
	Line, Column int
	Message      string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message) }

// Errors is everything that is wrong with a plan file, in the order of the file. It is never empty.
type Errors []*Error

func (e Errors) Error() string {
	if len(e) == 1 {
		return e[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", e[0].Error(), len(e)-1)
}

// Unwrap lets errors.As find the first *Error.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i := range e {
		all[i] = e[i]
	}
	return all
}

// Read reads a plan file strictly: JSON of the right types, without a key or an id
// twice, and everything that [Validate] asks for. Any error is an Errors.
func Read(data []byte) (*Unit, error) {
	r, root, err := parse(data)
	if err != nil {
		return nil, err
	}
	for _, p := range problems(root) { // a value of the wrong type is no value, and that has been said
		if !slices.ContainsFunc(r.problems, func(o problem) bool { return o.offset == p.offset }) {
			r.problems = append(r.problems, p)
		}
	}
	if len(r.problems) > 0 {
		return nil, r.located()
	}
	return root, nil
}

// Parse reads a plan that has landed already, as far as it can be used: what is
// malformed about statuses, thresholds, records and relations is as if it were
// not there. An error, an Errors, is JSON that cannot be read, or ids, checklists
// or children of another type.
func Parse(data []byte) (*Unit, error) {
	r, root, err := parse(data)
	if err != nil {
		return nil, err
	}
	if r.problems = slices.DeleteFunc(r.problems, func(p problem) bool { return !p.grave }); len(r.problems) > 0 {
		return nil, r.located()
	}
	return root, nil
}

// Validate asks of a tree what Read asks of a file: types and statuses that there
// are, thresholds from 0 to 1, ids that can be named and are unique, atomic units
// without children, dependencies that can be met, items that say something.
// Any error is an Errors; its places are those of the file that the unit was read from.
func Validate(root *Unit) error {
	found := problems(root)
	if len(found) == 0 {
		return nil
	}
	var all Errors
	for _, p := range found {
		all = append(all, &Error{Line: p.pos.Line, Column: p.pos.Column, Message: p.message})
	}
	return all
}

// problem is something wrong, and where.
type problem struct {
	offset int
	pos    diag.Pos // of the unit, where the file is not at hand
	// grave: without it the plan says nothing that could be used.
	grave   bool
	message string
}

// places are the offsets of a unit's values in its file, by field.
type places [fields]int32

const (
	atID = iota
	atType
	atDescription
	atRisk
	atStatus
	atThreshold
	atChecklist
	atDepends
	atAssessments
	atReplans
	atChildren
	fields
)

// keys are the known keys of a unit in canonical order.
var keys = [fields]string{
	"id", "type", "description", "risk", "status", "failure_threshold", "checklist", "depends_on", "assessments",
	"replans", "children",
}

// reader walks over JSON that is known to be well formed.
type reader struct {
	data     []byte
	i        int
	lines    *diag.Lines
	problems []problem
	members  []member    // of the objects that are being read, one behind the other
	last     [2][]member // the lists of keys that were kept last
}

func parse(data []byte) (*reader, *Unit, error) {
	r := &reader{data: data, lines: diag.NewLines(data)}
	if !json.Valid(data) {
		r.problems = []problem{syntax(data)}
		return nil, nil, r.located()
	}
	root := r.unit()
	if root == nil {
		return nil, nil, r.located()
	}
	return r, root, nil
}

// syntax says where JSON that is not well formed stops being so.
func syntax(data []byte) problem {
	var raw json.RawMessage
	err := json.Unmarshal(data, &raw)
	p := problem{message: fmt.Sprint(err)}
	var e *json.SyntaxError
	if errors.As(err, &e) {
		p.offset = max(int(e.Offset)-1, 0)
	}
	if strings.Contains(p.message, "unexpected end") {
		p.offset = len(data)
	}
	return p
}

func (r *reader) located() Errors {
	slices.SortStableFunc(r.problems, func(a, b problem) int { return a.offset - b.offset })
	var all Errors
	for _, p := range r.problems {
		pos := r.lines.Pos(p.offset)
		all = append(all, &Error{Line: pos.Line, Column: pos.Column, Message: p.message})
	}
	return all
}

func (r *reader) space() {
	for r.i < len(r.data) && (r.data[r.i] == ' ' || r.data[r.i] == '\n' || r.data[r.i] == '\t' || r.data[r.i] == '\r') {
		r.i++
	}
}

// next is the first byte of the value that comes.
func (r *reader) next() byte {
	r.space()
	return r.data[r.i]
}

// skip passes a value and returns its bytes.
func (r *reader) skip() []byte {
	r.space()
	start, depth := r.i, 0
	for {
		switch c := r.data[r.i]; c {
		case '"':
			r.passString()
		case '{', '[':
			depth++
			r.i++
		case '}', ']':
			depth--
			r.i++
		case ',', ':', ' ', '\n', '\t', '\r':
			r.i++
		default:
			for r.i < len(r.data) && !strings.ContainsRune(",]} \n\t\r:", rune(r.data[r.i])) {
				r.i++
			}
		}
		if depth == 0 {
			return r.data[start:r.i]
		}
	}
}

func (r *reader) passString() {
	for r.i++; r.data[r.i] != '"'; r.i++ {
		if r.data[r.i] == '\\' {
			r.i++
		}
	}
	r.i++
}

// text reads the string that comes.
func (r *reader) text() string {
	start := r.i
	r.passString()
	raw := r.data[start:r.i]
	if bytes.IndexByte(raw, '\\') < 0 && isASCII(raw) {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	_ = json.Unmarshal(raw, &s) // it is well formed
	return s
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// each calls f at every value of an array.
func (r *reader) each(f func()) {
	r.i++
	for r.next() != ']' {
		f()
		if r.next() == ',' {
			r.i++
		}
	}
	r.i++
}

// object calls known at the value of every key, and keeps the value that it does not know.
// Keys are remembered in their order.
func (r *reader) object(known func(key string) bool) []member {
	start := len(r.members)
	var seen map[string]bool
	r.i++
	for r.next() != '}' {
		at := r.i
		m := member{key: r.key()}
		if r.repeated(m.key, r.members[start:], &seen) {
			r.wrong(at, false, "the key %q stands twice in one object", m.key)
		}
		r.space()
		r.i++ // the colon
		r.space()
		if !known(m.key) {
			var b bytes.Buffer
			_ = json.Compact(&b, r.skip()) // it is well formed
			m.raw = b.Bytes()
		}
		r.members = append(r.members, m)
		if r.next() == ',' {
			r.i++
		}
	}
	r.i++
	all := r.shared(r.members[start:])
	r.members = r.members[:start]
	return all
}

// key reads the key that comes; one that is known takes no memory.
func (r *reader) key() string {
	start := r.i
	r.passString()
	raw := r.data[start+1 : r.i-1]
	for _, k := range keys {
		if string(raw) == k {
			return k
		}
	}
	for _, k := range [...]string{"item", "required", "kind"} {
		if string(raw) == k {
			return k
		}
	}
	r.i = start
	return r.text()
}

// few is how many keys of an object are compared one by one.
const few = 32

// repeated reports whether an object has a key already.
func (r *reader) repeated(key string, before []member, seen *map[string]bool) bool {
	if len(before) < few {
		return slices.ContainsFunc(before, func(o member) bool { return o.key == key })
	}
	if *seen == nil {
		*seen = map[string]bool{}
		for _, m := range before {
			(*seen)[m.key] = true
		}
	}
	repeated := (*seen)[key]
	(*seen)[key] = true
	return repeated
}

// shared keeps a list of keys, once for all objects in a row that have the same.
func (r *reader) shared(all []member) []member {
	for i, last := range r.last {
		if slices.EqualFunc(last, all, func(a, b member) bool { return a.key == b.key && a.raw == nil && b.raw == nil }) {
			return r.last[i]
		}
	}
	kept := make([]member, len(all)) // never nil: the object was read
	copy(kept, all)
	r.last[1], r.last[0] = r.last[0], kept
	return kept
}

func (r *reader) wrong(offset int, grave bool, format string, args ...any) {
	r.problems = append(r.problems, problem{offset: offset, grave: grave, message: fmt.Sprintf(format, args...)})
}

// is reports whether the value that comes has a type, by its first byte. Another
// one is passed, and noted unless it is null, which is as good as nothing.
func (r *reader) is(first byte, field, what string, grave bool) bool {
	c := r.next()
	number := first == '0' && (c == '-' || c >= '0' && c <= '9')
	truth := first == 't' && (c == 't' || c == 'f')
	if c == first || number || truth {
		return true
	}
	at := r.i
	r.skip()
	if c != 'n' {
		r.wrong(at, grave, "%q holds a JSON %s where %s is expected", field, kindOf(c), what)
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

func (r *reader) string(field string, grave bool) string {
	if !r.is('"', field, "a string", grave) {
		return ""
	}
	return r.text()
}

// unit reads the unit that comes; nil where something else does.
func (r *reader) unit() *Unit {
	if c := r.next(); c != '{' {
		r.wrong(r.i, c != 'n', "a JSON %s stands where a unit, an object, is expected", kindOf(c))
		r.skip()
		return nil
	}
	u := &Unit{Pos: r.lines.Pos(r.i), Status: Pending}
	for i := range u.at {
		u.at[i] = int32(r.i)
	}
	u.members = r.object(func(key string) bool {
		field := slices.Index(keys[:], key)
		if field >= 0 {
			u.at[field] = int32(r.i)
			r.field(u, field)
		}
		return field >= 0
	})
	return u
}

func (r *reader) field(u *Unit, field int) {
	key := keys[field]
	switch field {
	case atID:
		u.ID = r.string(key, true)
	case atType:
		u.Type = r.string(key, false)
	case atDescription:
		u.Description = r.string(key, false)
	case atRisk:
		u.Risk = strings.ToLower(r.string(key, false))
	case atStatus:
		u.spelled = r.string(key, false)
		u.Status = status(u.spelled)
	case atThreshold:
		if r.is('0', key, "a number", false) {
			u.FailureThreshold, _ = strconv.ParseFloat(string(r.skip()), 64) // one that is too large is out of range
		}
	case atChecklist:
		u.Checklist = nil
		r.list(key, true, func() { u.Checklist = append(u.Checklist, r.item()) })
	case atDepends:
		r.list(key, false, func() { u.DependsOn = append(u.DependsOn, r.string(key, false)) })
	case atAssessments:
		r.list(key, false, func() {
			var a Assessment
			a.members = r.record(key, map[string]*string{"slice": &a.Slice, "note": &a.Note, "at": &a.At})
			u.Assessments = append(u.Assessments, a)
		})
	case atReplans:
		r.list(key, false, func() {
			var p Replan
			p.members = r.record(key, map[string]*string{"blocker": &p.Blocker, "note": &p.Note, "at": &p.At})
			u.Replans = append(u.Replans, p)
		})
	case atChildren:
		u.Children = nil
		r.list(key, true, func() {
			if c := r.unit(); c != nil {
				u.Children = append(u.Children, c)
			}
		})
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

func (r *reader) list(field string, grave bool, element func()) {
	if r.is('[', field, "an array", grave) {
		r.each(element)
	}
}

func (r *reader) item() Item {
	i := Item{offset: r.i}
	if !r.is('{', "checklist", "an object for each item", true) {
		return i
	}
	i.members = r.object(func(key string) bool {
		switch key {
		case "item":
			i.Text = r.string(key, true)
		case "kind":
			i.Kind = r.string(key, false)
		case "required":
			if r.is('t', key, "true or false", false) {
				i.Optional = string(r.skip()) == "false"
			}
		default:
			return false
		}
		return true
	})
	return i
}

// record reads an object of strings.
func (r *reader) record(field string, into map[string]*string) []member {
	if !r.is('{', field, "an object for each record", false) {
		return nil
	}
	return r.object(func(key string) bool {
		to := into[key]
		if to != nil {
			*to = r.string(key, false)
		}
		return to != nil
	})
}
