// Package repotest makes repositories for tests: dates are fixed, and nothing of the machine's configuration counts.
// A Repository is made by git fast-import, for long histories; a WorkTree by git, as people work. Tests alone import
// it.
package repotest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo"
)

// Repository is one that is made by `git fast-import` in an environment of its own.
type Repository struct {
	t testing.TB
	// Dir is its top folder, Env what git is run with.
	Dir   string
	Env   []string
	log   string // a line a git process
	feed  strings.Builder
	n     int
	again bool // main is there already
}

// New makes an empty repository, whose git processes are counted.
func New(t *testing.T) *Repository {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	g := &Repository{t: t, Dir: t.TempDir(), log: filepath.Join(t.TempDir(), "log")}
	bin := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\necho \"$*\" >>'%s'\nexec '%s' \"$@\"\n", g.log, real)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	g.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_CONFIG_SYSTEM=" + os.DevNull,
	}
	g.Git("init", "-q", "-b", "main")
	return g
}

// Git runs git in the repository and returns what it prints; what was committed so far is its input.
func (g *Repository) Git(args ...string) string {
	g.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = g.Dir, g.Env, strings.NewReader(g.feed.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Commit adds a commit on main: path, content, …; content "" deletes.
func (g *Repository) Commit(message string, files ...string) {
	g.n++
	fmt.Fprintf(&g.feed, "commit refs/heads/main\ncommitter Ada <ada@example.org> %d +0000\ndata %d\n%s\n",
		1_700_000_000+60*g.n, len(message), message)
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

// ID imports the commits so far and returns the last one's id.
func (g *Repository) ID() string {
	g.t.Helper()
	g.flush()
	return g.Git("rev-parse", "main")
}

func (g *Repository) flush() {
	g.t.Helper()
	g.Git("fast-import", "--quiet")
	g.feed.Reset()
	g.again = true
}

// Open imports the commits and opens the repository.
func (g *Repository) Open() *repo.Repo {
	g.t.Helper()
	g.flush()
	r, err := repo.Open(g.t.Context(), g.Dir, repo.Options{Env: g.Env})
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = r.Close() })
	if err := os.WriteFile(g.log, nil, 0o644); err != nil {
		g.t.Fatal(err)
	}
	return r
}

// Processes lists the git processes since the repository was opened.
func (g *Repository) Processes() []string {
	g.t.Helper()
	data, err := os.ReadFile(g.log)
	if err != nil {
		g.t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}
