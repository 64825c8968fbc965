package evidence

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/acta-git/acta/evidence/language"
)

// docs/languages.md is what WriteLanguages writes.
func TestLanguagesPageIsWhatTheFoldersSay(t *testing.T) {
	var b bytes.Buffer
	if err := WriteLanguages(&b); err != nil {
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
	archives, err := filepath.Glob(filepath.Join("*", "cases", "*.txtar"))
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
		var listed []language.Word
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

func lists(words []language.Word, word string) bool {
	return slices.ContainsFunc(words, func(w language.Word) bool { return w.Word == word })
}
