package repotest

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
)

// Init makes an empty repository in a folder, with a branch main and without hooks. git makes the first of a test
// program; the others are copies of it, which start no process.
func Init(t testing.TB, dir string) {
	t.Helper()
	made, _ := empty.LoadOrStore(os.Getenv("GIT_DEFAULT_HASH"), sync.OnceValues(emptyRepository))
	git, err := made.(func() (fs.FS, error))()
	if err == nil {
		err = os.CopyFS(filepath.Join(dir, ".git"), git)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// empty holds what emptyRepository has made, by how objects are named.
var empty sync.Map

// emptyRepository is the git directory of an empty repository.
func emptyRepository() (fs.FS, error) {
	dir, err := os.MkdirTemp("", "acta-empty-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command("git", "init", "-q", "-b", "main", "--template=")
	cmd.Dir, cmd.Env = dir, Env(dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("git init: %w\n%s", err, out)
	}
	git, kept := os.DirFS(filepath.Join(dir, ".git")), fstest.MapFS{}
	return kept, fs.WalkDir(git, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		kept[path] = &fstest.MapFile{Mode: info.Mode()}
		if info.Mode().IsRegular() {
			kept[path].Data, err = fs.ReadFile(git, path)
		}
		return err
	})
}
