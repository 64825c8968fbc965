package weaker_test

import (
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence/weaker"
)

// Equal trees ask the same, whichever files are said to differ.
func TestNothingIsFoundBetweenEqualTrees(t *testing.T) {
	for _, c := range cases(t) {
		for _, side := range []map[string]string{c.before, c.after} {
			paths := slices.Sorted(maps.Keys(side))
			change := weaker.Change{Before: treeOf(side), After: treeOf(side), Paths: paths}
			account, err := weaker.Compare(t.Context(), change)
			if err != nil {
				t.Fatal(err)
			}
			if len(account.Weakenings) > 0 || account.AssertionsBefore != account.AssertionsAfter {
				t.Errorf("%s: equal trees give %d → %d assertions and\n%s", c.name, account.AssertionsBefore,
					account.AssertionsAfter, said(account))
			}
		}
	}
}

// A formatter may add blank lines and comments between lines, and spaces at their ends.
func TestLayoutAsksTheSame(t *testing.T) {
	for _, c := range cases(t) {
		laid := map[string]string{}
		for path, content := range c.before {
			laid[path] = "\n\n" + strings.ReplaceAll(content, "\n", "  \n")
			if strings.HasSuffix(path, ".php") {
				laid[path] = strings.ReplaceAll(content, "\n", "  \n\n")
			}
		}
		if account := compare(t, c.before, laid); len(account.Weakenings) > 0 {
			t.Errorf("%s: another layout gives\n%s", c.name, said(account))
		}
	}
}

var pythonTest = regexp.MustCompile(`(?m)^( *)def (test_\w+)\(`)

// Tests that are renamed, and stand in another order, are the same tests.
func TestNamesAndOrderAskTheSame(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	units := []string{}
	for i := range 12 {
		name := string(rune('a' + i))
		units = append(
			units,
			"def test_"+name+"():\n    got = make_"+name+"(1)\n    assert got.value == \""+name+name+"\"\n"+
				"    assert got.parts == [1, 2, \""+name+"\"]\n",
		)
	}
	before := map[string]string{"test_all.py": strings.Join(units, "\n\n")}
	for range 20 {
		random.Shuffle(len(units), func(i, k int) { units[i], units[k] = units[k], units[i] })
		renamed := pythonTest.ReplaceAllString(strings.Join(units, "\n\n"), "${1}def ${2}_again(")
		for _, path := range []string{"test_all.py", "test_other.py"} {
			if account := compare(t, before, map[string]string{path: renamed}); len(account.Weakenings) > 0 {
				t.Fatalf("renamed in %s: %s", path, said(account))
			}
		}
	}
}

// Whatever the bytes are, a comparison ends, and what it finds stands in files of the change.
func FuzzCompare(f *testing.F) {
	for _, c := range cases(f) {
		for path, content := range c.before {
			if after, ok := c.after[path]; ok {
				f.Add(path, content, after)
			}
		}
	}
	f.Fuzz(func(t *testing.T, path, before, after string) {
		account := compare(t, map[string]string{path: before}, map[string]string{path: after})
		for _, w := range account.Weakenings {
			if w.Form == "" || w.Message == "" || w.Before.Path != "" && w.Before.Path != path ||
				w.After.Path != "" && w.After.Path != path {
				t.Errorf("%+v", w)
			}
		}
	})
}

// What stands deep in others is read once: read again at each depth, forty of these would never end.
func TestDeepCodeIsReadOnce(t *testing.T) {
	for _, inner := range []string{"if a then b else ", "match x with None -> 1 | Some x -> ", "f @@ fun x -> ", "try f x with _ -> "} {
		src := "let test_a () =\n  " + strings.Repeat(inner, 40) + "c\n"
		before, after := map[string]string{"test/test_a.ml": src}, map[string]string{"test/test_a.ml": src + "\nlet z = 1\n"}
		if found := compare(t, before, after).Weakenings; len(found) > 0 {
			t.Errorf("%q: found %+v", inner, found)
		}
	}
}
