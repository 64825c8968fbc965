package rules

import (
	"embed"
	"strings"

	"golang.org/x/tools/txtar"
)

// pages are what the documentation says of the rules, a file a rule.
//
//go:embed pages/*.txt
var pages embed.FS

// Page is the documentation of a rule.
type Page struct {
	// Title is the rule in one line.
	Title string
	// Doc explains, in Markdown: what is wrong, why it matters, how to fix it.
	Doc string
	// Example is a small commit that the rule reports, in sections, and the output.
	Example []txtar.File
}

// Page is that of the rule, as rules/ID.txt has it, which must be there: the title, the teaching text, and behind them
// as a txtar archive the example. Its sections are, in this order,
//
//	-- policy --        the policy before the commit
//	-- plan --          the checklist of unit T01, an item a line
//	-- leases --        «TASK by NAME» a line
//	-- runs --          «COMMAND, exit code N» a line, of what was run in the session
//	-- before PATH --   a file before the commit
//	-- commit PATH --   a file that the commit writes
//	-- report KIND --   a report of results
//	-- message --       its message; what follows is of the next commit
//	-- said --          what acta says, which a test of package judge writes
func (r *Rule) Page() Page {
	text, err := pages.ReadFile("pages/" + r.ID + ".txt")
	if err != nil {
		panic(err) // a test checks that each rule has a page
	}
	a := txtar.Parse(text)
	title, doc, _ := strings.Cut(string(a.Comment), "\n")
	return Page{Title: title, Doc: strings.TrimSpace(doc), Example: a.Files}
}
