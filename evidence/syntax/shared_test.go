package syntax

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// What is left out of two versions stands in both, line by line.
func TestApartLeavesOutWhatBothHave(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	text := func() string {
		var lines []string
		for range random.IntN(7) {
			lines = append(lines, []string{"a", "b", "", "long line"}[random.IntN(4)])
		}
		return strings.Join(lines, "\n") + []string{"", "\n"}[random.IntN(2)]
	}
	for range 20_000 {
		before, after := []byte(text()), []byte(text())
		start, end := SharedLines(before, after)
		was, now := before[start:len(before)-end], after[start:len(after)-end]
		all, some := bytes.Count(before, []byte("a\n")), bytes.Count(was, []byte("a\n"))
		if got := bytes.Count(after, []byte("a\n")) - bytes.Count(now, []byte("a\n")); got != all-some {
			t.Fatalf("%q, %q: %d lines are left out of one and %d of the other", before, after, all-some, got)
		}
		for line := range bytes.Lines(after) {
			same := func(l []byte) bool { return bytes.Equal(l, line) }
			if !slices.ContainsFunc(slices.Collect(bytes.Lines(before)), same) &&
				!slices.ContainsFunc(slices.Collect(bytes.Lines(now)), same) {
				t.Fatalf("%q, %q: %q is new and left out", before, after, line)
			}
		}
	}
}
