package evidence

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"hash/maphash"
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
// stand in it, by their tokens as Follower compares them: comments, white space and what
// else a formatter changes do not count, nor does the name of a definition of
// at least 12 tokens. A class that only holds methods has none of its own. What stands outside
// of definitions, and prose and data, are known by their lines, white space left
// out (imports only where nothing else is cited); what has no lines by its content. What was removed is another thing
// than what is there. Claims of adjacent lines outside of definitions share those of the first: forty constants in a
// row are one piece of work. No list is empty.
func (j *Judge) Identities(ctx context.Context, claims []Claim) ([][]string, error) {
	id := identities{Judge: j, files: map[*source]*known{}}
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
		out[i] = keys.list
		g := grammarOf(c.Evidence.Path)
		if !keys.defined && c.Evidence.Start > 0 && c.Kind != KindText && (g == nil || !g.Prose) {
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
type identities struct {
	*Judge
	after, before sourceCache
	files         map[*source]*known
}

// known is a file with grammar, and which definition each of its tokens belongs to.
type known struct {
	*source
	holder []int // by token, the innermost definition; -1 for none
	kept   map[int]string
	sorts  sorts
	bare   bool // docstrings do not count
}

// keySet is a list of identities, each once.
type keySet struct {
	list []string
	has  map[string]bool
	// defined: a definition is among them.
	defined bool
}

// maxIdentities bounds those of one claim: who cites more cites whole files, and what is beyond is not known again.
const maxIdentities = 10_000

// keyBytes is how much of a hash is kept: 64 bits, so that two of a million are the same with a chance of one in 30
// million.
const keyBytes = 8

// add adds the identity of what the parts say, the first being what kind of thing it is.
func (k *keySet) add(parts ...string) {
	h := sha256.New()
	for _, p := range parts {
		writePart(h, []byte(p))
	}
	k.put(sumOf(h))
}

func (k *keySet) put(key string) {
	if k.has[key] || len(k.list) == maxIdentities {
		return
	}
	if k.has == nil {
		k.has = map[string]bool{}
	}
	k.has[key] = true
	k.list = append(k.list, key)
}

func writePart(h hash.Hash, part []byte) {
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(len(part)))
	_, _ = h.Write(size[:])
	_, _ = h.Write(part)
}

func sumOf(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:keyBytes]) }

// identify adds what one claim cites.
func (id *identities) identify(ctx context.Context, c Claim, keys *keySet) error {
	e := c.Evidence
	if e.Err != "" || e.Path == "" {
		return nil
	}
	if !e.Removed {
		if e.Start == 0 {
			return id.whole(ctx, &id.Tree, "path", e.Path, keys)
		}
		s, err := id.after.source(ctx, id.Judge, e.Path)
		if err != nil || s == nil {
			return err
		}
		return id.lines(ctx, s, c, "", keys)
	}
	if id.Base == nil {
		return nil
	}
	past := *id.Judge
	past.Tree = *id.Base
	s, err := id.before.source(ctx, &past, e.Path)
	switch {
	case err != nil:
		return err
	case s == nil || s.why != "":
		return id.whole(ctx, id.Base, "removed", e.Path, keys)
	case e.Start == 0:
		c.Evidence.Start, c.Evidence.End = 1, s.text.count()
	}
	return id.lines(ctx, s, c, "removed", keys)
}

// whole is what has no lines: it is known by its content, what is empty by its path.
func (id *identities) whole(ctx context.Context, tree *Tree, what, path string, keys *keySet) error {
	at, err := tree.Stat(ctx, path)
	if err != nil || at.Kind == Missing {
		return err
	}
	if at.Kind == File {
		size, err := tree.Size(ctx, at)
		if err != nil {
			return err
		}
		if size == 0 {
			keys.add(what, at.Mode, "empty", path)
			return nil
		}
	}
	keys.add(what, at.Mode, at.ID)
	return nil
}

// lines adds what stands in cited lines.
func (id *identities) lines(ctx context.Context, s *source, c Claim, what string, keys *keySet) error {
	g := grammarOf(s.Path)
	if s.text.bytes == nil { // it could not be read at all
		return nil
	}
	if c.Evidence.Start < 1 || c.Evidence.End < c.Evidence.Start {
		return nil
	}
	var f *known
	if g != nil && !g.Data && !g.Prose && c.Kind != KindText {
		var err error
		if f, err = id.file(ctx, g, s); err != nil {
			return err
		}
	}
	if f == nil {
		addLines(s, c.Evidence.Start, c.Evidence.End, what, nil, keys)
		return nil
	}
	p := place{Claim: c, entry: s.Entry, text: s.text, model: s.model, first: c.Evidence.Start, last: c.Evidence.End}
	if what == "" {
		p.follow()
	}
	if p.last > s.text.count() {
		return nil
	}
	f.span(p.first, p.last, what, keys)
	if len(keys.list) == 0 {
		addLines(s, p.first, p.last, what, nil, keys)
	}
	return nil
}

// file reads the tokens of a file; nil where they cannot be read.
func (id *identities) file(ctx context.Context, g *grammar, s *source) (*known, error) {
	if f, ok := id.files[s]; ok {
		return f, nil
	}
	if err := s.tokenise(ctx, id.Cache, maphash.MakeSeed()); err != nil {
		return nil, err
	}
	c, err := g.compiled()
	if err != nil {
		return nil, err
	}
	if id.files[s] = nil; s.why == "" {
		id.files[s] = &known{source: s, kept: map[int]string{}, sorts: c.sorts(g)}
		id.files[s].hold()
	}
	return id.files[s], nil
}

// hold finds the definition of each token. Definitions stand in the order in which they begin, the wider first.
func (f *known) hold() {
	f.holder = make([]int, len(f.tokens))
	var open []int
	next := 0
	for i, t := range f.tokens {
		for next < len(f.model.definitions) && f.model.definitions[next].outer <= t.start {
			open = append(open, next)
			next++
		}
		for len(open) > 0 && f.model.definitions[open[len(open)-1]].end <= t.start {
			open = open[:len(open)-1]
		}
		f.holder[i] = -1
		for k := len(open) - 1; k >= 0; k-- {
			if f.model.definitions[open[k]].end > t.start {
				f.holder[i] = open[k]
				break
			}
		}
	}
}

// span adds the definitions that lines touch, and what of the lines stands in none.
func (f *known) span(first, last int, what string, keys *keySet) {
	at := f.text.span(first, last)
	outside := map[int]bool{}
	for i := f.token(at.start); i < len(f.tokens) && f.tokens[i].start < at.end; i++ {
		h := f.holder[i]
		if h >= 0 {
			if key := f.definition(h, what); key != "" {
				keys.defined = true
				keys.put(key)
			}
			continue
		}
		t := f.tokens[i]
		if k := f.model.kinds[t.start] & kindMask; k == weak || k == bracket {
			continue // an import beside a definition is no work of its own
		}
		for l := f.text.line(t.start); l <= f.text.line(t.end-1); l++ {
			outside[l] = true
		}
	}
	addLines(f.source, first, last, what, outside, keys)
}

// definition is the identity of a definition, without those that stand in it; ""
// where nothing but a header is left of it.
func (f *known) definition(i int, what string) string {
	if key, ok := f.kept[i]; ok {
		return key
	}
	d := &f.model.definitions[i]
	base, count, says := 0, 0, false
	if t := f.token(d.start); t < len(f.tokens) {
		base = f.tokens[t].depth
	}
	h := sha256.New()
	writePart(h, []byte("code"+what))
	for t := f.token(d.outer); t < len(f.tokens) && f.tokens[t].start < d.end; t++ {
		token := f.tokens[t]
		if f.holder[t] != i || f.bare && f.describes(token.stretch) {
			continue
		}
		text := f.model.normal(token.stretch, f.sorts.of(token.kind) == literal)
		says = says || token.start >= d.body && d.body >= 0 && hasWordIn(text) && !f.describes(token.stretch)
		switch {
		case string(text) == d.name:
			text = []byte{ownName}
		case d.owner != "" && string(text) == d.owner:
			text = []byte{ownerName}
		}
		count++
		writePart(h, text)
		writePart(h, binary.LittleEndian.AppendUint64(nil, uint64(token.depth-base)))
	}
	key := ""
	if says || !f.holds(i) {
		if count < minTokens {
			writePart(h, []byte(d.name))
		}
		key = sumOf(h)
	}
	f.kept[i] = key
	return key
}

// describes reports whether a token is a docstring.
func (f *known) describes(at stretch) bool {
	i, _ := slices.BinarySearchFunc(f.model.docstrings, at.start, func(d stretch, at int) int { return d.start - at })
	return i < len(f.model.docstrings) && f.model.docstrings[i].start == at.start
}

// holds reports whether another definition stands in one.
func (f *known) holds(i int) bool {
	return i+1 < len(f.model.definitions) && f.model.definitions[i+1].outer < f.model.definitions[i].end
}

// addLines adds the lines that say something, white space left out; of those that only lists, where it is not nil.
func addLines(s *source, first, last int, what string, only map[int]bool, keys *keySet) {
	for l := first; l <= min(last, s.text.count()); l++ {
		if only != nil && !only[l] {
			continue
		}
		folded := strings.Join(strings.Fields(s.text.at(l)), "")
		if hasWordIn([]byte(folded)) {
			keys.add("line"+what, strings.TrimRight(folded, ",;"))
		}
	}
}

func hasWordIn(text []byte) bool {
	return strings.ContainsFunc(string(text), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
