package judge

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/check"
	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo"
)

// gitRepository is a repository made by `git fast-import` in an environment of its own.
type gitRepository struct {
	t     testing.TB
	dir   string
	env   []string
	log   string // a line a git process
	feed  strings.Builder
	n     int
	again bool // main is there already
}

func newRepository(t *testing.T) *gitRepository {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	g := &gitRepository{t: t, dir: t.TempDir(), log: filepath.Join(t.TempDir(), "log")}
	bin := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\necho \"$*\" >>'%s'\nexec '%s' \"$@\"\n", g.log, real)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	g.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_SYSTEM=" + os.DevNull}
	g.git("init", "-q", "-b", "main")
	return g
}

func (g *gitRepository) git(args ...string) string {
	g.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = g.dir, g.env, strings.NewReader(g.feed.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit adds a commit on main: path, content, …; content "" deletes.
func (g *gitRepository) commit(message string, files ...string) {
	g.n++
	fmt.Fprintf(&g.feed, "commit refs/heads/main\ncommitter Ada <ada@example.org> %d +0000\ndata %d\n%s\n", 1_700_000_000+60*g.n, len(message), message)
	if g.again {
		g.feed.WriteString("from refs/heads/main^0\n")
		g.again = false
	}
	for i := 0; i < len(files); i += 2 {
		if files[i+1] == "" {
			fmt.Fprintf(&g.feed, "D %s\n", files[i])
			continue
		}
		fmt.Fprintf(&g.feed, "M 100644 inline %s\ndata %d\n%s\n", files[i], len(files[i+1]), files[i+1])
	}
}

// id imports the commits so far and returns the last one's id.
func (g *gitRepository) id() string {
	g.t.Helper()
	g.flush()
	return g.git("rev-parse", "main")
}

func (g *gitRepository) flush() {
	g.t.Helper()
	g.git("fast-import", "--quiet")
	g.feed.Reset()
	g.again = true
}

// done imports the commits and opens the repository.
func (g *gitRepository) done() *repo.Repo {
	g.t.Helper()
	g.flush()
	r, err := repo.Open(g.t.Context(), g.dir, repo.Options{Env: g.env})
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = r.Close() })
	if err := os.WriteFile(g.log, nil, 0o644); err != nil {
		g.t.Fatal(err)
	}
	return r
}

// processes lists the git processes since the repository was opened.
func (g *gitRepository) processes() []string {
	g.t.Helper()
	data, err := os.ReadFile(g.log)
	if err != nil {
		g.t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func source(n int) string {
	return fmt.Sprintf("def f%d(x):\n    y = x + %d\n    return y\n", n, n)
}

func stub(n int) string { return fmt.Sprintf("def f%d(x):\n    pass\n", n) }

// long makes a history of n commits, every 20th an ACT with a file of its own, and
// a range of 20 commits after them.
func long(g *gitRepository, n int) {
	for i := range n {
		if i%20 == 0 {
			path := fmt.Sprintf("src/d%d/f%d.py", i%7, i)
			g.commit(fmt.Sprintf("ACT: T%d work\n\nDone: Add it | %s:1-3\n", i, path), path, source(i))
			continue
		}
		g.commit(fmt.Sprintf("Work %d\n\nContract: none\n", i), "work.txt", fmt.Sprint(i))
	}
	for i := range 20 {
		g.commit(fmt.Sprintf("Range %d", i), "work.txt", fmt.Sprintf("range %d", i))
	}
	g.commit("Simplify", "src/d0/f0.py", stub(0), fmt.Sprintf("src/d%d/f%d.py", (n-20)%7, n-20), stub(n-20))
}

func TestARangeAfterALongHistoryCostsFewProcesses(t *testing.T) {
	g := newRepository(t)
	long(g, 2000)
	r := g.done()
	result, err := Range(t.Context(), r, "main~21", "main", testRelease)
	if err != nil {
		t.Fatal(err)
	}
	if n := result.Count(diag.Error); n != 2 {
		t.Errorf("%d errors, want those of the oldest and the newest claim: %v", n, result.Findings)
	}
	// None a commit and none an ACT: what is one more than a few here would be hundreds.
	if p := g.processes(); len(p) > 14 {
		t.Errorf("%d processes:\n%s", len(p), strings.Join(p, "\n"))
	}
}

func TestARangeThatChangesNoClaimedFileReadsNoOldClaim(t *testing.T) {
	g := newRepository(t)
	long(g, 400)
	r := g.done()
	gatherer := &gatherer{repo: r, cache: newCache()}
	if err := gatherer.ranged(t.Context(), "main~21", "main~1", testRelease); err != nil {
		t.Fatal(err)
	}
	followed, err := gatherer.follow(t.Context(), "main~21", "main~1")
	if err != nil || len(followed) != 0 {
		t.Fatalf("%v, %v", followed, err)
	}
	if len(gatherer.deeds) != 20 {
		t.Errorf("%d deeds, want the 20 ACTs", len(gatherer.deeds))
	}
	for _, d := range gatherer.deeds {
		if d.judge == nil {
			t.Fatalf("commit %s was judged", d.id)
		}
	}
}

func TestOnlyTheLastActsAreLookedAt(t *testing.T) {
	g := newRepository(t)
	for i := range maxEarlier + 3 {
		path := fmt.Sprintf("f%d.py", i)
		g.commit(fmt.Sprintf("ACT: T%d work\n\nDone: Add it | %s:1-3\n", i, path), path, source(i))
	}
	g.commit("Simplify", "f2.py", stub(2), "f3.py", stub(3))
	r := g.done()
	result, err := Range(t.Context(), r, "main~1", "main", testRelease)
	if err != nil {
		t.Fatal(err)
	}
	if found := regressedIn(result); len(found) != 1 || found[0].Unit != "T3" || len(result.Warnings) != 0 {
		t.Errorf("got %v, %v; want the claim of T3 alone: the %d before the range begin with it", found, result.Warnings, maxEarlier)
	}
	report, err := Claims(t.Context(), r, "", "main", testRelease)
	if err != nil || len(report.Claims) != maxEarlier || report.Code() != 1 {
		t.Errorf("%d claims, %v", len(report.Claims), err)
	}
}

// Following to where a claim was made says holds, whatever stands there.
func TestFollowingToTheSameTreeAlwaysHolds(t *testing.T) {
	g := newRepository(t)
	long(g, 200)
	r := g.done()
	report, err := Claims(context.Background(), r, "", "main~1", testRelease)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Claims) != 10 {
		t.Fatalf("%d claims", len(report.Claims))
	}
	for _, c := range report.Claims {
		if c.State != evidence.StateHolds || c.Reason != "" || c.Line != 1 || c.EndLine != 3 {
			t.Errorf("%+v", c)
		}
	}
}

const (
	code  = "def f(x):\n    y = x + 1\n    return y\n"
	other = "def g(a):\n    b = call(a)\n    return b\n"
	empty = "def f(x):\n    pass\n"
)

// traced writes what Claims says as «state unit item [reason]», a line each.
func traced(t *testing.T, g *gitRepository) string {
	t.Helper()
	report, err := Claims(t.Context(), g.done(), "", "main", testRelease)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range report.Claims {
		line := fmt.Sprintf("%s %s %s", c.State, c.Unit, c.Item)
		if c.excused {
			line += " excused"
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func TestWhichClaimsAreFollowed(t *testing.T) {
	act := func(unit, item, place string) string {
		return fmt.Sprintf("ACT: %s work\n\nDone: %s | %s\n", unit, item, place)
	}
	for name, c := range map[string]struct {
		tell func(g *gitRepository)
		want string
	}{
		"the worst of several places": {func(g *gitRepository) {
			g.commit(act("T01", "add f", "a.py:1-3, b.py:1-3"), "a.py", code, "b.py", code)
			g.commit("x", "b.py", empty)
		}, "hollowed T01 add f\n"},
		"what was not verified is no claim": {func(g *gitRepository) {
			g.commit(act("T01", "add f", "a.py:1-2"), "a.py", empty)
		}, ""},
		"the newest claim of an item, the unit named by its key or its id": {func(g *gitRepository) {
			g.commit(act("M01/T01", "Add `f`", "a.py:1-3"), "a.py", code)
			g.commit(act("T01", "add f", "b.py:1-3"), "b.py", code)
			g.commit("x", "a.py", empty)
		}, "holds T01 add f\n"},
		"another unit's item of the same name is another item": {func(g *gitRepository) {
			g.commit(act("M01/T01", "add f", "a.py:1-3"), "a.py", code)
			g.commit(act("M02/T01", "add f", "b.py:1-3"), "b.py", code)
		}, "holds M01/T01 add f\nholds M02/T01 add f\n"},
		"a claim that is pending now": {func(g *gitRepository) {
			g.commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.commit("ACT: T01 again\n\nPending: add f\nOutcome: failure\n", "a.py", empty)
		}, ""},
		"reverted": {func(g *gitRepository) {
			g.commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.commit("Revert \"ACT: T01 work\"\n\nThis reverts commit "+g.id()+".\n", "a.py", "")
		}, ""},
		"a revert beside the cited lines": {func(g *gitRepository) {
			g.commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.commit("Revert \"ACT: T01 work\"\n\nThis reverts commit "+g.id()+".\n", "a.py", "# f\n"+code)
		}, "holds T01 add f\n"},
		"a revert that is reverted": {func(g *gitRepository) {
			g.commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.commit("Revert \"ACT: T01 work\"\n\nThis reverts commit "+g.id()+".\n", "a.py", "")
			g.commit("Reapply \"ACT: T01 work\"\n\nThis reverts commit "+g.id()+".\n", "a.py", code)
		}, "holds T01 add f\n"},
		"a later claim that is reverted leaves the earlier one": {func(g *gitRepository) {
			g.commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.commit(act("T01", "add f", "b.py:1-3"), "b.py", code)
			g.commit("Revert \"ACT: T01 work\"\n\nThis reverts commit "+g.id()+".\n", "b.py", "")
		}, "holds T01 add f\n"},
		"a commit cannot revert what comes after it": {func(g *gitRepository) {
			g.commit("Revert \"ACT\"\n\nThis reverts commit "+strings.Repeat("0", 40)+".\n", "x.py", "x = 1")
			g.commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
		}, "holds T01 add f\n"},
		"reopened after it, not before": {func(g *gitRepository) {
			g.commit("ADAPT: T01\n\nReopen: T01\n", "p", "1")
			g.commit(act("M01/T01", "add f", "a.py:1-3"), "a.py", code)
			g.commit(act("T02", "add g", "b.py:1-3"), "b.py", other)
			g.commit("ADAPT: T02\n\nReopen: T02\n", "p", "2")
			g.commit("x", "a.py", empty, "b.py", "def g(a):\n    pass\n")
		}, "hollowed M01/T01 add f\nhollowed T02 add g excused\n"},
		"an ACT that names a unit to reopen reopens nothing": {func(g *gitRepository) {
			g.commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.commit("ACT: T02\n\nDone: add it | b.py:1-3\nReopen: T01\n", "a.py", empty, "b.py", other)
		}, "hollowed T01 add f\nholds T02 add it\n"},
		"a report file": {func(g *gitRepository) {
			report := `{"checklist": [{"item": "add f", "status": "done", "evidence": ["a.py:1-3", "b.py:1-3"]}]}`
			g.commit("ACT: T01\n\nReport: r.json\n", "r.json", report, "a.py", code, "b.py", code)
			g.commit("x", "b.py", empty)
		}, "hollowed T01 add f\n"},
		"a removal that is back": {func(g *gitRepository) {
			g.commit("x", "a.py", code)
			g.commit(act("T01", "drop f", "-a.py"), "a.py", "")
			g.commit("x", "a.py", code)
		}, "gone T01 drop f\n"},
		"the kind that the plan gives": {func(g *gitRepository) {
			plan := `{"id": "R", "type": "parent", "children": [{"id": "T01", "type": "atomic", "checklist": [{"item": "describe f", "kind": "text"}]}]}`
			g.commit("x", "working_plan/current.json", plan, "a.py", "def f(x):\n    y = x + 1\n    return y\n")
			g.commit(act("T01", "describe f", "a.py:2"), "a.py", "def f(x):\n    # Adds one.\n    y = x + 1\n    return y\n")
			g.commit("x", "a.py", "def f(x):\n    # Adds one.\n    pass\n")
		}, "holds T01 describe f\n"},
		"a renamed file, edited after": {func(g *gitRepository) {
			long := strings.Repeat("# a line\n", 30)
			g.commit(act("T01", "add f", "a.py:31-33"), "a.py", long+code)
			g.commit("x", "a.py", "", "lib/a.py", long+code)
			g.commit("x", "lib/a.py", "", "lib/b.py", long+code+"z = 1\n")
			g.commit("x", "lib/b.py", long+empty)
		}, "hollowed T01 add f\n"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRepository(t)
			c.tell(g)
			if got := traced(t, g); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// The commit that is blamed is the one after which it was so for good.
func TestTheCommitThatDidItIsNamed(t *testing.T) {
	g := newRepository(t)
	g.commit("ACT: T01\n\nDone: add f | a.py:1-3\n", "a.py", code)
	var ids []string
	for i, content := range []string{code + "z = 1\n", empty, code, empty + "z = 2\n", empty + "z = 3\n"} {
		g.commit(fmt.Sprint(i), "a.py", content)
		ids = append(ids, g.id())
	}
	r := g.done()
	result, err := Range(t.Context(), r, ids[0]+"~1", "main", testRelease)
	if found := regressedIn(result); err != nil || len(found) != 1 || found[0].Commit != ids[3] {
		t.Errorf("got %v, %v; want one finding about %s", found, err, ids[3])
	}
	// From within: it was a stub before the range, and is one again.
	result, err = Range(t.Context(), r, ids[1], "main", testRelease)
	if found := regressedIn(result); err != nil || len(found) != 0 {
		t.Errorf("it was so before the range: %v, %v", found, err)
	}
}

// regressedIn are the findings about what regressed.
func regressedIn(r *Result) []diag.Finding {
	if r == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f diag.Finding) bool { return f.Rule != check.EvidenceRegressed })
}

// What following costs grows with the claims and not with their square: four times as many take about four times the allocations.
func TestFollowingIsLinearInItems(t *testing.T) {
	for name, item := range map[string]func(i int) string{
		"different items": func(i int) string { return fmt.Sprint("Add part ", i) },
		"the same item":   func(int) string { return "Add it" },
	} {
		work := func(n int) float64 {
			d := &deed{message: parser.Parse([]byte("ACT: T01 x\n"))}
			for i := range n {
				d.said = append(d.said, said{ClaimVerdict: diag.ClaimVerdict{Unit: "T01", Item: item(i), Status: string(parser.Done), Verdict: diag.Unclear}})
			}
			return testing.AllocsPerRun(1, func() {
				if _, err := (&timeline{deeds: []*deed{d}}).follow(context.Background()); err != nil {
					t.Fatal(err)
				}
			})
		}
		if few, many := work(500), work(2000); many > 6*few {
			t.Errorf("%s: %.0f allocations for 500 items, %.0f for 2,000", name, few, many)
		}
	}
}
