package kotlin

import (
	"context"
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
	grammar "github.com/smacker/go-tree-sitter/kotlin"
)

// TestTheScannerIsGuarded: without the guard the first of these ends the process.
func TestTheScannerIsGuarded(t *testing.T) {
	if SafeGrammar() == grammar.GetLanguage() {
		t.Fatal("the binding lays grammars out in another way: the scanner is not guarded")
	}
	for name, src := range map[string]string{
		"nested":    strings.Repeat(`"${`, 1400),
		"closed":    strings.Repeat(`"${"}`, 3000),
		"escaped":   `"` + strings.Repeat(`\"`, 3000),
		"triple":    strings.Repeat(`"""${`, 3000),
		"nul bytes": strings.Repeat("\"\x00", 3000),
	} {
		t.Run(name, func(t *testing.T) { parse(t, SafeGrammar(), src) })
	}
}

// TestTheGuardChangesNoTree: what opens few strings is read as without it.
func TestTheGuardChangesNoTree(t *testing.T) {
	for _, src := range []string{
		"fun a() = \"x ${b(\"y ${c}\")} $d\"\n",
		"val x = \"\"\"a ${\"b\"} \"c\" \"\"\"\n/* \"d\" */ val y = '\"'\n",
		"val open = \"\nval next = 1\n",
	} {
		if got, want := parse(t, SafeGrammar(), src), parse(t, grammar.GetLanguage(), src); got != want {
			t.Errorf("%q:\n%s\nwant:\n%s", src, got, want)
		}
	}
}

func parse(t *testing.T, l *sitter.Language, src string) string {
	t.Helper()
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(l)
	tree, err := parser.ParseCtx(context.Background(), nil, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	return tree.RootNode().String()
}
