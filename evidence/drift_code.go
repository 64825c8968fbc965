package evidence

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
)

const (
	// minTokens is the fewest tokens by which statements are recognised outside of the definition they stood in.
	minTokens = 12
	// alike is how much of two definitions must be the same, in hundredths of
	// their tokens, for one under another name to be what became of the other.
	alike = 60
	// maxSought bounds how many changed files are read in search of code that left its own.
	maxSought = 400
)

// pursuit follows one span of lines.
type pursuit struct {
	*Follower
	claim       Claim
	first, last int
	old, now    *source // now is nil where the file is gone
	// cut: not every file was looked into, so that what was not found may be there.
	cut bool
}

func (s *pursuit) run(ctx context.Context) (Trace, error) {
	switch {
	case s.now != nil && s.now.ID == s.old.ID && s.now.ID != "":
		return s.same(s.first, s.last), nil
	case s.old.model == nil || s.now != nil && s.now.model == nil || s.claim.Kind == KindText:
		return s.byLines(ctx, false)
	}
	return s.byCode(ctx)
}

// at is a trace in the file as it is now.
func (s *pursuit) at(state State, first, last int, why string) Trace {
	return Trace{State: state, Path: s.now.Path, Line: first, EndLine: last, Reason: why}
}

// same is the trace of what stands unchanged in the file.
func (s *pursuit) same(first, last int) Trace {
	if s.now.Path != s.old.Path {
		return s.at(StateMoved, first, last, "the file was renamed from "+s.old.Path)
	}
	return s.at(StateHolds, first, last, "")
}

// gone is the trace of what was not found.
func (s *pursuit) gone(what string) Trace {
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
func (s *pursuit) byCode(ctx context.Context) (Trace, error) {
	for _, file := range []*source{s.old, s.now} {
		if err := s.tokenise(ctx, file); err != nil {
			return Trace{}, err
		}
	}
	about, ok := s.old.model.subject(s.first, s.last)
	switch {
	case !ok || s.old.inToken(about.stretch) || s.old.code(about.stretch, nil) == nil: // comments, lines of a literal, a lone semicolon
		return s.byLines(ctx, false)
	case about.whole:
		return s.definition(ctx, about.around)
	case len(about.parts) > 0:
		return s.parts(ctx, about)
	case about.around != nil:
		return s.within(ctx, about)
	}
	return s.statements(ctx, about)
}

// tokenise reads the tokens of a file that has a grammar.
func (f *Follower) tokenise(ctx context.Context, s *source) error {
	if s == nil || s.tokens != nil {
		return nil
	}
	err := f.parse(ctx, s)
	if err != nil || s.model == nil {
		return err
	}
	s.tokens, err = s.model.tokens(ctx, f.seed)
	return err
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
		if about.whole || d.nature == function {
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

// step is one token of a sequence.
type step struct {
	hash  uint64
	depth int // from the first token of what the sequence is of
	at    stretch
}

const (
	ownName   = 1 // the hash of a definition's own name, so that renaming changes nothing
	ownerName = 2 // that of the type it belongs to
)

// token returns the number of the first token that ends after a byte.
func (s *source) token(at int) int {
	i, _ := slices.BinarySearchFunc(s.tokens, at+1, func(t leaf, at int) int { return t.end - at })
	return i
}

// inToken reports whether a stretch is a part of one token that spans lines.
func (s *source) inToken(at stretch) bool {
	i := s.token(at.start)
	return i < len(s.tokens) && s.tokens[i].start < at.start && at.end < s.tokens[i].end
}

// code is a stretch of a file as a sequence of tokens, the name and the owner of d taken out.
func (s *source) code(at stretch, d *definition) []step {
	i, base := s.token(at.start), 0
	if d != nil {
		if first := s.token(d.start); first < len(s.tokens) {
			base = s.tokens[first].depth
		}
	}
	var out []step
	for ; i < len(s.tokens) && s.tokens[i].start < at.end; i++ {
		t := s.tokens[i]
		one := step{t.hash, t.depth - base, t.stretch}
		if d != nil {
			switch text := s.text.bytes[t.start:t.end]; {
			case string(text) == d.name:
				one.hash = ownName
			case d.owner != "" && string(text) == d.owner:
				one.hash = ownerName
			}
		}
		out = append(out, one)
	}
	return out
}

// all is the code of a definition without its decorators and modifiers; outer is that with them.
func (s *source) all(d *definition) []step   { return s.code(stretch{d.start, d.end}, d) }
func (s *source) outer(d *definition) []step { return s.code(stretch{d.outer, d.end}, d) }

func equalCode(a, b []step) bool {
	return slices.EqualFunc(a, b, func(a, b step) bool { return a.hash == b.hash && a.depth == b.depth })
}

// findCode returns where a sequence stands in another, as a whole however deep, or -1.
func findCode(all, part []step) int {
	for i := 0; len(part) > 0 && i+len(part) <= len(all); i++ {
		deeper := all[i].depth - part[0].depth
		if slices.EqualFunc(all[i:i+len(part)], part, func(a, b step) bool { return a.hash == b.hash && a.depth == b.depth+deeper }) {
			return i
		}
	}
	return -1
}

// likeness is how much two sequences have in common, in hundredths, order aside.
func likeness(a, b []step) int {
	count := map[uint64]int{}
	for _, t := range a {
		count[t.hash]++
	}
	common := 0
	for _, t := range b {
		if count[t.hash] > 0 {
			count[t.hash]--
			common++
		}
	}
	return 200 * common / max(len(a)+len(b), 1)
}

// linesOfCode returns the lines of a sequence.
func (s *source) linesOfCode(c []step) (first, last int) {
	return s.text.line(c[0].at.start), s.text.line(c[len(c)-1].at.end - 1)
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
func (s *pursuit) definition(ctx context.Context, d *definition) (Trace, error) {
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
func (s *pursuit) whereTo(d *definition, f *found) string {
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
func (s *pursuit) changed(ctx context.Context, d *definition, f *found, at Trace, whole bool) (Trace, error) {
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
	r, err := p.weigh(ctx)
	switch {
	case err != nil:
		return Trace{}, err
	case r.Reason == "":
		return at, nil
	case !r.Contradiction || !f.certain || d.status != sound:
		at.State, at.Reason = StateUnclear, at.Reason+": "+r.Reason
	default:
		at.State, at.Line, at.EndLine = StateHollowed, first, last
		at.Reason = fmt.Sprintf("%s is a stub now (%s)", f.symbol, strings.ReplaceAll(string(f.reason), "_", " "))
	}
	return at, nil
}

// find looks for what a definition has become: the same symbol in the file, the
// same code under a symbol that is new there, the same name and code in another
// file that changed; then what is most alike. nil when there is none.
func (s *pursuit) find(ctx context.Context, d *definition) (*found, error) {
	code := s.old.all(d)
	var fresh []*found
	if s.now != nil {
		if f := s.namesake(d, code); f != nil {
			return f, nil
		}
		fresh = s.fresh(d, s.old, s.now)
		for _, f := range fresh {
			if f.same = equalCode(code, s.now.all(f.definition)); f.same {
				return f, nil
			}
		}
	}
	var near *found
	best := alike - 1
	consider := func(f *found) {
		if l := likeness(code, f.in.all(f.definition)); l > best {
			near, best = f, l
		}
	}
	for _, f := range fresh {
		consider(f)
	}
	there, err := s.elsewhere(ctx, d.name, func(is *source) bool { return is.model.hasNamed(d) }, func(was, is *source) *found {
		for _, f := range s.fresh(d, was, is) {
			if f.name != d.name {
				continue
			}
			if f.same = equalCode(code, is.all(f.definition)); f.same {
				return f
			}
			consider(f)
		}
		return nil
	})
	if there != nil || err != nil {
		return there, err
	}
	return near, nil
}

// fresh lists the definitions of a file whose symbols its earlier version, nil for none, did not have.
func (s *pursuit) fresh(d *definition, was, is *source) []*found {
	known := map[string]bool{}
	if was != nil && was.model != nil {
		for i := range was.model.definitions {
			known[was.model.definitions[i].symbol] = true
		}
	}
	var out []*found
	for i := range is.model.definitions {
		if n := &is.model.definitions[i]; n.nature == d.nature && !known[n.symbol] {
			out = append(out, &found{definition: n, in: is})
		}
	}
	return out
}

// namesake returns the definition of the same symbol in the file. Of several
// (overloads) it is the one with the same code; else the one that is left when
// those are left out that are unchanged; else the one with the same header. nil
// when there is none, or it cannot be told which.
func (s *pursuit) namesake(d *definition, code []step) *found {
	named, siblings := s.now.model.named(d), s.old.model.named(d)
	var left []*definition
	for _, n := range named {
		is := s.now.all(n)
		if equalCode(code, is) {
			return &found{definition: n, in: s.now, certain: true, same: true}
		}
		if !slices.ContainsFunc(siblings, func(o *definition) bool { return o != d && equalCode(s.old.all(o), is) }) {
			left = append(left, n)
		}
	}
	if len(left) > 1 {
		header := s.old.code(stretch{d.start, headerEnd(d)}, d)
		alike := slices.DeleteFunc(slices.Clone(left), func(n *definition) bool {
			return !equalCode(header, s.now.code(stretch{n.start, headerEnd(n)}, n))
		})
		switch i := slices.Index(siblings, d); {
		case len(alike) == 1:
			left = alike
		case len(siblings) == len(named):
			left = named[i : i+1]
		}
	}
	switch len(left) {
	case 0:
		return nil
	case 1:
		return &found{definition: left[0], in: s.now, certain: true}
	}
	// Which of them it is cannot be told: the first stands for all, and hollows nothing.
	return &found{definition: left[0], in: s.now, oneOf: true}
}

func headerEnd(d *definition) int {
	if d.body >= 0 {
		return d.body
	}
	return d.end
}

// hasNamed reports whether a definition has the name and nature of d.
func (m *model) hasNamed(d *definition) bool {
	for i := range m.definitions {
		if n := &m.definitions[i]; n.name == d.name && n.nature == d.nature {
			return true
		}
	}
	return false
}

// named lists the definitions of the symbol and nature of d.
func (m *model) named(d *definition) []*definition {
	var out []*definition
	for i := range m.definitions {
		if n := &m.definitions[i]; n.symbol == d.symbol && n.nature == d.nature {
			out = append(out, n)
		}
	}
	return out
}

// elsewhere visits the other changed files of the language that hold a text, each
// with its earlier version (nil where there was none), until one gives an answer.
// may says of a file that was parsed whether it is worth comparing.
func (s *pursuit) elsewhere(ctx context.Context, text string, may func(is *source) bool, visit func(was, is *source) *found) (*found, error) {
	if s.Changed == nil {
		return nil, nil
	}
	paths, err := s.Changed(ctx)
	if err != nil {
		return nil, err
	}
	sought := 0
	for _, path := range paths {
		if path == s.old.Path || s.now != nil && path == s.now.Path || !sameLanguage(path, s.old.Path) {
			continue
		}
		if sought++; sought > maxSought {
			s.cut = true
			break
		}
		f, err := s.visit(ctx, path, text, may, visit)
		if f != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}

func (s *pursuit) visit(ctx context.Context, path, text string, may func(is *source) bool, visit func(was, is *source) *found) (*found, error) {
	is, err := s.is(ctx, path)
	if err != nil || is == nil || !bytes.Contains(is.text.bytes, []byte(text)) {
		return nil, err
	}
	if err := s.parse(ctx, is); err != nil || is.why != "" || !may(is) {
		return nil, err
	}
	was, err := s.was(ctx, path)
	if err != nil {
		return nil, err
	}
	for _, file := range []*source{was, is} {
		if err := s.tokenise(ctx, file); err != nil {
			return nil, err
		}
	}
	if was != nil && was.why != "" {
		return nil, nil // what was new in it cannot be told
	}
	return visit(was, is), nil
}

// sameLanguage reports whether two files are read by the same grammar, or by none and have the same ending.
func sameLanguage(a, b string) bool {
	if g, h := grammarOf(a), grammarOf(b); g != nil || h != nil {
		return g == h
	}
	return ending(a) == ending(b)
}
