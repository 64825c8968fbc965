package syntax

/*
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// Declarations of tree-sitter's C interface (api.h), which the binding links but does not export.
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

// Node in Go.
typedef struct {
	uint32_t start, end, up, size;
	uint16_t symbol;
	uint8_t field, second, flags, grammar;
} acta_node;

// acta_copy writes root and its descendants in the order of the text, parents before children. It returns their number,
// at most room, or UINT32_MAX if one lies deeper than deepest. second_fields are fields that a node may be beside
// another one; a cursor returns only the first.
static uint32_t acta_copy(const TSNode *root, acta_node *out, uint32_t room, uint32_t deepest,
	const uint8_t *second_fields, uint32_t field_count, uint8_t grammar) {
	// For each level, the nodes in these fields of the ancestor there.
	const void **nodes = calloc((size_t)(deepest + 1) * field_count + 1, sizeof *nodes);
	if (!nodes) abort();
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
		// Children of an error have no fields.
		out[at].field = at > 0 && out[parent].symbol != UINT16_MAX ? ts_tree_cursor_current_field_id(&cursor) : 0;
		if (out[at].field) out[parent].flags |= ACTA_HAS_FIELDS;
		out[at].second = 0;
		out[at].grammar = grammar;
		for (uint32_t i = 0; depth > 0 && i < field_count; i++)
			if (nodes[(depth - 1) * field_count + i] == node.id) out[at].second = second_fields[i];
		out[at].flags = (ts_node_is_named(node) ? ACTA_NAMED : 0) | (ts_node_is_missing(node) ? ACTA_MISSING : 0)
			| (ts_node_is_extra(node) ? ACTA_EXTRA : 0) | (ts_node_has_error(node) ? ACTA_HAS_ERROR : 0);
		if (ts_tree_cursor_goto_first_child(&cursor)) {
			parent = at;
			for (uint32_t i = 0; i < field_count; i++)
				nodes[depth * field_count + i] = ts_node_child_by_field_id(node, second_fields[i]).id;
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
	free(nodes);
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
	// maxDepth bounds the depth of a tree. Hand-written files stay below 200.
	maxDepth = 20_000
	// maxNodes bounds the nodes of a tree: three times what code of 2 MiB has.
	maxNodes = 2_500_000
)

// Tree is the syntax tree of one source.
type Tree struct {
	nodes []Node
}

// Node is a node of a tree; compare nodes by address. C writes them, side by side, and they hold no pointers: a file
// has a hundred thousand of them, which the garbage collector need not scan.
type Node struct {
	start, end uint32
	// up is the distance to the parent in nodes, 0 for the root; size counts the node and its descendants.
	up, size      uint32
	symbol        uint16
	field, second uint8 // the node's fields in its parent
	flags         uint8
	grammar       uint8 // index in grammars
}

const (
	named    = C.ACTA_NAMED
	missing  = C.ACTA_MISSING
	extra    = C.ACTA_EXTRA
	hasError = C.ACTA_HAS_ERROR
	// hasFields: a child is a field of the node. Most nodes with many children have none.
	hasFields = C.ACTA_HAS_FIELDS
)

// errorSymbol is the symbol of text that the grammar could not read.
const errorSymbol = math.MaxUint16

// Tree copies a tree of the binding. The error is Unreadable.
func (g *Grammar) Tree(root *sitter.Node) (*Tree, error) {
	// The first field of a Node is its TSNode; TestATreeIsWhatTheBindingSees holds that.
	at := *(*C.TSNode)(unsafe.Pointer(root))
	size := uint32(C.ts_node_descendant_count(at))
	if size > maxNodes {
		return nil, Unreadable(fmt.Sprintf("its syntax tree has more than %d nodes", maxNodes))
	}
	t := &Tree{make([]Node, max(size, 1))}
	count := uint32(C.acta_copy(&at, (*C.acta_node)(unsafe.Pointer(&t.nodes[0])), C.uint32_t(len(t.nodes)), maxDepth,
		(*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(g.secondFields))), C.uint32_t(len(g.secondFields)), C.uint8_t(g.index)))
	if count == math.MaxUint32 {
		return nil, Unreadable(fmt.Sprintf("its syntax nests deeper than %d", maxDepth))
	}
	t.nodes = t.nodes[:count]
	return t, nil
}

// Bytes is the memory of the tree.
func (t *Tree) Bytes() int { return len(t.nodes) * int(unsafe.Sizeof(Node{})) }

// Root is the node of the whole source.
func (t *Tree) Root() *Node { return &t.nodes[0] }

// Nodes are all nodes in the order of the text, parents before children. Only pointers into it are nodes.
func (t *Tree) Nodes() []Node { return t.nodes }

// Walk visits the nodes in the order of the text with their depths, and skips descendants if visit returns false.
func (t *Tree) Walk(visit func(n *Node, depth int) (below bool)) {
	var ends []uint32 // of the ancestors
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

// NodesAt are the nodes that hold a byte of the source, from the root down.
func (t *Tree) NodesAt(at int) iter.Seq[*Node] {
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

// Start is the offset of the node's first byte.
func (n *Node) Start() int { return int(n.start) }

// End is the offset after the node's last byte.
func (n *Node) End() int { return int(n.end) }

// Content is the text of the node in its source.
func (n *Node) Content(src []byte) string { return string(src[n.start:n.end]) }

// Symbol is the grammar's number of the node's kind, errorSymbol for an error.
func (n *Node) Symbol() int { return int(n.symbol) }

// Type is the name of the node's kind, "ERROR" for an error.
func (n *Node) Type() string {
	if kinds := grammars[n.grammar].kinds; int(n.symbol) < len(kinds) {
		return kinds[n.symbol]
	}
	return "ERROR"
}

// IsNamed reports whether the node is named, not an anonymous token.
func (n *Node) IsNamed() bool { return n.flags&named != 0 }

// IsMissing reports whether the parser inserted the node because the source lacks it.
func (n *Node) IsMissing() bool { return n.flags&missing != 0 }

// IsExtra reports whether the node may stand anywhere, as a comment may.
func (n *Node) IsExtra() bool { return n.flags&extra != 0 }

// IsError reports whether the node is text that the grammar could not read.
func (n *Node) IsError() bool { return n.symbol == errorSymbol }

// HasError reports whether the node is or holds an error or a missing node.
func (n *Node) HasError() bool { return n.flags&hasError != 0 }

// Parent is the enclosing node, nil for the root.
func (n *Node) Parent() *Node {
	if n.up == 0 {
		return nil
	}
	return n.at(-int(n.up))
}

// at returns the node at a distance in nodes, in the same tree.
func (n *Node) at(nodes int) *Node {
	return (*Node)(unsafe.Add(unsafe.Pointer(n), nodes*int(unsafe.Sizeof(*n))))
}

// Children are the nodes directly below the node.
func (n *Node) Children() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for i := uint32(1); i < n.size; {
			c := n.at(int(i))
			if !yield(c) {
				return
			}
			i += c.size
		}
	}
}

// NamedChildren are the named children.
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

// Child is the child with an index; nil if there is none.
func (n *Node) Child(number int) *Node {
	for c := range n.Children() {
		if number == 0 {
			return c
		}
		number--
	}
	return nil
}

// ChildOf is the first child of one of some kinds; nil if there is none.
func (n *Node) ChildOf(kinds ...string) *Node {
	for c := range n.Children() {
		if slices.Contains(kinds, c.Type()) {
			return c
		}
	}
	return nil
}

// NamedChild is the named child with an index; nil if there is none.
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

// LastNamedChild is the last named child; nil if there is none.
func (n *Node) LastNamedChild() *Node { return n.NamedChild(n.NamedChildCount() - 1) }

// NamedChildCount is the number of named children.
func (n *Node) NamedChildCount() int {
	count := 0
	for c := range n.Children() {
		if c.IsNamed() {
			count++
		}
	}
	return count
}

// Field is the first child in a field; nil if there is none.
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

// IsField reports whether the node is in a field of its parent.
func (n *Node) IsField(name string) bool {
	id, ok := grammars[n.grammar].fields[name]
	return ok && (n.field == id || n.second == id)
}

// NextSibling is the next node in the parent; nil if there is none.
func (n *Node) NextSibling() *Node {
	if n.up == 0 || n.up+n.size >= n.Parent().size {
		return nil
	}
	return n.at(int(n.size))
}

// PrevNamedSibling is the previous named node in the parent; nil if there is none.
func (n *Node) PrevNamedSibling() *Node {
	for n = n.prevSibling(); n != nil && !n.IsNamed(); {
		n = n.prevSibling()
	}
	return n
}

// prevSibling is the previous node in the parent; nil if there is none. The node before n in memory is its last
// descendant, a few parents below it; a search from the parent's first child would take longer.
func (n *Node) prevSibling() *Node {
	if n.up <= 1 {
		return nil
	}
	parent := n.Parent()
	for n = n.at(-1); n.Parent() != parent; {
		n = n.Parent()
	}
	return n
}

// Before is the largest node that ends before the node, nil at the beginning of the source.
func (n *Node) Before() *Node { return n.nearest((*Node).prevSibling) }

// After is the largest node that begins after the node, nil at the end of the source.
func (n *Node) After() *Node { return n.nearest((*Node).NextSibling) }

func (n *Node) nearest(sibling func(*Node) *Node) *Node {
	for ; n != nil; n = n.Parent() {
		if next := sibling(n); next != nil {
			return next
		}
	}
	return nil
}
