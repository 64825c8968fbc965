package acta_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// maxWords is how many words of its own a reader can be asked to learn.
const maxWords = 25

// replaced are words of earlier pages for which the glossary has the field's own: entry point or hook, and hook script.
var replaced = regexp.MustCompile(`(?i)\b(doors?|fronts)\b|\bthe front of\b`)

// TestTheGlossaryIsShortAndUsed: a word that no page uses need not be learned.
func TestTheGlossaryIsShortAndUsed(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) < 15 {
		t.Fatal(pages, err)
	}
	var text strings.Builder
	for _, page := range append(pages, "README.md", "CONTRIBUTING.md") {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if old := replaced.Find(data); old != nil {
			t.Errorf("%s says «%s»; docs/glossary.md has a word for it", page, old)
		}
		if filepath.Base(page) != "glossary.md" {
			text.Write(data)
		}
	}
	words := glossary(t)
	if len(words) > maxWords {
		t.Errorf("the glossary has %d words, and may have %d: %q", len(words), maxWords, words)
	}
	for _, word := range words {
		if !regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(word) + `s?\b`).MatchString(text.String()) {
			t.Errorf("no page uses the word %q of docs/glossary.md", word)
		}
	}
}

// glossary lists the words of docs/glossary.md; a row may have several.
func glossary(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rows, ok := strings.Cut(string(data), "| --- | --- |\n")
	if !ok {
		t.Fatal("docs/glossary.md has no table of two columns")
	}
	var words []string
	for row := range strings.Lines(rows) {
		cells := strings.SplitN(row, "|", 3)
		if len(cells) < 3 {
			t.Fatalf("docs/glossary.md: %q is no row", row)
		}
		for word := range strings.SplitSeq(cells[1], ",") {
			words = append(words, strings.TrimSpace(word))
		}
	}
	if len(words) < 10 {
		t.Fatalf("docs/glossary.md has %d words", len(words))
	}
	return words
}
