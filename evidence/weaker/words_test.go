package weaker

import (
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence/lang"
)

// A word that stands twice in matchers.txt would have one of two meanings, and one of no strength none.
func TestEachMatcherHasOneMeaning(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range lang.Table(matchersText) {
		of, _, _ := strings.Cut(w.Name, " ")
		for name := range strings.FieldsSeq(w.Text) {
			if seen[of+" "+name] || matchers()[of][strings.ReplaceAll(name, "_", " ")].strength <= unknown &&
				matchers()[of][name].strength <= unknown {
				t.Errorf("%s: %s stands there twice, or of no strength", w.Name, name)
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
