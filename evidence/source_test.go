package evidence

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestCodeIsFoundInEveryPlace(t *testing.T) {
	for _, c := range []struct {
		all, part string
		want      []int
	}{
		{"abcab", "ab", []int{0, 3}}, {"aaaa", "aa", []int{0, 1, 2}}, {"abababc", "ababc", []int{2}},
		{"aab", "aab", []int{0}}, {"ab", "abc", nil}, {"", "a", nil}, {"ab", "", nil}, {"bab", "b", []int{0, 2}},
	} {
		code := func(s string) (out []leaf) {
			for _, r := range s { // equal bytes, so that one token also stands across two
				out = append(out, leaf{hash: uint64(r) * 0x0101010101010101})
			}
			return out
		}
		if got := findCode(code(c.all), code(c.part)); !slices.Equal(got, c.want) {
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

// What is written to be slow ends all the same: many definitions of one name, or
// of names that are all new, cited one by one or at once.
func TestFollowingThroughManyDefinitionsEnds(t *testing.T) {
	class := func(line string, name func(i int) string) memory {
		var b strings.Builder
		for i := range 2_000 {
			b.WriteString(strings.ReplaceAll(line, "NAME", name(i)))
		}
		return memory{"A.java": file("class A {\n" + b.String() + "}\n")}
	}
	same := func(int) string { return "f" }
	numbered := func(prefix string) func(int) string {
		return func(i int) string { return fmt.Sprint(prefix, i) }
	}
	const one, two, three = "void NAME() { a(); }\n", "void NAME() { b(1); }\n", "void NAME() {}\n"
	for cited, want := range map[string]State{"A.java:2-2001": StateEdited, "A.java:1-2002": StateEdited, "A.java:3": StateEdited, "A.java:2-40": StateEdited} {
		got := followed(t, class(one, same), class(two, same), "", Claim{Evidence: cite(t, cited)})
		if got.State != want {
			t.Errorf("one name, %s: %s (%s), want %v", cited, shown(got), got.Reason, want)
		}
		followed(t, class(one, same), class(three, same), "", Claim{Evidence: cite(t, cited)})
		got = followed(t, class(one, numbered("f")), class(two, numbered("g")), "", Claim{Evidence: cite(t, cited)})
		if got.State == StateHollowed {
			t.Errorf("new names, %s: %s (%s)", cited, shown(got), got.Reason)
		}
	}
}
