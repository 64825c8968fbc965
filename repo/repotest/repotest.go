// Package repotest makes repositories for tests: dates are fixed, and the machine's configuration does not count. A
// Repository is made by git fast-import, for long histories; a WorkTree by git, as people work. Only tests import it.
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
	WorkTree

	log     string // one line for each git process, if they are counted
	feed    strings.Builder
	commits int    // number of commits so far
	branch  string // the ref that commits are added to
	from    string // the next commit's parent, if fast-import does not know it
}

// New makes an empty repository.
func New(t *testing.T) *Repository {
	t.Helper()
	g := &Repository{WorkTree: WorkTree{TB: t, Dir: t.TempDir()}, branch: "refs/heads/main"}
	g.Env = Env(t.TempDir(), "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org")
	Init(t, g.Dir)
	return g
}

// Counted makes an empty repository whose git processes are counted, by a shell in front of each.
func Counted(t *testing.T) *Repository {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	script := fmt.Sprintf("#!/bin/sh\necho \"$*\" >>'%s'\nexec '%s' \"$@\"\n", log, real)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	g := New(t)
	g.log = log
	return g
}

// Commit adds a commit to the branch, main at first: path, content, …; content "" deletes. Each is a minute later than
// the one before.
func (g *Repository) Commit(message string, files ...string) { g.add(message, "", files) }

// Merge adds a commit that merges another branch.
func (g *Repository) Merge(message, branch string, files ...string) {
	g.flush()
	g.add(message, "refs/heads/"+branch+"^0", files)
}

func (g *Repository) add(message, merged string, files []string) {
	g.commits++
	fmt.Fprintf(&g.feed, "commit %s\ncommitter Ada <ada@example.org> %d +0000\ndata %d\n%s\n",
		g.branch, 1_700_000_000+60*g.commits, len(message), message)
	if g.from != "" {
		fmt.Fprintf(&g.feed, "from %s\n", g.from)
		g.from = ""
	}
	if merged != "" {
		fmt.Fprintf(&g.feed, "merge %s\n", merged)
	}
	for i := 0; i < len(files); i += 2 {
		if files[i+1] == "" {
			fmt.Fprintf(&g.feed, "D %s\n", files[i])
			continue
		}
		fmt.Fprintf(&g.feed, "M 100644 inline %s\ndata %d\n%s\n", files[i], len(files[i+1]), files[i+1])
	}
}

// Branch adds further commits to another branch, which starts at a revision, "" if it exists already.
func (g *Repository) Branch(name, at string) {
	g.flush()
	g.branch = "refs/heads/" + name
	g.from = g.branch + "^0"
	if at != "" {
		g.from = g.Git("rev-parse", at)
	}
}

// ID imports the commits so far and returns the id of the last one of the branch.
func (g *Repository) ID() string {
	g.Helper()
	g.flush()
	if id := loose(g.Dir, g.branch); id != "" {
		return id
	}
	return g.Git("rev-parse", g.branch)
}

func (g *Repository) flush() {
	g.Helper()
	if g.feed.Len() == 0 {
		return
	}
	g.git(g.feed.String(), "fast-import", "--quiet", "--force")
	g.feed.Reset()
	g.from = g.branch + "^0"
}

// Stage imports the commits, checks main out, and stages files: path, content, …; content "" deletes.
func (g *Repository) Stage(files ...string) {
	g.Helper()
	g.flush()
	if g.commits > 0 {
		g.Git("reset", "-q", "--hard", "main")
	}
	for i := 0; i < len(files); i += 2 {
		if files[i+1] == "" {
			g.Git("rm", "-q", files[i])
			continue
		}
		g.Write(files[i], files[i+1])
		g.Git("add", "--", files[i])
	}
}

// Open imports the commits and opens the repository.
func (g *Repository) Open() *repo.Repo {
	g.Helper()
	g.flush()
	r := g.open(g.Dir)
	if g.log != "" {
		if err := os.WriteFile(g.log, nil, 0o644); err != nil {
			g.Fatal(err)
		}
	}
	return r
}

func (g *Repository) open(dir string) *repo.Repo {
	g.Helper()
	r, err := repo.Open(g.Context(), dir, repo.Options{Env: g.Env})
	if err != nil {
		g.Fatal(err)
	}
	g.Cleanup(func() { _ = r.Close() })
	return r
}

// Shallow imports the commits and opens a clone of main that holds so many of its newest ones.
func (g *Repository) Shallow(depth int) *repo.Repo {
	g.Helper()
	g.flush()
	dir := g.TempDir()
	g.Git("clone", "-q", fmt.Sprint("--depth=", depth), "--branch=main", "file://"+g.Dir, dir)
	return g.open(dir)
}

// Processes lists the git processes since the repository was opened. It is Counted.
func (g *Repository) Processes() []string {
	g.Helper()
	data, err := os.ReadFile(g.log)
	if err != nil {
		g.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}
