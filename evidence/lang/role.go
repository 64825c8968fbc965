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

// The roles, in the order of roleNames; roles.txt says what each means.
const (
	Acts Role = iota
	Idles
	Groups
	Arms
	Stands
	Branches
	Loops
	Written
	Holds
	Text
	Refers
	Computes
	Wraps
	Selects
	Calls
	Makes
	Returns
	Throws
	Asserts
	Prints
	Declares
	Assigns
	Shares
	Nests
	Closes
	Transfers
	Jumps
	Disables
)

//go:embed roles.txt
var rolesText string

// roleNames are the names of the roles in roles.txt, in order.
var roleNames = strings.Fields(`acts idles groups arms stands branches loops written holds text refers computes
	wraps selects calls makes returns throws asserts prints declares assigns shares nests closes transfers jumps
	disables`)

// Roles returns the common roles of the kinds of all grammars, from roles.txt. Language.Roles overrides them.
var Roles = sync.OnceValue(func() map[string]Role {
	all := map[string]Role{}
	for _, w := range Table(rolesText) {
		addWords(all, w.Text, Role(slices.Index(roleNames, w.Name)))
	}
	return all
})

// addWords gives each of the words that has none yet a value.
func addWords[V any](all map[string]V, words string, value V) {
	for word := range strings.FieldsSeq(words) {
		if _, ok := all[word]; !ok {
			all[word] = value
		}
	}
}
