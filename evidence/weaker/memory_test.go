package weaker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence/weaker"
)

const (
	// testsOfFile is how many tests a file of testsOf has, linesOfTest how many calls each.
	testsOfFile, linesOfTest = 8, 100
	// mostHeld is how many bytes a long comparison may hold of a test that differs, on one side.
	mostHeld = 3 << 10
)

// testsOf is a source of tests that are named after a word and the number of their file; the last assertion of each
// demands a value.
func testsOf(word string, file, value int) string {
	var b strings.Builder
	for test := range testsOfFile {
		fmt.Fprintf(&b, "def test_%s_%d_%d():\n", word, file, test)
		for line := range linesOfTest {
			fmt.Fprintf(&b, "    total = combine(total, first=%d, second=%q)\n", line%7, word)
			if line%25 == 0 {
				fmt.Fprintf(&b, "    assert compute(total, line=%d, file=%d) == %d\n", line, file, line)
			}
		}
		fmt.Fprintf(&b, "    assert total == %d\n\n\n", value)
	}
	return b.String()
}

// What a long comparison holds is a matter of how many tests differ, and not of how much stands in them: some thousand
// files of tests may differ between the ends of a range.
func TestWhatALongComparisonHoldsOfAFile(t *testing.T) {
	defer weaker.HoldAtMost(0)()
	type side struct {
		folder, word string
		value        int
	}
	in := func(s side, files int) map[string]string {
		all := map[string]string{}
		for file := range files {
			if s.folder != "" {
				all[fmt.Sprintf("%s/test_%d.py", s.folder, file)] = testsOf(s.word, file, s.value)
			}
		}
		return all
	}
	held := func(before, after side, files int) int {
		was, is := in(before, files), in(after, files)
		held, err := weaker.Change{Before: treeOf(was), After: treeOf(is), Paths: changed(was, is)}.Held(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return held
	}
	held(side{"one", "sum", 1}, side{"one", "list", 1}, 1) // makes what is made once
	for _, c := range []struct {
		name          string
		before, after side
		sides         int
	}{
		{"new", side{}, side{"one", "sum", 1}, 1},
		{"gone", side{"one", "sum", 1}, side{}, 1},
		{"told of", side{"one", "sum", 1}, side{"one", "sum", 2}, 2},
		{"written anew", side{"one", "sum", 1}, side{"one", "list", 1}, 2},
		{"moved", side{"one", "sum", 1}, side{"other", "sum", 1}, 2},
		{"moved and told of", side{"one", "sum", 1}, side{"other", "sum", 2}, 2},
	} {
		const few, many = 4, 16
		of := (held(c.before, c.after, many) - held(c.before, c.after, few)) / (many - few) / testsOfFile / c.sides
		t.Logf("%s: %d bytes of a test of %d", c.name, of, len(testsOf("sum", 1, 1))/testsOfFile)
		if of < 100 || of > mostHeld {
			t.Errorf("%s: %d bytes are held of a test, and 100 to %d may be", c.name, of, mostHeld)
		}
	}
}
