package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/acta-git/acta/repo/program/peer"
)

// TestMain makes the test binary answer to the name acta, for scripts and for hooks that real git calls.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "hook" && filepath.Base(os.Args[0]) != "acta" {
		// A hook that names the test binary itself would run all tests, and those run hooks.
		fmt.Fprintln(os.Stderr, "the test binary answers hooks under the name acta only")
		os.Exit(exitUndecided)
	}
	if os.Getenv(isWorker) != "" {
		if err := work(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(exitUndecided)
		}
		os.Exit(exitClean)
	}
	testscript.Main(m, map[string]func(){"acta": main})
}

func TestScripts(t *testing.T) { testscript.Run(t, peer.Scripts("../..")) }

// gitEnv keeps the developer's git configuration and identity out of a test.
var gitEnv = peer.GitEnv
