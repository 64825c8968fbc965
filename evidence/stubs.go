package evidence

import (
	"context"
	"fmt"
)

// Stub is a function or method whose body has no substance.
type Stub struct {
	// Line is the line of the definition's keyword (not of its decorators), EndLine its last.
	Line, EndLine int
	Symbol        string
	Language      string
	Reason        StubReason
	// Exempt says why the definition is complete though its body is empty
	// (abstract, overload, protocol, …); "" when it is not.
	Exempt string
}

// StubReason is why a body has no substance.
type StubReason string

const (
	// emptyBody: no statement at all.
	emptyBody StubReason = "empty_body"
	// pass: only statements that do nothing, such as Python's pass.
	pass StubReason = "pass"
	// Ellipsis: only Python's «...».
	reasonEllipsis StubReason = "ellipsis"
	// docstringOnly: only its own documentation.
	docstringOnly StubReason = "docstring_only"
	// NotImplemented: it says by an error, a log or a print that it is not implemented.
	reasonNotImplemented StubReason = "not_implemented"
	// todoOnly: only a note that the work is left.
	todoOnly StubReason = "todo_only"
	// placeholderReturn: it gives back a constant beside words that say that the work is left.
	placeholderReturn StubReason = "placeholder_return"
	// vacuousTest: a test with only assertions that cannot fail.
	vacuousTest StubReason = "vacuous_test"
	// skippedTest: a test that only skips itself.
	skippedTest StubReason = "skipped_test"
)

// Stubs returns every stub of a file, the exempt ones included, in file order;
// none that a syntax error touches. The language is judged by path. The error is
// ErrNoLanguage when no grammar reads such files; any other says why the file
// could not be read.
func Stubs(ctx context.Context, path string, src []byte) ([]Stub, error) {
	m, err := Source{Path: path, Bytes: src}.model(ctx, nil, ofAll)
	if m == nil || err != nil {
		return nil, err
	}
	found := m.stubs(false)
	stubs := make([]Stub, len(found))
	for i, d := range found {
		stubs[i] = m.stubOf(d)
	}
	return stubs, nil
}

// model is the model of a file, nil where its language has no stubs. It tells what those bodies do that asks wants to
// know of. Errors are those of Stubs.
func (f Source) model(ctx context.Context, c *Cache, asks asksOf) (*model, error) {
	g := grammarOf(f.Path)
	if g == nil {
		return nil, ErrNoLanguage
	}
	if !g.IsCode() {
		return nil, nil // nothing there could be one
	}
	m, err := analyseBlob(ctx, c, g, f.ID, f.Path, newText(f.Bytes), asks)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return m, nil
}

// stubs are the functions of a model whose bodies have no substance; touched: those that a syntax error touches as
// well.
func (m *model) stubs(touched bool) []*definition {
	var found []*definition
	for i := range m.definitions {
		d := &m.definitions[i]
		if d.kind != function {
			continue
		}
		switch d.status {
		case stub:
			found = append(found, d)
		case doubtful:
			if touched {
				found = append(found, d)
			}
		case exempt:
			if touched || !m.isBroken(d) {
				found = append(found, d)
			}
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
