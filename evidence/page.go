package evidence

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/acta-git/acta/evidence/language"
)

// sharedWords are the words for what is complete though empty in every language.
func sharedWords() []language.Word {
	return []language.Word{
		{Word: "noop", Why: "a function called noop, no_op, nop or do_nothing does what its name says"},
		{Word: "stand_in", Why: "a member of a null object or a test double, by the name of its type: NoopTracer, NullUser, MockStore, ClockFake"},
		{Word: "default", Why: "a member of the object of defaults that a framework's call is given, which its user replaces"},
	}
}

const pageHead = `# Languages

Generated from the folders below ` + "`evidence/`" + `. A **stub** is a function or method whose body has no substance. What is
complete though empty is none; ` + "`acta stubs --include-exempt`" + ` lists it with the word that says why.

Of every body one recursion asks what it does, the same in all languages ([evidence.md](evidence.md)). No
substance has what does nothing in every part; what only says that it is not done, by an error, a log or a print; and what gives back
constants or its first argument beside words that say that the work is left (TODO, placeholder, for now, in a real implementation …); or, in a
test, what only asserts what cannot fail, or skips. Unclear is what gives back nothing at all (null, an empty list), only calls itself, cannot be
reached, gives back a constant and reads none of its parameters, or is empty on purpose, as it says.

Complete though empty in every language:

`

// WriteLanguages writes the page docs/languages.md: for each language its files,
// what is a stub there, and what is complete though empty and why.
func WriteLanguages(w io.Writer) error {
	var page strings.Builder
	page.WriteString(pageHead)
	writeWords(&page, sharedWords())
	for i := 0; i < len(grammars()); {
		family := []*grammar{grammars()[i]}
		for i++; i < len(grammars()) && readsAlike(family[0], grammars()[i]); i++ {
			family = append(family, grammars()[i])
		}
		writeLanguage(&page, family)
	}
	_, err := io.WriteString(w, page.String())
	return err
}

// readsAlike reports whether two languages say the same of stubs, as TypeScript with JSX and without does.
func readsAlike(a, b *grammar) bool {
	return !a.Data && len(a.Stubs) > 0 && slices.Equal(a.Stubs, b.Stubs) && slices.EqualFunc(a.Complete, b.Complete, func(a, b language.Word) bool { return a.Word == b.Word && a.Why == b.Why })
}

func writeLanguage(page *strings.Builder, family []*grammar) {
	var names, files []string
	for _, g := range family {
		names = append(names, g.Name)
		files = append(files, slices.Concat(g.Extensions, g.Names)...)
	}
	fmt.Fprintf(page, "\n## %s\n\n", strings.Join(names, ", "))
	fmt.Fprintf(page, "Files: `%s`\n", strings.Join(files, "` `"))
	g := family[0]
	switch {
	case g.Prose:
		page.WriteString("\nProse: substance for items of kind `text`, nothing for those of kind `code`.\n")
	case g.Data:
		page.WriteString("\nData: everything is substance that is not blank, a comment or a note that it is to be written.\n")
	}
	if len(g.Stubs) > 0 {
		heading := "A stub"
		if g.Data || g.Prose {
			heading = "No substance"
		}
		fmt.Fprintf(page, "\n%s:\n\n- %s\n", heading, strings.Join(g.Stubs, "\n- "))
	}
	if len(g.Complete) > 0 {
		page.WriteString("\nComplete though empty:\n\n")
		writeWords(page, g.Complete)
	}
}

func writeWords(page *strings.Builder, words []language.Word) {
	page.WriteString("| word | what, and why |\n| --- | --- |\n")
	for _, w := range words {
		fmt.Fprintf(page, "| `%s` | %s |\n", w.Word, strings.ReplaceAll(w.Why, "|", "\\|"))
	}
}
