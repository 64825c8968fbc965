package syntax

/*
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// What the copy needs of tree-sitter's C interface (api.h). The binding links the
// library and keeps its declarations to itself.
typedef struct { uint32_t context[4]; const void *id; const void *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
extern TSTreeCursor ts_tree_cursor_new(TSNode node);
extern void ts_tree_cursor_delete(TSTreeCursor *cursor);
extern TSNode ts_tree_cursor_current_node(const TSTreeCursor *cursor);
extern uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *cursor);
extern bool ts_tree_cursor_goto_parent(TSTreeCursor *cursor);
extern bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *cursor);
extern bool ts_tree_cursor_goto_first_child(TSTreeCursor *cursor);
extern TSNode ts_node_child_by_field_id(TSNode node, uint16_t field);
extern uint32_t ts_node_descendant_count(TSNode node);
extern uint16_t ts_node_symbol(TSNode node);
extern uint32_t ts_node_start_byte(TSNode node);
extern uint32_t ts_node_end_byte(TSNode node);
extern bool ts_node_is_named(TSNode node);
extern bool ts_node_is_missing(TSNode node);
extern bool ts_node_is_extra(TSNode node);
extern bool ts_node_has_error(TSNode node);

enum { ACTA_NAMED = 1, ACTA_MISSING = 2, ACTA_EXTRA = 4, ACTA_HAS_ERROR = 8, ACTA_HAS_FIELDS = 16 };

// What Go calls Node.
typedef struct {
	uint32_t start, end, up, size;
	uint16_t symbol;
	uint8_t field, second, flags, grammar;
} acta_node;

// acta_copy writes root and all nodes below it in the order of the text, a parent
// before its children, and returns how many there are: at most room, and
// UINT32_MAX where one lies deeper than deepest. seconds are the fields that a
// node may be beside another one, of which a cursor tells the first alone.
static uint32_t acta_copy(const TSNode *root, acta_node *out, uint32_t room, uint32_t deepest, const uint8_t *seconds,
	uint32_t many, uint8_t grammar) {
	// For each level, which nodes are these fields of the node around.
	const void **places = calloc((size_t)(deepest + 1) * many + 1, sizeof *places);
	if (!places) abort();
	TSTreeCursor cursor = ts_tree_cursor_new(*root);
	uint32_t count = 0, at = 0, parent = 0, depth = 0;
	while (count < room) {
		TSNode node = ts_tree_cursor_current_node(&cursor);
		at = count++;
		out[at].start = ts_node_start_byte(node);
		out[at].end = ts_node_end_byte(node);
		out[at].up = at - parent;
		out[at].size = 1;
		out[at].symbol = ts_node_symbol(node);
		// In an error nothing has a place.
		out[at].field = at > 0 && out[parent].symbol != UINT16_MAX ? ts_tree_cursor_current_field_id(&cursor) : 0;
		if (out[at].field) out[parent].flags |= ACTA_HAS_FIELDS;
		out[at].second = 0;
		out[at].grammar = grammar;
		for (uint32_t i = 0; depth > 0 && i < many; i++)
			if (places[(depth - 1) * many + i] == node.id) out[at].second = seconds[i];
		out[at].flags = (ts_node_is_named(node) ? ACTA_NAMED : 0) | (ts_node_is_missing(node) ? ACTA_MISSING : 0)
			| (ts_node_is_extra(node) ? ACTA_EXTRA : 0) | (ts_node_has_error(node) ? ACTA_HAS_ERROR : 0);
		if (ts_tree_cursor_goto_first_child(&cursor)) {
			parent = at;
			for (uint32_t i = 0; i < many; i++) places[depth * many + i] = ts_node_child_by_field_id(node, seconds[i]).id;
			if (++depth <= deepest) continue;
			count = UINT32_MAX;
			break;
		}
		bool more = true;
		while (more && !ts_tree_cursor_goto_next_sibling(&cursor)) {
			more = ts_tree_cursor_goto_parent(&cursor);
			if (!more) break;
			out[parent].size = count - parent;
			parent -= out[parent].up;
			depth--;
		}
		if (!more) break;
	}
	ts_tree_cursor_delete(&cursor);
	free(places);
	return count;
}
*/
import "C"

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

const (
	// maxDepth bounds how deep a tree may be. Hand-written files stay below 200.
	maxDepth = 20_000
	// maxNodes bounds how many nodes a tree may have: three times what code of 2 MiB has.
	maxNodes = 2_500_000
)

// Tree is the syntax tree of one source.
type Tree struct {
	nodes []Node
}

// Node is a node of a tree. Nodes are compared by their addresses; nil is none. It is written in C, lies beside the
// nodes around and below it, and holds no pointer: a file has a hundred thousand of them, which the collector passes
// over.
type Node struct {
	start, end uint32
	// up is how many nodes before it the one around it lies, 0 for the root; size counts the node and all below it.
	up, size      uint32
	symbol        uint16
	field, second uint8 // what the grammar calls the node in its parent
	flags         uint8
	grammar       uint8 // its place among grammars
}

const (
	named    = C.ACTA_NAMED
	missing  = C.ACTA_MISSING
	extra    = C.ACTA_EXTRA
	hasError = C.ACTA_HAS_ERROR
	// hasFields: a child of the node is one of its fields. Most nodes with many children have none.
	hasFields = C.ACTA_HAS_FIELDS
)

// errorSymbol is the symbol of a stretch that the grammar could not read.
const errorSymbol = math.MaxUint16

// Tree copies a tree of the binding's. The error is Unreadable.
func (g *Grammar) Tree(root *sitter.Node) (*Tree, error) {
	// The first field of a Node is its TSNode; TestATreeIsWhatTheBindingSees holds that.
	at := *(*C.TSNode)(unsafe.Pointer(root))
	size := uint32(C.ts_node_descendant_count(at))
	if size > maxNodes {
		return nil, Unreadable(fmt.Sprintf("its syntax tree has more than %d nodes", maxNodes))
	}
	t := &Tree{make([]Node, max(size, 1))}
	count := uint32(C.acta_copy(&at, (*C.acta_node)(unsafe.Pointer(&t.nodes[0])), C.uint32_t(len(t.nodes)), maxDepth,
		(*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(g.seconds))), C.uint32_t(len(g.seconds)), C.uint8_t(g.place)))
	if count == math.MaxUint32 {
		return nil, Unreadable(fmt.Sprintf("its syntax nests deeper than %d", maxDepth))
	}
	t.nodes = t.nodes[:count]
	return t, nil
}

// Bytes is the memory that the tree takes.
func (t *Tree) Bytes() int { return len(t.nodes) * int(unsafe.Sizeof(Node{})) }

// Root is the node of the whole source.
func (t *Tree) Root() *Node { return &t.nodes[0] }

// Nodes are all nodes in the order of the text, a parent before its children.
func (t *Tree) Nodes() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for i := range t.nodes {
			if !yield(&t.nodes[i]) {
				return
			}
		}
	}
}

// Walk visits the nodes in the order of the text, each with how deep it lies, and
// passes over what is below those for which visit returns false.
func (t *Tree) Walk(visit func(n *Node, depth int) (below bool)) {
	var ends []uint32 // of the nodes around
	for i := uint32(0); i < uint32(len(t.nodes)); {
		for len(ends) > 0 && ends[len(ends)-1] <= i {
			ends = ends[:len(ends)-1]
		}
		n := &t.nodes[i]
		if !visit(n, len(ends)) {
			i += n.size
			continue
		}
		ends = append(ends, i+n.size)
		i++
	}
}

// At are the nodes that hold a byte of the source, each in the one before it.
func (t *Tree) At(at int) iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for n := t.Root(); n != nil && yield(n); n = n.childAt(at) {
		}
	}
}

func (n *Node) childAt(at int) *Node {
	for c := range n.Children() {
		if c.Start() <= at && at < c.End() {
			return c
		}
	}
	return nil
}

// Start is the first byte of the node.
func (n *Node) Start() int { return int(n.start) }

// End is the byte after the last of the node.
func (n *Node) End() int { return int(n.end) }

// Content is the text of the node in the source that its tree was made of.
func (n *Node) Content(src []byte) string { return string(src[n.start:n.end]) }

// Symbol is the grammar's number of the node's kind; that of an error is beyond all of them.
func (n *Node) Symbol() int { return int(n.symbol) }

// Type is the name of the node's kind: "ERROR" for what could not be read.
func (n *Node) Type() string { return grammars[n.grammar].kind(n.symbol) }

// IsNamed tells a node that the grammar names from a token that is written as it is.
func (n *Node) IsNamed() bool { return n.flags&named != 0 }

// IsMissing reports whether the parser put the node where the source lacks it.
func (n *Node) IsMissing() bool { return n.flags&missing != 0 }

// IsExtra reports whether the node may stand anywhere, as a comment may.
func (n *Node) IsExtra() bool { return n.flags&extra != 0 }

// IsError reports whether the node is a stretch that could not be read.
func (n *Node) IsError() bool { return n.symbol == errorSymbol }

// HasError reports whether the node is or holds a stretch that could not be read, or lacks something.
func (n *Node) HasError() bool { return n.flags&hasError != 0 }

// Parent is the node around the node, nil for the root.
func (n *Node) Parent() *Node {
	if n.up == 0 {
		return nil
	}
	return n.to(-int(n.up))
}

// to is the node that lies so many nodes behind, in the same tree.
func (n *Node) to(nodes int) *Node {
	return (*Node)(unsafe.Add(unsafe.Pointer(n), nodes*int(unsafe.Sizeof(*n))))
}

// Children are the nodes right below the node.
func (n *Node) Children() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for i := uint32(1); i < n.size; {
			c := n.to(int(i))
			if !yield(c) {
				return
			}
			i += c.size
		}
	}
}

// NamedChildren are those of the children that the grammar names.
func (n *Node) NamedChildren() []*Node {
	found := make([]*Node, 0, 8)
	for c := range n.Children() {
		if c.IsNamed() {
			found = append(found, c)
		}
	}
	return found
}

// IsLeaf reports whether the node has no children.
func (n *Node) IsLeaf() bool { return n.size == 1 }

// Child is the child of that number, counted from 0; nil where there is none.
func (n *Node) Child(number int) *Node {
	for c := range n.Children() {
		if number == 0 {
			return c
		}
		number--
	}
	return nil
}

// ChildOf is the first child of one of some kinds, named or not; nil where there is none.
func (n *Node) ChildOf(kinds ...string) *Node {
	for c := range n.Children() {
		if slices.Contains(kinds, c.Type()) {
			return c
		}
	}
	return nil
}

// NamedChild is the named child of that number, counted from 0; nil where there is none.
func (n *Node) NamedChild(number int) *Node {
	for c := range n.Children() {
		if !c.IsNamed() {
			continue
		}
		if number == 0 {
			return c
		}
		number--
	}
	return nil
}

// LastNamedChild is the last of the named children; nil where there is none.
func (n *Node) LastNamedChild() *Node { return n.NamedChild(n.NamedChildCount() - 1) }

// NamedChildCount is how many named children the node has.
func (n *Node) NamedChildCount() int {
	count := 0
	for c := range n.Children() {
		if c.IsNamed() {
			count++
		}
	}
	return count
}

// Field is the first child that the grammar gives this name in the node; nil where there is none.
func (n *Node) Field(name string) *Node {
	id, ok := grammars[n.grammar].fields[name]
	if !ok || n.flags&hasFields == 0 {
		return nil
	}
	for c := range n.Children() {
		if c.field == id || c.second == id {
			return c
		}
	}
	return nil
}

// IsField reports whether the grammar gives the node this name in its parent.
func (n *Node) IsField(name string) bool {
	id, ok := grammars[n.grammar].fields[name]
	return ok && (n.field == id || n.second == id)
}

// NextSibling is the node that follows in the parent; nil where there is none.
func (n *Node) NextSibling() *Node {
	if n.up == 0 || n.up+n.size >= n.Parent().size {
		return nil
	}
	return n.to(int(n.size))
}

// PrevNamedSibling is the named node before the node in the parent; nil where there is none.
func (n *Node) PrevNamedSibling() *Node {
	for n = n.prevSibling(); n != nil && !n.IsNamed(); {
		n = n.prevSibling()
	}
	return n
}

// prevSibling is the node before the node in the parent; nil where there is none. Before a node lies the last one below
// its sibling, from which few nodes lead up to that; a parent may have many children.
func (n *Node) prevSibling() *Node {
	if n.up <= 1 {
		return nil
	}
	around := n.Parent()
	for n = n.to(-1); n.Parent() != around; {
		n = n.Parent()
	}
	return n
}

// Before is the largest node that ends before the node, nil at the beginning of the source.
func (n *Node) Before() *Node { return n.beyond((*Node).prevSibling) }

// After is the largest node that begins after the node, nil at the end of the source.
func (n *Node) After() *Node { return n.beyond((*Node).NextSibling) }

func (n *Node) beyond(sibling func(*Node) *Node) *Node {
	for ; n != nil; n = n.Parent() {
		if next := sibling(n); next != nil {
			return next
		}
	}
	return nil
}
