package lang

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Role is what a node of a body stands for to package facts, which reads all languages alike.
// A kind without a role does something.
type Role uint8

const (
	// Acts: it does something.
	Acts Role = iota
	// Idles: it does nothing: pass, a comment, a type, a label.
	Idles
	// Groups: it does what its parts do: a block, a try, a handler, a match.
	Groups
	// Arms: one of several ways of a block, or what follows it there: else, rescue, a clause of a case.
	Arms
	// Stands: a statement that is one expression.
	Stands
	// Branches: like Groups, under a condition.
	Branches
	// Loops: the same, again and again.
	Loops
	// Written: a value that is written out.
	Written
	// Holds: a value that is made of its parts, a list or a tuple.
	Holds
	// Text is a string literal, or what it is made of.
	Text
	// Refers: a name.
	Refers
	// Computes: a value made of its parts: an operator, a cast, a condition between two values.
	Computes
	// Wraps: brackets, await, a cast: the value that it holds.
	Wraps
	// Selects: a member or an element of something.
	Selects
	// Calls: a call of a function.
	Calls
	// Makes: the making of an object.
	Makes
	// Returns: a return statement.
	Returns
	// Throws: a statement that throws or raises.
	Throws
	// Asserts: an assert statement.
	Asserts
	// Prints: a statement or a word of the language that prints.
	Prints
	// Declares: it gives new names values.
	Declares
	// Assigns: it gives a value to what is there.
	Assigns
	// Shares: it says that names are those of an outer scope.
	Shares
	// Nests: a definition with a name.
	Nests
	// Closes: a function without a name, a closure.
	Closes
	// Transfers: a return, throw, break or continue, as its first word says.
	Transfers
	// Jumps: break and continue.
	Jumps
	// Disables: an attribute, which may take what follows out of the build.
	Disables
)

//go:embed roles.txt
var rolesText string

// roleNames are what roles.txt calls the roles, in their order.
var roleNames = strings.Fields("acts idles groups arms stands branches loops written holds text refers computes " +
	"wraps selects calls " +
	"makes returns throws asserts prints declares assigns shares nests closes transfers jumps disables")

// roles are those of the kinds of all grammars, as roles.txt lists them; a kind that has another role in one language
// stands in its Language.Roles.
var roles = sync.OnceValue(func() map[Role]string {
	all := map[Role]string{}
	for _, w := range Table(rolesText) {
		all[Role(slices.Index(roleNames, w.Word))] = w.Why
	}
	return all
})

// RolesOf returns the roles of all kinds, those of a language before those of all.
func RolesOf(own map[Role]string) map[string]Role { return byWord(roles(), own) }

// WordRoles returns the roles of a language's words.
func WordRoles(words map[Role]string) map[string]Role { return byWord(words) }

// byWord turns tables around: the later goes before the earlier.
func byWord(tables ...map[Role]string) map[string]Role {
	all := map[string]Role{}
	for _, table := range tables {
		for role, words := range table {
			for word := range strings.FieldsSeq(words) {
				all[word] = role
			}
		}
	}
	return all
}
