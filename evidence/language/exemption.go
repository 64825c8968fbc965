package language

import (
	"path"
	"slices"
	"strings"
)

// Word is a word for what is complete though its body is empty, why it is, and when. Of several the first that holds is given.
type Word struct {
	Word, Why string
	// When are conditions, one of which must hold. A condition is a list of facts, all of which must hold: «!fact» holds
	// where the fact does not, «a|b» where one of two does. Docs of Facts list them. None: package evidence decides it itself.
	When []string
}

// Facts are what the header of a definition says, what its body is, and what is around it, the same in all languages:
//
//	type, function      a class and its like, or a function
//	constructor         a function that makes objects of its type
//	abstract, static …  a modifier or key word of the header, as the language writes it
//	parameters, bases, decorated, owned   it has parameters, bases, decorators, a receiver
//	empty               no statement is in it
//	unwritten           its body says «not implemented»; marked: a comment says that work is left
//	described           it holds bare strings alone
//	idle                a function, no constructor, that is neither unwritten nor marked
//	deliberate          a comment in it says that there is nothing to do; documented: the one above it does
//	delegated           it, or the name of its class, leaves it to subclasses
//	teardown            its name is one that ends the use of a resource
//	in:FACT             the definition around it has the fact
//	name:GLOB, base:GLOB, @GLOB, takes:GLOB   its name, one of its bases, decorators, types of parameters
//	file:GLOB           the name of its file
type Facts struct {
	// Words are modifiers and key words of the header, and of the facts above those that have no value.
	Words []string
	// Name and File, and of the others the names without what qualifies them.
	Name, File               string
	Bases, Decorators, Takes []string
	// In are the facts of what is around; nil at the top of a file.
	In *Facts
}

// Word returns the first word of a table that fits, "" without one.
func (f *Facts) Word(table []Word) string {
	for _, w := range table {
		if slices.ContainsFunc(w.When, f.fit) {
			return w.Word
		}
	}
	return ""
}

// fit reports whether a condition holds.
func (f *Facts) fit(condition string) bool {
	for fact := range strings.FieldsSeq(condition) {
		fact, negated := strings.CutPrefix(fact, "!")
		if slices.ContainsFunc(strings.Split(fact, "|"), f.Has) == negated {
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
	switch {
	case !ok:
		return slices.Contains(f.Words, fact)
	case kind == "in":
		return f.In != nil && f.In.Has(glob)
	case kind == "name":
		return anyFits(glob, []string{f.Name})
	case kind == "file":
		return anyFits(glob, []string{f.File})
	case kind == "base":
		return anyFits(glob, f.Bases)
	case kind == "takes":
		return anyFits(glob, f.Takes)
	}
	return false
}

func anyFits(glob string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		fits, err := path.Match(glob, name)
		return err == nil && fits
	})
}
