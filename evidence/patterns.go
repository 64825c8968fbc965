package evidence

import (
	_ "embed"

	"github.com/acta-git/acta/evidence/lang"
)

var (
	//go:embed patterns.txt
	patternsText string

	patterns        = lang.Patterns{Text: &patternsText}
	fits, patternOf = patterns.Fits, patterns.Named
)
