package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// maxParts bounds how many definitions of one span are followed one by one; a span of more is found as a whole, or has
// changed.
const maxParts = 50

// tracer follows one span of lines.
type tracer struct {
	*Follower
	claim       Claim
	first, last int
	old, now    *source // now is nil where the file is gone
	// cut: not every file was looked into, so that what was not found may be there.
	cut bool
}

// run follows a span by the definitions that it lies in or holds, or by its lines.
func (s *tracer) run(ctx context.Context) (Trace, error) {
	switch {
	case s.now != nil && s.now.ID == s.old.ID && s.now.ID != "":
		return s.same(lineRange{s.first, s.last}), nil
	case s.old.model == nil || s.now != nil && s.now.model == nil || s.claim.Kind == KindText,
		!s.old.model.grammar.IsCode():
		return s.byLines(ctx, false)
	}
	for _, file := range []*source{s.old, s.now} {
		if err := file.tokenise(ctx, s.Judge.Cache); err != nil {
			return Trace{}, err
		}
		if file != nil && file.why != "" {
			return traced(StateUnclear, s.claim.Evidence, file.why), nil
		}
	}
	span := s.old.text.span(s.first, s.last)
	at := s.old.model.between(span.start, span.end)
	for at.end > at.start && s.old.text.bytes[at.end-1] == ';' { // which is no part of what it ends
		at = s.old.model.between(at.start, at.end-1)
	}
	code := s.old.code(at, nil)
	if len(code) == 0 || code[0].start < at.start && at.end < code[0].end {
		return s.byLines(ctx, false) // comments, lines of a literal
	}
	around, parts := s.old.model.cited(at)
	if len(parts) > 0 && len(parts) <= maxParts {
		var traces []Trace
		for _, d := range parts {
			t, err := s.definition(ctx, d, nil)
			if err != nil {
				return Trace{}, err
			}
			traces = append(traces, t)
		}
		return sum(traces), nil
	}
	if around != nil {
		if t, err := s.definition(ctx, around, &at); err != nil || t.State != 0 {
			return t, err
		}
	}
	if s.now != nil && (around == nil || len(code) >= minTokens) {
		if r, ok := s.now.holding(stretch{0, len(s.now.text.bytes)}, nil, code); ok {
			return s.same(r), nil
		}
	}
	return s.byLines(ctx, true)
}

// holding returns the lines of a stretch of code, or of the definition d, where other code stands, as a whole however
// deep.
func (s *source) holding(in stretch, d *definition, part []leaf) (lineRange, bool) {
	all := s.code(in, d)
	at := places(all, part)
	if len(at) == 0 {
		return lineRange{}, false
	}
	return lineRange{s.text.line(all[at[0]].start), s.text.line(all[at[0]+len(part)-1].end - 1)}, true
}

// at is a trace in the file as it is now.
func (s *tracer) at(state State, r lineRange, why string) Trace {
	return Trace{State: state, Path: s.now.Path, Line: r.first, EndLine: r.last, Reason: why}
}

// same is the trace of what stands unchanged in the file.
func (s *tracer) same(r lineRange) Trace {
	if s.now.Path != s.old.Path {
		return s.at(StateMoved, r, "the file was renamed from "+s.old.Path)
	}
	return s.at(StateHolds, r, "")
}

// gone is the trace of what was not found.
func (s *tracer) gone(what string) Trace {
	state := StateGone
	switch {
	case s.cut:
		state, what = StateUnclear, what+", and too many files have changed to look into all"
	case s.now == nil:
		what = "there is no file " + s.old.Path + " any more"
	case s.now.model != nil && len(s.now.model.errors) > 0:
		line := s.now.text.line(s.now.model.errors[0].start)
		state, what = StateUnclear, fmt.Sprintf("%s, but there is a syntax error at line %d", what, line)
	}
	return traced(state, s.claim.Evidence, what)
}

// cited finds what a stretch cites: the innermost function around it, or the definitions that it touches, where it lies
// in none or in one that only holds others; or the one that it holds all of.
func (m *model) cited(at stretch) (around *definition, parts []*definition) {
	in := -1
	for i := range m.definitions {
		if d := &m.definitions[i]; d.outer <= at.start && at.end <= d.end {
			in, around = i, d
		}
	}
	switch {
	case around != nil && at.start <= around.start && at.end >= around.last:
		return around, []*definition{around}
	case around != nil && around.kind == function:
		return around, nil
	}
	for i := range m.definitions {
		if d := &m.definitions[i]; d.parent == in && d.outer < at.end && d.end > at.start {
			parts = append(parts, d)
		}
	}
	return around, parts
}

// sum is the state of a span whose definitions have these: the worst that all of them share, else what a mixture of
// them means. It is hollowed or gone only when all of them are.
func sum(traces []Trace) Trace {
	byState := func(a, b Trace) int { return int(a.State) - int(b.State) }
	all, best := slices.MaxFunc(traces, byState), slices.MinFunc(traces, byState)
	unclear := slices.ContainsFunc(traces, func(t Trace) bool { return t.State == StateUnclear })
	switch {
	case len(traces) == 1 || best.State >= StateGone:
		return all
	case unclear || all.State == StateHollowed:
		all.State, all.Reason = StateUnclear, all.Reason+", beside code that is there"
		return all
	case all.State > StateMoved: // edited, or a part is gone
		best.State, best.Reason = StateEdited, all.Reason
		all = best
	}
	for _, t := range traces {
		if t.Path == all.Path && t.State != StateGone {
			all.Line, all.EndLine = min(all.Line, t.Line), max(all.EndLine, t.EndLine)
		}
	}
	return all
}

// found is a definition that is taken for what another has become.
type found struct {
	*definition
	in *source
	// certain: it has the same symbol in the same file, renames of the file included.
	certain bool
	// same: its code is the same, decorators and modifiers aside.
	same bool
}

// trace is one of what was found.
func (f *found) trace(s State, why string) Trace {
	first, last := f.in.model.linesOf(f.definition)
	return Trace{State: s, Path: f.in.Path, Line: first, EndLine: last, Reason: why}
}

// definition follows a definition, or the part of it that is cited, by its tokens or by what it has become; there is no
// state where a definition that works lacks the part.
func (s *tracer) definition(ctx context.Context, d *definition, part *stretch) (Trace, error) {
	f, err := s.find(ctx, d)
	if err != nil || f == nil {
		return s.gone(fmt.Sprintf("no %s is in %s", d.symbol, s.old.Path)), err
	}
	at, same := f.trace(StateHolds, ""), f.same
	if part != nil {
		var r lineRange
		if r, same = f.in.holding(stretch{f.outer, f.end}, f.definition, s.old.code(*part, d)); same {
			at.Line, at.EndLine = r.first, r.last
		}
	}
	switch {
	case !same && part != nil && f.certain && (f.status == sound || f.status == exempt):
		return Trace{}, nil
	case !same:
		return s.changed(ctx, d, f)
	case !f.certain || f.in.Path != s.old.Path:
		at.State, at.Reason = StateMoved, s.whereTo(d, f)
	case part == nil && keyOf(s.old.outer(d)) != keyOf(f.in.outer(f.definition)):
		at.State, at.Reason = StateEdited, "its decorators or modifiers have changed"
	}
	return at, nil
}

// whereTo says how a definition moved.
func (s *tracer) whereTo(d *definition, f *found) string {
	switch {
	case f.certain:
		return "the file was renamed from " + s.old.Path
	case f.in.Path != s.old.Path:
		return fmt.Sprintf("%s moved from %s", d.symbol, s.old.Path)
	case d.symbol == f.symbol:
		return "which of several " + d.symbol + " it is cannot be told"
	}
	return fmt.Sprintf("%s is called %s now", d.symbol, f.symbol)
}

// changed tells what a definition whose code has changed has become.
func (s *tracer) changed(ctx context.Context, d *definition, f *found) (Trace, error) {
	at := f.trace(StateEdited, d.symbol+" has changed")
	if !f.certain {
		at.Reason = s.whereTo(d, f) + ", and has changed"
	}
	judged := s.claim
	judged.Evidence.Path, judged.Evidence.Start, judged.Evidence.End = at.Path, at.Line, at.EndLine
	p := place{Claim: judged, entry: f.in.Entry, text: f.in.text, model: f.in.model, first: at.Line, last: at.EndLine}
	r := p.weigh()
	if r.Reason == "" {
		return at, nil
	}
	hollowed := r.Contradiction && f.certain && d.status == sound
	at.State, at.Reason = StateUnclear, at.Reason+": "+r.Reason
	if hollowed {
		at.State = StateHollowed
		at.Reason = fmt.Sprintf("%s is a stub now (%s)", f.symbol, strings.ReplaceAll(string(f.reason), "_", " "))
	}
	if !f.certain || d.status != sound {
		return at, nil
	}
	// Who extracts an interface leaves stubs behind, and takes nothing away.
	went, err := s.descendant(ctx, d)
	if err != nil || went == nil {
		return at, err
	}
	there := went.trace(StateMoved, s.whereTo(d, went)+", and a stub stands in its place")
	if went.same {
		return there, nil
	}
	at.State, at.Reason = StateUnclear, fmt.Sprintf("%s, and %s at %s:%s is much like what it was", at.Reason,
		went.symbol, there.Path, lines(there.Line, there.EndLine))
	return at, nil
}
