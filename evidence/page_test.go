package evidence

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/acta-git/acta/evidence/lang"
)

// docs/languages.md is what writeLanguages writes.
func TestLanguagesPageIsWhatTheFoldersSay(t *testing.T) {
	var b bytes.Buffer
	if err := writeLanguages(&b); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("ACTA_UPDATE") != "" {
		if err := os.WriteFile("../docs/languages.md", b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile("../docs/languages.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, b.Bytes()) {
		t.Error("docs/languages.md is not what the folders say; run ACTA_UPDATE=1 go test ./evidence -run LanguagesPage")
	}
	for _, g := range grammars() {
		if !strings.Contains(b.String(), g.Name) || len(g.Stubs) == 0 {
			t.Errorf("%s: the page does not say what is a stub there", g.Name)
		}
	}
}

// caseFiles returns the sources of every language's cases, by the folder of the language.
func caseFiles(t *testing.T) map[string][]txtar.File {
	archives, err := filepath.Glob(filepath.Join("lang", "*", "cases", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatal("no cases", err)
	}
	sources := map[string][]txtar.File{}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Dir(filepath.Dir(name))
		for i := 0; i < len(archive.Files); i += 2 {
			sources[folder] = append(sources[folder], archive.Files[i])
		}
	}
	return sources
}

// Every word by which something in a case is complete though empty is one that
// its language lists, and every word that is listed is shown by a case.
func TestWordsOfExemptionsAreListedAndShown(t *testing.T) {
	shared := sharedWords()
	shownAnywhere := map[string]bool{}
	for folder, files := range caseFiles(t) {
		var listed []lang.Word
		shown := map[string]bool{}
		for _, f := range files {
			g := grammarOf(f.Name)
			listed = g.Complete
			for _, word := range exemptions(t, g, f) {
				shown[word], shownAnywhere[word] = true, true
				if !lists(listed, word) && !lists(shared, word) {
					t.Errorf("%s: %s is %s, which %s does not list", folder, f.Name, word, g.Name)
				}
			}
		}
		for _, w := range listed {
			if !shown[w.Word] {
				t.Errorf("%s: no case shows %s", folder, w.Word)
			}
			if w.Why == "" {
				t.Errorf("%s: %s does not say why", folder, w.Word)
			}
		}
	}
	for _, w := range shared {
		if !shownAnywhere[w.Word] {
			t.Errorf("no case shows %s", w.Word)
		}
	}
}

// exemptions are the words by which something in a file is complete though empty, classes included.
func exemptions(t *testing.T, g *grammar, f txtar.File) []string {
	m, err := analyse(t.Context(), g, f.Name, newText(f.Data))
	if err != nil {
		t.Fatal(f.Name, err)
	}
	var words []string
	for i := range m.definitions {
		if word := m.definitions[i].exempt; word != "" {
			words = append(words, word)
		}
	}
	return words
}

func lists(words []lang.Word, word string) bool {
	return slices.ContainsFunc(words, func(w lang.Word) bool { return w.Word == word })
}

// sharedWords are the words for what is complete though empty in every language.
func sharedWords() []lang.Word {
	return []lang.Word{
		{Word: "noop", Why: "a function called noop, no_op, nop or do_nothing does what its name says"},
		{Word: "stand_in", Why: "a member of a null object or a test double, by the name of its type: NoopTracer, NullUser, MockStore, ClockFake"},
	}
}

const pageHead = `# Languages

Generated from the folders below ` + "`evidence/`" + `. A **stub** is a function or method whose body has no substance. What is
complete though empty is none; ` + "`acta stubs --all`" + ` lists it with the word that says why.

Of every body one recursion asks what it does, the same in all languages ([evidence.md](evidence.md)). No
substance has what does nothing in every part; what only says that it is not done, by an error, a log or a print; and what gives back
constants or its first argument beside words that say that the work is left (TODO, placeholder, for now, in a real implementation …); or, in a
test, what only asserts what cannot fail, or skips. Unclear is what gives back nothing at all (null, an empty list), only calls itself, cannot be
reached, does nothing with what it is given, gives back what it is given in another shape and says that it is no real work,
or is empty on purpose, as it says.

Complete though empty in every language:

`

// writeLanguages writes the page docs/languages.md: for each language its files,
// what is a stub there, and what is complete though empty and why.
func writeLanguages(w io.Writer) error {
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
	return a.IsCode() && slices.Equal(a.Stubs, b.Stubs) && slices.EqualFunc(a.Complete, b.Complete, func(a, b lang.Word) bool { return a.Word == b.Word && a.Why == b.Why })
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
	case g.Is("prose"):
		page.WriteString("\nProse: substance for items of kind `text`, nothing for those of kind `code`.\n")
	case g.Is("data"):
		page.WriteString("\nData: everything is substance that is not blank, a comment or a note that it is to be written.\n")
	}
	heading := "A stub"
	if !g.IsCode() {
		heading = "No substance"
	}
	fmt.Fprintf(page, "\n%s:\n\n- %s\n", heading, strings.Join(g.Stubs, "\n- "))
	if len(g.Complete) > 0 {
		page.WriteString("\nComplete though empty:\n\n")
		writeWords(page, g.Complete)
	}
}

func writeWords(page *strings.Builder, words []lang.Word) {
	page.WriteString("| word | what, and why |\n| --- | --- |\n")
	for _, w := range words {
		fmt.Fprintf(page, "| `%s` | %s |\n", w.Word, strings.ReplaceAll(w.Why, "|", "\\|"))
	}
}
