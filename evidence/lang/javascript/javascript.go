// Package javascript reads what members the functions of JavaScript and TypeScript are given to.
package javascript

import (
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// Rules are what code decides of the family.
type Rules struct{ lang.DefaultRules }

var (
	exported  = lang.Lazy(`^(?:module\.)?exports\.[\w$]+$`)
	prototype = lang.Lazy(`^[\w$.]+\.prototype\.[\w$]+$`)
	assigned  = lang.Lazy(`^[\w$]+(\.#?[\w$]+)*$`)
)

// Bound takes what is assigned, and no initialiser, for a definition where it is exported or a prototype's member.
func (Rules) Bound(field, name string) (symbol string, assigns bool) {
	switch {
	case field != "left" && strings.ContainsAny(name[:1], "[{"): // a computed name, a pattern
	case field != "left":
		return strings.Trim(name, `"'`), false
	case exported.MatchString(name):
		return name[strings.LastIndexByte(name, '.')+1:], false
	case prototype.MatchString(name):
		return strings.Replace(name, ".prototype.", ".", 1), false
	case name == "module.exports":
		return "default", false
	case assigned.MatchString(name):
		return strings.TrimPrefix(name, "this."), true
	}
	return "", false
}
