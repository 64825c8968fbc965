// Package installed_test holds acta as it is built: its installation, beside other tools and under real git.
package installed_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/acta-git/acta/repo/program/peer"
)

// acta is the executable, built once for all tests; its folder is on their PATH.
var acta string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "acta-installed-")
	if err == nil {
		acta = filepath.Join(dir, "acta")
		var out []byte
		if out, err = exec.Command("go", "build", "-ldflags=-s -w", "-o", acta, "..").CombinedOutput(); err != nil {
			err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	if err == nil {
		err = os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	code := 1
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// TestScripts tells the scripts where Go's caches are, for what builds: install.sh and pre-commit.
func TestScripts(t *testing.T) {
	caches, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	paths := strings.Fields(string(caches))
	testscript.Run(t, peer.Scripts("../../..", "GOCACHE="+paths[0], "GOMODCACHE="+paths[1], "GO="+filepath.Join(paths[2], "bin")))
}
