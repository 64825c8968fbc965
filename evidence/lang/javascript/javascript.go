// Package javascript decides which assignments of JavaScript and TypeScript define functions, and reads the scripts of
// pages.
package javascript

import (
	"bytes"
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

var pagePart = lang.Lazy(`(?is)<script\b[^>]*>(.*?)</script\s*>|<!--.*?-->`)

// Readable leaves of a page, as Vue and Svelte have them, its scripts and the comments around them.
func (Rules) Readable(src []byte) []byte {
	if !lang.IsPage(src) {
		return src
	}
	page := bytes.Clone(src)
	for i, b := range page {
		if b != '\n' {
			page[i] = ' '
		}
	}
	for _, at := range pagePart.In(string(src)).FindAllSubmatchIndex(src, -1) {
		if at[2] >= 0 {
			copy(page[at[2]:at[3]], src[at[2]:])
			continue
		}
		comment := page[at[0]:at[1]]
		copy(comment, src[at[0]:])
		copy(comment, "/*  ")
		copy(comment[len(comment)-3:], " */")
	}
	return page
}
