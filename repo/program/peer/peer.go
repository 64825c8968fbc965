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
