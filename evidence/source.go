package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

// source is a file of a snapshot. Pieces of code are equal if their tokens are.
type source struct {
	Entry
	// whyUnreadable says why it cannot be read by lines, or by its grammar; "" if it can.
	whyUnreadable string
	text          text
	// model and tokens are nil until needed, and without a grammar.
	model  *model
	tokens []leaf
	keys   map[stretch]string
}

// leaf is a token: a leaf of the syntax tree, a whole literal, or bytes without a node. Comments, white space,
// semicolons, and commas before a closing bracket do not count.
type leaf struct {
	stretch
	// hash is that of its normal text and of its parent's kind.
	hash uint64
	// depth is its depth in the tree, holder the innermost definition around it; each block outside definitions has a
	// negative number.
	depth, holder int

	isDocumentation bool
}

const (
	ownName   = 1 // the hash of a definition's own name, so that renaming changes nothing
	ownerName = 2 // that of the type it belongs to
	// minTokens is the fewest tokens by which code is recognised without its name or place.
	minTokens = 12
	// maxSources bounds the cached files of one snapshot, in bytes.
	maxSources = 32 << 20
)

type sources struct {
	*call
	files cacheMap[string, *source]
}

func (h *sources) source(name string) *source {
	s, _ := h.files.get(name, maxSources, func() (*source, int, error) {
		found := h.locate(&h.Tree, name)
		switch {
		case found.obstacle != "":
			return &source{Entry: Entry{Path: name}, whyUnreadable: found.obstacle}, 0, h.Err
		case found.Kind != File:
			return nil, 0, h.Err
		}
		s := h.read(&h.Tree, found.Entry)
		return s, len(s.text.bytes), h.Err
	})
	return s
}

func (h *sources) parsed(name string) *source {
	s := h.source(name)
	h.parse(s)
	return s
}

func (j *call) read(tree *Tree, entry Entry) *source {
	s := &source{Entry: entry}
	src, why := j.version(tree, entry)
	if isPointer(src) {
		why = isPointerReason
	}
	if s.whyUnreadable = why; why == "" {
		s.text = newText(src)
	}
	return s
}

func (j *call) parse(s *source) {
	if s == nil || j.Err != nil {
		return
	}
	if g := grammarOf(s.Path); g != nil && s.model == nil && s.whyUnreadable == "" {
		model, err := j.Cache.model(j.Ctx, g, Source{s.Path, s.text.bytes, s.ID})
		s.model = model
		j.noteReading(s, err)
	}
}

// noteReading notes an error, or that the content is at fault.
func (j *call) noteReading(s *source, err error) {
	if content, ok := errors.AsType[syntax.Unreadable](err); ok {
		s.whyUnreadable, err = string(content), nil
	}
	j.Note(err)
}

// readTokens reads the tokens of a file of code. If its tree is not cached any more, the file is parsed again.
func (j *call) readTokens(s *source) {
	if j.parse(s); s == nil || s.tokens != nil || j.Err != nil || s.model == nil || !s.model.grammar.IsCode() {
		return
	}
	m := s.model
	c, err := m.grammar.compiled()
	var tree *syntax.Tree
	if err == nil {
		tree, err = j.Cache.tree(j.Ctx, m.grammar, Source{m.path, m.text.bytes, s.ID})
	}
	if err != nil {
		j.noteReading(s, err)
		return
	}
	s.tokens, s.keys = []leaf{}, map[stretch]string{}
	end := 0
	tree.Walk(func(n *syntax.Node, depth int) bool {
		if tags := c.tagsOf(n); tags != nil && tags[0].Capture == "comment" {
			return false
		}
		literal := n.IsNamed() && isLiteral(n.Type(), m.grammar.Strings)
		if !literal && !n.IsLeaf() {
			return true
		}
		at := stretch{n.Start(), n.End()}
		s.add(m.between(end, at.start), depth, 0, false)
		if end = max(end, at.end); !literal {
			at = m.trimBlanks(at) // some grammars include the space before a token
		}
		if !m.isFormat(at) {
			kind := 0
			if n.Parent() != nil {
				kind = n.Parent().Symbol()
			}
			s.add(at, depth, kind, literal)
		}
		return false
	})
	s.add(m.between(end, len(m.text.bytes)), 0, 0, false)
	s.setHolders()
}

// isLiteral reports whether a node is one token: grammars differ in what they tell of the inside of a literal. The text
// of markup may be wrapped.
func isLiteral(kind string, strs []string) bool {
	return (slices.Contains(strs, kind) || strings.Contains(kind, "string") || strings.Contains(kind, "heredoc")) &&
		!strings.HasSuffix(kind, "_text")
}

// add adds a token if it is not empty; in is the kind of its parent.
func (s *source) add(at stretch, depth, in int, literal bool) {
	if at.end <= at.start {
		return
	}
	describes := len(within(s.model.docstrings, stretch{at.start, at.start + 1})) > 0
	hash := hashOf(s.model.normalToken(at, literal && !describes), []byte{0, byte(in), byte(in >> 8)})
	s.tokens = append(s.tokens, leaf{stretch: at, hash: hash, depth: depth, holder: -1, isDocumentation: describes})
}

func hashOf(parts ...[]byte) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write(p)
	}
	return h.Sum64()
}

// setHolders finds the definition of each token, or numbers the blocks outside definitions.
func (s *source) setHolders() {
	rest, inner, loose := s.model.definitions, (*definition)(nil), 0
	for i := range s.tokens {
		t := &s.tokens[i]
		for len(rest) > 0 && rest[0].outer <= t.start {
			inner, rest = rest[0], rest[1:]
		}
		for inner != nil && inner.end <= t.start {
			inner = inner.parent
		}
		if inner != nil {
			t.holder = inner.index
			continue
		}
		if i == 0 || s.tokens[i-1].holder >= 0 || s.text.line(s.tokens[i-1].end-1)+1 < s.text.line(t.start) {
			loose--
		}
		t.holder = loose
	}
}

// token returns the index of the first token that ends after a byte.
func (s *source) token(at int) int {
	i, _ := slices.BinarySearchFunc(s.tokens, at+1, func(t leaf, at int) int { return t.end - at })
	return i
}

// code returns the tokens of a stretch. The names of d and of its owner are masked, and depths are relative to d.
func (s *source) code(at stretch, d *definition) []leaf {
	base := 0
	if d != nil {
		if first := s.token(d.start); first < len(s.tokens) {
			base = s.tokens[first].depth
		}
	}
	var out []leaf
	for i := s.token(at.start); i < len(s.tokens) && s.tokens[i].start < at.end; i++ {
		t := s.tokens[i]
		if t.depth -= base; d != nil {
			switch text := string(s.text.bytes[t.start:t.end]); {
			case text == d.name:
				t.hash = ownName
			case d.owner != "" && text == d.owner:
				t.hash = ownerName
			}
		}
		out = append(out, t)
	}
	return out
}

// innerCode is the code of a definition without decorators and modifiers, outerCode with them.
func (s *source) innerCode(d *definition) []leaf { return s.code(stretch{d.start, d.end}, d) }
func (s *source) outerCode(d *definition) []leaf { return s.code(stretch{d.outer, d.end}, d) }

func (s *source) key(d *definition) string {
	at := stretch{d.start, d.end}
	if s.keys[at] == "" {
		s.keys[at] = keyOf(s.innerCode(d), "")
	}
	return s.keys[at]
}

// keyBytes is the length of a key: 64 bits, so that two of a million collide with a chance of one in 30 million.
const keyBytes = 8

// keyOf is the key of code; what separates different uses.
func keyOf(code []leaf, tags ...string) string {
	all := []byte(strings.Join(tags, "\x00") + "\x00")
	for _, t := range code {
		all = binary.LittleEndian.AppendUint64(all, t.hash)
		all = binary.LittleEndian.AppendUint64(all, uint64(t.depth))
	}
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:keyBytes])
}

// findCode returns where code stands in other code, as a whole at any depth.
func findCode(all, part []leaf) (found []int) {
	// written is each token with its depth relative to the one before.
	written := func(c []leaf) (out []byte) {
		for i := range c {
			n := c[i].hash
			if i > 0 {
				n += uint64(c[i].depth-c[i-1].depth) << 1
			}
			out = binary.LittleEndian.AppendUint64(out, n)
		}
		return out
	}
	if len(part) == 0 {
		return nil
	}
	text, pattern := written(all), written(part)
	for at := 8; at+len(pattern)-8 <= len(text); at += 8 - at%8 {
		i := bytes.Index(text[at:], pattern[8:])
		if i < 0 {
			break
		}
		if at += i; at%8 == 0 && all[at/8-1].hash == part[0].hash {
			found = append(found, at/8-1)
		}
	}
	return found
}

// likeness is the shared part of two pieces of code, order aside: see lang.Likeness.
func likeness(a, b []leaf) int {
	count := func(c []leaf) map[uint64]int {
		all := map[uint64]int{}
		for _, t := range c {
			all[t.hash]++
		}
		return all
	}
	return lang.Likeness(count(a), count(b))
}
