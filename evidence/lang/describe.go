package lang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Describe fills the unset fields of a language from the text of a pack.txt: its own, or that of a language that it
// builds on. The text must be valid. Its lines are those of Table:
//
//	extensions: .c .h         a list; «traits: tail scoped» likewise
//	role acts: KINDS           also «word loops: NAMES» and «callee builds: NAMES»
//	stub: IDIOM
//	complete NAME: REASON      with conditions below
//	probes:                    with the beginning of a statement a line
//	tests:                     with a condition a line; also private and orphans
//	directive:                 with a regular expression, which may span lines; so are all Patterns
//	new-syntax:                with "Word" "After" "Replacement" and Match a line
//	hollow: STATEMENT          with «RESULT => VALUE | VALUE» a line
func (l *Language) Describe(text string) {
	d := packFields{
		lists: map[string]*[]string{"extensions": &l.Extensions, "names": &l.Names, "modifiers": &l.Modifiers,
			"strings": &l.Strings, "builtins": &l.Builtins, "second-fields": &l.SecondFields,
			"empties": &l.Empties, "traits": &l.Traits},
		conditions: map[string]*[]string{"tests": &l.Tests, "private": &l.Private, "orphans": &l.Orphans},
		patterns: map[string]*Pattern{"directive": &l.Directive, "skip-decorator": &l.SkipDecorator,
			"handler": &l.Handler, "optional": &l.Optional, "idle": &l.Idle, "skipping": &l.Skipping, "vacuous": &l.Vacuous,
			"skip-start": &l.SkipStart, "unparsable": &l.Unparsable, "joined-name": &l.JoinedName,
			"tokens": &l.Tokens, "text-start": &l.TextStart, "todo-frame": &l.TodoFrame, "build-failure": &l.BuildFailure},
		newSyntax: &l.NewSyntax,
	}
	if l.Roles == nil && l.Words == nil && l.Callees == nil {
		l.Roles, l.Words, l.Callees = map[Role]string{}, map[Role]string{}, map[Callee]string{}
	}
	var stubs []string
	var complete []Entry
	for _, w := range Table(text) {
		kind, name, _ := strings.Cut(strings.TrimSuffix(w.Name, ":"), " ")
		switch kind {
		case "complete":
			w.Name = name
			complete = append(complete, w)
		case "stub":
			stubs = append(stubs, w.Text)
		case "hollow":
			if l.Hollow.Return == "" {
				l.Hollow = newHollow(w)
			}
		case "probes":
			l.Probes = append(l.Probes, w.Lines...)
		case "role":
			addMissing(l.Roles, Role(slices.Index(roleNames, name)), w.Text)
		case "word":
			addMissing(l.Words, Role(slices.Index(roleNames, name)), w.Text)
		case "callee":
			addMissing(l.Callees, Callee(slices.Index(calleeNames, name)), w.Text)
		default:
			d.set(kind, w)
		}
	}
	if l.Stubs = append(stubs, l.Stubs...); l.Complete == nil {
		l.Complete = complete
	}
}

func addMissing[K comparable](all map[K]string, key K, words string) {
	if _, ok := all[key]; !ok {
		all[key] = words
	}
}

// packFields maps the names in a pack.txt to the fields of a Language.
type packFields struct {
	lists, conditions map[string]*[]string
	patterns          map[string]*Pattern
	newSyntax         *[]NewSyntax
}

func (d packFields) addNewSyntax(lines []string) {
	for _, line := range lines {
		var parts [3]string
		for i := range parts {
			quoted, _ := strconv.QuotedPrefix(line)
			parts[i], _ = strconv.Unquote(quoted)
			line = strings.TrimLeft(line[len(quoted):], " ")
		}
		n := NewSyntax{Word: parts[0], After: parts[1], Replacement: parts[2], Match: Lazy(line)}
		*d.newSyntax = append(*d.newSyntax, n)
	}
}

// set sets a field that is not set yet; patterns are joined.
func (d packFields) set(name string, w Entry) {
	list, condition, pattern := d.lists[name], d.conditions[name], d.patterns[name]
	switch {
	case list != nil && *list == nil:
		*list = strings.Fields(w.Text)
	case condition != nil && *condition == nil:
		*condition = w.Lines
	case pattern != nil && pattern.IsSet():
		*pattern = Lazy(pattern.String() + "|" + strings.Join(w.Lines, ""))
	case pattern != nil:
		*pattern = Lazy(strings.Join(w.Lines, ""))
	case name == "new-syntax":
		d.addNewSyntax(w.Lines)
	case list == nil && condition == nil && pattern == nil:
		panic(fmt.Sprintf("no language has %q", name))
	}
}
