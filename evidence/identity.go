package evidence

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/parser"
)

// Identities gives for each of the claims, which are verified in the snapshot of
// j, the identities of what it cites: the same code has the same identity wherever
// and by whomever it is cited, and no other has it.
//
// Of code it is the pieces that a span touches: each definition without those that stand in it, by its tokens, and what
// stands together outside of any; nor does the name of a definition of at least 12 tokens count. A class that only
// holds methods has none of its own, and imports count only where nothing else is cited. Data is known by the lines
// that stand together, prose by each of its lines, white space left out; what has no lines by its content. What was
// removed is another thing than what is there. No list is empty.
func (j *Judge) Identities(ctx context.Context, claims []Claim) ([][]string, error) {
	id := identities{after: sources{Judge: j}}
	if j.Base != nil {
		past := *j
		past.Tree = *j.Base
		id.before.Judge = &past
	}
	out := make([][]string, len(claims))
	for i, c := range claims {
		keys := map[string]bool{}
		if err := id.identify(ctx, c, keys); err != nil {
			return nil, err
		}
		if len(keys) == 0 {
			keys[keyOf(nil, "place", canonical(c.Evidence))] = true
		}
		out[i] = slices.Sorted(maps.Keys(keys))
		out[i] = out[i][:min(len(out[i]), maxIdentities)]
	}
	return out, nil
}

// identities keeps the files that it has read: claims of one commit cite the same ones.
type identities struct{ after, before sources }

// maxIdentities bounds those of one claim: who cites more cites whole files, and what is beyond is not known again.
const maxIdentities = 10_000

// identify adds what one claim cites.
func (id *identities) identify(ctx context.Context, c Claim, keys map[string]bool) error {
	e, from, what := c.Evidence, &id.after, ""
	if e.IsRemoved {
		from, what = &id.before, "removed"
	}
	if e.Err != "" || e.Path == "" || from.Judge == nil {
		return nil
	}
	s, err := from.source(ctx, e.Path)
	if err == nil && c.Kind != KindText {
		err = s.tokenise(ctx, id.after.Cache)
	}
	switch {
	case err != nil:
		return err
	case e.Start == 0 && (!e.IsRemoved || s == nil || s.why != ""):
		return from.whole(ctx, what, e.Path, keys)
	case s == nil || s.text.bytes == nil || e.End < e.Start:
		return nil
	case e.Start == 0:
		e.Start, e.End = 1, s.text.count()
	}
	p := place{Claim: c, entry: s.Entry, text: s.text, model: s.model, first: e.Start, last: e.End}
	if s.tokens != nil && !e.IsRemoved {
		p.follow()
	}
	if s.tokens != nil && p.last <= s.text.count() {
		s.identify(p.first, p.last, what, keys)
	}
	if len(keys) == 0 {
		s.identifyText(p.first, p.last, what, c.Kind == KindText || parser.IsProse(e.Path), keys)
	}
	return nil
}

// whole is what has no lines: it is known by its content, what is empty by its path.
func (j *Judge) whole(ctx context.Context, what, path string, keys map[string]bool) error {
	at, err := j.Tree.Stat(ctx, path)
	if err != nil || at.Kind == Missing {
		return err
	}
	size := int64(1)
	if at.Kind == File {
		size, err = j.Tree.Size(ctx, at)
	}
	if size == 0 {
		at.ID = "empty\x00" + path
	}
	keys[keyOf(nil, "path", what, at.Mode, at.ID)] = true
	return err
}

// identify adds the pieces of code that lines touch. An import beside another is no work of its own.
func (s *source) identify(first, last int, what string, keys map[string]bool) {
	for _, p := range s.pieces(first, last) {
		if !p.weak {
			keys[keyOf(nil, "code", what, p.key)] = true
		}
	}
}

// identifyText adds what says something in lines, white space left out: each line alone, or those that stand together.
func (s *source) identifyText(first, last int, what string, alone bool, keys map[string]bool) {
	isBlank := func(line int) bool { return strings.TrimSpace(s.text.at(line)) == "" }
	for line := max(first, 1); line <= min(last, s.text.count()); line++ {
		from := line
		for !alone && !isBlank(line) && from > 1 && !isBlank(from-1) {
			from--
		}
		for !alone && !isBlank(line) && line < s.text.count() && !isBlank(line+1) {
			line++
		}
		if at := s.text.span(from, line); hasWordIn(s.text.bytes[at.start:at.end]) {
			keys[keyOf(s.text.lines(from, line), "text", what)] = true
		}
	}
}

// piece is what says something by itself in a file of code: a definition without those that stand in it, or what stands
// together outside of any. Two with one key say the same.
type piece struct {
	// key is made of the tokens, documentation left out, and of a definition's name where there are few; symbol is the
	// definition's.
	key, symbol string
	// weak: it only brings names in.
	weak bool
}

// pieces are those that lines touch.
func (s *source) pieces(first, last int) (all []piece) {
	at, seen := s.text.span(first, max(first, last)), map[int]bool{}
	for i := s.token(at.start); i < len(s.tokens) && s.tokens[i].start < at.end; i++ {
		if holder := s.tokens[i].holder; !seen[holder] {
			seen[holder] = true
			if p := s.piece(holder, i); p.key != "" {
				all = append(all, p)
			}
		}
	}
	return all
}

// piece is the one of a holder, which holds token i; it has no key where it says nothing, as a class that only holds
// methods.
func (s *source) piece(holder, i int) (p piece) {
	code, d, holds := s.tokens, &definition{}, false
	if holder >= 0 {
		d = &s.model.definitions[holder]
		holds = holder+1 < len(s.model.definitions) && s.model.definitions[holder+1].outer < d.end
		code = s.outer(d)
	} else {
		for i > 0 && s.tokens[i-1].holder == holder {
			i--
		}
		code = code[i:]
	}
	says := false
	var own []leaf
	p.symbol, p.weak = d.symbol, holder < 0
	for _, t := range code {
		if t.holder < 0 && t.holder != holder {
			break
		}
		if t.holder != holder || t.describes {
			continue
		}
		own = append(own, t)
		kind := s.model.kinds[t.start] & kindMask
		p.weak = p.weak && (kind == weak || kind == bracket)
		says = says || t.start >= d.body && d.body >= 0 && hasWordIn(s.text.bytes[t.start:t.end])
	}
	switch {
	case !says && (holds || holder < 0):
	case holder >= 0 && len(own) < minTokens:
		p.key = keyOf(own, "small", d.name)
	default:
		p.key = keyOf(own)
	}
	return p
}

func hasWordIn(text []byte) bool {
	return bytes.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
