package evidence

/*
#include <stdlib.h>
#include "tree.h"

typedef struct { uint32_t start, end, depth; uint16_t symbol, parent; } acta_leaf;

enum { ACTA_INNER = 0, ACTA_COMMENT = 1, ACTA_LITERAL = 2 };

// Levels beyond this one share a slot of the parents' stack.
#define ACTA_LEVELS 32768

// acta_leaves lists the leaves of a tree in the order of the text, comments left
// out and literals taken whole. It returns how many there are, and writes the
// first room of them.
static uint32_t acta_leaves(const TSNode *root, const uint8_t *sorts, uint32_t symbols, acta_leaf *out, uint32_t room) {
	uint16_t *parents = calloc(ACTA_LEVELS, sizeof *parents);
	if (!parents) return 0;
	TSTreeCursor cursor = ts_tree_cursor_new(*root);
	uint32_t found = 0, depth = 0;
	for (bool more = true; more;) {
		TSNode node = ts_tree_cursor_current_node(&cursor);
		uint16_t symbol = ts_node_symbol(node);
		uint8_t sort = symbol < symbols ? sorts[symbol] : ACTA_INNER;
		if (sort == ACTA_INNER && ts_tree_cursor_goto_first_child(&cursor)) {
			parents[depth < ACTA_LEVELS ? depth : ACTA_LEVELS - 1] = symbol;
			depth++;
			continue;
		}
		if (sort != ACTA_COMMENT) {
			if (found < room) {
				acta_leaf leaf = { ts_node_start_byte(node), ts_node_end_byte(node), depth, symbol, 0 };
				if (depth > 0) leaf.parent = parents[depth <= ACTA_LEVELS ? depth - 1 : ACTA_LEVELS - 1];
				out[found] = leaf;
			}
			found++;
		}
		while (more && !ts_tree_cursor_goto_next_sibling(&cursor)) {
			more = ts_tree_cursor_goto_parent(&cursor);
			depth--;
		}
	}
	ts_tree_cursor_delete(&cursor);
	free(parents);
	return found;
}
*/
import "C"

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
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
	kind, parent uint16
}

// tokens returns the tokens of the file that the model was built of. It parses
// the file once more; only what has changed is asked for them.
func (m *model) tokens(ctx context.Context, seed maphash.Seed) ([]leaf, error) {
	c, err := m.grammar.compiled()
	if err != nil {
		return nil, err
	}
	tree, closeTree, err := m.grammar.parseTree(ctx, c.language, m.grammar.readable(m.text.bytes))
	if err != nil {
		return nil, err
	}
	defer closeTree()
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
	for _, l := range listLeaves(tree.RootNode(), sorts) {
		at := stretch{int(l.start), int(l.end)}
		add(leaf{stretch: m.between(end, at.start), depth: int(l.depth)})
		end = max(end, at.end)
		if !isLiteral(sorts, uint16(l.symbol)) {
			at = m.trimBlanks(at) // some grammars count the space before a token to it
		}
		if !m.isFormat(at) {
			add(leaf{stretch: at, depth: int(l.depth), kind: uint16(l.symbol), parent: uint16(l.parent)})
		}
	}
	add(leaf{stretch: m.between(end, len(m.text.bytes))})
	return slices.Clip(out), nil
}

// sorts says of every symbol of the grammar how a walk over leaves takes it.
func (c *compiled) sorts(g *grammar) []C.uint8_t {
	sorts := make([]C.uint8_t, c.language.SymbolCount())
	for s := range sorts {
		name := c.language.SymbolName(sitter.Symbol(s))
		// Grammars differ in what they tell of the inside of a literal, some nothing at all.
		literal := slices.Contains(g.Strings, name) || strings.Contains(name, "string") || strings.Contains(name, "heredoc")
		literal = literal && !strings.HasSuffix(name, "_text") // that of markup, which may be wrapped
		switch {
		case c.marks.bySymbol[s] > 0 && c.marks.captures[c.marks.bySymbol[s]-1] == "comment":
			sorts[s] = C.ACTA_COMMENT
		case literal && c.language.SymbolType(sitter.Symbol(s)) == sitter.SymbolTypeRegular:
			sorts[s] = C.ACTA_LITERAL
		}
	}
	return sorts
}

// literals tells the kinds of a grammar that are literals.
type literals struct{ sorts []C.uint8_t }

func (l literals) has(kind uint16) bool { return isLiteral(l.sorts, kind) }

// isLiteral reports whether a kind is that of a literal; that of an error is none of the grammar's.
func isLiteral(sorts []C.uint8_t, kind uint16) bool {
	return int(kind) < len(sorts) && sorts[kind] == C.ACTA_LITERAL
}

func listLeaves(root *sitter.Node, sorts []C.uint8_t) []C.acta_leaf {
	// The first field of a Node is its TSNode, as in walk.
	at := *(*C.TSNode)(unsafe.Pointer(root))
	list := func(into []C.acta_leaf) int {
		return int(C.acta_leaves(&at, &sorts[0], C.uint32_t(len(sorts)), &into[0], C.uint32_t(len(into))))
	}
	found := make([]C.acta_leaf, 64+root.EndByte()/4)
	n := list(found)
	if n > len(found) {
		found = make([]C.acta_leaf, n)
		list(found)
	}
	return found[:n]
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
func (m *model) hasher(seed maphash.Seed, sorts []C.uint8_t) func(leaf) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	return func(t leaf) uint64 {
		h.Reset()
		_, _ = h.Write(m.normal(t.stretch, isLiteral(sorts, t.kind)))
		var kinds [4]byte
		binary.LittleEndian.PutUint16(kinds[:], t.kind)
		binary.LittleEndian.PutUint16(kinds[2:], t.parent)
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
