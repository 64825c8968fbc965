package evidence

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/syntax"
)

// leaf is one token of a file: a leaf of its syntax tree, a literal taken whole,
// or bytes that the grammar keeps no node of. Comments, white space, semicolons,
// and commas before a closing bracket are none.
type leaf struct {
	stretch
	// depth is how deep it stands in the tree.
	depth int
	// hash is of what it is and stands in: its text, its kind and that of the node around it.
	hash uint64
	// kind and parent are the grammar's numbers of those two.
	kind, parent int
}

// tokens returns the tokens of the file that the model was built of, whose blob has this id. Where its tree is not kept
// any more the file is parsed once more; only what has changed is asked for them.
func (m *model) tokens(ctx context.Context, cache *Cache, id string, seed maphash.Seed) ([]leaf, error) {
	c, err := m.grammar.compiled()
	if err != nil {
		return nil, err
	}
	tree, err := cache.tree(ctx, m.grammar, blob{m.path, id, m.text.bytes})
	if err != nil {
		return nil, err
	}
	var out []leaf
	sorts := c.sorts(m.grammar)
	hash := m.hasher(seed, sorts)
	add := func(t leaf) {
		if t.end > t.start {
			t.hash = hash(t)
			out = append(out, t)
		}
	}
	end := 0
	tree.Walk(func(n *syntax.Node, depth int) bool {
		sort := sorts.of(n.Symbol())
		if sort == inner && !n.IsLeaf() {
			return true
		}
		if sort == commentary {
			return false
		}
		at := stretch{n.Start(), n.End()}
		add(leaf{stretch: m.between(end, at.start), depth: depth})
		end = max(end, at.end)
		if sort != literal {
			at = m.trimBlanks(at) // some grammars count the space before a token to it
		}
		parent := 0
		if around := n.Parent(); around != nil {
			parent = around.Symbol()
		}
		if !m.isFormat(at) {
			add(leaf{stretch: at, depth: depth, kind: n.Symbol(), parent: parent})
		}
		return false
	})
	add(leaf{stretch: m.between(end, len(m.text.bytes))})
	return slices.Clip(out), nil
}

// sort is how a list of leaves takes a kind of node.
type sort uint8

const (
	inner      sort = iota // by its parts
	commentary             // not at all
	literal                // whole
)

// sorts are those of a grammar's kinds by their symbols.
type sorts []sort

// of is the sort of a symbol; an error's is none of the grammar's.
func (s sorts) of(symbol int) sort {
	if symbol < len(s) {
		return s[symbol]
	}
	return inner
}

// sorts says of every symbol of the grammar how a list of leaves takes it.
func (c *compiled) sorts(g *grammar) sorts {
	all := make(sorts, len(c.grammar.Kinds()))
	for s, name := range c.grammar.Kinds() {
		// Grammars differ in what they tell of the inside of a literal, some nothing at all.
		is := slices.Contains(g.Strings, name) || strings.Contains(name, "string") || strings.Contains(name, "heredoc")
		is = is && !strings.HasSuffix(name, "_text") // that of markup, which may be wrapped
		switch {
		case c.tags[s] != nil && c.tags[s][0].Capture == "comment":
			all[s] = commentary
		case is && c.grammar.IsNamed(s):
			all[s] = literal
		}
	}
	return all
}

// between narrows a stretch to its first and last bytes that are neither blank nor
// comment; its end is its start where it has none.
func (m *model) between(start, end int) stretch {
	for start < end && m.isSpace(start) {
		start++
	}
	for end > start && m.isSpace(end-1) {
		end--
	}
	return stretch{start, end}
}

// trimBlanks narrows a stretch to its first and last bytes that are not blank.
func (m *model) trimBlanks(s stretch) stretch {
	text := m.text.bytes[s.start:s.end]
	s.start += len(text) - len(bytes.TrimLeft(text, blanks))
	s.end = s.start + len(bytes.Trim(text, blanks))
	return s
}

const blanks = " \t\r\n\f\v"

// isSpace reports whether a byte is blank or of a comment, in a stub as well.
func (m *model) isSpace(at int) bool {
	k := m.kinds[at] & kindMask
	return k == blank || k == comment
}

// isFormat reports whether a leaf is one that formatters add and take away: blank,
// a semicolon, or a comma before a closing bracket.
func (m *model) isFormat(s stretch) bool {
	switch text := bytes.TrimSpace(m.text.bytes[s.start:s.end]); string(text) {
	case "", ";":
		return true
	case ",":
		next := s.end
		for next < len(m.kinds) && m.isSpace(next) {
			next++
		}
		return next < len(m.kinds) && bytes.IndexByte([]byte(")]}"), m.text.bytes[next]) >= 0
	}
	return false
}

// hasher returns the function that hashes a token of the model.
func (m *model) hasher(seed maphash.Seed, sorts sorts) func(leaf) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	return func(t leaf) uint64 {
		h.Reset()
		_, _ = h.Write(m.normal(t.stretch, sorts.of(t.kind) == literal))
		var kinds [4]byte
		binary.LittleEndian.PutUint16(kinds[:], uint16(t.kind))
		binary.LittleEndian.PutUint16(kinds[2:], uint16(t.parent))
		_, _ = h.Write(kinds[:])
		return h.Sum64()
	}
}

// normal is the text of a token without what a formatter may change in it: the
// quotes around a plain string, and white space in a docstring or in what is no
// literal (the text of markup). That of other literals is content.
func (m *model) normal(s stretch, literal bool) []byte {
	text := m.text.bytes[s.start:s.end]
	if n := len(text); n >= 2 && text[0] == '\'' && text[n-1] == '\'' && !bytes.ContainsAny(text[1:n-1], "'\"\\") {
		text = slices.Concat([]byte{'"'}, text[1:n-1], []byte{'"'})
	}
	i, _ := slices.BinarySearchFunc(m.docstrings, s.start, func(d stretch, at int) int { return d.start - at })
	switch described := i < len(m.docstrings) && m.docstrings[i].start == s.start; {
	case !bytes.ContainsAny(text, blanks):
		return text
	case described || !literal:
		return bytes.Join(bytes.Fields(text), []byte{' '})
	}
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte{'\n'})
}
