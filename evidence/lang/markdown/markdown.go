// Package markdown describes Markdown to package evidence. It is prose: it shows
// nothing for an item of kind code, and for one of kind text everything but blank lines, marks of lists
// and rules, and paragraphs that are nothing but TODO. A heading is none beside
// such a paragraph alone. In a list of what is to be done (TODO.md) a TODO is content.
package markdown

import (
	"path"
	"strings"

	"github.com/acta-git/acta/evidence/lang"
)

// Rules are what code decides of it.
type Rules struct{ lang.DefaultRules }

var (
	note  = lang.Lazy(`(?s)^<!--\W*(TODO|FIXME)\b.*-->$`)
	plans = lang.Lazy(`(?i)\b(to-?do|fixme|backlog|roadmap)s?\b`)
)

// IsUnfilled reports a paragraph, a cell or a comment that is to be written.
func (Rules) IsUnfilled(name, text string) bool {
	text = strings.Trim(strings.ReplaceAll(text, "*", ""), " \t\r\n_") // without emphasis
	return (lang.IsTodo(text) || note.MatchString(text)) && !plans.MatchString(path.Base(name))
}
