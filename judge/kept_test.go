package judge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/acta-git/acta/localstate"
	"github.com/acta-git/acta/repo/repotest"
	"github.com/acta-git/acta/tests"
)

// longRange is a repository whose main has weakened tests and a stub among so many commits that a run keeps its facts.
func longRange(t *testing.T) *repotest.Repository {
	g := repotest.New(t)
	g.Commit("Base\n", "code.py", code)
	for i := range leastRange + 10 {
		test := fmt.Sprintf("tests/test_%d.py", i/2%9)
		switch {
		case i == leastRange/2:
			g.Commit("Outline\n", "later.py", "def later():\n    raise NotImplementedError\n")
		case i%2 == 0:
			g.Commit("Add\n", test, fmt.Sprintf("def test_%d():\n    assert f(%d) == 3\n    assert f(1) == 2\n", i, i))
		default:
			g.Commit("Weaken\n", test, fmt.Sprintf("def test_%d():\n    assert f(%d) == 3\n", i-1, i-1))
		}
	}
	return g
}

// A run that ends in the middle keeps what it found; the next one finds the same as if there had been none before, and
// so does one that cannot use what is kept.
func TestARunResumesWhereAnotherEnded(t *testing.T) {
	g := longRange(t)
	path := localstate.Path(filepath.Join(g.Dir, ".git"), keptFile)
	judge := func(progress func(done, total int), ctx context.Context) (*Result, error) {
		return Landed{Head: "main", Progress: progress}.Judge(ctx, g.Open())
	}
	ctx, stop := context.WithCancel(t.Context())
	if _, err := judge(func(done, _ int) {
		if done == leastRange/2 {
			stop()
		}
	}, ctx); err == nil {
		t.Fatal("a run that was stopped gave an answer")
	}
	lines := func() int {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(data), "\n")
	}
	half := lines()
	if half < leastRange/2 || half > leastRange {
		t.Errorf("%d lines are kept of half of the commits", half)
	}
	resumed, err := judge(nil, t.Context())
	if err != nil || lines() <= half {
		t.Fatalf("%d lines, then %d: %v", half, lines(), err)
	}
	again, err := judge(nil, t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	fresh, err := judge(nil, t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(resumed, fresh) || !reflect.DeepEqual(again, fresh) || len(fresh.Findings) < leastRange/3 {
		t.Errorf("%d findings where a run resumed, %d then, %d without", len(resumed.Findings), len(again.Findings),
			len(fresh.Findings))
	}
	// What tells something else of the commits than a comparison is doubted.
	k := newKept(filepath.Join(g.Dir, ".git"), "builtin")
	for key := range k.known {
		if f, _ := k.get(key); f.Account != nil {
			k.put(key, facts{Account: &tests.Account{}})
		}
	}
	k.end()
	doubted, err := judge(nil, t.Context())
	if err != nil || !reflect.DeepEqual(doubted, fresh) {
		t.Errorf("%d findings by facts that are wrong, %d without: %v", len(doubted.Findings), len(fresh.Findings), err)
	}
}

func TestOnlyWhatIsSoundIsKept(t *testing.T) {
	dir := t.TempDir()
	path := localstate.Path(dir, keptFile)
	said := facts{Account: &tests.Account{Removed: 1, Weakenings: []tests.Weakening{{Kind: tests.Removed, Subject: "a\xff"}}}}
	k := newKept(dir, "p")
	k.put("one", facts{})
	k.put("two", said)
	k.put("three", facts{Stubs: true})
	k.end()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		policy, content string
		want            int
	}{
		"as it was written":  {"p", string(content), 3},
		"of another policy":  {"q", string(content), 0},
		"torn":               {"p", string(content[:len(content)-3]), 2},
		"changed in between": {"p", strings.Replace(string(content), "two", "six", 1), 1},
		"of another release": {"p", "acta judged 1 0.0.1 p\n" + string(content), 0},
	} {
		if err := os.WriteFile(path, []byte(c.content), 0o666); err != nil {
			t.Fatal(err)
		}
		k := newKept(dir, c.policy)
		if len(k.known) != c.want {
			t.Errorf("%s: %d are known, want %d", name, len(k.known), c.want)
		}
		if got, ok := k.get("two"); ok != (c.want > 1) || ok && !reflect.DeepEqual(got, said) {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
		k.put("four", facts{})
		k.end()
		if k := newKept(dir, c.policy); len(k.known) != c.want+1 {
			t.Errorf("%s: %d are known and one more, want %d", name, len(k.known), c.want+1)
		}
	}
}
