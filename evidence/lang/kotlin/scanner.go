package kotlin

/*
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// The beginning of a grammar, as its generated parser defines it (parser.h of tree-sitter, ABI 14).
typedef struct {
	uint32_t version, symbol_count, alias_count, token_count, external_token_count;
	uint32_t state_count, large_state_count, production_id_count, field_count;
	uint16_t max_alias_sequence_length;
	const void *tables[13];
	void (*lex_fn)(void), (*keyword_lex_fn)(void);
	uint16_t keyword_capture_token;
	struct {
		const bool *states;
		const uint16_t *symbol_map;
		void *(*create)(void);
		void (*destroy)(void *payload);
		bool (*scan)(void *payload, void *lexer, const bool *valid);
		unsigned (*serialize)(void *payload, char *buffer);
		void (*deserialize)(void *payload, const char *buffer, unsigned length);
	} external_scanner;
	const void *primary_state_ids;
} acta_language;

// The scanner's state: open strings, a byte each.
typedef struct { const char *contents; uint32_t size, capacity; } acta_open_strings;

extern const acta_language *tree_sitter_kotlin(void);
extern bool tree_sitter_kotlin_external_scanner_scan(void *payload, void *lexer, const bool *valid);

// acta_scan finds no more tokens before the scanner aborts the process, at 1,024 open strings.
static bool acta_scan(void *payload, void *lexer, const bool *valid) {
	if (((const acta_open_strings *)payload)->size >= 1000) return false;
	return tree_sitter_kotlin_external_scanner_scan(payload, lexer, valid);
}

// acta_kotlin returns the grammar with that scanner; NULL if its layout differs from the one above.
static const void *acta_kotlin(void) {
	const acta_language *original = tree_sitter_kotlin();
	if (original->version != 14) return NULL;
	if (original->external_scanner.scan != tree_sitter_kotlin_external_scanner_scan) return NULL;
	acta_language *guarded = malloc(sizeof *guarded);
	if (guarded == NULL) return NULL;
	*guarded = *original;
	guarded->external_scanner.scan = acta_scan;
	return guarded;
}
*/
import "C"

import (
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
	grammar "github.com/smacker/go-tree-sitter/kotlin"
)

// SafeGrammar returns the grammar with a scanner that survives the 1,024th open string. It leaks a little memory: call
// it once. If the binding changes the layout of grammars, the original is returned, and TestTheScannerIsGuarded fails.
func SafeGrammar() *sitter.Language {
	if l := C.acta_kotlin(); l != nil {
		return sitter.NewLanguage(unsafe.Pointer(l))
	}
	return grammar.GetLanguage()
}
