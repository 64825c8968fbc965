package evidence

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/acta-git/acta/parser"
)

// Identities gives for each of the claims, which are verified in the snapshot of
// j, the identities of what it cites: the same code has the same identity wherever
// and by whomever it is cited, and no other has it.
//
// Of code it is the definitions that a span touches, each without those that
// stand in it, by their tokens; nor does the name of a definition of
// at least 12 tokens count. A class that only holds methods has none of its own. What stands outside
// of definitions, and prose and data, are known by their lines, white space left
// out (imports only where nothing else is cited); what has no lines by its content. What was removed is another thing
// than what is there. Claims of adjacent lines outside of definitions share those of the first: forty constants in a
// row are one piece of work. No list is empty.
func (j *Judge) Identities(ctx context.Context, claims []Claim) ([][]string, error) {
	id := identities{after: sources{Judge: j}}
	if j.Base != nil {
		past := *j
		past.Tree = *j.Base
		id.before.Judge = &past
	}
	out := make([][]string, len(claims))
	var rows []int // claims of lines outside of definitions
	for i, c := range claims {
		keys := keySet{}
		if err := id.identify(ctx, c, &keys); err != nil {
			return nil, err
		}
		if len(keys.list) == 0 {
			keys.add("place", canonical(c.Evidence))
		}
		seen := map[string]bool{}
		out[i] = slices.DeleteFunc(keys.list, func(key string) bool {
			had := seen[key]
			seen[key] = true
			return had
		})
		if !keys.defined && c.Evidence.Start > 0 && c.Kind != KindText && KindOf(c.Evidence.Path) == KindCode {
			rows = append(rows, i)
		}
	}
	at := func(i int) parser.Evidence { return claims[i].Evidence }
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(at(a).Path, at(b).Path), at(a).Start-at(b).Start)
	})
	for k := 1; k < len(rows); k++ {
		before, now := rows[k-1], rows[k]
		if at(now).Path == at(before).Path && at(now).Removed == at(before).Removed && at(now).Start <= at(before).End+1 {
			out[now] = out[before]
		}
	}
	return out, nil
}

// identities keeps the files that it has read: claims of one commit cite the same ones.
type identities struct{ after, before sources }

// keySet is a list of identities. defined: a definition is among them.
type keySet struct {
	list    []string
	defined bool
}

// maxIdentities bounds those of one claim: who cites more cites whole files, and what is beyond is not known again.
const maxIdentities = 10_000

// add adds the identity of what the parts say, the first being what kind of thing it is.
func (k *keySet) add(parts ...string) { k.put(keyOf(nil, parts...)) }

func (k *keySet) put(key string) {
	if key != "" && len(k.list) < maxIdentities {
		k.list = append(k.list, key)
	}
}

// identify adds what one claim cites.
func (id *identities) identify(ctx context.Context, c Claim, keys *keySet) error {
	e, from, what := c.Evidence, &id.after, ""
	if e.Removed {
		from, what = &id.before, "removed"
	}
	switch {
	case e.Err != "" || e.Path == "" || from.Judge == nil:
		return nil
	case e.Start == 0 && !e.Removed:
		return from.whole(ctx, "path", e.Path, keys)
	}
	s, err := from.source(ctx, e.Path)
	switch {
	case err != nil:
		return err
	case e.Removed && (s == nil || s.why != ""):
		return from.whole(ctx, what, e.Path, keys)
	case s == nil || s.text.bytes == nil:
		return nil
	case e.Start == 0:
		c.Evidence.Start, c.Evidence.End = 1, s.text.count()
	}
	return id.lines(ctx, s, c, what, keys)
}

// whole is what has no lines: it is known by its content, what is empty by its path.
func (j *Judge) whole(ctx context.Context, what, path string, keys *keySet) error {
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
	keys.add(what, at.Mode, at.ID)
	return err
}

// lines adds what stands in cited lines.
func (id *identities) lines(ctx context.Context, s *source, c Claim, what string, keys *keySet) error {
	first, last := c.Evidence.Start, c.Evidence.End
	if first < 1 || last < first {
		return nil
	}
	if c.Kind != KindText {
		if err := s.tokenise(ctx, id.after.Cache); err != nil {
			return err
		}
		if s.tokens != nil && what == "" {
			p := place{Claim: c, entry: s.Entry, text: s.text, model: s.model, first: first, last: last}
			p.follow()
			first, last = p.first, p.last
		}
		if s.tokens != nil && last > s.text.count() {
			return nil
		}
		if s.tokens != nil {
			s.span(first, last, what, keys)
		}
	}
	for l, none := first, len(keys.list) == 0; none && l <= min(last, s.text.count()); l++ {
		s.addLine(l, what, keys)
	}
	return nil
}

// span adds the definitions that lines touch, and what of the lines stands in none.
func (s *source) span(first, last int, what string, keys *keySet) {
	at, seen := s.text.span(first, last), map[int]bool{}
	for i := s.token(at.start); i < len(s.tokens) && s.tokens[i].start < at.end; i++ {
		t := s.tokens[i]
		if k := s.model.kinds[t.start] & kindMask; t.holder < 0 && k != weak && k != bracket {
			for l := max(first, s.text.line(t.start)); l <= min(last, s.text.line(t.end-1)); l++ {
				s.addLine(l, what, keys)
			}
		} else if t.holder >= 0 && !seen[t.holder] { // an import beside a definition is no work of its own
			seen[t.holder] = true
			key := s.own(t.holder, what, false)
			keys.defined = keys.defined || key != ""
			keys.put(key)
		}
	}
}

// own is the key of a definition, without those that stand in it; "" where nothing but a header is left of it. bare:
// without its documentation.
func (s *source) own(i int, what string, bare bool) string {
	d := &s.model.definitions[i]
	says, holds := false, i+1 < len(s.model.definitions) && s.model.definitions[i+1].outer < d.end
	code := slices.DeleteFunc(s.outer(d), func(t leaf) bool {
		if t.holder != i || bare && t.describes {
			return true
		}
		says = says || t.start >= d.body && d.body >= 0 && !t.describes && hasWordIn(s.text.bytes[t.start:t.end])
		return false
	})
	switch {
	case !says && holds:
		return ""
	case len(code) < minTokens:
		return keyOf(code, "code", what, d.name)
	}
	return keyOf(code, "code", what)
}

// addLine adds a line that says something, white space left out.
func (s *source) addLine(l int, what string, keys *keySet) {
	if folded := strings.Join(strings.Fields(s.text.at(l)), ""); hasWordIn([]byte(folded)) {
		keys.add("line", what, strings.TrimRight(folded, ",;"))
	}
}

func hasWordIn(text []byte) bool {
	return bytes.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
