package evidence

import (
	"context"
	"fmt"
	"slices"
)

// within follows a part of a definition: by its tokens where they are still
// there, else by what the definition has become.
func (s *tracer) within(ctx context.Context, about subject) (Trace, error) {
	d := about.around
	f, err := s.find(ctx, d)
	if err != nil || f == nil {
		return s.gone(fmt.Sprintf("no %s is in %s", d.symbol, s.old.Path)), err
	}
	part, now := s.old.code(about.stretch, d), f.in.outer(f.definition)
	if i := findCode(now, part); i >= 0 {
		first, last := f.in.linesOfCode(now[i : i+len(part)])
		at := Trace{State: StateHolds, Path: f.in.Path, Line: first, EndLine: last}
		if !f.certain || f.in.Path != s.old.Path {
			at.State, at.Reason = StateMoved, s.whereTo(d, f)
		}
		return at, nil
	}
	first, last := f.in.model.linesOf(f.definition)
	at, err := s.changed(ctx, d, f, Trace{Path: f.in.Path, Line: first, EndLine: last}, false)
	if err != nil || at.State != StateEdited || !f.certain {
		return at, err
	}
	if moved, ok := s.extracted(about); ok {
		return moved, nil
	}
	return s.narrowed(d, f, at), nil
}

// extracted looks for a cited part of a definition elsewhere in the file.
func (s *tracer) extracted(about subject) (Trace, bool) {
	part, all := s.old.code(about.stretch, nil), s.now.code(stretch{0, len(s.now.text.bytes)}, nil)
	i := findCode(all, part)
	if i < 0 || len(part) < minTokens {
		return Trace{}, false
	}
	first, last := s.now.linesOfCode(all[i : i+len(part)])
	why := "the lines stand outside of " + about.around.symbol + " now"
	if inner := s.now.model.holder(all[i].at); inner != nil {
		why = fmt.Sprintf("the lines stand in %s now", inner.symbol)
	}
	return s.at(StateMoved, first, last, why), true
}

// holder returns the innermost definition that holds a stretch, nil when none does.
func (m *model) holder(s stretch) *definition {
	var inner *definition
	for i := range m.definitions {
		if d := &m.definitions[i]; d.outer <= s.start && s.end <= d.end {
			inner = d
		}
	}
	return inner
}

// narrowed places what a part of a changed definition has become by comparing
// lines. Where they were deleted and nothing was written in their place, they are
// gone; that is only said where the comparison pairs the two definitions' own first lines.
func (s *tracer) narrowed(d *definition, f *found, at Trace) Trace {
	became, _, ok := s.align()
	if !ok {
		return at
	}
	to, ok := s.paired(foldText(s.old.text), foldText(s.now.text))
	header := s.now.text.line(f.start)
	switch {
	case !ok || to[s.old.text.line(d.start)-1] != header:
	case became == lineRange{}:
		return s.gone(fmt.Sprintf("%s is there, and the cited lines are not in it any more", d.symbol))
	case became.first >= at.Line && became.last <= at.EndLine:
		at.Line, at.EndLine = became.first, became.last
	}
	return at
}

// parts follows a span that holds several definitions, or some of a class. It is
// hollowed or gone only when all of them are.
func (s *tracer) parts(ctx context.Context, about subject) (Trace, error) {
	traces := make([]Trace, len(about.parts))
	for i, d := range about.parts {
		var err error
		if traces[i], err = s.definition(ctx, d); err != nil {
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
	worst := slices.MaxFunc(traces, func(a, b Trace) int { return int(a.State) - int(b.State) })
	best := slices.MinFunc(traces, func(a, b Trace) int { return int(a.State) - int(b.State) })
	all := worst
	switch {
	case len(traces) == 1 || worst.State <= StateMoved:
	case best.State >= StateGone: // every one is gone or hollowed
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
	all := s.now.code(stretch{0, len(s.now.text.bytes)}, nil)
	at := about.start
	for _, d := range append(slices.Clone(about.parts), &definition{outer: about.end, end: about.end}) {
		if d.outer > at {
			if rest := s.old.code(stretch{at, d.outer}, nil); len(rest) > 0 && findCode(all, rest) < 0 {
				return false
			}
		}
		at = max(at, d.end)
	}
	return true
}

// statements follows statements outside of any definition by their tokens, then by their lines.
func (s *tracer) statements(ctx context.Context, about subject) (Trace, error) {
	part := s.old.code(about.stretch, nil)
	if s.now != nil {
		all := s.now.code(stretch{0, len(s.now.text.bytes)}, nil)
		if i := findCode(all, part); i >= 0 {
			return s.same(s.now.linesOfCode(all[i : i+len(part)])), nil
		}
	}
	return s.byLines(ctx, true)
}
