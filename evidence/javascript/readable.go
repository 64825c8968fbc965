package javascript

import "github.com/acta-git/acta/evidence/language"

// accessor is a class field with accessors, which the grammar of TypeScript knows.
var accessor = []language.Newer{
	{Word: "accessor ", Here: language.Lazy(`^(accessor)[ \t]+#?[\pL_$][\w$]*[ \t]*[=;\r\n}]`)},
}

// Readable takes out accessor fields.
func (script) Readable(src []byte) []byte { return language.ReadableAs(src, accessor) }
