package judge

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/diag"
	"github.com/acta-git/acta/evidence"
	"github.com/acta-git/acta/repo"
)

// gitRepository is a repository made by `git fast-import` in an environment of its own.
type gitRepository struct {
	t    testing.TB
	dir  string
	env  []string
	log  string // a line a git process
	feed strings.Builder
	n    int
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
	for i := 0; i < len(files); i += 2 {
		if files[i+1] == "" {
			fmt.Fprintf(&g.feed, "D %s\n", files[i])
			continue
		}
		fmt.Fprintf(&g.feed, "M 100644 inline %s\ndata %d\n%s\n", files[i], len(files[i+1]), files[i+1])
	}
}

// done imports the commits and opens the repository.
func (g *gitRepository) done() *repo.Repo {
	g.t.Helper()
	g.git("fast-import", "--quiet")
	g.feed.Reset()
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
	gatherer := &gatherer{repo: r, cache: evidence.NewCache()}
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
	if len(result.Findings) != 1 || result.Findings[0].Unit != "T3" || len(result.Warnings) != 0 {
		t.Errorf("got %v, %v; want the claim of T3 alone: the %d before the range begin with it", result.Findings, result.Warnings, maxEarlier)
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
