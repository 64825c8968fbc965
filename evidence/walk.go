package evidence

/*
#include "tree.h"

typedef struct { TSNode node; uint32_t mark, depth; } acta_match;

// acta_walk lists the nodes at and below root whose symbol has a mark, in the
// order of the text, and returns how many there are; it writes the first room of
// them. It stops at a node that lies deeper than deepest, and returns UINT32_MAX.
static uint32_t acta_walk(const TSNode *root, const uint8_t *marks, uint32_t symbols, acta_match *out, uint32_t room, uint32_t deepest) {
	TSTreeCursor cursor = ts_tree_cursor_new(*root);
	uint32_t found = 0, depth = 0;
	for (;;) {
		TSNode node = ts_tree_cursor_current_node(&cursor);
		uint16_t symbol = ts_node_symbol(node);
		if (symbol < symbols && marks[symbol]) {
			if (found < room) {
				out[found].node = node;
				out[found].mark = marks[symbol];
				out[found].depth = depth;
			}
			found++;
		}
		if (ts_tree_cursor_goto_first_child(&cursor)) {
			if (++depth <= deepest) continue;
			ts_tree_cursor_delete(&cursor);
			return UINT32_MAX;
		}
		while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
			if (!ts_tree_cursor_goto_parent(&cursor)) {
				ts_tree_cursor_delete(&cursor);
				return found;
			}
			depth--;
		}
	}
}
*/
import "C"

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/acta-git/acta/evidence/language"
)

// A query of ours holds patterns of a single node, «(kind) @capture». For such a
// query tree-sitter's own engine costs more than it gives: compiling it takes 1
// to 12 ms of a hook's 20, nearly all of it an analysis of patterns with
// children, and each match is a call into C. So the pattern is a mark at the
// kind's symbols, and one call into C lists the marked nodes. A test compares the
// answers with those of tree-sitter's engine.

// marks is a query made ready for a walk: for each symbol of the grammar 0, or
// the number of its capture, counted from 1.
type marks struct {
	bySymbol []uint8
	captures []string
}

var pattern = language.Lazy(`^(?:\(([A-Za-z0-9_]+)\)|"([^"\\]+)") @([a-z_.]+)$`)

// readQuery makes a query ready for walks over trees of a grammar.
func readQuery(query string, l *sitter.Language) (*marks, error) {
	named, anonymous := map[string][]int{}, map[string][]int{}
	for s := range int(l.SymbolCount()) {
		name := l.SymbolName(sitter.Symbol(s))
		switch l.SymbolType(sitter.Symbol(s)) {
		case sitter.SymbolTypeRegular:
			named[name] = append(named[name], s)
		case sitter.SymbolTypeAnonymous:
			anonymous[name] = append(anonymous[name], s)
		}
	}
	m := &marks{bySymbol: make([]uint8, l.SymbolCount())}
	for line := range strings.Lines(query) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == ';' {
			continue
		}
		parts := pattern.FindStringSubmatch(line)
		if parts == nil {
			return nil, fmt.Errorf("%q is no pattern of a single node, «(kind) @capture» or «\"token\" @capture»", line)
		}
		symbols := named[parts[1]]
		if parts[1] == "" {
			symbols = anonymous[parts[2]]
		}
		if symbols == nil {
			return nil, fmt.Errorf("%q: the grammar has no kind %s", line, parts[1]+parts[2])
		}
		i := slices.Index(m.captures, parts[3])
		if i < 0 {
			i = len(m.captures)
			m.captures = append(m.captures, parts[3])
		}
		for _, s := range symbols {
			if m.bySymbol[s] != 0 {
				return nil, fmt.Errorf("%q is captured already", line)
			}
			m.bySymbol[s] = uint8(i + 1)
		}
	}
	return m, nil
}

// match is one marked node, and how deep it lies.
type match struct {
	capture string
	node    *sitter.Node
	depth   int
}

// maxDepth bounds how deep a tree may be. Hand-written files stay below 200.
const maxDepth = 20_000

// walk lists the marked nodes at and below root in the order of the text. The
// error is unreadable: the tree is deeper than maxDepth, or has more than maxMarks.
func (m *marks) walk(root *sitter.Node) ([]match, error) {
	// The first field of a Node is its TSNode; TestAWalkFindsWhatTheEngineFinds holds that.
	at := *(*C.TSNode)(unsafe.Pointer(root))
	// Real code has a marked node every 30 to 100 bytes; where this is too little, the walk is repeated.
	found := make([]C.acta_match, min(64+root.EndByte()/24, maxMarks))
	n := m.list(&at, found)
	switch {
	case n == math.MaxUint32:
		return nil, unreadable(fmt.Sprintf("its syntax nests deeper than %d", maxDepth))
	case n > maxMarks:
		return nil, errMarks
	case n > len(found):
		found = make([]C.acta_match, n)
		m.list(&at, found)
	}
	out := make([]match, n)
	nodes := make([]sitter.Node, n)
	for i := range out {
		nodes[i] = *root // keeps the tree alive
		*(*C.TSNode)(unsafe.Pointer(&nodes[i])) = found[i].node
		out[i] = match{m.captures[found[i].mark-1], &nodes[i], int(found[i].depth)}
	}
	return out, nil
}

func (m *marks) list(at *C.TSNode, into []C.acta_match) int {
	return int(C.acta_walk(at, (*C.uint8_t)(unsafe.Pointer(&m.bySymbol[0])), C.uint32_t(len(m.bySymbol)), &into[0], C.uint32_t(len(into)), maxDepth))
}
