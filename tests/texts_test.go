package tests_test

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/tests"
	"github.com/acta-git/acta/tests/sees"
)

// changeOf is the change from one side to another.
func changeOf(before, after map[string]string, kept *tests.Texts) tests.Change {
	c := tests.Change{Before: treeOf(before), After: treeOf(after), Texts: kept}
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
	kept := &tests.Texts{}
	for range 2 {
		for _, c := range cases(t) {
			account, err := tests.Compare(t.Context(), changeOf(c.before, c.after, kept))
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
	change := changeOf(before, after, &tests.Texts{})
	reads := 0
	read := change.After.Read
	change.After.Read = func(ctx context.Context, e evidence.Entry) ([]byte, error) {
		reads++
		return read(ctx, e)
	}
	var counts []int
	for range 2 {
		reads = 0
		if account, err := tests.Compare(t.Context(), change); err != nil || len(account.Weakenings) != 1 {
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
	kept := &tests.Texts{}
	for _, lib := range []string{"pub fn other() -> u32 { 2 }\n", "#[test]\nfn helper() { assert_eq!(f(), 1); }\n"} {
		var got []string
		for _, k := range []*tests.Texts{kept, nil} {
			account, err := tests.Compare(t.Context(), changeOf(before, map[string]string{"src/lib.rs": lib}, k))
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

// Whatever is seen in a file, its lines are worth a look: sources of the cases one behind the other, and in the place
// of each other.
func TestWhatIsSeenIsWorthALook(t *testing.T) {
	type source struct{ name, text string }
	byEnding := map[string][]source{}
	for _, c := range cases(t) {
		for name, text := range c.after {
			if evidence.HasDefinitions(name) {
				byEnding[path.Ext(name)] = append(byEnding[path.Ext(name)], source{name, text})
			}
		}
	}
	outline := func(name, text string) *evidence.Outline {
		o, err := evidence.OutlineOf(t.Context(), name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	seen := 0
	for _, all := range byEnding {
		slices.SortFunc(all, func(a, b source) int { return strings.Compare(a.name+a.text, b.name+b.text) })
		for i, was := range all {
			for k := i; k < min(len(all), i+12); k++ {
				test := func() ([]*evidence.Outline, error) {
					return []*evidence.Outline{outline(all[k].name, all[k].text)}, nil
				}
				for _, now := range []string{all[k].text, was.text + "\n" + all[k].text} {
					f := sees.File{Before: outline(was.name, was.text), After: outline(was.name, now),
						Test: evidence.HoldsTests(was.name)}
					found, err := sees.Look(f, test)
					if err != nil {
						t.Fatal(err)
					}
					had := map[string]bool{} // a line that stands once more is not looked at
					for line := range strings.Lines(was.text) {
						had[strings.TrimSpace(line)] = true
					}
					found = slices.DeleteFunc(found, func(s sees.Sight) bool {
						line, _, _ := strings.Cut(s.Text, "\n")
						return had[strings.TrimSpace(line)]
					})
					if seen += len(found); len(found) > 0 && !sees.MayHoldSight(was.name, []byte(was.text), []byte(now), true) {
						t.Fatalf("%+v is seen, and not worth a look:\n%s\n==== became\n%s", found, was.text, now)
					}
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d were seen, so little was compared", seen)
	}
}
