package lang

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// Entry is an entry of a Table. In a list of exemptions it names a kind of definition that is complete though its body
// is empty, and the reason.
type Entry struct {
	Name, Text string
	// Lines are the lines below the entry. For exemptions they are conditions, one of which must hold. A condition is a
	// list of facts that must all hold: «!fact» negates, «a|b» needs one of two; Facts lists them. Without lines,
	// package evidence decides.
	Lines []string
}

// Table reads entries of the form «name: text». Lines that begin with a blank continue the line above; lines that begin
// with a tab are its Lines; lines that begin with # are comments, and empty lines are nothing.
func Table(text string) []Entry {
	var words []Entry
	for line := range strings.Lines(strings.ReplaceAll(text, "\n ", " ")) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "", line[0] == '#':
		case line[0] == '\t':
			last := &words[len(words)-1]
			last.Lines = append(last.Lines, line[1:])
		default:
			word, why, _ := strings.Cut(line, ": ")
			words = append(words, Entry{Name: word, Text: why})
		}
	}
	return words
}

// WordLists are the lists of words of an embedded Table, read on first use: a command that needs none must not pay for
// them at its start.
type WordLists struct {
	Text *string

	once  sync.Once
	lists map[string]wordList
}

type wordList struct {
	words []string
	set   map[string]bool
}

// List returns a list, in its order. It must exist.
func (w *WordLists) List(name string) []string { return w.named(name).words }

// Has reports whether a list, which must exist, contains a word.
func (w *WordLists) Has(name, word string) bool { return w.named(name).set[word] }

func (w *WordLists) named(name string) wordList {
	w.once.Do(func() {
		w.lists = map[string]wordList{}
		for _, entry := range Table(*w.Text) {
			list := wordList{strings.Fields(entry.Text), map[string]bool{}}
			addWords(list.set, entry.Text, true)
			w.lists[entry.Name] = list
		}
	})
	list, ok := w.lists[name]
	if !ok {
		panic("there is no list " + name)
	}
	return list
}

// Facts describe a definition, the same in all languages: its header, its body and its surroundings.
//
//	type, function      a class or similar type, or a function
//	constructor, destructor   a function that makes or ends objects of its type
//	abstract, static …  a modifier or keyword of the header, as the language writes it
//	parameters, bases, decorated, owned   it has parameters, bases, decorators, a receiver; single: one parameter
//	generic, result     it has type parameters; its header declares a result
//	promotes            one of its parameters declares a property
//	initialises         its header calls another constructor, or sets members
//	extension           its receiver is written before its name: fun String.f()
//	inner, titled       another definition encloses it; its name is a title; exported: it begins with a capital
//	double              its name is that of a null object or a test double
//	nameless            it has parameters, but no name that its body could read
//	empty               it holds no statement
//	unwritten           its body says «not implemented»; todo: with TODO, FIXME, todo! or ???
//	marked              a comment says that work is left
//	described           it holds only bare strings
//	unit                its body is one expression without a value: Unit, or ()
//	endless             it loops forever without doing anything
//	idle                a function, but no constructor, that is neither unwritten nor marked
//	deliberate          a comment inside says that there is nothing to do; documented: the comment above says so
//	delegated           its text, or the name of its class, leaves it to subclasses; left: its text, or the comment above
//	basic, extended     the name of its owner says that others fill it; another type of the file does
//	declared            another definition of the file declares a member of its name without a body
//	variant             it stands in one of several branches of a conditional compilation
//	again               the file defines its name more than once
//	teardown            its name is one that releases a resource
//	streams             its name is one of the methods of all streams, and its class reads or writes
//	in:FACT             the enclosing definition has the fact; an accessor has the words of its property, and the
//	                    enclosing definition of that
//	name:GLOB, owner:GLOB, base:GLOB   its name, its owner, one of its bases
//	object:GLOB         the variable or function that is given the object literal of which it is a member
//	takes:GLOB          the type of one of its parameters, or the parameter's name if no type is declared
//	@GLOB               the name of one of its decorators, or the decorator's text without blanks
//	header:GLOB         a word of its header, in lower case
//	file:GLOB, under:GLOB   the name of its file, or of a folder that holds the file
type Facts struct {
	// Words are modifiers and keywords of the header, and the facts above that have no value.
	Words []string
	// Names are without qualifiers.
	Name, Owner, Object, File                      string
	Bases, Decorators, Parameters, Header, Folders []string
	// Outer are the facts of the enclosing definition; nil at the top of a file.
	Outer *Facts
}

// Add adds a keyword of the header, or a fact without a value, if it holds.
func (f *Facts) Add(word string, holds bool) {
	if holds {
		f.Words = append(f.Words, word)
	}
}

// FirstMatch returns the name of the first entry with a matching condition, "" if there is none.
func (f *Facts) FirstMatch(table []Entry) string {
	for _, w := range table {
		if f.MatchAny(w.Lines) {
			return w.Name
		}
	}
	return ""
}

// MatchAny reports whether one of the conditions holds.
func (f *Facts) MatchAny(conditions []string) bool { return slices.ContainsFunc(conditions, f.match) }

func (f *Facts) match(condition string) bool {
	for fact := range strings.FieldsSeq(condition) {
		fact, isNegated := strings.CutPrefix(fact, "!")
		first, rest, _ := strings.Cut(fact, "|")
		if (f.Has(first) || rest != "" && slices.ContainsFunc(strings.Split(rest, "|"), f.Has)) == isNegated {
			return false
		}
	}
	return true
}

// Has reports whether one fact holds.
func (f *Facts) Has(fact string) bool {
	if decorator, ok := strings.CutPrefix(fact, "@"); ok {
		return anyFits(decorator, f.Decorators)
	}
	kind, glob, ok := strings.Cut(fact, ":")
	switch names := factNames[kind]; {
	case !ok:
		return slices.Contains(f.Words, fact)
	case kind == "in":
		return f.Outer != nil && f.Outer.Has(glob)
	default:
		return names != nil && anyFits(glob, names(f))
	}
}

// factNames are the names that a fact with a glob is about.
var factNames = map[string]func(*Facts) []string{
	"name":   func(f *Facts) []string { return []string{f.Name} },
	"owner":  func(f *Facts) []string { return []string{f.Owner} },
	"object": func(f *Facts) []string { return []string{f.Object} },
	"file":   func(f *Facts) []string { return []string{f.File} },
	"under":  func(f *Facts) []string { return f.Folders },
	"base":   func(f *Facts) []string { return f.Bases },
	"takes":  func(f *Facts) []string { return f.Parameters },
	"header": func(f *Facts) []string { return f.Header },
}

func anyFits(glob string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		fits, err := path.Match(glob, name)
		return err == nil && fits
	})
}
