#ifndef ACTA_TREE_H
#define ACTA_TREE_H

#include <stdbool.h>
#include <stdint.h>

// What walks over a tree need of tree-sitter's C interface (api.h). The binding
// links the library and keeps its declarations to itself.
typedef struct { uint32_t context[4]; const void *id; const void *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
extern TSTreeCursor ts_tree_cursor_new(TSNode node);
extern void ts_tree_cursor_delete(TSTreeCursor *cursor);
extern TSNode ts_tree_cursor_current_node(const TSTreeCursor *cursor);
extern bool ts_tree_cursor_goto_parent(TSTreeCursor *cursor);
extern bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *cursor);
extern bool ts_tree_cursor_goto_first_child(TSTreeCursor *cursor);
extern uint16_t ts_node_symbol(TSNode node);
extern uint32_t ts_node_start_byte(TSNode node);
extern uint32_t ts_node_end_byte(TSNode node);

#endif
