package syntax

/*
#include <stdint.h>

// What an edit needs of tree-sitter's C interface (api.h). The binding's own Edit gives the old end for the new one.
typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t start_byte, old_end_byte, new_end_byte; TSPoint start_point, old_end_point, new_end_point; }
	TSInputEdit;
typedef struct { uint32_t context[4]; const void *id; void *tree; } acta_version_node;
extern void ts_tree_edit(void *tree, const TSInputEdit *edit);
*/
import "C"

import (
	"bytes"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// Version is a source as it was parsed, by which a later version of it is parsed without reading all of it again. It
// never changes. Its memory is the parser's until it is closed.
type Version struct {
	src  []byte
	tree *sitter.Tree
}

// Bytes is about the memory that a version takes: the parser keeps some sixteen times the source.
func (v *Version) Bytes() int { return 16 * len(v.src) }

// Clone returns the same version, which is closed apart.
func (v *Version) Clone() *Version { return &Version{v.src, v.tree.Copy()} }

// Close gives its memory back.
func (v *Version) Close() { v.tree.Close() }

// edited returns the tree of a version, marked where a later source differs; nil where less than half of it stands.
func (v *Version) edited(src []byte) *sitter.Tree {
	start, end := SharedLines(v.src, src)
	if 2*(start+end) < max(len(v.src), len(src)) {
		return nil
	}
	tree := v.tree.Copy()
	root := (*C.acta_version_node)(unsafe.Pointer(tree.RootNode()))
	edit := C.TSInputEdit{
		start_byte: C.uint32_t(start), start_point: pointAt(src, start),
		old_end_byte: C.uint32_t(len(v.src) - end), old_end_point: pointAt(v.src, len(v.src)-end),
		new_end_byte: C.uint32_t(len(src) - end), new_end_point: pointAt(src, len(src)-end),
	}
	C.ts_tree_edit(root.tree, &edit)
	return tree
}

// SharedLines returns how many bytes two sources share at their beginning, and how many at their end, in whole lines.
func SharedLines(a, b []byte) (start, end int) {
	short := min(len(a), len(b))
	for start+64 <= short && bytes.Equal(a[start:start+64], b[start:start+64]) {
		start += 64
	}
	for start < short && a[start] == b[start] {
		start++
	}
	if start == len(a) && start == len(b) {
		return start, 0
	}
	start = bytes.LastIndexByte(a[:start], '\n') + 1
	for end < short-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	line := bytes.IndexByte(a[len(a)-end:], '\n')
	if line < 0 {
		return start, 0
	}
	return start, end - (line + 1)
}

func pointAt(src []byte, at int) C.TSPoint {
	return C.TSPoint{row: C.uint32_t(bytes.Count(src[:at], []byte("\n"))),
		column: C.uint32_t(at - 1 - bytes.LastIndexByte(src[:at], '\n'))}
}
