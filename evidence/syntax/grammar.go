// Package syntax parses a source with a grammar of tree-sitter's, within bounds,
// and gives its tree as plain Go values: the tree is copied out of the parser in
// one call, since a call into C for each question of each node costs more than
// the parse. In go the bytes of a source, out come nodes, or why it cannot be
// read. It knows no language and nothing of evidence.
package syntax

import (
	"sync"

	sitter "github.com/smacker/go-tree-sitter"
)

// Grammar is a grammar of tree-sitter's with the names of its kinds and fields. It never changes.
type Grammar struct {
	language *sitter.Language
	kinds    []string
	types    []sitter.SymbolType
	fields   map[string]uint8
	seconds  []uint8
	place    uint8 // among grammars
}

// grammars are all that were read, by their places, of which a node has one byte; next is the place of the next one.
var (
	grammars [1 << 8]*Grammar
	next     int
	adding   sync.Mutex
)

// NewGrammar reads the names of a grammar. seconds are the fields that a node may be in its parent beside another
// one: tree-sitter's cursor tells only the first.
func NewGrammar(l *sitter.Language, seconds ...string) *Grammar {
	g := &Grammar{language: l, fields: map[string]uint8{}}
	for s := range sitter.Symbol(l.SymbolCount()) {
		g.kinds = append(g.kinds, l.SymbolName(s))
		g.types = append(g.types, l.SymbolType(s))
	}
	for id := 1; l.FieldName(id) != ""; id++ {
		g.fields[l.FieldName(id)] = uint8(id)
	}
	for _, name := range seconds {
		g.seconds = append(g.seconds, g.fields[name])
	}
	adding.Lock()
	defer adding.Unlock()
	g.place, grammars[next] = uint8(next), g
	next++
	return g
}

// Kinds are the names of the grammar's kinds by their symbols.
func (g *Grammar) Kinds() []string { return g.kinds }

// IsNamed reports whether the kind of a symbol is one that the grammar names.
func (g *Grammar) IsNamed(symbol int) bool { return g.types[symbol] == sitter.SymbolTypeRegular }

// IsToken reports whether the kind of a symbol is a token that is written as it is.
func (g *Grammar) IsToken(symbol int) bool { return g.types[symbol] == sitter.SymbolTypeAnonymous }

func (g *Grammar) kind(symbol uint16) string {
	if int(symbol) >= len(g.kinds) {
		return "ERROR"
	}
	return g.kinds[symbol]
}
