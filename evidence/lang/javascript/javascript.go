// Package javascript decides which assignments of JavaScript and TypeScript define functions.
package javascript

import (
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// Rules are the decisions about both that need code.
type Rules struct{ lang.DefaultRules }

var (
	exportPath    = lang.Lazy(`^(?:module\.)?exports\.[\w$]+$`)
	prototypePath = lang.Lazy(`^[\w$.]+\.prototype\.[\w$]+$`)
	memberPath    = lang.Lazy(`^[\w$]+(\.#?[\w$]+)*$`)
)

// BoundSymbol takes an assignment for a definition if its target is exported or a prototype's member. An initialiser
// always defines.
func (Rules) BoundSymbol(field, name string) string {
	switch {
	case field != "left" && strings.ContainsAny(name[:1], "[{"): // a computed name, a pattern
	case field != "left":
		return strings.Trim(name, `"'`)
	case exportPath.MatchString(name):
		return name[strings.LastIndexByte(name, '.')+1:]
	case prototypePath.MatchString(name):
		return strings.Replace(name, ".prototype.", ".", 1)
	case name == "module.exports":
		return "default"
	case memberPath.MatchString(name):
		return strings.TrimPrefix(name, "this.")
	}
	return ""
}
