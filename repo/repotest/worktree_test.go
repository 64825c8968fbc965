package repotest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestARepositoryIsTheSameOnEveryMachine(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, ".gitconfig"),
		[]byte("[user]\n\tname = somebody else\n[commit]\n\tgpgSign = true\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", outside)
	t.Setenv("GIT_DIR", filepath.Join(outside, "elsewhere"))
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(outside, ".gitconfig"))
	r := NewWorkTree(t)
	r.Write("src/a.txt", "a\n")
	if got, want := r.Commit("Base"), "b86e2bd4426c5535ae0e364655da23409345ae1f"; got != want {
		t.Errorf("got commit %s, want %s", got, want)
	}
	if got := r.Git("log", "-1", "--format=%an %cI"); got != author+" 2026-01-26T14:32:15+00:00" {
		t.Errorf("committed as %q", got)
	}
	if r.Read("src/a.txt") != "a\n" || r.CommonDir() != filepath.Join(r.Dir, ".git") {
		t.Error("the work tree is elsewhere")
	}
}

// A copy is what git makes, file by file.
func TestInitIsGits(t *testing.T) {
	home := Isolate(t)
	theirs, ours := &WorkTree{TB: t, Dir: filepath.Join(home, "theirs")}, &WorkTree{TB: t, Dir: filepath.Join(home, "ours")}
	for _, w := range []*WorkTree{theirs, ours} {
		if err := os.Mkdir(w.Dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	theirs.Git("init", "-q", "-b", "main", "--template=")
	Init(t, ours.Dir)
	list := func(w *WorkTree) (all string) {
		err := fs.WalkDir(os.DirFS(w.Dir), ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			all += path + " " + info.Mode().String() + "\n"
			if d.Type().IsRegular() {
				all += w.Read(path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if got, want := list(ours), list(theirs); got != want || !strings.Contains(got, "ref: refs/heads/main\n") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestEnvHoldsNothingOfTheMachine(t *testing.T) {
	t.Setenv("GIT_DIR", "/elsewhere")
	for _, v := range Env("/home/a") {
		if v == "GIT_DIR=/elsewhere" {
			t.Error("GIT_DIR is handed on")
		}
	}
}
