package lang

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Role is what a node of a body means to package facts, the same in all languages. A kind without a role does
// something.
type Role uint8

const (
	// Acts: it does something.
	Acts Role = iota
	// Idles: it does nothing: pass, a comment, a type, a label.
	Idles
	// Groups: it does what its parts do: a block, a try, a handler, a match.
	Groups
	// Arms: one of several alternatives of a block, or a continuation of it: else, rescue, a clause of a case.
	Arms
	// Stands: a statement that is one expression.
	Stands
	// Branches: like Groups, under a condition.
	Branches
	// Loops: like Branches, repeatedly.
	Loops
	// Written: a literal value.
	Written
	// Holds: a value with elements, a list or a tuple.
	Holds
	// Text is a string literal or a part of one.
	Text
	// Refers: a name.
	Refers
	// Computes: a value made of its parts: an operator, a cast, a condition between two values.
	Computes
	// Wraps: brackets, await, a cast around a value.
	Wraps
	// Selects: a member or an element of something.
	Selects
	// Calls: a call of a function.
	Calls
	// Makes: it makes an object.
	Makes
	// Returns: a return statement.
	Returns
	// Throws: a statement that throws or raises.
	Throws
	// Asserts: an assert statement.
	Asserts
	// Prints: a statement or keyword that prints.
	Prints
	// Declares: it gives values to new names.
	Declares
	// Assigns: it gives a value to an existing name.
	Assigns
	// Shares: it says that names are those of an outer scope.
	Shares
	// Nests: a named definition.
	Nests
	// Closes: a closure, a function without a name.
	Closes
	// Transfers: a return, throw, break or continue, as its first word says.
	Transfers
	// Jumps: break and continue.
	Jumps
	// Disables: an attribute, which may exclude the next node from the build.
	Disables
)

//go:embed roles.txt
var rolesText string

// roleNames are the names of the roles in roles.txt, in order.
var roleNames = strings.Fields("acts idles groups arms stands branches loops written holds text refers computes " +
	"wraps selects calls " +
	"makes returns throws asserts prints declares assigns shares nests closes transfers jumps disables")

// roles are the common roles of the kinds of all grammars, from roles.txt. Language.Roles overrides them.
var roles = sync.OnceValue(func() map[Role]string {
	all := map[Role]string{}
	for _, w := range Table(rolesText) {
		all[Role(slices.Index(roleNames, w.Name))] = w.Text
	}
	return all
})

// RolesOf returns the roles of all kinds; the language's special roles override the common ones.
func RolesOf(special map[Role]string) map[string]Role { return byWord(roles(), special) }

// WordRoles returns the roles of a language's words.
func WordRoles(words map[Role]string) map[string]Role { return byWord(words) }

// byWord inverts tables; later tables override earlier ones.
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
