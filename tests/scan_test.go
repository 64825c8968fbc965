package tests

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The scans find what the expressions do that say the same.
func TestScansFindWhatExpressionsDo(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 9))
	parts := []string{"a", "bc", "_", "1", "23", ".", "-", "e", "E", "\"", "'", "\n", " ", "\\", "ß", "x1", "(", ","}
	for _, c := range []struct {
		expression string
		scan       func(string) []string
	}{
		{`[A-Za-z_]\w+`, identifiers}, {`"[^"\n]*"|'[^'\n]*'`, quotations}, {`\d+(?:\.\d+)?(?:[eE]-?\d+)?`, numerals},
	} {
		re, found := regexp.MustCompile(c.expression), 0
		for range 20_000 {
			var b strings.Builder
			for range random.IntN(14) {
				b.WriteString(parts[random.IntN(len(parts))])
			}
			want, got := re.FindAllString(b.String(), -1), c.scan(b.String())
			if found += len(want); !slices.Equal(want, got) {
				t.Fatalf("%s in %q: found %q, want %q", c.expression, b.String(), got, want)
			}
		}
		if found == 0 {
			t.Errorf("%s found nothing", c.expression)
		}
	}
}
