package evidence

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence/lang"
)

// What code asks of the patterns.txt beside it is there, and can be compiled; nothing else is.
func TestEachPatternIsAskedFor(t *testing.T) {
	call := regexp.MustCompile(`\b(?:fits|patternOf|regexpOf)\("([^"]+)"`)
	for _, folder := range []string{".", "facts", "flow", "gate", "lang", "weaker"} {
		text, err := os.ReadFile(filepath.Join(folder, "patterns.txt"))
		if err != nil {
			t.Fatal(err)
		}
		left := map[string]bool{}
		for _, w := range lang.Table(string(text)) {
			name := strings.TrimSuffix(w.Name, ":")
			if _, err := regexp.Compile(strings.Join(w.Lines, "")); err != nil || left[name] {
				t.Errorf("%s: the pattern %q stands there twice, or: %v", folder, name, err)
			}
			left[name] = true
		}
		sources, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, name := range sources {
			src, _ := os.ReadFile(name)
			for _, m := range call.FindAllSubmatch(src, -1) {
				if !left[string(m[1])] {
					t.Errorf("%s asks for the pattern %q, which patterns.txt has not", name, m[1])
				}
			}
			all += string(src)
		}
		for name := range left {
			if !strings.Contains(all, `"`+name+`"`) {
				t.Errorf("%s: nothing asks for the pattern %q", folder, name)
			}
		}
	}
}
