package javascript

import (
	"slices"

	"github.com/acta-git/acta/evidence/language"
)

// newer is what the grammars of the family do not know of ECMAScript 2026 and its proposals.
var newer = []language.Newer{
	{Word: "using ", Here: language.Lazy(`^(using)[ \t]+[\pL_$][\w$]*[ \t]*(?:=[^=>]|:|of\s)`), As: "const"},
	{Word: "await using ", Here: language.Lazy(`^(await)[ \t]+using[ \t]+[\pL_$][\w$]*[ \t]*(?:=[^=>]|:|of\s)`)},
	{Word: "import defer ", Here: language.Lazy(`^import (defer)[ \t]+\*`)},
}

// accessor is a class field with accessors, which the grammar of TypeScript knows.
var accessor = language.Newer{Word: "accessor ", Here: language.Lazy(`^(accessor)[ \t]+#?[\pL_$][\w$]*[ \t]*[=;\r\n}]`)}

// Readable takes out of a source what is newer than its grammar: what the family has in common, and more.
func Readable(src []byte, more ...language.Newer) []byte {
	return language.ReadableAs(src, slices.Concat(newer, more))
}
