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
		var listed []lang.Entry
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
			if !shown[w.Name] {
				t.Errorf("%s: no case shows %s", folder, w.Name)
			}
			if w.Text == "" {
				t.Errorf("%s: %s does not say why", folder, w.Name)
			}
		}
	}
	for _, w := range shared {
		if !shownAnywhere[w.Name] {
			t.Errorf("no case shows %s", w.Name)
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

func lists(words []lang.Entry, word string) bool {
	return slices.ContainsFunc(words, func(w lang.Entry) bool { return w.Name == word })
}

// sharedWords are the words for what is complete though empty in every language.
func sharedWords() []lang.Entry {
	return []lang.Entry{
		{Name: "noop", Text: "a function called noop, no_op, nop or do_nothing does what its name says"},
		{Name: "stand_in", Text: "a member of a null object or a test double, by the name of its type: NoopTracer, NullUser, MockStore, ClockFake"},
	}
}

const pageHead = `# Languages

Which files Acta reads, what is a stub in each language, and what may be empty. A **stub** is a function or method whose
body has no substance; [evidence.md](evidence.md#substance) has the rules, which are the same in all languages.
This page is generated from ` + "`evidence/lang`" + `; its ` + "`pack.txt`" + ` files list every form and word.

## Stubs by language

For each language its files, and an example of what has no substance there.

`

const pageWords = `
## Complete though empty

` + "`acta stubs --all`" + ` lists empty code that is no stub, with one of these words. A language may give a word a narrower
meaning.

`

// writeLanguages writes the page docs/languages.md: for each language its files and an example of a stub, and the words
// for what is complete though empty, as the first language that has one explains it.
func writeLanguages(w io.Writer) error {
	var page strings.Builder
	page.WriteString(pageHead)
	explained, order := map[string]string{}, []string{}
	explain := func(words []lang.Entry) {
		for _, w := range words {
			if explained[w.Name] == "" {
				explained[w.Name] = w.Text
				order = append(order, w.Name)
			}
		}
	}
	explain(sharedWords())
	for i := 0; i < len(grammars()); {
		family := []*grammar{grammars()[i]}
		for i++; i < len(grammars()) && readsAlike(family[0], grammars()[i]); i++ {
			family = append(family, grammars()[i])
		}
		writeLanguage(&page, family)
		explain(family[0].Complete)
	}
	page.WriteString(pageWords)
	for _, word := range order {
		fmt.Fprintf(&page, "- `%s`: %s\n", word, explained[word])
	}
	_, err := io.WriteString(w, page.String())
	return err
}

// readsAlike reports whether two languages say the same of stubs, as TypeScript with JSX and without does.
func readsAlike(a, b *grammar) bool {
	return a.IsCode() && slices.Equal(a.Stubs, b.Stubs) && slices.EqualFunc(a.Complete, b.Complete, func(a, b lang.Entry) bool { return a.Name == b.Name && a.Text == b.Text })
}

func writeLanguage(page *strings.Builder, family []*grammar) {
	var names, files []string
	for _, g := range family {
		names = append(names, g.Name)
		files = append(files, slices.Concat(g.extensions, g.names)...)
	}
	g := family[0]
	example := g.Stubs[0]
	for _, stub := range g.Stubs { // one that says that it is not done tells more than an empty body
		if g.IsCode() && strings.Contains(stub, "not implemented") {
			example = stub
			break
		}
	}
	fmt.Fprintf(page, "- **%s** (`%s`): %s\n", strings.Join(names, ", "), strings.Join(files, "` `"), example)
}
