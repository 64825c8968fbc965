package evidence

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence/lang"
)

// What code asks of the tables beside it is there, each pattern can be compiled, and nothing is there in vain.
func TestEachEntryIsAskedFor(t *testing.T) {
	patterns := regexp.MustCompile(`\b(?:fits|patternOf|regexpOf)\("([^"]+)"`)
	for _, folder := range []string{".", "facts", "flow", "gate", "lang", "weaker"} {
		file := filepath.Join(folder, "patterns.txt")
		names := map[string]bool{}
		for _, w := range lang.Table(readFile(t, file)) {
			name := strings.TrimSuffix(w.Name, ":")
			if _, err := regexp.Compile(strings.Join(w.Lines, "")); err != nil || names[name] {
				t.Errorf("%s: the pattern %q stands there twice, or: %v", file, name, err)
			}
			names[name] = true
		}
		checkAskedFor(t, file, names, patterns)
	}
	file := filepath.Join("weaker", "words.txt")
	names := map[string]bool{}
	for _, w := range lang.Table(readFile(t, file)) {
		names[w.Name] = len(strings.Fields(w.Text)) > 0
	}
	checkAskedFor(t, file, names, regexp.MustCompile(`\b(?:isListed|listed)\("([^"]+)"`))
}

// checkAskedFor holds the names of a table to the calls in the code beside it.
func checkAskedFor(t *testing.T, file string, names map[string]bool, call *regexp.Regexp) {
	t.Helper()
	sources, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.go"))
	if err != nil || len(sources) == 0 || len(names) == 0 {
		t.Fatalf("%s: %d names, %d sources: %v", file, len(names), len(sources), err)
	}
	all := ""
	for _, source := range sources {
		src := readFile(t, source)
		for _, m := range call.FindAllStringSubmatch(src, -1) {
			if !names[m[1]] {
				t.Errorf("%s asks for %q, which %s has not", source, m[1], file)
			}
		}
		all += src
	}
	for name := range names {
		if !strings.Contains(all, `"`+name+`"`) {
			t.Errorf("nothing asks for %q of %s", name, file)
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
