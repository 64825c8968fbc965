package check

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// pages are what the documentation says of the rules, a file a rule.
//
//go:embed rules/*.txt
var pages embed.FS

// Page is what the documentation says of a rule.
type Page struct {
	// Title says in one line what the rule reports.
	Title string
	// Doc teaches, in Markdown: what is wrong, why it matters, how to put it right.
	Doc string
	// Example is a commit that the rule reports.
	Example Example
}

// Example is a small commit that a rule reports. Its documentation shows what
// the tool says of it, so an example that finds nothing is a bug (a test holds it).
type Example struct {
	// Base are the files before the commit, by path.
	Base map[string]string
	// Plan is the checklist of unit T01 before the commit; nil for no plan.
	Plan []Item
	// Claims are the units that somebody holds in the repository, and who.
	Claims map[string]string
	// Runs are what was run in the session of the commit before it is made.
	Runs []RecordedRun
	// Reports are reports of results, by what they are given for: junit, coverage.
	Reports map[string]string
	// Policy is the base's policy file; "" for none.
	Policy string
	// Commits are the commit and, for a rule over ranges, those after it.
	Commits []Step
}

// Step is a commit of an example: the files that it writes and its message.
type Step struct {
	Files   map[string]string
	Message string
}

// Page is that of the rule, as rules/ID.txt has it, which must be there: the title, the teaching text, and behind them
// as a txtar archive the example. Its sections are
//
//	-- policy --        the policy before the commit
//	-- plan --          the checklist, an item a line
//	-- leases --        «UNIT by NAME» a line
//	-- exit code N --   a command that was run in the session, and ended so
//	-- report KIND --   a report of results
//	-- before PATH --   a file before the commit
//	-- commit PATH --   a file that the commit writes
//	-- message --       its message; what follows is of the next commit
func (r *Rule) Page() Page {
	text, err := pages.ReadFile("rules/" + r.ID + ".txt")
	if err != nil {
		panic(err) // a test holds that each rule has one
	}
	a := txtar.Parse(text)
	title, doc, _ := strings.Cut(string(a.Comment), "\n")
	p, next := Page{Title: title, Doc: strings.TrimSpace(doc)}, Step{}
	for _, f := range a.Files {
		text := string(f.Data)
		switch kind, name, _ := strings.Cut(f.Name, " "); kind {
		case "policy":
			p.Example.Policy = text
		case "plan":
			for line := range strings.Lines(text) {
				p.Example.Plan = append(p.Example.Plan, Item{Text: strings.TrimSpace(line)})
			}
		case "leases":
			for line := range strings.Lines(text) {
				unit, agent, _ := strings.Cut(strings.TrimSpace(line), " by ")
				put(&p.Example.Claims, unit, agent)
			}
		case "exit":
			code, _ := strconv.Atoi(strings.TrimPrefix(name, "code "))
			p.Example.Runs = append(p.Example.Runs, RecordedRun{Command: strings.TrimSpace(text), Exit: &code})
		case "report":
			put(&p.Example.Reports, name, text)
		case "before":
			put(&p.Example.Base, name, text)
		case "commit":
			put(&next.Files, name, text)
		case "message":
			next.Message = text
			p.Example.Commits, next = append(p.Example.Commits, next), Step{}
		default:
			panic(fmt.Sprintf("rules/%s.txt: no example has %q", r.ID, f.Name))
		}
	}
	return p
}

// put sets a value of a map, which is made where there is none yet.
func put(all *map[string]string, key, value string) {
	if *all == nil {
		*all = map[string]string{}
	}
	(*all)[key] = value
}
