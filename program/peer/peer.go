// Package peer is for tests that drive other programs for real: git, which is always there, and tools that need not be.
package peer

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Scripts are the parameters of a run of a package's testdata/script: each a repository, commands, and what they say.
// checkout is where the checkout lies from there, which scripts know as $CHECKOUT; more are further variables of
// theirs.
func Scripts(checkout string, more ...string) testscript.Params {
	return testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("ACTA_UPDATE") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           Condition,
		Setup: func(e *testscript.Env) error {
			top, err := filepath.Abs(checkout)
			template := filepath.Join(e.WorkDir, ".template") // a new repository has a folder for its hooks, as people's do
			e.Vars = append(append(append(e.Vars, GitEnv(e.WorkDir)...), "GIT_TEMPLATE_DIR="+template, "CHECKOUT="+top), more...)
			return errors.Join(err, os.MkdirAll(filepath.Join(template, "hooks"), 0o777))
		},
	}
}

// Condition is the condition [tool:NAME] of a script that drives a peer of acta's for real.
func Condition(condition string) (bool, error) {
	name, ok := strings.CutPrefix(condition, "tool:")
	if !ok {
		return false, fmt.Errorf("there is no condition %q", condition)
	}
	_, err := exec.LookPath(name)
	if err != nil && Required(name) {
		return false, fmt.Errorf("%w, and ACTA_REQUIRE=all asks for every comparison", err)
	}
	return err == nil, nil
}

// Required reports whether a peer that is missing fails a test. With ACTA_REQUIRE=all it does, unless ACTA_WITHOUT
// names it: CI does that, and says so, where it could not be fetched.
func Required(name string) bool {
	return os.Getenv("ACTA_REQUIRE") == "all" && !slices.Contains(strings.Fields(os.Getenv("ACTA_WITHOUT")), name)
}

// Need skips a test whose peer is missing, as err says, or fails it where every peer is asked for; nil is one that is
// there.
func Need(t testing.TB, name string, err error) {
	t.Helper()
	switch {
	case err == nil:
	case Required(name):
		t.Fatalf("%v, and ACTA_REQUIRE=all asks for every comparison", err)
	default:
		t.Skip(err)
	}
}

// GitEnv keeps the developer's git configuration and identity out of a test.
func GitEnv(home string) []string {
	env := []string{
		"HOME=" + home,
		"GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig"),
		"GIT_CONFIG_SYSTEM=" + os.DevNull,
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_TEMPLATE_DIR=", // git's samples of hooks are more files than all else of a new repository
		"GIT_AUTHOR_NAME=executor-01", "GIT_AUTHOR_EMAIL=executor-01@agents.invalid",
		"GIT_COMMITTER_NAME=executor-01", "GIT_COMMITTER_EMAIL=executor-01@agents.invalid",
		"GIT_AUTHOR_DATE=2026-01-26T14:32:15Z", "GIT_COMMITTER_DATE=2026-01-26T14:32:15Z",
	}
	// .ci/run sets it to run tests over repositories that name their objects by SHA-256.
	if format := os.Getenv("GIT_DEFAULT_HASH"); format != "" {
		env = append(env, "GIT_DEFAULT_HASH="+format)
	}
	return env
}
