package evidence

import (
	"bytes"
	"slices"

	"github.com/acta-git/acta/evidence/language"
)

// Narrow leaves of two versions of a file what a comparison of functions that call each other has to read: what
// differs, all that is no function, functions of the same names, and those that name what differs or are named there.
// Blanks stand in the place of the rest, so that what is left stands where it stood. It is nil where that saves little,
// or no layout says how files of the language fall into parts.
//
// What is left is to be asked one question alone: whether there is anything to be said of the change. Where there is,
// or where an error touches what differs, the whole versions are compared.
func Narrow(c *Cache, path string, before, after []byte) *Narrowed {
	if n := narrow(c, path, before, after, ofCalls); n != nil {
		return n.narrowed()
	}
	return nil
}

// question is what is asked of what is left of two versions.
type question uint8

const (
	ofStubs question = iota // whether a function is a stub
	ofCalls                 // what functions do that call each other
	ofOwn                   // what differs, each for itself
)

// narrow tells two versions apart; nil where that is not worth it, or no layout says how.
func narrow(c *Cache, path string, before, after []byte, asked question) *narrowing {
	g := grammarOf(path)
	if g == nil || len(before)+len(after) < leastNarrowed {
		return nil
	}
	l := layouts[g.Name]
	if l == nil || l.embeds.IsSet() && (l.embeds.Match(before) || l.embeds.Match(after)) {
		return nil
	}
	if l.opens.IsSet() && l.open(before) != l.open(after) {
		return nil
	}
	n := &narrowing{grammar: g, before: side{src: before}, after: side{src: after}, words: map[string]bool{},
		names: map[string]bool{}, asked: asked}
	n.compare(l, c.partsOf(l, before), c.partsOf(l, after))
	n.keep()
	return n
}

// narrowed is what Narrow returns.
func (n *narrowing) narrowed() *Narrowed {
	left := &Narrowed{n.before.left(), n.after.left(), n.after.own, !n.more}
	if filled(left.Before)+filled(left.After) > (filled(n.before.src)+filled(n.after.src))*maxNarrowed/100 {
		return nil
	}
	return left
}

// Narrowed is what Narrow leaves of two versions.
type Narrowed struct {
	Before, After []byte
	// come are the stretches of After that Before has not, but for functions that do so much that they are no stubs.
	come []stretch
	// apart: they are functions and imports, and change nothing of what the others are.
	apart bool
}

// mayAdd reports whether a stub may be new in After.
func (n *Narrowed) mayAdd(g *grammar) bool {
	if !n.apart {
		return g.MayHold(n.After)
	}
	return slices.ContainsFunc(n.come, func(s stretch) bool { return g.MayHold(n.After[s.start:s.end]) })
}

// isRead reports whether a model of After tells of all that differs: no syntax error touches that.
func (n *Narrowed) isRead(m *model) bool {
	return !slices.ContainsFunc(slices.Concat(m.errors, m.broken), func(e stretch) bool {
		return slices.ContainsFunc(n.come, func(s stretch) bool { return e.start <= s.end && e.end >= s.start })
	})
}

const (
	// leastNarrowed is the size of both versions below which parsing them whole costs no more, in bytes.
	leastNarrowed = 2 << 10
	// maxNarrowed is how much of the versions may be left where leaving out the rest pays, in parts of 100.
	maxNarrowed = 70
	// maxDeep is how deep parts are divided: a namespace, a class in it, one in that, and their members.
	maxDeep = 3
	// leastSubstance is the size from which on no function is without substance, whatever the rest of its file says, in
	// bytes that are no blanks. Smaller ones are left in where more than functions differs.
	leastSubstance = 400
)

// side is a version and the functions that it shares with the other one.
type side struct {
	src    []byte
	shared []part
	own    []stretch // what the other one has not
	full   []part    // functions among that of which it is sure that they are no stubs
	taken  []part    // functions that both have, and that are left in
	frames []part    // containers that hold what is left in, perhaps
	others []part    // what both have that is no function and may hold one
}

func (s *side) text(p *part) []byte { return s.src[p.start:p.end] }

// share notes what there is in a part that both versions have.
func (s *side) share(l *layout, p *part) {
	switch p.kind {
	case functionPart:
		s.shared = append(s.shared, *p)
	case containerPart:
		s.frames = append(s.frames, *p)
	case otherPart:
		if l.mayDefine(s.text(p)) {
			s.others = append(s.others, *p)
		}
	}
	for i := range p.inner {
		s.share(l, &p.inner[i])
	}
}

// left is the version with blanks in the place of what is left out.
func (s *side) left() []byte {
	out := slices.Clone(s.src)
	for _, left := range [][]part{s.shared, s.full} {
		for _, p := range left {
			for i := p.start; i < p.end; i++ {
				if out[i] != '\n' && out[i] != '\r' {
					out[i] = ' '
				}
			}
		}
	}
	return out
}

// narrowing is one call of Narrow.
type narrowing struct {
	grammar       *grammar
	before, after side
	// names are those that what differs defines, words all that stand in it.
	names, words map[string]bool
	// more than functions and imports differs, and what else does may say something of functions.
	more  bool
	asked question
}

// compare tells the parts of two containers apart.
func (n *narrowing) compare(l *layout, b, a *part) {
	have := map[uint64][]int{}
	for i := range b.inner {
		have[b.inner[i].sum] = append(have[b.inner[i].sum], i)
	}
	same := make([]bool, len(b.inner))
	var come, gone []*part
	for i := range a.inner {
		p := &a.inner[i]
		if at := have[p.sum]; len(at) > 0 && bytes.Equal(n.before.text(&b.inner[at[0]]), n.after.text(p)) {
			same[at[0]], have[p.sum] = true, at[1:]
			n.after.share(l, p)
		} else {
			come = append(come, p)
		}
	}
	for i := range b.inner {
		if p := &b.inner[i]; same[i] {
			n.before.share(l, p)
		} else {
			gone = append(gone, p)
		}
	}
	for _, p := range come {
		at := slices.IndexFunc(gone, func(o *part) bool {
			return p.kind == containerPart && o.kind == containerPart &&
				bytes.Equal(n.before.src[o.start:o.head], n.after.src[p.start:p.head])
		})
		if at < 0 {
			n.differs(l, &n.after, p)
			continue
		}
		n.after.frames = append(n.after.frames, *p)
		n.compare(l, gone[at], p)
		gone = slices.Delete(gone, at, at+1)
	}
	for _, p := range gone {
		n.differs(l, &n.before, p)
	}
}

// differs notes a part that one version alone has.
func (n *narrowing) differs(l *layout, s *side, p *part) {
	text := s.text(p)
	if n.asked == ofStubs && p.isFull(n.grammar, text) {
		s.full = append(s.full, *p)
		n.names[p.name] = true
		return
	}
	s.own = append(s.own, stretch{p.start, p.end})
	switch p.kind {
	case functionPart:
		if n.asked != ofOwn {
			n.names[p.name] = true
		}
	case importPart:
	default:
		n.more = n.more || !l.isQuiet(text)
		for _, m := range l.defines.InBytes(text).FindAllSubmatch(text, -1) {
			n.names[string(m[1])+string(m[2])] = true
		}
	}
	if n.asked == ofCalls {
		addWords(n.words, text)
	}
}

// keep takes from what is left out each function of the name of one that differs, and small ones where more than
// functions differs; of those that call each other, all that name what differs or are named by what is left in.
func (n *narrowing) keep() {
	delete(n.names, "")
	n.take(func(text []byte, p *part) bool {
		return n.names[p.name] || n.more && n.asked == ofStubs && filled(text) < leastSubstance
	})
	if n.asked == ofStubs {
		return
	}
	n.take(func(text []byte, _ *part) bool {
		for name := range n.names {
			if holdsWord(text, name) {
				return true
			}
		}
		return false
	})
	for n.asked == ofCalls && n.take(func(_ []byte, p *part) bool { return p.name != "" && n.words[p.name] }) {
		continue // what those name
	}
}

// take takes functions from what is left out, and reports whether there were any.
func (n *narrowing) take(wanted func(text []byte, p *part) bool) (taken bool) {
	for _, s := range []*side{&n.before, &n.after} {
		s.shared = slices.DeleteFunc(s.shared, func(p part) bool {
			text := s.text(&p)
			if !wanted(text, &p) {
				return false
			}
			if n.asked == ofCalls {
				addWords(n.words, text)
			}
			s.taken, taken = append(s.taken, p), true
			return true
		})
	}
	return taken
}

// filled counts the bytes that are no blanks.
func filled(src []byte) (n int) {
	for _, b := range src {
		if b > ' ' {
			n++
		}
	}
	return n
}

// addWords adds the words of a text.
func addWords(words map[string]bool, text []byte) {
	for i := 0; i < len(text); {
		if b := text[i]; !language.IsWordByte(b) || b >= '0' && b <= '9' {
			i++
			continue
		}
		from := i
		for i < len(text) && language.IsWordByte(text[i]) {
			i++
		}
		if word := text[from:i]; !words[string(word)] {
			words[string(word)] = true
		}
	}
}

// holdsWord reports whether a word stands in a text as a whole.
func holdsWord(text []byte, word string) bool {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(word))
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		if (from == 0 || !language.IsWordByte(text[from-1])) && (to == len(text) || !language.IsWordByte(text[to])) {
			return true
		}
		at = to
	}
}
