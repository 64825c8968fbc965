package typescript

import (
	"github.com/acta-git/acta/evidence/javascript"
	"github.com/acta-git/acta/evidence/language"
)

// variance is that of a type parameter, which came with TypeScript 4.7.
var variance = []language.Newer{
	{Word: "in ", Here: language.Lazy(`^(in(?:[ \t]+out)?)[ \t]+[\pL_$][\w$]*\s*(?:[,>=]|extends\s)`), After: "<,"},
	{Word: "out ", Here: language.Lazy(`^(out)[ \t]+[\pL_$][\w$]*\s*(?:[,>=]|extends\s)`), After: "<,"},
}

// Readable takes the variance of a type parameter out, beside what the family does.
func (rules) Readable(src []byte) []byte { return javascript.Readable(src, variance...) }
