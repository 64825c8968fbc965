package lang

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// A literal ends where an expression says that it does.
func TestALiteralEndsWithItsQuote(t *testing.T) {
	literal := regexp.MustCompile("^(\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`)")
	random := rand.New(rand.NewPCG(2, 3))
	parts := []string{`"`, "'", "`", `\`, "\n", "a", "ß", " ", "\xff"}
	found := 0
	for range 50_000 {
		var b strings.Builder
		for range random.IntN(9) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		want := literal.FindString(b.String())
		content, rest, ok := Literal(b.String())
		if ok {
			found++
		}
		if ok != (want != "") || ok && b.String()[:1]+content+want[len(want)-1:] != want || rest != b.String()[len(want):] {
			t.Fatalf("%q begins with %q, found %q and %q, %v", b.String(), want, content, rest, ok)
		}
	}
	if found == 0 {
		t.Error("there were none")
	}
}
