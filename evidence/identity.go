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

// Identities returns for each of the claims, verified in this snapshot, the identities of what it cites: equal code has
// the same identity wherever it is cited, and other code has another.
//
// Code is split into pieces: each definition without those in it, by its tokens, and coherent code outside. The name of
// a definition with at least 12 tokens does not count. A class that only holds methods has no piece, and imports count
// only if nothing else is cited. Data is identified by blocks of lines, prose by single lines, without white space;
// files without lines by content. Removed text is different from existing text. No list is empty.
func (j *Judge) Identities(ctx context.Context, claims []Claim) ([][]string, error) {
	k := j.call(ctx)
	id := identifier{after: sources{call: k}}
	if j.Base != nil {
		past := *k
		past.Tree = *j.Base
		id.before.call = &past
	}
	out := make([][]string, len(claims))
	for i, c := range claims {
		keys := map[string]bool{}
		id.identify(c, keys)
		if len(keys) == 0 {
			keys[keyOf(nil, "place", canonical(c.Evidence))] = true
		}
		out[i] = slices.Sorted(maps.Keys(keys))
		out[i] = out[i][:min(len(out[i]), maxIdentities)]
	}
	return out, k.Err
}

// identifier caches the files that it has read: claims of one commit cite the same ones.
type identifier struct{ after, before sources }

// maxIdentities bounds the identities of one claim: more is a citation of whole files.
const maxIdentities = 10_000

func (id *identifier) identify(c Claim, keys map[string]bool) {
	e, from, tag := c.Evidence, &id.after, ""
	if e.IsRemoved {
		from, tag = &id.before, "removed"
	}
	if e.Err != "" || e.Path == "" || from.call == nil {
		return
	}
	s := from.source(e.Path)
	if c.Kind != KindText {
		from.readTokens(s)
	}
	switch {
	case e.Start == 0 && (!e.IsRemoved || s == nil || s.whyUnreadable != ""):
		from.identifyWhole(tag, e.Path, keys)
		return
	case s == nil || s.text.bytes == nil || e.End < e.Start:
		return
	case e.Start == 0:
		e.Start, e.End = 1, s.text.count()
	}
	c.Evidence = e
	p := s.place(c)
	if s.tokens != nil && !e.IsRemoved {
		p.followSymbol()
	}
	if s.tokens != nil && p.last <= s.text.count() {
		for _, p := range s.pieces(p.first, p.last) {
			if !p.isImport {
				keys[keyOf(nil, "code", tag, p.key)] = true
			}
		}
	}
	if len(keys) == 0 {
		s.identifyText(p.first, p.last, tag, c.Kind == KindText || parser.IsProse(e.Path), keys)
	}
}

// identifyWhole adds the identity of a file without lines: its content, or its path if it is empty.
func (j *call) identifyWhole(tag, path string, keys map[string]bool) {
	at := j.Stat(&j.Tree, path)
	if at.Kind == Missing {
		return
	}
	if at.Kind == File && j.size(&j.Tree, at) == 0 {
		at.ID = "empty\x00" + path
	}
	keys[keyOf(nil, "path", tag, at.Mode, at.ID)] = true
}

// identifyText adds lines with words, without white space: single lines, or blocks.
func (s *source) identifyText(first, last int, tag string, alone bool, keys map[string]bool) {
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
			keys[keyOf(s.text.lines(from, line), "text", tag)] = true
		}
	}
}

// piece is the smallest meaningful part of a file of code: a definition without those in it, or a block outside. Pieces
// with equal keys say the same.
type piece struct {
	// key is made of the tokens without documentation, and of the definition's name if there are few. symbol is the
	// definition's.
	key, symbol string
	// isImport: it only brings names in.
	isImport bool
}

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

// piece returns the piece of a holder, which holds token i; its key is empty if it says nothing, like a class with only
// methods.
func (s *source) piece(holder, i int) (p piece) {
	code, d, holds := s.tokens, &definition{}, false
	if holder >= 0 {
		d = s.model.definitions[holder]
		holds = holder+1 < len(s.model.definitions) && s.model.definitions[holder+1].outer < d.end
		code = s.outerCode(d)
	} else {
		for i > 0 && s.tokens[i-1].holder == holder {
			i--
		}
		code = code[i:]
	}
	hasWord := false
	var tokens []leaf
	p.symbol, p.isImport = d.symbol, holder < 0
	for _, t := range code {
		if t.holder < 0 && t.holder != holder {
			break
		}
		if t.holder != holder || t.isDocumentation {
			continue
		}
		tokens = append(tokens, t)
		kind := s.model.kinds[t.start] & kindMask
		p.isImport = p.isImport && (kind == weak || kind == bracket)
		hasWord = hasWord || t.start >= d.body && d.body >= 0 && hasWordIn(s.text.bytes[t.start:t.end])
	}
	switch {
	case !hasWord && (holds || holder < 0):
	case holder >= 0 && len(tokens) < minTokens:
		p.key = keyOf(tokens, "small", d.name)
	default:
		p.key = keyOf(tokens)
	}
	return p
}

func hasWordIn(text []byte) bool {
	return bytes.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
