package plan

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/acta-git/acta/parser"
)

var kinds = []string{"", "code", "text", "test", "removal", "asset"}

// Kinds are the kinds of checklist items.
func Kinds() []string { return slices.Clone(kinds[1:]) }

// problems checks a tree as Read does: known types and statuses, thresholds from 0 to 1, unique and nameable ids,
// atomic units without children, possible dependencies, items with text. Its places are those of the file.
func problems(root *Unit) Errors {
	v := &validator{index: NewIndex(root)}
	for _, n := range v.index.Nodes {
		v.id(n)
		v.form(n)
		v.items(n)
		v.records(n)
	}
	v.cycle = v.index.cycles()
	for _, n := range v.index.Nodes {
		v.dependencies(n)
		v.paths(n)
	}
	return v.problems
}

type validator struct {
	index    *Index
	problems Errors
	// cycle numbers the units: units that depend on each other have the same number.
	cycle map[*Node]int
}

func (v *validator) addProblem(n *Node, field int, format string, args ...any) {
	v.add(n, int(n.offsets[field]), fmt.Sprintf(format, args...))
}

func (v *validator) add(n *Node, offset int, message string) {
	v.problems = append(v.problems, &Error{Line: n.Pos.Line, Column: n.Pos.Column, Message: message, offset: offset})
}

func (v *validator) id(n *Node) {
	switch {
	case strings.TrimSpace(n.ID) == "":
		v.addProblem(n, atID, "a task has no id")
	case strings.ContainsFunc(n.ID, func(r rune) bool { return r == '/' || unicode.IsSpace(r) || unicode.IsControl(r) }):
		v.addProblem(n, atID, "the id %q must not contain %q, white space or a control character", n.ID, '/')
	case v.index.byID[n.ID] != n:
		v.addProblem(n, atID, "the id %q occurs twice in the plan; an id is unique in the whole tree", n.ID)
	}
}

func (v *validator) form(n *Node) {
	switch {
	case n.Type != "" && n.Type != Parent && n.Type != Atomic:
		v.addProblem(n, atType, "the type of %s is %q; it must be %q or %q", n.ID, n.Type, Parent, Atomic)
	case n.Type == Atomic && len(n.Children) > 0:
		v.addProblem(n, atType, "%s is %q and has children; a task with children is a %q", n.ID, Atomic, Parent)
	}
	switch {
	case n.Status != Pending && n.Status != InProgress && n.Status != Complete:
		v.addProblem(n, atStatus, "the status of %s is %q; it must be %s, %s or %s", n.ID, n.Status, Pending, InProgress,
			Complete)
	case n.rawStatus == "active" && (n.Depth > 1 || n.IsTask()):
		v.addProblem(n, atStatus, "the status of %s is %q, which only a milestone can be; write %q", n.ID, n.rawStatus,
			InProgress)
	}
	if !slices.Contains([]string{"", Low, Medium, High}, n.Risk) {
		v.addProblem(n, atRisk, "the risk of %s is %q; it is %s, %s or %s", n.ID, n.Risk, Low, Medium, High)
	}
	if !(n.FailureThreshold >= 0 && n.FailureThreshold <= 1) {
		v.addProblem(n, atThreshold, "the failure_threshold of %s is %v; it is from 0.0 to 1.0", n.ID, n.FailureThreshold)
	}
}

func (v *validator) items(n *Node) {
	for _, i := range n.Checklist {
		switch {
		case strings.TrimSpace(i.Text) == "":
			v.add(n, i.offset, fmt.Sprintf("an item of %s has no text under \"item\"", n.ID))
		case !slices.Contains(kinds, i.Kind):
			v.add(n, i.offset, fmt.Sprintf("the kind of item %q is %q; there are %s", i.Text, i.Kind,
				strings.Join(kinds[1:], ", ")))
		}
	}
}

// records allows one record for each slice and each blocker.
func (v *validator) records(n *Node) {
	for _, list := range []struct {
		field   int
		each    string
		records []Record
	}{{atAssessments, "completed slice", n.Assessments}, {atReplans, "blocker", n.Replans}} {
		seen := map[string]bool{}
		for _, r := range list.records {
			if r.Other == "" || seen[r.Other] {
				v.addProblem(n, list.field, "the %s of %s name %q twice, or not at all; there may be one for each %s",
					keys[list.field], n.ID, r.Other, list.each)
			}
			seen[r.Other] = true
		}
	}
}

func (v *validator) dependencies(n *Node) {
	for _, name := range n.DependsOn {
		d := v.index.Find(name)
		switch {
		case d == nil:
			v.addProblem(n, atDepends, "%s depends on %q, which is not in the plan", n.ID, name)
		case d == n || n.IsBelow(d.ID) || d.IsBelow(n.ID):
			v.addProblem(n, atDepends, "%s depends on %s, which can never be complete before it", n.ID, d.ID)
		case v.cycle[d] == v.cycle[n]:
			v.addProblem(n, atDepends, "%s depends on %s, which depends on %s in turn", n.ID, d.ID, n.ID)
		}
	}
}

// cycles walks all dependencies once (Tarjan's strongly connected components).
func (x *Index) cycles() map[*Node]int {
	reached, low, cycle := map[*Node]int{}, map[*Node]int{}, map[*Node]int{}
	var open []*Node
	var walk func(n *Node)
	walk = func(n *Node) {
		reached[n] = len(reached) + 1
		low[n] = reached[n]
		open = append(open, n)
		for _, d := range x.dependencies(n) {
			if reached[d] == 0 {
				walk(d)
			}
			if cycle[d] == 0 {
				low[n] = min(low[n], low[d])
			}
		}
		if low[n] < reached[n] {
			return
		}
		for cycle[n] == 0 {
			cycle[open[len(open)-1]], open = reached[n], open[:len(open)-1]
		}
	}
	for _, n := range x.Nodes {
		if reached[n] == 0 {
			walk(n)
		}
	}
	return cycle
}

// Guide is the recommended form of an item.
const Guide = "[verb] [specific change] in/to [file/class/module]"

// VagueItem is an item that names nothing that evidence could be compared with.
type VagueItem struct {
	// Unit is the key of the unit, Item the item.
	Unit, Item string
	// Line and Column are the place of the item's unit in the file; 0 without a file.
	Line, Column int
}

// String says what the item lacks, and how to write it.
func (v VagueItem) String() string {
	return fmt.Sprintf("%s: «%s» names no file, class or symbol; write it as %s", v.Unit, v.Item, Guide)
}

// Lint lists the vague items of incomplete units, in the order of the plan.
func Lint(root *Unit) []VagueItem {
	var all []VagueItem
	for _, n := range NewIndex(root).Nodes {
		for _, i := range n.Checklist {
			if n.Status != Complete && IsVague(i.Text) {
				all = append(all, VagueItem{Unit: n.Key, Item: i.Text, Line: n.Pos.Line, Column: n.Pos.Column})
			}
		}
	}
	return all
}

//go:embed lint.txt
var lintText []byte

var lintWords = sync.OnceValue(func() map[string][]string { return parser.WordLists(lintText) })

// lexicon is made when the first item is read, for no other command waits for it: the forms in which an item names code
// (quoted, a path or file, a call, a qualified, snake_case or camelCase name, an option, a variable), and a kind of
// code or thing, its first group the word before that.
var lexicon = sync.OnceValues(func() (names *regexp.Regexp, before []*regexp.Regexp) {
	noun := func(list string) string { return `\s+(?:` + strings.Join(lintWords()[list], "|") + `)s?\b` }
	return regexp.MustCompile("`[^`]+`|\"[^\"]+\"|«[^»]+»|“[^”]+”" +
			`|\w/[\w*]|\w/($|[\s,;:.)])|(^|\s)/\w|(^|[\s(])\.\w|\w\.\w|\w\(|_\w|\w_|::|->` +
			`|#\w|(^|\s)--?\w|\$\w|\w\*|\*\w` +
			`|\b(Makefile|Dockerfile|README|CHANGELOG|LICENSE|CONTRIBUTING)\b`), []*regexp.Regexp{
			regexp.MustCompile(`(?i)\b([\pL\pN-]+)` + noun("code")),
			regexp.MustCompile(`(?i)\b(?:in|into|to|from|of|on|inside|within|under)\s+(?:the\s+|our\s+|its\s+)?` +
				`(?:[\pL\pN-]+\s+)*?([\pL\pN-]+)` + noun("thing")),
		}
})

// IsVague reports whether an item names no file, class or symbol: «Implement
// authentication». In doubt an item is taken to name one.
func IsVague(item string) bool {
	names, before := lexicon()
	if names.MatchString(item) {
		return false
	}
	for _, re := range before {
		for _, m := range re.FindAllStringSubmatch(item, -1) {
			if !slices.Contains(lintWords()["filler"], strings.ToLower(m[1])) {
				return false
			}
		}
	}
	for i, w := range strings.FieldsFunc(item, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !parser.IsBrand(w) && (parser.IsMixed(w) || i > 0 && isCapitalized(w)) {
			return false
		}
	}
	return true
}

// isCapitalized reports a name as classes have it; inside a sentence other words are small, and acronyms all large.
func isCapitalized(w string) bool {
	r := []rune(w)
	return len(r) > 1 && unicode.IsUpper(r[0]) && unicode.IsLower(r[1])
}
