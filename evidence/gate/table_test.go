package gate

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What the tables say is known to the code, and what tools have settings in files say what those ask.
func TestTablesSayWhatIsKnown(t *testing.T) {
	is := func(table, word, all string) {
		if !slices.Contains(strings.Fields(all), word) {
			t.Errorf("%s: %q is none of %s", table, word, all)
		}
	}
	const known = "test lint format types security coverage build checks"
	for _, row := range demandRows() {
		is("demands.txt", row[1], "min max on off keep drop rule args lenient tests")
	}
	for _, row := range optionRows() {
		is("options.txt", row[0], "narrows forgives asks flag valued")
	}
	for _, row := range toolRows() {
		is("tools.txt", row[0], known+" wrapper valued")
	}
	for _, p := range purposes() {
		is("purposes.txt", string(p.purpose)+"-", "- "+strings.ReplaceAll(known, " ", "- ")+"-")
	}
	for kind, all := range places() {
		is("settings.txt", kind, "file section manifest")
		for _, p := range all {
			if kind != "manifest" && demandLines(p.tool) == nil {
				t.Errorf("settings.txt: demands.txt has nothing of %s", p.tool)
			}
		}
	}
}

// What a workflow fills in is found as its expression would.
func TestExpressionsAreFound(t *testing.T) {
	expression := regexp.MustCompile(`\$\{\{.*?\}\}|<<[^<>\n]*>>`)
	random := rand.New(rand.NewPCG(3, 4))
	parts := []string{"${{", "}}", "<<", ">>", "<", ">", "$", "{", "}", "\n", " a ", "b"}
	found := 0
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		want, got := expression.FindAllString(b.String(), -1), expressionsIn(b.String())
		if found += len(want); !slices.Equal(want, got) {
			t.Fatalf("%q: found %q, want %q", b.String(), got, want)
		}
	}
	if found == 0 {
		t.Error("there were none")
	}
}
