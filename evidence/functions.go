package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/parser"
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

// Functions returns the functions of a file that are stubs or complete though empty, in file order, or all of them;
// after an earlier version, which may be nil, those that it does not have: stubs as AddedStubs says, others where none
// of the same symbol has the same text. The errors are those of Stubs and AddedStubs.
func Functions(ctx context.Context, before *Source, f Source, all bool) ([]Function, error) {
	stubs := func() ([]Stub, error) { return Stubs(ctx, f.Path, f.Bytes) }
	if before != nil {
		stubs = func() ([]Stub, error) { return AddedStubs(ctx, nil, *before, f) }
	}
	empty, err := stubs()
	if err != nil {
		return nil, err
	}
	var found []Function
	for _, s := range empty {
		class := ClassStub
		if s.Exempt != "" {
			class = ClassComplete
		}
		found = append(found, Function{Stub: s, Class: class})
	}
	if !all {
		return found, nil
	}
	m, functions, err := functionsOf(ctx, f)
	if err != nil {
		return nil, err
	}
	old := map[string]bool{}
	if before != nil {
		was, earlier, err := functionsOf(ctx, *before)
		if err != nil && !errors.Is(err, ErrNoLanguage) {
			return nil, fmt.Errorf("before the change: %w", err)
		}
		for _, d := range earlier {
			old[d.symbol+"\n"+was.textOf(d)] = true
		}
	}
	for _, d := range functions {
		if d.status != stub && (d.status != exempt || m.isBroken(d)) && !old[d.symbol+"\n"+m.textOf(d)] {
			found = append(found, m.weighed(d))
		}
	}
	slices.SortStableFunc(found, func(a, b Function) int { return cmp.Compare(a.Line, b.Line) })
	return found, nil
}

// functionsOf returns the functions of a file, none where its language has none, and their model.
func functionsOf(ctx context.Context, f Source) (*model, []*definition, error) {
	g := grammarOf(f.Path)
	switch {
	case g == nil:
		return nil, nil, ErrNoLanguage
	case g.Data || g.Prose:
		return nil, nil, nil
	}
	if err := shallow(f.Bytes); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	m, err := analyse(ctx, g, f.Path, newText(f.Bytes))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	var functions []*definition
	for i := range m.definitions {
		if d := &m.definitions[i]; d.kind == function {
			functions = append(functions, d)
		}
	}
	return m, functions, nil
}

// weighed says of a function that is no stub what a claim that cites it is told.
func (m *model) weighed(d *definition) Function {
	f := Function{Stub: m.stubOf(d), Class: ClassComplete, why: "its body does something"}
	f.Reason, f.Exempt = "", ""
	first, last := m.linesOf(d)
	p := place{text: m.text, model: m, first: first, last: last, entry: Entry{Path: m.path}}
	p.Evidence = parser.Evidence{Path: m.path, Start: first, End: last}
	switch r := p.weigh(); {
	case r.Verdict != diag.Verified:
		f.Class, f.why = ClassUnclear, strings.TrimPrefix(r.Reason, fmt.Sprintf("%s (%s) ", d.symbol, lines(first, last)))
	case d.body < 0:
		f.why = "it has no body of its own"
	}
	return f
}
