package judge

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/repo/repotest"
)

// However many processors compare tests ahead of the commit that is judged, the answer is the same, and each commit is
// told what it asks less itself.
func TestAnyNumberOfProcessorsGiveOneAnswer(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "code.py", code)
	base := g.ID()
	const commits = 30 // more than are compared ahead
	for i := range commits {
		test := fmt.Sprintf("tests/test_%d.py", i/2)
		if i%2 == 0 {
			g.Commit("Add\n", test, fmt.Sprintf("def test_%d():\n    assert f(%d) == 3\n    assert f(1) == 2\n", i, i))
		} else {
			g.Commit("Weaken\n", test, fmt.Sprintf("def test_%d():\n    assert f(%d) == 3\n", i-1, i-1))
		}
	}
	var want *Result
	for _, processors := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(processors)
		got, err := Range(t.Context(), g.Open(), base, "main")
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Findings) < commits/2 {
			t.Errorf("%d findings", len(got.Findings))
		}
		if want == nil {
			want = got
		} else if !reflect.DeepEqual(want, got) {
			t.Errorf("%d processors: %+v, want %+v", processors, got, want)
		}
	}
}

// What the end of a range restores is seen however much else has changed since, and what it does not restore as well.
func TestWhatAVeryLongRangeRestoresIsMended(t *testing.T) {
	for _, c := range []struct {
		files    int
		restored bool
	}{{0, true}, {0, false}, {maxSince + 1, true}, {maxSince + 1, false}} {
		g := repotest.New(t)
		whole := "def test_f():\n    assert f(1) == 2\n    assert f(2) == 4\n"
		g.Commit("Base\n", "code.py", code, "tests/test_f.py", whole)
		base := g.ID()
		g.Commit("Begin\n", "BEGIN", "here\n")
		g.Commit("Weaken\n", "tests/test_f.py", "def test_f():\n    assert f(1) == 2\n")
		var others []string
		for i := range c.files {
			others = append(others, fmt.Sprintf("data/%d.txt", i), "x\n")
		}
		g.Commit("Add\n", append(others, "README", "read me\n")...)
		if c.restored {
			g.Commit("Restore\n", "tests/test_f.py", whole+"\n\ndef test_g():\n    assert f(3) == 6\n")
		}
		got, err := Range(t.Context(), g.Open(), base, "main")
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Findings) != 1 ||
			strings.Contains(got.Findings[0].Hint, "as much as before") != c.restored {
			t.Errorf("%+v: %+v", c, got.Findings)
		}
	}
}

// What moved elsewhere by the end of a very long range excuses who commits ACTs: an error is never told from a part.
func TestAnActOfAVeryLongRangeIsComparedWithAllOfItsEnd(t *testing.T) {
	for _, acts := range []bool{true, false} {
		g := repotest.New(t)
		whole := "def test_f():\n    assert f(1) == 2\n    assert f(2) == 4\n"
		g.Commit("Base\n", "code.py", code, "tests/test_f.py", whole)
		base := g.ID()
		g.Commit("Begin\n", "BEGIN", "here\n")
		g.Commit("Weaken\n", "tests/test_f.py", "def test_f():\n    assert f(1) == 2\n")
		others := []string{"tests/test_later.py", "def test_later():\n    assert f(2) == 4\n"}
		for i := range maxSince + 1 {
			others = append(others, fmt.Sprintf("data/%d.txt", i), "x\n")
		}
		if g.Commit("Move\n", others...); acts {
			g.Commit(act("T01", "add g", "b.py:1-3"), "b.py", code)
		}
		got, err := Range(t.Context(), g.Open(), base, "main")
		if err != nil {
			t.Fatal(err)
		}
		loud := slices.ContainsFunc(got.Findings, func(f diag.Finding) bool {
			return f.Rule == "test_weakened" && f.Severity != diag.Note
		})
		if loud == acts {
			t.Errorf("acts: %v: %+v", acts, got.Findings)
		}
	}
}
