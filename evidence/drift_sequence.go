package evidence

import "slices"

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
	if len(part) == 0 || len(part) > len(all) {
		return -1
	}
	for _, at := range indexes(deltas(all), deltas(part)) {
		if all[at-1].hash == part[0].hash {
			return at - 1
		}
	}
	return -1
}

// delta is a token with how much deeper it stands than the one before it.
type delta struct {
	hash   uint64
	deeper int
}

// deltas are those of a sequence from its second token on.
func deltas(c []step) []delta {
	out := make([]delta, 0, len(c))
	for i := 1; i < len(c); i++ {
		out = append(out, delta{c[i].hash, c[i].depth - c[i-1].depth})
	}
	return out
}

// indexes returns where part stands in all, counted from 1, in time linear in
// both: the algorithm of Knuth, Morris and Pratt. An empty part stands everywhere.
func indexes[T comparable](all, part []T) []int {
	// border[i] is how long the longest beginning of part is that also ends part[:i+1], itself excepted.
	border := make([]int, len(part))
	for i, n := 1, 0; i < len(part); i++ {
		for n > 0 && part[i] != part[n] {
			n = border[n-1]
		}
		if part[i] == part[n] {
			n++
		}
		border[i] = n
	}
	var out []int
	n := 0
	for i := range len(all) + 1 {
		if n == len(part) {
			out = append(out, i-n+1)
			if n > 0 {
				n = border[n-1]
			}
		}
		if i == len(all) {
			break
		}
		for n > 0 && all[i] != part[n] {
			n = border[n-1]
		}
		if n < len(part) && all[i] == part[n] {
			n++
		}
	}
	return out
}

// census counts the tokens of a sequence.
func census(c []step) map[uint64]int {
	count := map[uint64]int{}
	for _, t := range c {
		count[t.hash]++
	}
	return count
}

// likeness is how much a sequence has in common with the one of size tokens that
// was counted, in hundredths, order aside.
func likeness(counted map[uint64]int, size int, c []step) int {
	common := 0
	for hash, n := range census(c) {
		common += min(n, counted[hash])
	}
	return 200 * common / max(size+len(c), 1)
}

// linesOfCode returns the lines of a sequence.
func (s *source) linesOfCode(c []step) (first, last int) {
	return s.text.line(c[0].at.start), s.text.line(c[len(c)-1].at.end - 1)
}
