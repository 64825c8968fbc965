// Package lua decides which functions of Lua are definitions, and guards its scanner.
//
// A function counts if it has a name: function f, local function f, function M.f and M:f, f = function, and fields of
// tables. An empty field is an option, not a definition, in a table that is passed to a call or holds defaults.
package lua

/*
#include <stddef.h>

// The grammar's scanner keeps its state in global variables, and does not reset it after a parse (scanner.c).
extern void tree_sitter_lua_external_scanner_deserialize(void *payload, const char *buffer, unsigned length);
static void acta_lua_reset(void) { tree_sitter_lua_external_scanner_deserialize(NULL, "\0\0", 2); }
*/
import "C"

import (
	"strings"
	"sync"

	_ "github.com/smacker/go-tree-sitter/lua" // links the scanner

	"github.com/acta-git/acta/evidence/lang"
	"github.com/acta-git/acta/evidence/syntax"
)

var parseLock sync.Mutex

// LockParser keeps others from parsing Lua until release, and resets the scanner: a state left by another parse would
// decide what a bracket or a quote is.
func (Rules) LockParser() (release func()) {
	parseLock.Lock()
	C.acta_lua_reset()
	return parseLock.Unlock
}

// Rules are the decisions about Lua that need code.
type Rules struct{ lang.DefaultRules }

var defaults = lang.Lazy(`(?i)default|option|config|setting|callback|hook|handler`)

// Locate rejects a table's field that is an option, and a one-line assignment to a global inside a function.
func (Rules) Locate(n *syntax.Node, src []byte, parts lang.Parts) (lang.Parts, bool) {
	if n.Type() == "variable_declaration" && n.Child(0).Type() != "local" {
		several := n.Field("name").NamedChildCount() > 1 && strings.Contains(n.Field("value").Content(src), "\n")
		return parts, several || n.Parent().Type() == "program"
	}
	return parts, n.Type() != "field" || !isOption(n, src)
}

// Owner returns the table of a function.
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
