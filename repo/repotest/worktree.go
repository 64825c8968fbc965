package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/repo/program/peer"
)

// When is the time of every commit.
var When = time.Date(2026, 1, 26, 14, 32, 15, 0, time.UTC)

// author is the author of every commit.
const author = "executor-01"

// Env is an environment that isolates git: PATH and more, «NAME=value» each; the last value counts.
func Env(home string, more ...string) []string {
	return slices.Concat([]string{"PATH=" + os.Getenv("PATH")}, peer.GitEnv(home), more)
}

// Isolate does the same for the test's own process and its children, and returns their home.
func Isolate(t testing.TB) (home string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir()) // as git names it
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range os.Environ() { // a hook that runs the tests names its repository
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "") // t.Setenv restores it
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, v := range peer.GitEnv(home) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	return home
}

// WorkTree is a repository with a work tree; its methods fail the test on errors.
type WorkTree struct {
	testing.TB
	// Dir is the top of the work tree, Env git's environment; nil is the process's own.
	Dir string
	Env []string
}

// NewWorkTree is an empty repository in the home of an isolated process.
func NewWorkTree(t testing.TB) *WorkTree {
	t.Helper()
	w := &WorkTree{TB: t, Dir: filepath.Join(Isolate(t), "w")}
	Init(t, w.Dir)
	return w
}

// CommonDir is the git directory.
func (w *WorkTree) CommonDir() string { return filepath.Join(w.Dir, ".git") }

// Git is the output of a git command, trimmed.
func (w *WorkTree) Git(args ...string) string {
	w.Helper()
	return w.git("", args...)
}

func (w *WorkTree) git(input string, args ...string) string {
	w.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = w.Dir, w.Env, strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// Write writes a file of the work tree.
func (w *WorkTree) Write(path, content string) {
	w.Helper()
	path = filepath.Join(w.Dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		w.Fatal(err)
	}
}

// Hook installs a git hook.
func (w *WorkTree) Hook(name, script string) {
	w.Helper()
	w.Write(".git/hooks/"+name, script)
	if err := os.Chmod(filepath.Join(w.Dir, ".git", "hooks", name), 0o777); err != nil {
		w.Fatal(err)
	}
}

// Read is the content of a file of the work tree.
func (w *WorkTree) Read(path string) string {
	w.Helper()
	data, err := os.ReadFile(filepath.Join(w.Dir, filepath.FromSlash(path)))
	if err != nil {
		w.Fatal(err)
	}
	return string(data)
}

// Commit commits the whole work tree, even an unchanged one, and returns the commit's id.
func (w *WorkTree) Commit(message string) string {
	w.Helper()
	w.Git("add", "-A")
	w.Git("commit", "-q", "--allow-empty", "-m", message)
	if id := loose(w.Dir, "HEAD"); id != "" {
		return id
	}
	return w.Git("rev-parse", "HEAD")
}

// loose is what the file of a ref names, by way of others; "" if there is no file, for git keeps refs elsewhere too.
func loose(dir, ref string) string {
	data, err := os.ReadFile(filepath.Join(dir, ".git", filepath.FromSlash(ref)))
	if err != nil {
		return ""
	}
	id := strings.TrimSpace(string(data))
	if to, isLink := strings.CutPrefix(id, "ref: "); isLink {
		return loose(dir, to)
	}
	return id
}
