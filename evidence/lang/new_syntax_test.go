package lang

import (
	"bytes"
	"strings"
	"testing"
)

func TestReadableAsTakesOutWhatIsNewer(t *testing.T) {
	newer := []NewSyntax{
		{Word: "using ", Match: Lazy(`^(using) \w+ =`), Replacement: "const"},
		{Word: "out ", Match: Lazy(`^(out) \w`), After: "<,"},
		{Word: "&raw ", Match: Lazy(`^&(raw\s+const)\s`)},
	}
	for src, want := range map[string]string{
		"using a = 1; using b = 2":                          "const a = 1; const b = 2",
		"abusing a = 1; using(b) = 2":                       "abusing a = 1; using(b) = 2",
		"A<out T,\n out U, B> out c":                        "A<    T,\n     U, B> out c",
		"&raw const x":                                      "&          x",
		"using " + strings.Repeat("a", maxNewSyntax) + " =": "using " + strings.Repeat("a", maxNewSyntax) + " =",
		"out a": "out a", "using ": "using ", "": "",
	} {
		before := []byte(src)
		got := replaceNewSyntax(before, newer)
		if string(got) != want || !bytes.Equal(before, []byte(src)) {
			t.Errorf("%q became %q", src, got)
		}
		if src == want && len(src) > 0 && &got[0] != &before[0] {
			t.Errorf("%q was copied", src)
		}
	}
}
