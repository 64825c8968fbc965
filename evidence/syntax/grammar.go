// Package syntax parses a source with a tree-sitter grammar, within bounds, and returns its tree as plain Go values.
// The tree is copied out of the parser in one call, since a call into C for each question about a node would cost more
// than the parse. It knows no language and nothing of evidence.
package syntax

import (
	"sync"

	sitter "github.com/smacker/go-tree-sitter"
)

// Grammar is a tree-sitter grammar with the names of its kinds and fields. It is immutable.
type Grammar struct {
	language     *sitter.Language
	kinds        []string
	types        []sitter.SymbolType
	fields       map[string]uint8
	secondFields []uint8
	index        uint8 // in grammars
}

// grammars are all grammars; a node holds the index of its grammar in one byte.
var (
	grammars     [1 << 8]*Grammar
	nextIndex    int
	grammarsLock sync.Mutex
)

// NewGrammar reads the names of a grammar. secondFields are fields that a node may be in its parent beside another one:
// tree-sitter's cursor returns only the first.
func NewGrammar(l *sitter.Language, secondFields ...string) *Grammar {
	g := &Grammar{language: l, fields: map[string]uint8{}}
	for s := range sitter.Symbol(l.SymbolCount()) {
		g.kinds = append(g.kinds, l.SymbolName(s))
		g.types = append(g.types, l.SymbolType(s))
	}
	for id := 1; l.FieldName(id) != ""; id++ {
		g.fields[l.FieldName(id)] = uint8(id)
	}
	for _, name := range secondFields {
		g.secondFields = append(g.secondFields, g.fields[name])
	}
	grammarsLock.Lock()
	defer grammarsLock.Unlock()
	g.index, grammars[nextIndex] = uint8(nextIndex), g
	nextIndex++
	return g
}

// Kinds are the names of the grammar's kinds, by symbol.
func (g *Grammar) Kinds() []string { return g.kinds }

// IsNamed reports whether the grammar names the kind of a symbol.
func (g *Grammar) IsNamed(symbol int) bool { return g.types[symbol] == sitter.SymbolTypeRegular }

// IsToken reports whether a symbol is an anonymous token.
func (g *Grammar) IsToken(symbol int) bool { return g.types[symbol] == sitter.SymbolTypeAnonymous }
