package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test binary answer to the name acta, for scripts and for hooks that real git calls.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"acta": main})
}

// TestScripts runs testdata/script: each a repository, commands, and what they say.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("ACTA_UPDATE") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, gitEnv(e.WorkDir)...)
			caches, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
			if err != nil {
				return err
			}
			paths := strings.Fields(string(caches))
			top, err := filepath.Abs("../..")
			// For install.sh, which builds.
			e.Vars = append(e.Vars, "GOCACHE="+paths[0], "GOMODCACHE="+paths[1], "GO="+filepath.Join(paths[2], "bin"), "CHECKOUT="+top)
			return err
		},
	})
}

// gitEnv keeps the developer's git configuration and identity out of a test.
func gitEnv(home string) []string {
	return []string{
		"HOME=" + home,
		"GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig"),
		"GIT_CONFIG_SYSTEM=" + os.DevNull,
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=executor-01", "GIT_AUTHOR_EMAIL=executor-01@agents.invalid",
		"GIT_COMMITTER_NAME=executor-01", "GIT_COMMITTER_EMAIL=executor-01@agents.invalid",
		"GIT_AUTHOR_DATE=2026-01-26T14:32:15Z", "GIT_COMMITTER_DATE=2026-01-26T14:32:15Z",
	}
}
