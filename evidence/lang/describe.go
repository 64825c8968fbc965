package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Describe fills what is not set of a language from the text of a pack.txt, its own or that of a language that it
// builds on. Its lines are those of Table: «extensions: .c .h», «is: tail scoped» for Ways, «role acts: KINDS»,
// «word loops: NAMES» and «callee builds: NAMES» for Roles, Words and Callees; «stub: IDIOM», and «complete WORD: WHY»
// with its conditions below; below «probes:» a beginning a line; below «tests:», «private:» and «orphans:» a condition
// a line, below the name of a field that is a Pattern an expression, which may go over several lines, below «newer:» a
// construct a line: Word, After and As in quotes, and Here; «hollow: STATEMENT» with a line for each kind of result.
// The text must be valid.
func (l *Language) Describe(text string) {
	d := description{
		lists: map[string]*[]string{"extensions": &l.Extensions, "names": &l.Names, "modifiers": &l.Modifiers,
			"strings": &l.Strings, "builtins": &l.Builtins, "seconds": &l.Seconds, "empties": &l.Empties, "is": &l.Ways},
		conditions: map[string]*[]string{"tests": &l.Tests, "private": &l.Private, "orphans": &l.Orphans},
		patterns: map[string]*Pattern{"directive": &l.Directive, "skips": &l.Skips, "takes": &l.Takes,
			"spelt": &l.Spelt, "idle": &l.Idle, "skipping": &l.Skipping, "vacuous": &l.Vacuous,
			"silenced": &l.Silenced, "unknown": &l.Unknown, "joined": &l.Joined,
			"tokens": &l.Tokens, "deeper": &l.Deeper, "around": &l.Around, "unbuilt": &l.Unbuilt},
		constructs: &l.Newer,
	}
	if l.Roles == nil && l.Words == nil && l.Callees == nil {
		l.Roles, l.Words, l.Callees = map[Role]string{}, map[Role]string{}, map[Callee]string{}
	}
	var stubs []string
	var complete []Word
	for _, w := range Table(text) {
		kind, name, _ := strings.Cut(strings.TrimSuffix(w.Word, ":"), " ")
		switch kind {
		case "complete":
			w.Word = name
			complete = append(complete, w)
		case "stub":
			stubs = append(stubs, w.Why)
		case "hollow":
			if l.Hollow.Return == "" {
				l.Hollow = newHollow(w)
			}
		case "probes":
			l.Probes = append(l.Probes, w.When...)
		case "role":
			fill(l.Roles, Role(slices.Index(roleNames, name)), w.Why)
		case "word":
			fill(l.Words, Role(slices.Index(roleNames, name)), w.Why)
		case "callee":
			fill(l.Callees, Callee(slices.Index(calleeNames, name)), w.Why)
		default:
			d.set(kind, w)
		}
	}
	if l.Stubs = append(stubs, l.Stubs...); l.Complete == nil {
		l.Complete = complete
	}
}

// fill sets what a map does not have.
func fill[K comparable](all map[K]string, key K, words string) {
	if _, known := all[key]; !known {
		all[key] = words
	}
}

// description is where the words of a pack.txt go.
type description struct {
	lists, conditions map[string]*[]string
	patterns          map[string]*Pattern
	constructs        *[]Newer
}

// newer reads a construct a line: Word, After and As, in quotes, and Here.
func (d description) newer(lines []string) {
	for _, line := range lines {
		var parts [3]string
		for i := range parts {
			quoted, _ := strconv.QuotedPrefix(line)
			parts[i], _ = strconv.Unquote(quoted)
			line = strings.TrimLeft(line[len(quoted):], " ")
		}
		*d.constructs = append(*d.constructs, Newer{Word: parts[0], After: parts[1], As: parts[2], Here: Lazy(line)})
	}
}

// set sets a field that is not set.
func (d description) set(name string, w Word) {
	list, condition, pattern := d.lists[name], d.conditions[name], d.patterns[name]
	switch {
	case list != nil && *list == nil:
		*list = strings.Fields(w.Why)
	case condition != nil && *condition == nil:
		*condition = w.When
	case pattern != nil && pattern.IsSet():
		*pattern = Lazy(pattern.String() + "|" + strings.Join(w.When, ""))
	case pattern != nil:
		*pattern = Lazy(strings.Join(w.When, ""))
	case name == "newer":
		d.newer(w.When)
	case list == nil && condition == nil && pattern == nil:
		panic(fmt.Sprintf("no language has %q", name))
	}
}
