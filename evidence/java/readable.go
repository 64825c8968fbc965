package java

import "github.com/acta-git/acta/evidence/language"

// newer is what the grammar does not know of Java 25: imports of modules, and statements before super(…) or this(…).
var newer = []language.Newer{
	{Word: "import module ", Here: language.Lazy(`^import\s+(module)\s+[\w.]+\s*;`)},
	{Word: "super(", Here: language.Lazy(`^(s)uper`), After: ";}", As: "S"},
	{Word: "this(", Here: language.Lazy(`^(t)his`), After: ";}", As: "T"},
}

func (rules) Readable(src []byte) []byte { return language.ReadableAs(src, newer) }
