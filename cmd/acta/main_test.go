package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test binary answer to the name acta, for scripts and for hooks that real git calls.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "hook" && filepath.Base(os.Args[0]) != "acta" {
		// A hook that names the test binary itself would run all tests, and those run hooks.
		fmt.Fprintln(os.Stderr, "the test binary answers hooks under the name acta only")
		os.Exit(exitUndecided)
	}
	testscript.Main(m, map[string]func(){"acta": main, mcpProgram: serveMCP})
}

// TestScripts runs testdata/script: each a repository, commands, and what they say.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("ACTA_UPDATE") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           tool,
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

// tool is the condition [tool:NAME] of a script that drives a peer of acta's for
// real. With ACTA_REQUIRE=all a peer that is missing fails, unless ACTA_WITHOUT
// names it: CI does that, and says so, where it could not be fetched.
func tool(condition string) (bool, error) {
	name, ok := strings.CutPrefix(condition, "tool:")
	if !ok {
		return false, fmt.Errorf("there is no condition %q", condition)
	}
	_, err := exec.LookPath(name)
	if err != nil && os.Getenv("ACTA_REQUIRE") == "all" && !slices.Contains(strings.Fields(os.Getenv("ACTA_WITHOUT")), name) {
		return false, fmt.Errorf("%w, and ACTA_REQUIRE=all asks for every comparison", err)
	}
	return err == nil, nil
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
