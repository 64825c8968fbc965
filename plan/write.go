package plan

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/acta-git/acta/report"
)

// Write prints a plan in its canonical form: one key a line, known keys in the order of the file, new ones in canonical
// order; items, dependencies and records one a line. Unknown keys keep their places. Reading the result gives the same
// tree, and writing that the same bytes.
func Write(root *Unit) []byte {
	w := &writer{}
	w.unit(root, 0)
	w.WriteByte('\n')
	return w.Bytes()
}

// MarshalJSON gives the unit and all below it, as Write does.
func (u *Unit) MarshalJSON() ([]byte, error) { return Write(u), nil }

type writer struct{ bytes.Buffer }

func (w *writer) line(depth int) {
	w.WriteByte('\n')
	for range depth {
		w.WriteString("  ")
	}
}

func (w *writer) unit(u *Unit, depth int) {
	w.WriteByte('{')
	for i, m := range u.layout() {
		if i > 0 {
			w.WriteByte(',')
		}
		w.line(depth + 1)
		w.WriteString(quote(m.key) + ": ")
		if m.raw != nil {
			_ = json.Indent(&w.Buffer, m.raw, strings.Repeat("  ", depth+1), "  ") // it is well formed
			continue
		}
		w.field(u, slices.Index(keys[:], m.key), depth+1)
	}
	w.line(depth)
	w.WriteByte('}')
}

// layout is the keys to write: those of the file in its order, each new one after its canonical predecessor.
func (u *Unit) layout() []member {
	all := slices.Clone(u.members)
	for field, key := range keys {
		if slices.ContainsFunc(all, func(m member) bool { return m.key == key && m.raw == nil }) || !u.mustWrite(field) {
			continue
		}
		at := 0
		for i, m := range all {
			if k := slices.Index(keys[:], m.key); k >= 0 && k < field {
				at = i + 1
			}
		}
		all = slices.Insert(all, at, member{key: key})
	}
	return all
}

// mustWrite reports whether a key that the file does not have must be written.
func (u *Unit) mustWrite(field int) bool {
	isNew := u.members == nil
	return [fields]bool{
		atID:          isNew || u.ID != "",
		atType:        u.Type != "",
		atDescription: isNew || u.Description != "",
		atRisk:        u.Risk != "",
		atStatus:      isNew || u.Status != Pending && u.Status != "",
		atThreshold:   isNew || u.FailureThreshold != 0,
		atChecklist:   isNew && u.Type != Parent || len(u.Checklist) > 0,
		atDepends:     len(u.DependsOn) > 0,
		atPaths:       len(u.Paths) > 0,
		atAssessments: len(u.Assessments) > 0,
		atReplans:     len(u.Replans) > 0,
		atChildren:    isNew || len(u.Children) > 0,
	}[field]
}

func (w *writer) field(u *Unit, field, depth int) {
	switch v := u.value(field).(type) {
	case *string:
		text := *v
		if field == atStatus {
			text = u.writtenStatus()
		}
		w.WriteString(quote(text))
	case *float64:
		w.WriteString(number(*v))
	case *[]Item:
		list(w, depth, *v, w.item)
	case *[]string:
		w.WriteString("[" + strings.Join(report.Map(*v, quote), ", ") + "]")
	case *[]Record:
		list(w, depth, *v, func(r Record) { w.record(otherKeys[field], r) })
	case *[]*Unit:
		list(w, depth, *v, func(c *Unit) { w.unit(c, depth+1) })
	}
}

// writtenStatus is the status in the file's own spelling while it means the same.
func (u *Unit) writtenStatus() string {
	if u.rawStatus != "" && status(u.rawStatus) == u.Status {
		return u.rawStatus
	}
	return status(u.Status)
}

func list[V any](w *writer, depth int, all []V, element func(V)) {
	w.WriteByte('[')
	for i, v := range all {
		if i > 0 {
			w.WriteByte(',')
		}
		w.line(depth + 1)
		element(v)
	}
	if len(all) > 0 {
		w.line(depth)
	}
	w.WriteByte(']')
}

func (w *writer) item(i Item) {
	kind := i.Kind
	if i.members == nil && kind == "" {
		kind = "code"
	}
	w.writeObject(i.members, []member{
		{"item", []byte(quote(i.Text))},
		{"required", []byte(strconv.FormatBool(!i.IsOptional))},
		{"kind", []byte(quote(kind))},
	}, func(key string) bool {
		return i.members == nil || key == "item" || key == "required" && i.IsOptional || key == "kind" && kind != ""
	})
}

func (w *writer) record(with string, r Record) {
	values := map[string]string{with: r.Other, "note": r.Note, "at": r.At}
	var known []member
	for _, key := range []string{with, "note", "at"} {
		known = append(known, member{key, []byte(quote(values[key]))})
	}
	w.writeObject(r.members, known, func(key string) bool { return values[key] != "" })
}

// writeObject prints an object in one line: the keys that it had in their order, then the known ones that are needed.
func (w *writer) writeObject(written, known []member, needed func(key string) bool) {
	w.WriteByte('{')
	first := true
	put := func(m member) {
		if !first {
			w.WriteString(", ")
		}
		first = false
		w.WriteString(quote(m.key) + ": " + spaceOut(m.raw))
	}
	for _, m := range written {
		if i := slices.IndexFunc(known, func(k member) bool { return k.key == m.key }); i >= 0 && m.raw == nil {
			m = known[i]
		}
		put(m)
	}
	for _, m := range known {
		if needed(m.key) && !slices.ContainsFunc(written, func(h member) bool { return h.key == m.key }) {
			put(m)
		}
	}
	w.WriteByte('}')
}

// spaceOut puts a space behind the commas and colons of compact JSON.
func spaceOut(raw []byte) string {
	var b bytes.Buffer
	_ = json.Indent(&b, raw, "", "") // it is well formed
	return strings.NewReplacer(",\n", ", ", "\n", "").Replace(b.String())
}

// quote is a JSON string with as few escapes as possible.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// number prints a threshold, with a decimal point always.
func number(f float64) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.ContainsRune(s, '.') {
		s += ".0"
	}
	return s
}

// Cache keeps parsed plans by the name of their content. They are shared and must not be changed. It is safe for
// concurrent use; nil keeps nothing.
type Cache struct {
	mu    sync.Mutex
	plans map[string]*cachedPlan
}

// maxCached is how many plans are kept: a commit needs the plan before and after it, a merge those of its parents and
// their merge base.
const maxCached = 16

type cachedPlan struct {
	index *Index // nil if parseErr is set
	// readErr and parseErr are the errors of Read and Parse.
	readErr, parseErr error
}

// Read is [Read] of the content with a name; equal names mean equal contents. It returns an error of load unchanged.
func (c *Cache) Read(name string, load func() ([]byte, error)) (*Index, error) {
	p := c.get(name, load)
	if p.readErr != nil {
		return nil, p.readErr
	}
	return p.index, nil
}

// Parse is [Parse] of the content with a name.
func (c *Cache) Parse(name string, load func() ([]byte, error)) (*Index, error) {
	p := c.get(name, load)
	return p.index, p.parseErr
}

func (c *Cache) get(name string, load func() ([]byte, error)) *cachedPlan {
	if c != nil && name != "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		if p := c.plans[name]; p != nil {
			return p
		}
	}
	data, err := load()
	if err != nil {
		return &cachedPlan{readErr: err, parseErr: err}
	}
	p := &cachedPlan{}
	root, err := Read(data)
	if p.readErr = err; err != nil {
		root, p.parseErr = Parse(data)
	}
	if p.parseErr == nil {
		p.index = NewIndex(root)
	}
	if c != nil && name != "" {
		if c.plans == nil || len(c.plans) == maxCached {
			c.plans = map[string]*cachedPlan{}
		}
		c.plans[name] = p
	}
	return p
}
