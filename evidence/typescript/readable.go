package typescript

import (
	"github.com/acta-git/acta/evidence/javascript"
	"github.com/acta-git/acta/evidence/language"
)

// readable takes the variance of a type parameter out, which came with TypeScript 4.7, beside what the family does.
var readable = javascript.Readable(
	language.Newer{Word: "in ", Here: language.Lazy(`^(in(?:[ \t]+out)?)[ \t]+[\pL_$][\w$]*\s*(?:[,>=]|extends\s)`), After: "<,"},
	language.Newer{Word: "out ", Here: language.Lazy(`^(out)[ \t]+[\pL_$][\w$]*\s*(?:[,>=]|extends\s)`), After: "<,"},
)
