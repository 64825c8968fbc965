package weaker_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/evidence/weaker"
)

// changeOf is the change from one side to another.
func changeOf(before, after map[string]string, kept *weaker.Texts) weaker.Change {
	c := weaker.Change{Before: treeOf(before), After: treeOf(after), Texts: kept}
	both := maps.Clone(before)
	maps.Copy(both, after)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		was, stood := before[name]
		if is, stands := after[name]; stood != stands || was != is {
			c.Paths = append(c.Paths, name)
		}
	}
	return c
}

// What comparisons keep for each other changes nothing of what they find, whichever come first.
func TestTextsThatAreKeptChangeNothing(t *testing.T) {
	kept := &weaker.Texts{}
	for range 2 {
		for _, c := range cases(t) {
			account, err := weaker.Compare(t.Context(), changeOf(c.before, c.after, kept))
			if err != nil {
				t.Fatal(err)
			}
			if got := said(account); got != c.want {
				t.Errorf("%s:\n%swant:\n%s", c.name, got, c.want)
			}
		}
	}
}

// A file of production code that is known is not read for its texts again.
func TestTextsAreReadOnce(t *testing.T) {
	code := func(n string) map[string]string {
		return map[string]string{"lib.py": "def f():\n    return " + n + "\n",
			"test_lib.py": "import lib\n\ndef test_f():\n    assert lib.f() == 1\n"}
	}
	before, after := code("1"), code("2")
	delete(after, "test_lib.py")
	change := changeOf(before, after, &weaker.Texts{})
	reads := 0
	read := change.After.Read
	change.After.Read = func(ctx context.Context, e evidence.Entry) ([]byte, error) {
		reads++
		return read(ctx, e)
	}
	var counts []int
	for range 2 {
		reads = 0
		if account, err := weaker.Compare(t.Context(), change); err != nil || len(account.Weakenings) != 1 {
			t.Fatalf("%+v, %v, want the test that is gone", account, err)
		}
		counts = append(counts, reads)
	}
	if counts[1] != counts[0]-1 {
		t.Errorf("the code was read %v times, want one less for its texts", counts)
	}
}

// What is kept of a source of Rust is what stands in it beside the tests of either side.
func TestTextsLeaveOutTheTestsOfBothSides(t *testing.T) {
	before := map[string]string{"src/lib.rs": "pub fn helper() -> u32 { 1 }\n",
		"tests/it.rs": "use lib::helper;\n\n#[test]\nfn calls() { assert_eq!(helper(), 1); }\n"}
	kept := &weaker.Texts{}
	for _, lib := range []string{"pub fn other() -> u32 { 2 }\n", "#[test]\nfn helper() { assert_eq!(f(), 1); }\n"} {
		var got []string
		for _, k := range []*weaker.Texts{kept, nil} {
			account, err := weaker.Compare(t.Context(), changeOf(before, map[string]string{"src/lib.rs": lib}, k))
			if err != nil || len(account.Weakenings) == 0 {
				t.Fatalf("%+v, %v, want the test that is gone", account, err)
			}
			got = append(got, said(account))
		}
		if got[0] != got[1] {
			t.Errorf("%swithout what is kept:\n%s", got[0], got[1])
		}
	}
}
