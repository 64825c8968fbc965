package evidence

import (
	"path"
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/acta-git/acta/evidence/language"
)

// TestFactsAreKnown: a fact that nothing can have would leave its condition without effect, and nobody would see it.
func TestFactsAreKnown(t *testing.T) {
	own := strings.Fields(`type function constructor parameters bases decorated owned empty unwritten marked described idle
		teardown delegated deliberate documented`)
	for _, g := range grammars() {
		known := map[string]bool{}
		for _, word := range own {
			known[word] = true
		}
		for s := range symbolsOf(g) {
			known[s] = true
		}
		for _, w := range g.Complete {
			for _, condition := range w.When {
				for fact := range strings.FieldsSeq(condition) {
					for one := range strings.SplitSeq(strings.TrimPrefix(fact, "!"), "|") {
						checkFact(t, g.Name, w.Word, one, known)
					}
				}
			}
		}
	}
}

func symbolsOf(g *grammar) map[string]bool {
	names := map[string]bool{}
	if g.Grammar == nil {
		return names
	}
	for l, s := g.Grammar, 0; s < int(l.SymbolCount()); s++ {
		names[l.SymbolName(sitter.Symbol(s))] = true
	}
	return names
}

func checkFact(t *testing.T, grammar, word, fact string, known map[string]bool) {
	t.Helper()
	for strings.HasPrefix(fact, "in:") {
		fact = strings.TrimPrefix(fact, "in:")
	}
	glob, isGlob := strings.CutPrefix(fact, "@")
	if !isGlob {
		var kind string
		if kind, glob, isGlob = strings.Cut(fact, ":"); isGlob && !strings.Contains(" name file base takes ", " "+kind+" ") {
			t.Errorf("%s, %s: no fact is of the kind %q", grammar, word, kind)
		}
	}
	if _, err := path.Match(glob, ""); isGlob && err != nil {
		t.Errorf("%s, %s: %q: %v", grammar, word, fact, err)
	}
	if !isGlob && !known[fact] {
		t.Errorf("%s, %s: nothing has the fact %q", grammar, word, fact)
	}
}

func TestAConditionHoldsWhereAllItsFactsDo(t *testing.T) {
	f := &language.Facts{
		Words: []string{"idle", "protected"}, Name: "visitLeaf", Bases: []string{"Visitor"}, Takes: []string{"KeyEvent"},
		In: &language.Facts{Words: []string{"abstract"}, Decorators: []string{"Test"}},
	}
	for condition, want := range map[string]bool{
		"idle":                       true,
		"idle !private in:abstract":  true,
		"idle private|protected":     true,
		"idle private":               false,
		"name:visit[A-Z]*":           true,
		"name:visit[a-z]*":           false,
		"base:Vis*or takes:KeyEvent": true,
		"in:@Test":                   true,
		"@Test":                      false,
		"in:in:abstract":             false,
		"!in:in:abstract":            true,
	} {
		if got := f.Word([]language.Word{{Word: "it", When: []string{"constructor", condition}}}) == "it"; got != want {
			t.Errorf("%s: %v, want %v", condition, got, want)
		}
	}
}
