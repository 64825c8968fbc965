package evidence

import (
	"context"
	"fmt"
	"strings"
)

const (
	// minTokens is the fewest tokens by which statements are recognised outside of the definition they stood in.
	minTokens = 12
	// maxParts bounds how many definitions of one span are followed one by one; a
	// span of more is found as a whole, or has changed.
	maxParts = 50
)

// tracer follows one span of lines.
type tracer struct {
	*Follower
	claim       Claim
	first, last int
	old, now    *source // now is nil where the file is gone
	// cut: not every file was looked into, so that what was not found may be there.
	cut bool
}

func (s *tracer) run(ctx context.Context) (Trace, error) {
	switch {
	case s.now != nil && s.now.ID == s.old.ID && s.now.ID != "":
		return s.same(s.first, s.last), nil
	case s.old.model == nil || s.now != nil && s.now.model == nil || s.claim.Kind == KindText:
		return s.byLines(ctx, false)
	case s.old.model.grammar.Data || s.old.model.grammar.Prose:
		return s.byLines(ctx, false)
	}
	return s.byCode(ctx)
}

// at is a trace in the file as it is now.
func (s *tracer) at(state State, first, last int, why string) Trace {
	return Trace{State: state, Path: s.now.Path, Line: first, EndLine: last, Reason: why}
}

// same is the trace of what stands unchanged in the file.
func (s *tracer) same(first, last int) Trace {
	if s.now.Path != s.old.Path {
		return s.at(StateMoved, first, last, "the file was renamed from "+s.old.Path)
	}
	return s.at(StateHolds, first, last, "")
}

// gone is the trace of what was not found.
func (s *tracer) gone(what string) Trace {
	e := s.claim.Evidence
	switch {
	case s.cut:
		return untraced(e, what+", and too many files have changed to look into all")
	case s.now == nil:
		return traced(StateGone, e, "there is no file "+s.old.Path+" any more")
	case s.now.model != nil && len(s.now.model.errors) > 0:
		line := s.now.model.text.line(s.now.model.errors[0].start)
		return untraced(e, fmt.Sprintf("%s, but there is a syntax error at line %d", what, line))
	}
	return traced(StateGone, e, what)
}

// byCode follows a span by the definitions that it lies in or holds.
func (s *tracer) byCode(ctx context.Context) (Trace, error) {
	for _, file := range []*source{s.old, s.now} {
		if err := file.tokenise(ctx, s.Judge.Cache, s.seed); err != nil {
			return Trace{}, err
		}
		if file != nil && file.why != "" {
			return untraced(s.claim.Evidence, file.why), nil
		}
	}
	about, ok := s.old.model.subject(s.first, s.last)
	switch {
	// Comments, lines of a literal, a lone semicolon.
	case !ok || s.old.inToken(about.stretch) || s.old.code(about.stretch, nil) == nil:
		return s.byLines(ctx, false)
	case about.whole:
		return s.definition(ctx, about.around)
	case len(about.parts) > 0 && len(about.parts) <= maxParts:
		return s.parts(ctx, about)
	case about.around != nil && len(about.parts) == 0:
		return s.within(ctx, about)
	}
	return s.statements(ctx, about)
}

// subject is what a span cites.
type subject struct {
	stretch
	// around is the innermost definition that holds the span, nil at the top of a file; whole: the span holds all of it.
	around *definition
	whole  bool
	// parts are the definitions that the span touches, where it lies in none or in one that only holds others.
	parts []*definition
}

// subject finds what the lines cite; ok is false where they hold nothing but comments.
func (m *model) subject(first, last int) (subject, bool) {
	span := m.text.span(first, last)
	about := subject{stretch: m.between(span.start, span.end)}
	for about.end > about.start && m.text.bytes[about.end-1] == ';' { // which is no part of what it ends
		about.stretch = m.between(about.start, about.end-1)
	}
	if about.start == about.end {
		return about, false
	}
	around := -1
	for i := range m.definitions {
		if d := &m.definitions[i]; d.outer <= about.start && about.end <= d.end {
			around, about.around = i, d
		}
	}
	if d := about.around; d != nil {
		about.whole = about.start <= d.start && about.end >= d.last
		if about.whole || d.kind == function {
			return about, true
		}
	}
	for i := range m.definitions {
		if d := &m.definitions[i]; d.parent == around && d.outer < about.end && d.end > about.start {
			about.parts = append(about.parts, d)
		}
	}
	return about, true
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

// definition follows a whole definition.
func (s *tracer) definition(ctx context.Context, d *definition) (Trace, error) {
	f, err := s.find(ctx, d)
	if err != nil || f == nil {
		return s.gone(fmt.Sprintf("no %s is in %s", d.symbol, s.old.Path)), err
	}
	first, last := f.in.model.linesOf(f.definition)
	at := Trace{State: StateHolds, Path: f.in.Path, Line: first, EndLine: last}
	switch {
	case !f.same:
		return s.changed(ctx, d, f, at, true)
	case !f.certain || f.in.Path != s.old.Path:
		at.State, at.Reason = StateMoved, s.whereTo(d, f)
	case !equalCode(s.old.outer(d), f.in.outer(f.definition)):
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

// changed tells what a definition whose code has changed has become. Where only
// a part of it was cited, a stub beside that part says nothing of the claim.
func (s *tracer) changed(ctx context.Context, d *definition, f *found, at Trace, whole bool) (Trace, error) {
	at.State, at.Reason = StateEdited, d.symbol+" has changed"
	if !f.certain {
		at.Reason = s.whereTo(d, f) + ", and has changed"
	}
	if !whole && (f.status == sound || f.status == exempt) {
		return at, nil
	}
	first, last := f.in.model.linesOf(f.definition)
	judged := s.claim
	judged.Evidence.Path, judged.Evidence.Start, judged.Evidence.End = f.in.Path, first, last
	p := place{Claim: judged, entry: f.in.Entry, text: f.in.text, model: f.in.model, first: first, last: last}
	r := p.weigh()
	switch {
	case r.Reason == "":
		return at, nil
	case !r.Contradiction || !f.certain || d.status != sound:
		at.State, at.Reason = StateUnclear, at.Reason+": "+r.Reason
		return at, nil
	}
	return s.hollowed(ctx, d, f)
}

// hollowed is the trace of a definition that is a stub now, unless its code went
// elsewhere: who extracts an interface leaves stubs behind, and takes nothing away.
func (s *tracer) hollowed(ctx context.Context, d *definition, f *found) (Trace, error) {
	went, err := s.descendant(ctx, d)
	if err != nil {
		return Trace{}, err
	}
	first, last := f.in.model.linesOf(f.definition)
	at := s.at(StateHollowed, first, last, fmt.Sprintf("%s is a stub now (%s)", f.symbol,
		strings.ReplaceAll(string(f.reason), "_", " ")))
	if went == nil {
		return at, nil
	}
	first, last = went.in.model.linesOf(went.definition)
	if went.same {
		return Trace{State: StateMoved, Path: went.in.Path, Line: first, EndLine: last, Reason: s.whereTo(d, went) +
			", and a stub stands in its place"}, nil
	}
	at.State, at.Reason = StateUnclear, fmt.Sprintf("%s, and %s at %s:%s is much like what it was", at.Reason,
		went.symbol, went.in.Path, lines(first, last))
	return at, nil
}
