package lang

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// Word is a word for what is complete though its body is empty, why it is, and when. Of several the first that holds
// is given.
type Word struct {
	Word, Why string
	// When are conditions, one of which must hold. A condition is a list of facts, all of which must hold: «!fact»
	// holds where the fact does not, «a|b» where one of two does. Docs of Facts list them. None: package evidence
	// decides it itself.
	When []string
}

// Table reads the words of a text: each is a line «word: why», which goes on where lines begin with a blank, and a
// line for each condition, which begins with a tab. A line that begins with # is a comment.
func Table(text string) []Word {
	var words []Word
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		last := len(words) - 1
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "\t"):
			words[last].When = append(words[last].When, line[1:])
		case strings.HasPrefix(line, " "):
			words[last].Why += line
		default:
			word, why, _ := strings.Cut(line, ": ")
			words = append(words, Word{Word: word, Why: why})
		}
	}
	return words
}

// Lists reads the words of a text as Table does, and of each the list that stands behind it.
func Lists(text string) map[string][]string {
	all := map[string][]string{}
	for _, w := range Table(text) {
		all[w.Word] = strings.Fields(w.Why)
	}
	return all
}

// WordLists are the lists of an embedded text as Lists reads them. They are read when one is first asked for: a command
// that asks for none must not pay for them when it starts.
type WordLists struct {
	Text *string

	once  sync.Once
	lists map[string][]string
	sets  map[string]map[string]bool
}

// Of is a list, in its order. It must be there.
func (w *WordLists) Of(name string) []string {
	w.once.Do(w.read)
	list, known := w.lists[name]
	if !known {
		panic("there is no list " + name)
	}
	return list
}

// Has reports whether a list, which must be there, has a word.
func (w *WordLists) Has(name, word string) bool {
	w.once.Do(w.read)
	set, known := w.sets[name]
	if !known {
		panic("there is no list " + name)
	}
	return set[word]
}

func (w *WordLists) read() {
	w.lists, w.sets = Lists(*w.Text), map[string]map[string]bool{}
	for name, list := range w.lists {
		w.sets[name] = map[string]bool{}
		for _, word := range list {
			w.sets[name][word] = true
		}
	}
}

// Facts are what the header of a definition says, what its body is, and what is around it, the same in all languages:
//
//	type, function      a class and its like, or a function
//	constructor, destructor   a function that makes objects of its type, or ends them
//	abstract, static …  a modifier or key word of the header, as the language writes it
//	parameters, bases, decorated, owned   it has parameters, bases, decorators, a receiver; single: one parameter
//	generic, result     it has parameters that are types; it says what it gives back
//	promotes            one of its parameters declares a property
//	initialises         its header calls another constructor, or gives members values
//	extension           what it belongs to is written before its name: fun String.f()
//	inner, titled       another definition is around it; its name is a title; exported: it begins with a capital
//	double              its name is that of a null object or a test double
//	nameless            it has parameters, and none that its body could read
//	empty               no statement is in it
//	unwritten           its body says «not implemented»; todo: with TODO, FIXME, todo! or ???
//	marked              a comment says that work is left
//	described           it holds bare strings alone
//	unit                its body is one expression that is nothing: Unit, or ()
//	endless             it goes round in a loop that does nothing, for ever
//	idle                a function, no constructor, that is neither unwritten nor marked
//	deliberate          a comment in it says that there is nothing to do; documented: the one above it does
//	delegated           it, or the name of its class, leaves it to subclasses; left: it, or a comment above it, says so
//	basic, extended     the name of what it belongs to says that others fill it; another of the file does
//	declared            another definition of the file declares a member of its name without a body
//	variant             one branch of a conditional compilation that has another holds it
//	again               the file defines its name more than once
//	teardown            its name is one that ends the use of a resource
//	streams             its name is one that all streams have, and its class reads or writes
//	in:FACT             the definition around it has the fact; an accessor has the words of its property, and what
//	                    is around that is around it
//	name:GLOB, owner:GLOB, base:GLOB   its name, the type it belongs to, one of its bases
//	object:GLOB         what is given the object literal that it is a member of: a variable, or a function
//	takes:GLOB          the type of one of its parameters, or its name where none is declared
//	@GLOB               the name of one of its decorators, or how it is written, without blanks
//	header:GLOB         a word of its header, in small letters
//	file:GLOB, under:GLOB   the name of its file, or of a folder that it is in
type Facts struct {
	// Words are modifiers and key words of the header, and of the facts above those that have no value.
	Words []string
	// Name, Owner, Object and File, and of the others the names without what qualifies them.
	Name, Owner, Object, File                 string
	Bases, Decorators, Takes, Header, Folders []string
	// In are the facts of what is around; nil at the top of a file.
	In *Facts
}

// Add adds a word of the header, or a fact without a value, where it holds.
func (f *Facts) Add(word string, holds bool) {
	if holds {
		f.Words = append(f.Words, word)
	}
}

// Word returns the first word of a table that fits, "" without one.
func (f *Facts) Word(table []Word) string {
	for _, w := range table {
		if f.Fit(w.When) {
			return w.Word
		}
	}
	return ""
}

// Fit reports whether one of the conditions holds.
func (f *Facts) Fit(conditions []string) bool { return slices.ContainsFunc(conditions, f.fit) }

// fit reports whether a condition holds.
func (f *Facts) fit(condition string) bool {
	for fact := range strings.FieldsSeq(condition) {
		fact, negated := strings.CutPrefix(fact, "!")
		first, rest, _ := strings.Cut(fact, "|")
		if (f.Has(first) || rest != "" && slices.ContainsFunc(strings.Split(rest, "|"), f.Has)) == negated {
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
	if !ok {
		return slices.Contains(f.Words, fact)
	}
	switch kind {
	case "in":
		return f.In != nil && f.In.Has(glob)
	case "name":
		return anyFits(glob, []string{f.Name})
	case "owner":
		return anyFits(glob, []string{f.Owner})
	case "object":
		return anyFits(glob, []string{f.Object})
	case "file":
		return anyFits(glob, []string{f.File})
	case "under":
		return anyFits(glob, f.Folders)
	case "base":
		return anyFits(glob, f.Bases)
	case "takes":
		return anyFits(glob, f.Takes)
	case "header":
		return anyFits(glob, f.Header)
	}
	return false
}

func anyFits(glob string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		fits, err := path.Match(glob, name)
		return err == nil && fits
	})
}
