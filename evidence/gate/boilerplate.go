package gate

import (
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// isBoilerplate reports an entry that leaves out of coverage what a tool wrote, what only starts the program, or tests.
func (d *demand) isBoilerplate() bool {
	switch d.tool {
	case "coverage", "nyc", "c8":
	default:
		if !strings.Contains(strings.ToLower(d.key), "coverage") {
			return false
		}
	}
	return boilerplate.MatchString(d.text)
}

// boilerplate matches migrations, generated code, entry points and tests of browsers.
var boilerplate = lang.Lazy(`(?i)(^|/)(migrations|__generated__|codegen)(/|$)|\.(pb|gen)\.\w+$|` +
	`(^|/)(main|manage|[aw]sgi|__init__|__main__)\.\w+$|(^|[/*._-])e2e([/*._-]|$)`)
