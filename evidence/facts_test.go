package evidence

import (
	"context"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/acta-git/acta/evidence/flow"
	"github.com/acta-git/acta/evidence/lang"
)

// TestFactsAreKnown: a fact that nothing can have would leave its condition without effect, and nobody would see it.
func TestFactsAreKnown(t *testing.T) {
	own := strings.Fields(`type function constructor destructor parameters single bases decorated owned generic result promotes initialises
		extension inner titled exported double nameless empty unwritten todo marked described unit endless idle deliberate documented
		delegated left basic extended declared variant again teardown streams`)
	for _, g := range grammars() {
		known := map[string]bool{}
		for _, word := range own {
			known[word] = true
		}
		for s := range symbolsOf(g) {
			known[s] = true
		}
		for _, w := range append(slices.Clone(g.Complete), lang.Entry{Name: "Tests", Lines: g.Tests}, lang.Entry{Name: "Orphans", Lines: g.Orphans}) {
			for _, condition := range w.Lines {
				for fact := range strings.FieldsSeq(condition) {
					for one := range strings.SplitSeq(strings.TrimPrefix(fact, "!"), "|") {
						checkFact(t, g.Name, w.Name, one, known)
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
		if kind, glob, isGlob = strings.Cut(fact, ":"); isGlob && !strings.Contains(" name owner object file under base takes header ", " "+kind+" ") {
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
	f := &lang.Facts{
		Words: []string{"idle", "protected"}, Name: "visitLeaf", Bases: []string{"Visitor"}, Parameters: []string{"KeyEvent"},
		Outer: &lang.Facts{Words: []string{"abstract"}, Decorators: []string{"Test"}},
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
		if got := f.FirstMatch([]lang.Entry{{Name: "it", Lines: []string{"constructor", condition}}}) == "it"; got != want {
			t.Errorf("%s: %v, want %v", condition, got, want)
		}
	}
}

func TestATableIsReadLineByLine(t *testing.T) {
	got := lang.Table("record: a record,\n whose parts are its content\n\ttype record\n\ttype enum !empty\nnoop: called noop\n")
	want := []lang.Entry{
		{Name: "record", Text: "a record, whose parts are its content", Lines: []string{"type record", "type enum !empty"}},
		{Name: "noop", Text: "called noop"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestWhatTheRestOfAFileSaysOfADefinition holds what is told by other definitions, and by labels and words around one.
func TestWhatTheRestOfAFileSaysOfADefinition(t *testing.T) {
	for _, c := range []struct{ path, src, name, word string }{
		{"a.rb", "class Shape\n  def draw\n  end\nend\nclass Round < Shape\nend\n", "draw", "overridable"},
		{"a.rb", "class Shape\n  def draw\n  end\nend\nclass Round < Shaped\nend\n", "draw", ""},
		{"a.rb", "class Shape < Old::Shape\n  def draw\n  end\nend\n", "draw", ""},
		{"a.lua", "function Animal:speak()\nend\nlocal Dog = Animal:extend('Dog')\n", "speak", "overridable"},
		{"a.lua", "function Animal:speak()\nend\nlocal Dog = Animals:extend('Dog')\n", "speak", ""},
		{"a.sh", "if x; then\nf() {\n  date\n}\nelse\nf() {\n  :\n}\nfi\n", "f", "variant"},
		{"a.sh", "f() {\n  :\n}\n", "f", ""},
		{"a.cpp", "class A {\npublic:\n  void f();\nprivate:\n  A(int x) {}\n};\n", "A", ""},
		{"a.swift", "protocol Face { func smile() }\nextension Face { func smile() {} }\n", "smile", "overridable"},
		{"a.swift", "protocol Face { func smile() }\nextension Face { func frown() {} }\n", "frown", ""},
		{"a.cs", "class MockStore { int Size { set { } } }\n", "set", "stand_in"},
		{"a.php", "<?php class A { function __construct(private int $x) {} }", "__construct", "parameter_properties"},
		{"a.ts", "class A { constructor(readonly x: number) {} }", "constructor", "parameter_properties"},
		{"a.ts", "class A { constructor(x: readonly string[]) {} }", "constructor", ""},
	} {
		m, err := analyse(t.Context(), grammarOf(c.path), c.path, newText([]byte(c.src)))
		if err != nil {
			t.Fatal(err)
		}
		got := "no such definition"
		for _, d := range m.definitions {
			if d.kind == function && d.name == c.name && (c.name != "f" || d.effect.Outcome == flow.DoesNothing) && d.body >= 0 {
				got = d.exempt
			}
		}
		if got != c.word {
			t.Errorf("%s, %q: %q, want %q", c.path, c.src, got, c.word)
		}
	}
}

func TestAnInstructionToAToolIsNoComment(t *testing.T) {
	for comment, want := range map[string]bool{
		"//noinspection unused": true, "// NOSONAR": true, "/* @formatter:off */": true, "//$NON-NLS-1$": true, "// ktlint-disable": true, "#!/usr/bin/env kotlin": true,
		"// a note": false, "/** Doc. */": false, "// TODO": false,
	} {
		if grammarOf("a.kt").Directive.MatchString(comment) != want {
			t.Errorf("%s: %v, want %v", comment, !want, want)
		}
	}
}

func TestWhatThrowsSkipsATest(t *testing.T) {
	for statement, want := range map[string]lang.Effect{
		"throw new SkipException(\"x\");": lang.Skipping, "throw new Skipper();": "",
		"throw new org.opentest4j.TestAbortedException();": lang.Skipping, "assertTrue(true);": lang.Vacuous,
	} {
		if got := grammarOf("a.java").EffectOf(statement); got != want {
			t.Errorf("%s: %v, want %v", statement, got, want)
		}
	}
}

// analyse parses src and builds its model.
func analyse(ctx context.Context, g *grammar, path string, src text) (*model, error) {
	return g.analyse(ctx, nil, Source{Path: path, Bytes: src.bytes}, everyBody)
}
