package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/acta-git/acta/repo/program/peer"
)

// TestMain makes the test binary answer to the name acta, for scripts and for hooks that real git calls.
func TestMain(m *testing.M) {
	self, err := os.Executable()
	switch {
	case err != nil:
	case os.Getenv(isWorker) != "":
		err = work()
	case filepath.Base(os.Args[0]) == "acta":
		main()
	case len(os.Args) > 1 && os.Args[1] == "hook":
		// A hook that names the test binary itself would run all tests, and those run hooks.
		err = errors.New("the test binary answers hooks under the name acta only")
	default:
		os.Exit(named(m, self))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitUndecided)
	}
}

// named runs the tests with a copy of the test binary on PATH, whose name is acta; a link would say the other name.
func named(m *testing.M, self string) int {
	dir, err := os.MkdirTemp("", "acta-test-")
	defer os.RemoveAll(dir)
	binary, unread := os.ReadFile(self)
	err = errors.Join(err, unread, os.WriteFile(filepath.Join(dir, "acta"), binary, 0o777),
		os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH")))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitUndecided
	}
	return m.Run()
}

// TestScripts has commands for acta that a worker answers: «acta» and «code N acta». «exec acta» is a process.
func TestScripts(t *testing.T) {
	scripts, acta := peer.Scripts("../.."), newWorkers(t)
	scripts.Cmds = map[string]func(*testscript.TestScript, bool, []string){"acta": acta.script, "code": acta.coded}
	testscript.Run(t, scripts)
}

// gitEnv keeps the developer's git configuration and identity out of a test.
var gitEnv = peer.GitEnv
