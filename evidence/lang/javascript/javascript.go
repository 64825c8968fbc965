// Package javascript reads what members the functions of JavaScript and TypeScript are given to.
package javascript

import (
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// Rules are what code decides of the family.
type Rules struct{ lang.DefaultRules }

var (
	exported  = lang.Lazy(`^(?:module\.)?exports\.([\w$]+)$`)
	prototype = lang.Lazy(`^([\w$.]+)\.prototype\.([\w$]+)$`)
	assigned  = lang.Lazy(`^[\w$]+(\.#?[\w$]+)*$`)
)

// Bound takes what is assigned, and no initialiser, for a definition where it is exported or a prototype's member.
func (Rules) Bound(field, name string) string {
	if field != "left" {
		if strings.HasPrefix(name, "[") || strings.HasPrefix(name, "{") {
			return "" // a computed name, a pattern
		}
		return strings.Trim(name, `"'`)
	}
	if m := exported.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	if m := prototype.FindStringSubmatch(name); m != nil {
		return m[1] + "." + m[2]
	}
	if name == "module.exports" {
		return "default"
	}
	return ""
}

// Member takes a function that is assigned to a member or a variable.
func (Rules) Member(field, name string) string {
	if field != "left" || !assigned.MatchString(name) {
		return ""
	}
	return strings.TrimPrefix(name, "this.")
}
