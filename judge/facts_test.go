package judge

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/repo/state"
	"github.com/acta-git/acta/report"
)

// weakened is a repository whose main has as many commits that weaken a test, one of which adds a stub.
func weakened(t *testing.T, commits int) *repotest.Repository {
	g := repotest.New(t)
	g.Commit("Base\n", "code.py", code)
	g.Commit("Outline\n", "later.py", "def later():\n    raise NotImplementedError\n")
	for i := range commits {
		test := fmt.Sprintf("tests/test_%d.py", i)
		g.Commit("Add\n", test, fmt.Sprintf("def test_%d():\n    assert f(%d) == 3\n    assert f(1) == 2\n", i, i))
		g.Commit("Weaken\n", test, fmt.Sprintf("def test_%d():\n    assert f(%d) == 3\n", i, i))
	}
	return g
}

// A range says the same whether its facts are found, read, or wrong where they are read.
func TestWhatIsKeptChangesNothing(t *testing.T) {
	for commits, g := range map[int]*repotest.Repository{0: weakened(t, 0), 2: weakened(t, 2), 20: weakened(t, 20)} {
		r := g.Open()
		layout, err := r.Layout(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		cache := state.NewCache(layout.CommonDir, "judged", fmt.Sprint(cacheFormat, " ", report.Release, " builtin"))
		judged := func() *Result {
			got, err := Range(t.Context(), r, "", "main")
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		first := judged()
		var kept map[string][]byte
		if long := 2+2*commits >= minCachedRange; cache.Read(&kept) != long || len(kept) < 2*commits && long {
			t.Fatalf("%d commits: %d facts are kept", 2+2*commits, len(kept))
		}
		if again := judged(); !reflect.DeepEqual(again, first) || len(first.Findings) <= commits {
			t.Errorf("%+v, then %+v", first, again)
		}
		for key := range kept { // whichever is compared again shows it
			kept[key] = encode(facts{MayAddStubs: len(kept[key]) == 0})
		}
		if err := cache.Write(t.Context(), kept); err != nil {
			t.Fatal(err)
		}
		if doubted := judged(); !reflect.DeepEqual(doubted, first) {
			t.Errorf("%+v by facts that are wrong, want %+v", doubted, first)
		}
		var written map[string][]byte
		if cache.Read(&written); reflect.DeepEqual(written, kept) && commits > 1 {
			t.Error("what was wrong is still kept")
		}
	}
}

// What is kept is of one policy, and has a bound; what the range used comes first.
func TestWhatIsKeptIsBounded(t *testing.T) {
	r := weakened(t, 2).Open()
	ids, err := r.Range(t.Context(), "", "main")
	if err != nil {
		t.Fatal(err)
	}
	p := LandedRange{Head: "main"}
	s := &span{History: NewHistory(r, nil), baseRev: p.Base, headRev: p.Head, ids: ids}
	f := newFacts(t.Context(), s)
	f.cached = map[string][]byte{"old": make([]byte, maxCacheBytes/2), "older": make([]byte, maxCacheBytes/2)}
	for _, key := range []string{"a", "b"} {
		f.put(key, facts{MayAddStubs: true})
	}
	f.save(t.Context())
	if g := newFacts(t.Context(), s); len(g.cached) != 3 || g.cached["a"] == nil ||
		g.cached["b"] == nil {
		t.Errorf("%d facts are kept", len(g.cached))
	}
	if filepath.Base(f.cache.Path()) != "judged" {
		t.Errorf("they stand in %s", f.cache.Path())
	}
}

// However many processors compare commits, the answer is the same, and each commit is told what it asks less itself.
func TestAnyNumberOfProcessorsGiveOneAnswer(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "code.py", code)
	base := g.ID()
	const commits = batchSize + 10
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
	}{{0, true}, {0, false}, {maxComparedPaths + 1, true}, {maxComparedPaths + 1, false}} {
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
			strings.Contains(got.Findings[0].Hint, "restored by the end") != c.restored {
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
		for i := range maxComparedPaths + 1 {
			others = append(others, fmt.Sprintf("data/%d.txt", i), "x\n")
		}
		if g.Commit("Move\n", others...); acts {
			g.Commit(act("T01", "add g", "b.py:1-3"), "b.py", code)
		}
		got, err := Range(t.Context(), g.Open(), base, "main")
		if err != nil {
			t.Fatal(err)
		}
		loud := slices.ContainsFunc(got.Findings, func(f report.Finding) bool {
			return f.Rule == "test_weakened" && f.Severity != report.Note
		})
		if loud == acts {
			t.Errorf("acts: %v: %+v", acts, got.Findings)
		}
	}
}
