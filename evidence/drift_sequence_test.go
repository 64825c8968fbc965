package evidence

import (
	"slices"
	"strings"
	"testing"
)

func TestIndexesFindsEveryPlace(t *testing.T) {
	for _, c := range []struct {
		all, part string
		want      []int
	}{
		{"abcab", "ab", []int{1, 4}}, {"aaaa", "aa", []int{1, 2, 3}}, {"abababc", "ababc", []int{3}},
		{"aab", "aab", []int{1}}, {"ab", "abc", nil}, {"", "a", nil}, {"ab", "", []int{1, 2, 3}}, {"abxabcabcaby", "abcabcaby", []int{4}},
	} {
		if got := indexes([]byte(c.all), []byte(c.part)); !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %v, want %v", c.part, c.all, got, c.want)
		}
	}
}

// A table of equal rows is where a naive search takes quadratic time.
func TestFollowingThroughALargeTableOfEqualRowsEnds(t *testing.T) {
	row := "\t0, 0, 0, 0, 0, 0, 0, 0,\n"
	table := func(last string) memory {
		return memory{"a.go": file("package a\n\nvar table = []int{\n" + strings.Repeat(row, 4_000) + last + "}\n")}
	}
	c := Claim{Evidence: cite(t, "a.go:2000-4004")}
	if got := followed(t, table("\t1,\n"), table("\t2,\n"), "", c); got.State != StateEdited {
		t.Errorf("got %s (%s)", shown(got), got.Reason)
	}
}
