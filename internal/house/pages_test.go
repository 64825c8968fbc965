package house_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The pages are short. A page may have what is left by the others; a paragraph or an item of a list has one thought.
const (
	maxPageWords      = 25000
	maxReadmeWords    = 900
	maxParagraphWords = 80
)

// replaced are words of earlier pages for which there is the field's own: entry point or hook, and hook script.
var replaced = regexp.MustCompile(`(?i)\b(doors?|fronts)\b|\bthe front of\b`)

// pages reads all pages, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("docs/*.md")
	if err != nil || len(names) < 10 {
		t.Fatal(names, err)
	}
	all := map[string]string{}
	for _, name := range append(names, "README.md", "CONTRIBUTING.md") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(data)
	}
	return all
}

// Every page begins with what it is for and has headings to link to; no paragraph is long, nor are all of them together.
func TestPagesAreShort(t *testing.T) {
	words := 0
	for name, page := range pages(t) {
		n := len(strings.Fields(page))
		words += n
		if name == "README.md" && n > maxReadmeWords {
			t.Errorf("%s has %d words, and may have %d", name, n, maxReadmeWords)
		}
		if !regexp.MustCompile("^# [^\n]+\n\n[A-Z`][^\n]+\n").MatchString(page) || !strings.Contains(page, "\n## ") {
			t.Errorf("%s does not begin with a title and what it is for, or has no headings", name)
		}
		if old := replaced.FindString(page); old != "" {
			t.Errorf("%s says «%s»", name, old)
		}
		for _, p := range paragraphs(page) {
			if n := len(strings.Fields(p)); n > maxParagraphWords {
				t.Errorf("%s has a paragraph of %d words, and one may have %d:\n%s", name, n, maxParagraphWords, p)
			}
		}
	}
	if words > maxPageWords {
		t.Errorf("the pages have %d words, and may have %d", words, maxPageWords)
	}
}

// paragraphs are the paragraphs and items of lists of a page, without tables and what is shown.
func paragraphs(page string) []string {
	page = regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(page, "")
	page = regexp.MustCompile(`(?m)^\|.*$`).ReplaceAllString(page, "")
	return regexp.MustCompile(`\n\s*\n|\n\s*(?:-|\d+\.) `).Split(page, -1)
}

// What a link names behind # is a heading of the page that it leads to.
func TestLinksLeadToHeadings(t *testing.T) {
	all := pages(t)
	changes, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	headings := map[string]string{}
	for name, page := range all {
		for _, h := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
			anchor := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(h[1]), "")
			headings[name+"#"+strings.ReplaceAll(anchor, " ", "-")] = h[1]
		}
	}
	all["CHANGELOG.md"] = string(changes)
	links := 0
	for name, page := range all {
		for _, link := range regexp.MustCompile(`\]\(([^):\s]*)#([^)\s]+)\)`).FindAllStringSubmatch(page, -1) {
			links++
			to := filepath.Join(filepath.Dir(name), link[1])
			if link[1] == "" {
				to = name
			}
			if headings[to+"#"+link[2]] == "" {
				t.Errorf("%s: there is no heading %s in %s", name, link[2], to)
			}
		}
	}
	if links < 50 {
		t.Errorf("there are only %d links to headings", links)
	}
}

// The functions that docs/architecture.md names on the way of a commit, and of a range, stand in the files beside them.
func TestTheWaysAreThere(t *testing.T) {
	_, ways, found := strings.Cut(pages(t)["docs/architecture.md"], "\n## The way of one commit\n")
	ways, _, ends := strings.Cut(ways, "\n## Invariants\n")
	steps := regexp.MustCompile("`([a-z_/]+\\.go)`((?:,\\s+`\\w+`)+)").FindAllStringSubmatch(ways, -1)
	if !found || !ends || len(steps) < 18 {
		t.Fatalf("there are %d steps", len(steps))
	}
	for _, step := range steps {
		source, err := os.ReadFile(step[1])
		if err != nil {
			t.Error(err)
			continue
		}
		for _, name := range regexp.MustCompile(`\w+`).FindAllString(step[2], -1) {
			if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + name + `[(\[]`).Match(source) {
				t.Errorf("%s has no function %s", step[1], name)
			}
		}
	}
}
