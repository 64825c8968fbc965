package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/urfave/cli/v2"
)

// runCompanion becomes another executable of acta's installation, so that hooks need not link its libraries.
func (c command) runCompanion(name string, args ...string) error {
	program, err := findCompanion(name)
	if err != nil {
		return err
	}
	return c.replaceProcess(program, args)
}

// findCompanion finds an executable beside this one, as git does, else on PATH.
func findCompanion(name string) (string, error) {
	self, err := os.Executable()
	for err == nil {
		if found, err := exec.LookPath(filepath.Join(filepath.Dir(self), name)); err == nil {
			return found, nil
		}
		to, err := filepath.EvalSymlinks(self)
		if err != nil || to == self {
			break
		}
		self = to
	}
	found, err := exec.LookPath(name)
	if errors.Is(err, exec.ErrNotFound) {
		err = usageError{fmt.Errorf("%s was not found beside acta or on PATH; install it like acta: by ./install.sh, a "+
			"release's %[1]s (docs/install.md), or go install github.com/acta-git/acta/cmd/%[1]s@latest", name)}
	}
	return found, err
}

const serveProgram = "acta-serve"

func (c command) serve() *cli.Command {
	return &cli.Command{
		Name:            "serve",
		SkipFlagParsing: true,
		Action: func(ctx *cli.Context) error {
			return c.runCompanion(serveProgram, append([]string{"serve"}, ctx.Args().Slice()...)...)
		},
	}
}

func (c command) runReport(call *cli.Context) error {
	file := call.String("html")
	if file == "" {
		return usagef("report needs --html FILE")
	}
	return c.runCompanion(serveProgram, append([]string{"report", "--html", file, "--"}, call.Args().Slice()...)...)
}
