// Package lua tells which functions of Lua are definitions, and guards its scanner.
//
// A function counts as a definition where it has a name: function f, local
// function f, function M.f and M:f, f = function, and the fields of a table. An
// empty field of a table that is passed to a call, or of one of defaults, is an option and no definition.
package lua

/*
#include <stddef.h>

// The grammar's scanner keeps its state in variables of the process, and leaves it there after a parse (scanner.c).
extern void tree_sitter_lua_external_scanner_deserialize(void *payload, const char *buffer, unsigned length);
static void acta_lua_reset(void) { tree_sitter_lua_external_scanner_deserialize(NULL, "\0\0", 2); }
*/
import "C"

import (
	"strings"
	"sync"

	_ "github.com/smacker/go-tree-sitter/lua" // whose scanner it is

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

var parsing sync.Mutex

// Alone lets nobody else parse Lua until it is released, and begins where every parse begins: else what another
// parse has left would decide what a bracket or a quote is.
func (Rules) Alone() (release func()) {
	parsing.Lock()
	C.acta_lua_reset()
	return parsing.Unlock
}

// Rules are what code decides of it.
type Rules struct{ lang.DefaultRules }

var defaults = lang.Lazy(`(?i)default|option|config|setting|callback|hook|handler`)

// Locate leaves out a field of a table that is an option, and an assignment to what is not local, on one
// line of a function.
func (Rules) Locate(n *syntax.Node, src []byte, parts lang.Parts) (lang.Parts, bool) {
	if n.Type() == "variable_declaration" && n.Child(0).Type() != "local" {
		several := n.Field("name").NamedChildCount() > 1 && strings.Contains(n.Field("value").Content(src), "\n")
		return parts, several || n.Parent().Type() == "program"
	}
	return parts, n.Type() != "field" || !isOption(n, src)
}

// Owner is the table that a function belongs to.
func (Rules) Owner(receiver string) string {
	return strings.Trim(strings.ReplaceAll(receiver, ":", "."), ". ")
}

// isOption reports whether a field stands in a table that is passed to a call, or whose name says that it holds
// defaults.
func isOption(field *syntax.Node, src []byte) bool {
	for n := field.Parent(); n != nil; n = n.Parent() {
		switch n.Type() {
		case "fieldlist", "tableconstructor", "field":
			continue
		case "function_arguments", "table_argument":
			return true
		case "variable_declaration":
			name := lang.At(n.Field("name"))
			return defaults.MatchString(string(src[name.Start:name.End]))
		}
		return false
	}
	return false
}
