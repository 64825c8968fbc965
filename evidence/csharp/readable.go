package csharp

import "github.com/acta-git/acta/evidence/language"

// newer is what the grammar does not know of C# 13 and 14: params of any collection, and assignments behind ?. operators.
var newer = []language.Newer{
	{Word: "params ", Here: language.Lazy(`^(params)\s+[\w.]+\s*<`)},
	{Word: "?.", Here: language.Lazy(`^(\?)\.[\pL_][\w.]*\s*(?:\?\?|<<|>>|[-+*/%&|^])?=[^=>]`)},
}

func (rules) Readable(src []byte) []byte { return language.ReadableAs(src, newer) }
