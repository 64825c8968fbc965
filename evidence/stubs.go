package evidence

import (
	"context"
	"fmt"
)

// Stub is a function or method whose body has no substance.
type Stub struct {
	// Line is the first line without decorators.
	Line, EndLine int
	Symbol        string
	Language      string
	Reason        StubReason
	// Exempt says why the definition is complete though empty (abstract, overload, protocol, …); "" if it is not.
	Exempt string
}

// StubReason is why a body has no substance.
type StubReason string

const (
	// emptyBody: no statement at all.
	emptyBody StubReason = "empty_body"
	// pass: only statements that do nothing, such as Python's pass.
	pass StubReason = "pass"
	// reasonEllipsis: only Python's «...».
	reasonEllipsis StubReason = "ellipsis"
	// docstringOnly: only its own documentation.
	docstringOnly StubReason = "docstring_only"
	// reasonNotImplemented: it says by an error, a log or a print that it is not implemented.
	reasonNotImplemented StubReason = "not_implemented"
	// todoOnly: only a note that the work is left.
	todoOnly StubReason = "todo_only"
	// placeholderReturn: it returns a constant, and says that work is left.
	placeholderReturn StubReason = "placeholder_return"
	// vacuousTest: a test with only assertions that cannot fail.
	vacuousTest StubReason = "vacuous_test"
	// skippedTest: a test that only skips itself.
	skippedTest StubReason = "skipped_test"
)

// model is the model of a file, nil if its language has no stubs. Bodies that wants does not select may be unjudged.
// Errors are those of Functions.
func (f Source) model(ctx context.Context, c *Cache, wants bodyFilter) (*model, error) {
	g := grammarOf(f.Path)
	if g == nil {
		return nil, ErrNoLanguage
	}
	if !g.IsCode() {
		return nil, nil // it has no stubs
	}
	if whole, ok := c.orNew(f.ID).models.known(f.key(g)); ok && whole.err == nil {
		return whole.model, nil
	}
	m, err := g.analyse(ctx, c, f, wants)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return m, nil
}

// stubs are the functions of a model without substance; withBroken: also those that a syntax error touches.
func (m *model) stubs(withBroken bool) []*definition {
	var found []*definition
	for _, d := range m.definitions {
		isBroken := d.status == doubtful || d.status == exempt && !withBroken && m.isBroken(d)
		if d.kind == function && d.status != sound && d.status != vague && (withBroken || !isBroken) {
			found = append(found, d)
		}
	}
	return found
}

func (m *model) stubOf(d *definition) Stub {
	return Stub{
		Line: m.text.line(d.start), EndLine: m.text.line(max(d.start, d.last-1)),
		Symbol: d.symbol, Language: m.grammar.Name, Reason: d.reason, Exempt: d.exempt,
	}
}
