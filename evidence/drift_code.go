package evidence

import (
	"fmt"
	"slices"
	"strings"
)

// maxParts bounds how many definitions of a span are followed one by one; larger spans are followed as a whole.
const maxParts = 50

type tracer struct {
	*Follower
	lineRange
	claim    Claim
	old, now *source // now is nil if the file is gone
	// isCut: not all files were searched.
	isCut bool
}

func (s *tracer) run() Trace {
	switch {
	case s.now != nil && s.now.ID == s.old.ID && s.now.ID != "":
		return s.unchanged(s.lineRange)
	case s.old.model == nil || s.now != nil && s.now.model == nil || s.claim.Kind == KindText,
		!s.old.model.grammar.IsCode():
		return s.byLines(false)
	}
	for _, file := range []*source{s.old, s.now} {
		if s.newer.readTokens(file); file != nil && file.whyUnreadable != "" {
			return traceOf(StateUnclear, s.claim.Evidence, file.whyUnreadable)
		}
	}
	span := s.old.text.span(s.first, s.last)
	at := s.old.model.between(span.start, span.end)
	for at.end > at.start && s.old.text.bytes[at.end-1] == ';' { // it may be added or removed by formatters
		at = s.old.model.between(at.start, at.end-1)
	}
	code := s.old.code(at, nil)
	if len(code) == 0 || code[0].start < at.start && at.end < code[0].end {
		return s.byLines(false) // comments, lines of a literal
	}
	enclosing, parts := s.old.model.citedDefinitions(at)
	if len(parts) > 0 && len(parts) <= maxParts {
		var traces []Trace
		for _, d := range parts {
			traces = append(traces, s.followDefinition(d, nil))
		}
		return combine(traces)
	}
	if enclosing != nil {
		if t := s.followDefinition(enclosing, &at); t.State != 0 {
			return t
		}
	}
	if s.now != nil && (enclosing == nil || len(code) >= minTokens) {
		if found := s.now.linesHolding(s.now.code(stretch{0, len(s.now.text.bytes)}, nil), code); len(found) > 0 {
			return s.unchanged(found[0])
		}
	}
	return s.byLines(true)
}

// linesHolding returns the lines of code where a part stands as a whole at any depth.
func (s *source) linesHolding(all, part []leaf) (found []lineRange) {
	for _, i := range findCode(all, part) {
		found = append(found, lineRange{s.text.line(all[i].start), s.text.line(all[i+len(part)-1].end - 1)})
	}
	return found
}

func (s *tracer) at(state State, r lineRange, why string) Trace {
	return Trace{State: state, Path: s.now.Path, Line: r.first, EndLine: r.last, Reason: why}
}

func (s *tracer) unchanged(r lineRange) Trace {
	if s.now.Path != s.old.Path {
		return s.at(StateMoved, r, "the file was renamed from "+s.old.Path)
	}
	return s.at(StateHolds, r, "")
}

func (s *tracer) missing(reason string) Trace {
	state := StateGone
	switch {
	case s.isCut:
		state, reason = StateUnclear, reason+", and too many files have changed to look into all"
	case s.now == nil:
		reason = "there is no file " + s.old.Path + " any more"
	case s.now.model != nil && len(s.now.model.errors) > 0:
		line := s.now.text.line(s.now.model.errors[0].start)
		state, reason = StateUnclear, fmt.Sprintf("%s, but there is a syntax error at line %d", reason, line)
	}
	return traceOf(state, s.claim.Evidence, reason)
}

// citedDefinitions returns what a stretch cites: the innermost function around it; or the definitions that it touches,
// if it lies in none or in a container; or the one that it covers.
func (m *model) citedDefinitions(at stretch) (enclosing *definition, parts []*definition) {
	for _, d := range m.definitions {
		if d.outer <= at.start && at.end <= d.end {
			enclosing = d
		}
	}
	switch {
	case enclosing != nil && at.start <= enclosing.start && at.end >= enclosing.last:
		return enclosing, []*definition{enclosing}
	case enclosing != nil && enclosing.kind == function:
		return enclosing, nil
	}
	for _, d := range m.definitions {
		if d.parent == enclosing && d.outer < at.end && d.end > at.start {
			parts = append(parts, d)
		}
	}
	return enclosing, parts
}

// combine returns the state of a span with several definitions: the worst that all share, else a mixture. It is
// hollowed or gone only if all are.
func combine(traces []Trace) Trace {
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

type successor struct {
	*definition
	source *source
	// isCertain: it has the same symbol in the same file, which may be renamed.
	isCertain bool
	// isSame: its code is the same, decorators and modifiers aside.
	isSame bool
}

func (f *successor) trace(s State, why string) Trace {
	first, last := f.source.model.linesOf(f.definition)
	return Trace{State: s, Path: f.source.Path, Line: first, EndLine: last, Reason: why}
}

// followDefinition follows a definition, or the cited part of it; the state is zero if a working definition lacks the
// part.
func (s *tracer) followDefinition(d *definition, part *stretch) Trace {
	f := s.findSuccessor(d)
	if f == nil {
		return s.missing(fmt.Sprintf("no %s is in %s", d.symbol, s.old.Path))
	}
	at, same := f.trace(StateHolds, ""), f.isSame
	if part != nil {
		found := f.source.linesHolding(f.source.outerCode(f.definition), s.old.code(*part, d))
		if same = len(found) > 0; same {
			at.Line, at.EndLine = found[0].first, found[0].last
		}
	}
	switch {
	case !same && part != nil && f.isCertain && (f.status == sound || f.status == exempt):
		return Trace{}
	case !same:
		return s.changedTrace(d, f)
	case !f.isCertain || f.source.Path != s.old.Path:
		at.State, at.Reason = StateMoved, s.moveReason(d, f)
	case part == nil && keyOf(s.old.outerCode(d)) != keyOf(f.source.outerCode(f.definition)):
		at.State, at.Reason = StateEdited, "its decorators or modifiers have changed"
	}
	return at
}

func (s *tracer) moveReason(d *definition, f *successor) string {
	switch {
	case f.isCertain:
		return "the file was renamed from " + s.old.Path
	case f.source.Path != s.old.Path:
		return fmt.Sprintf("%s moved from %s", d.symbol, s.old.Path)
	case d.symbol == f.symbol:
		return "which of several " + d.symbol + " it is cannot be told"
	}
	return fmt.Sprintf("%s is called %s now", d.symbol, f.symbol)
}

func (s *tracer) changedTrace(d *definition, f *successor) Trace {
	at := f.trace(StateEdited, d.symbol+" has changed")
	if !f.isCertain {
		at.Reason = s.moveReason(d, f) + ", and has changed"
	}
	judged := s.claim
	judged.Evidence.Path, judged.Evidence.Start, judged.Evidence.End = at.Path, at.Line, at.EndLine
	p := f.source.place(judged)
	r := p.judgeSubstance()
	if r.Reason == "" {
		return at
	}
	hollowed := r.Contradiction && f.isCertain && d.status == sound
	at.State, at.Reason = StateUnclear, at.Reason+": "+r.Reason
	if hollowed {
		at.State = StateHollowed
		at.Reason = fmt.Sprintf("%s is a stub now (%s)", f.symbol, strings.ReplaceAll(string(f.reason), "_", " "))
	}
	if !f.isCertain || d.status != sound {
		return at
	}
	// Extracting an interface leaves stubs behind, but the code moves.
	target := s.findMoved(d)
	if target == nil {
		return at
	}
	moved := target.trace(StateMoved, s.moveReason(d, target)+", and a stub stands in its place")
	if target.isSame {
		return moved
	}
	at.State, at.Reason = StateUnclear, fmt.Sprintf("%s, and %s at %s:%s is much like what it was", at.Reason,
		target.symbol, moved.Path, lines(moved.Line, moved.EndLine))
	return at
}
