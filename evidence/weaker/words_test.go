package weaker

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence/lang"
)

// What the code asks of words.txt is there, and all that is there is asked for.
func TestEachListIsAskedFor(t *testing.T) {
	sources, err := filepath.Glob("*.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	asked := map[string]bool{}
	for _, name := range sources {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\b(?:isListed|listed)\("([^"]+)"`).FindAllSubmatch(src, -1) {
			list := string(m[1])
			if asked[list] = true; len(wordList(list)) == 0 {
				t.Errorf("%s asks for the list %q, which words.txt has not", name, list)
			}
		}
	}
	all := ""
	for _, name := range sources {
		src, _ := os.ReadFile(name)
		all += string(src)
	}
	for list := range lang.Lists(wordsText) {
		if !asked[list] && !strings.Contains(all, `"`+list+`"`) {
			t.Errorf("nothing asks for the list %q of words.txt", list)
		}
	}
}

// A word that stands twice in matchers.txt would have one of two meanings, and one of no strength none.
func TestEachMatcherHasOneMeaning(t *testing.T) {
	seen := map[string]bool{}
	for line, names := range lang.Lists(matchersText) {
		of, _, _ := strings.Cut(line, " ")
		for _, name := range names {
			if seen[of+" "+name] || matchers()[of][strings.ReplaceAll(name, "_", " ")].strength <= unknown &&
				matchers()[of][name].strength <= unknown {
				t.Errorf("%s: %s stands there twice, or of no strength", line, name)
			}
			seen[of+" "+name] = true
		}
	}
}

// Each line of frameworks.txt tells something that framework has.
func TestFrameworksAreRead(t *testing.T) {
	for name, f := range frameworks() {
		if name != "" && f["names"] == nil && f["headers"] == nil && f["titled"] == nil {
			t.Errorf("nothing tells the tests of %s", name)
		}
	}
	if f := frameworks()["python"]; !f.matches("paths", "a/test_b.py") || len(f["imports"]) != 2 || len(f["doubles"]) != 3 {
		t.Errorf("python: %+v", f)
	}
}
