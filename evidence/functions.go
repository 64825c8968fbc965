package evidence

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// Class is what a function's body is held to be.
type Class string

// The classes of functions.
const (
	ClassStub     Class = "stub"
	ClassComplete Class = "complete"
	ClassUnclear  Class = "unclear"
)

// Function is a function or method. What it is of a Stub says why its body has no substance, Reason and Exempt, is of
// those alone that are stubs or complete though empty.
type Function struct {
	Stub
	Class Class
	why   string
}

// Why says why a function is of its class.
func (f Function) Why() string { return cmp.Or(f.why, f.Exempt, string(f.Reason)) }

// Functions returns the functions of a file, in file order. The errors are those of Stubs.
func Functions(ctx context.Context, f Source) ([]Function, error) {
	m, err := f.model(ctx, nil, ofAll)
	if m == nil || err != nil {
		return nil, err
	}
	var found []Function
	for i := range m.definitions {
		switch d := &m.definitions[i]; {
		case d.kind != function:
		case d.status == stub:
			found = append(found, Function{Stub: m.stubOf(d), Class: ClassStub})
		case d.status == exempt && !m.isBroken(d):
			found = append(found, Function{Stub: m.stubOf(d), Class: ClassComplete})
		default:
			found = append(found, m.weighed(d))
		}
	}
	slices.SortStableFunc(found, func(a, b Function) int { return cmp.Compare(a.Line, b.Line) })
	return found, nil
}

// weighed says of a function that is no stub what a claim that cites it is told.
func (m *model) weighed(d *definition) Function {
	f := Function{Stub: m.stubOf(d), Class: ClassComplete, why: "its body does something"}
	f.Reason, f.Exempt = "", ""
	first, last := m.linesOf(d)
	p := place{text: m.text, model: m, first: first, last: last, entry: Entry{Path: m.path}}
	p.Evidence = parser.Evidence{Path: m.path, Start: first, End: last}
	switch r := p.weigh(); {
	case r.Verdict != report.Verified:
		f.Class, f.why = ClassUnclear, strings.TrimPrefix(r.Reason, fmt.Sprintf("%s (%s) ", d.symbol, lines(first, last)))
	case d.body < 0:
		f.why = "it has no body of its own"
	}
	return f
}
