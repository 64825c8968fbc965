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

// Class is the judgement of a function's body.
type Class string

// The classes of functions.
const (
	ClassStub     Class = "stub"
	ClassComplete Class = "complete"
	ClassUnclear  Class = "unclear"
)

// Function is a function or method. Reason and Exempt of its Stub are set only for stubs and exempt functions.
type Function struct {
	Stub
	Class  Class
	reason string
}

// Why is the reason for the class.
func (f Function) Why() string { return cmp.Or(f.reason, f.Exempt, string(f.Reason)) }

// Functions returns the functions of a file, in file order. The error is ErrNoLanguage if no grammar reads such files;
// any other says why the file is unreadable.
func Functions(ctx context.Context, f Source) ([]Function, error) {
	m, err := f.model(ctx, nil, everyBody)
	if m == nil || err != nil {
		return nil, err
	}
	var found []Function
	for _, d := range m.definitions {
		if d.kind == function {
			found = append(found, m.judgedFunction(d))
		}
	}
	slices.SortStableFunc(found, func(a, b Function) int { return cmp.Compare(a.Line, b.Line) })
	return found, nil
}

// judgedFunction returns the class that a claim citing the function would get.
func (m *model) judgedFunction(d *definition) Function {
	f := Function{Stub: m.stubOf(d), Class: ClassComplete}
	switch {
	case d.status == stub:
		f.Class = ClassStub
		return f
	case d.status == exempt && !m.isBroken(d):
		return f
	}
	f.reason, f.Reason, f.Exempt = "its body does something", "", ""
	first, last := m.linesOf(d)
	s := &source{Entry: Entry{Path: m.path}, text: m.text, model: m}
	p := s.place(Claim{Evidence: parser.Evidence{Path: m.path, Start: first, End: last}})
	switch r := p.judgeSubstance(); {
	case r.Verdict != report.Verified:
		f.Class, f.reason = ClassUnclear, strings.TrimPrefix(r.Reason, fmt.Sprintf("%s (%s) ", d.symbol, lines(first, last)))
	case d.body < 0:
		f.reason = "it has no body of its own"
	}
	return f
}
