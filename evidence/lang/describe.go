package lang

import (
	"slices"
	"strconv"
	"strings"
)

// Files returns the extensions of a language's files, with the dot and in lower case, and whole names of files without
// one, from the first lines of its pack.txt.
func Files(text string) (extensions, names []string) {
	head, _, _ := strings.Cut(text, "\n\n")
	for _, w := range Table(head) {
		switch w.Name {
		case "extensions":
			extensions = strings.Fields(w.Text)
		case "names":
			names = strings.Fields(w.Text)
		}
	}
	return extensions, names
}

// Describe fills the unset fields of a language from the text of a pack.txt: its own, or that of a language that it
// builds on. The text must be valid. Its lines are those of Table:
//
//	extensions: .c .h          first of all, then names: see Files
//	traits: tail scoped        a list
//	role acts: KINDS           also «word loops: NAMES» and «callee builds: NAMES»
//	stub: IDIOM
//	complete NAME: REASON      with conditions below
//	probes:                    with the beginning of a statement a line
//	tests:                     with a condition a line; also private and orphans
//	directive:                 with a regular expression, which may span lines; so are all Patterns
//	new-syntax:                with "Word" "After" "Replacement" and Match a line
//	hollow: STATEMENT          with «RESULT => VALUE | VALUE» a line
func (l *Language) Describe(text string) {
	lists := map[string]*[]string{"modifiers": &l.Modifiers, "strings": &l.Strings, "builtins": &l.Builtins,
		"second-fields": &l.SecondFields, "empties": &l.Empties, "traits": &l.Traits, "tests": &l.Tests,
		"private": &l.Private, "orphans": &l.Orphans}
	patterns := map[string]*Pattern{"directive": &l.Directive, "skip-decorator": &l.SkipDecorator,
		"handler": &l.Handler, "optional": &l.Optional, "idle": &l.Idle, "skipping": &l.Skipping, "vacuous": &l.Vacuous,
		"skip-start": &l.SkipStart, "unparsable": &l.Unparsable, "joined-name": &l.JoinedName,
		"tokens": &l.Tokens, "text-start": &l.TextStart, "todo-frame": &l.TodoFrame, "build-failure": &l.BuildFailure}
	if l.Roles == nil {
		l.Roles, l.Words, l.Callees = map[string]Role{}, map[string]Role{}, map[string]Callee{}
	}
	var stubs []string
	var complete []Entry
	for _, w := range Table(text) {
		kind, name, _ := strings.Cut(strings.TrimSuffix(w.Name, ":"), " ")
		switch kind {
		case "extensions", "names":
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
			addWords(l.Roles, w.Text, Role(slices.Index(roleNames, name)))
		case "word":
			addWords(l.Words, w.Text, Role(slices.Index(roleNames, name)))
		case "callee":
			addWords(l.Callees, w.Text, Callee(name))
		case "new-syntax":
			l.addNewSyntax(w.Lines)
		default:
			if list := lists[kind]; list == nil {
				patterns[kind].add(strings.Join(w.Lines, ""))
			} else if *list == nil {
				*list = append(strings.Fields(w.Text), w.Lines...)
			}
		}
	}
	if l.Stubs = append(stubs, l.Stubs...); l.Complete == nil {
		l.Complete = complete
	}
}

func (l *Language) addNewSyntax(lines []string) {
	for _, line := range lines {
		var parts [3]string
		for i := range parts {
			quoted, _ := strconv.QuotedPrefix(line)
			parts[i], _ = strconv.Unquote(quoted)
			line = strings.TrimLeft(line[len(quoted):], " ")
		}
		n := NewSyntax{Word: parts[0], After: parts[1], Replacement: parts[2], Match: Lazy(line)}
		l.NewSyntax = append(l.NewSyntax, n)
	}
}

// add adds an alternative to a pattern, which may be unset.
func (p *Pattern) add(text string) {
	if p.IsSet() {
		text = p.String() + "|" + text
	}
	*p = Lazy(text)
}
