// Package html describes HTML to package evidence. Every element, an empty one too,
// and every text is data; nothing there is a stub. A comment is none, and neither is a text
// that is nothing but TODO in elements that only hold text; in a heading, a title,
// a button or a label it may be a name. Scripts and styles are data, save those that hold nothing but comments.
package html

import (
	"github.com/acta-git/acta/evidence/lang"
)

// Rules are what code decides of it.
type Rules struct{ lang.DefaultRules }

var (
	// Tags that add nothing to the text that they hold.
	holder = lang.Lazy(`(?is)<(!doctype|/?(html|body|main|section|article|header|footer|aside|nav|div|p|span|ul` +
		`|ol|li|dl|dd|td|tr|table|tbody|em|strong|b|i|small|br))(\s[^<>]*)?/?>`)
	comment = lang.Lazy(`(?s)^\s*((//[^\n]*|/\*.*?\*/)\s*)+$`)
)

// IsUnfilled reports a text, or an element, that is to be written, and a script of comments alone.
func (Rules) IsUnfilled(_, text string) bool {
	if comment.MatchString(text) {
		return true
	}
	return lang.IsTodo(holder.ReplaceAllString(text, " "))
}
