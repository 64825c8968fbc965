package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// maxParts bounds how many definitions of one span are followed one by one; a
// span of more is found as a whole, or has changed.
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
	about, ok := s.old.subject(s.first, s.last)
	switch {
	case !ok: // comments, lines of a literal, a lone semicolon
		return s.byLines(ctx, false)
	case len(about.parts) > 0 && len(about.parts) <= maxParts:
		return s.parts(ctx, about)
	case about.around != nil && len(about.parts) == 0:
		return s.definition(ctx, about.around, &about.stretch)
	}
	if part, in := s.old.code(about.stretch, nil), s.now; in != nil {
		if at, ok := in.holding(in.everything(), part); ok {
			return s.same(at), nil
		}
	}
	return s.byLines(ctx, true)
}

// everything is all code of a file.
func (s *source) everything() []leaf { return s.code(stretch{0, len(s.text.bytes)}, nil) }

// holding returns the lines of code where other code stands in it, as a whole however deep.
func (s *source) holding(all, part []leaf) (lineRange, bool) {
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

// subject is what a span cites.
type subject struct {
	stretch
	// around is the innermost definition that holds the span, nil at the top of a file.
	around *definition
	// parts are the definitions that the span touches, where it lies in none or in one that only holds others; or the one
	// that it holds all of.
	parts []*definition
}

// subject finds what the lines cite; ok is false where they hold no token as a whole.
func (s *source) subject(first, last int) (about subject, ok bool) {
	m, span := s.model, s.text.span(first, last)
	about.stretch = m.between(span.start, span.end)
	for about.end > about.start && s.text.bytes[about.end-1] == ';' { // which is no part of what it ends
		about.stretch = m.between(about.start, about.end-1)
	}
	code := s.code(about.stretch, nil)
	if len(code) == 0 || about.start == about.end || code[0].start < about.start && about.end < code[0].end {
		return about, false
	}
	around := -1
	for i := range m.definitions {
		if d := &m.definitions[i]; d.outer <= about.start && about.end <= d.end {
			around, about.around = i, d
		}
	}
	if d := about.around; d != nil && about.start <= d.start && about.end >= d.last {
		about.parts = []*definition{d}
		return about, true
	} else if d != nil && d.kind == function {
		return about, true
	}
	for i := range m.definitions {
		if d := &m.definitions[i]; d.parent == around && d.outer < about.end && d.end > about.start {
			about.parts = append(about.parts, d)
		}
	}
	return about, true
}

// parts follows a span that holds several definitions, or some of a class. It is
// hollowed or gone only when all of them are.
func (s *tracer) parts(ctx context.Context, about subject) (Trace, error) {
	traces := make([]Trace, len(about.parts))
	for i, d := range about.parts {
		var err error
		if traces[i], err = s.definition(ctx, d, nil); err != nil {
			return Trace{}, err
		}
	}
	all := sum(traces)
	if all.State <= StateMoved && !s.keepsRest(about) {
		all.State, all.Reason = StateEdited, "what stands beside the definitions has changed"
	}
	return all, nil
}

// sum is the state of a span whose definitions have these: the worst that all of
// them share, else what a mixture of them means.
func sum(traces []Trace) Trace {
	byState := func(a, b Trace) int { return int(a.State) - int(b.State) }
	worst, best := slices.MaxFunc(traces, byState), slices.MinFunc(traces, byState)
	all := worst
	switch {
	case len(traces) == 1 || worst.State <= StateMoved || best.State >= StateGone:
	case worst.State == StateHollowed || slices.ContainsFunc(traces,
		func(t Trace) bool { return t.State == StateUnclear }):
		all.State, all.Reason = StateUnclear, worst.Reason+", beside code that is there"
	default: // edited, or a part is gone
		all = best
		all.State, all.Reason = StateEdited, worst.Reason
	}
	for _, t := range traces {
		if t.Path == all.Path && t.State != StateGone && all.State < StateUnclear {
			all.Line, all.EndLine = min(all.Line, t.Line), max(all.EndLine, t.EndLine)
		}
	}
	return all
}

// keepsRest reports whether the tokens of a span that stand in none of its
// definitions are still in the file, those that stood together together.
func (s *tracer) keepsRest(about subject) bool {
	if s.now == nil {
		return true
	}
	all, at := s.now.everything(), about.start
	for _, d := range append(about.parts, &definition{outer: about.end, end: about.end}) {
		if rest := s.old.code(stretch{at, max(at, d.outer)}, nil); len(rest) > 0 && len(places(all, rest)) == 0 {
			return false
		}
		at = max(at, d.end)
	}
	return true
}

// found is a definition that is taken for what another has become.
type found struct {
	*definition
	in *source
	// certain: it has the same symbol in the same file, renames of the file included.
	certain bool
	// same: its code is the same, decorators and modifiers aside.
	same bool
	// oneOf: it is one of several of the symbol, and which cannot be told.
	oneOf bool
}

// trace is one of what was found.
func (f *found) trace(s State, why string) Trace {
	first, last := f.in.model.linesOf(f.definition)
	return Trace{State: s, Path: f.in.Path, Line: first, EndLine: last, Reason: why}
}

// definition follows a definition, or the part of it that is cited: by its tokens where they are still there, else by
// what the definition has become.
func (s *tracer) definition(ctx context.Context, d *definition, part *stretch) (Trace, error) {
	f, err := s.find(ctx, d)
	if err != nil || f == nil {
		return s.gone(fmt.Sprintf("no %s is in %s", d.symbol, s.old.Path)), err
	}
	at, same := f.trace(StateHolds, ""), f.same
	if part != nil {
		var r lineRange
		if r, same = f.in.holding(f.in.outer(f.definition), s.old.code(*part, d)); same {
			at.Line, at.EndLine = r.first, r.last
		}
	}
	switch {
	case !same:
		return s.changed(ctx, d, f, part)
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
	case f.oneOf:
		return "which of several " + d.symbol + " it is cannot be told"
	case d.name == f.name && f.in.Path == s.old.Path:
		return fmt.Sprintf("%s is %s now", d.symbol, f.symbol)
	case d.name == f.name:
		return fmt.Sprintf("%s moved from %s", d.symbol, s.old.Path)
	}
	return fmt.Sprintf("%s is called %s now", d.symbol, f.symbol)
}

// changed tells what a definition whose code has changed has become, or the part of it that is cited: a stub beside
// that part says nothing of the claim.
func (s *tracer) changed(ctx context.Context, d *definition, f *found, part *stretch) (Trace, error) {
	at := f.trace(StateEdited, d.symbol+" has changed")
	if !f.certain {
		at.Reason = s.whereTo(d, f) + ", and has changed"
	}
	if part != nil && (f.status == sound || f.status == exempt) {
		return s.without(ctx, d, f, *part, at)
	}
	judged := s.claim
	judged.Evidence.Path, judged.Evidence.Start, judged.Evidence.End = at.Path, at.Line, at.EndLine
	p := place{Claim: judged, entry: f.in.Entry, text: f.in.text, model: f.in.model, first: at.Line, last: at.EndLine}
	r := p.weigh()
	switch {
	case r.Reason == "":
		return at, nil
	case r.Contradiction && f.certain && d.status == sound:
		at.State, at.Reason = StateHollowed, fmt.Sprintf("%s is a stub now (%s)", f.symbol,
			strings.ReplaceAll(string(f.reason), "_", " "))
	default:
		at.State, at.Reason = StateUnclear, at.Reason+": "+r.Reason
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

// without tells what has become of a part of a definition that works without it: it stands outside of it now, or
// something stands in its place, as edited says, or nothing does.
func (s *tracer) without(ctx context.Context, d *definition, f *found, part stretch, edited Trace) (Trace, error) {
	if !f.certain {
		return edited, nil
	}
	code := s.old.code(part, nil)
	if r, ok := s.now.holding(s.now.everything(), code); ok && len(code) >= minTokens {
		return s.at(StateMoved, r, "the lines stand outside of "+d.symbol+" now"), nil
	}
	if became, _, why, err := s.became(ctx); err != nil || why != "" || became != (lineRange{}) {
		return edited, err
	}
	return s.gone(fmt.Sprintf("%s is there, and the cited lines are not in it any more", d.symbol)), nil
}
