// Command acta-serve is the score API and the web page, and writes the page of a range to a file. `acta serve` and
// `acta report` run it, so that hooks need not link its libraries. See docs/score.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/report"
	"github.com/urfave/cli/v2"
)

// Exit codes (docs/ci.md). 3 never becomes 0.
const (
	exitClean     = 0
	exitUsage     = 2
	exitUndecided = 3
)

type command struct {
	Stdout, Stderr io.Writer
	Env            program.Env
}

type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Main runs the command line and returns the exit code.
func (c command) Main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := c.app().RunContext(ctx, args)
	var usage usageError
	var config *policy.ConfigError
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &usage):
		fmt.Fprintf(c.Stderr, "acta: %v\n    `acta serve --help` and `acta report --help` list the options\n", err)
		return exitUsage
	case errors.As(err, &config), errors.Is(err, repo.ErrNotRepository), errors.Is(err, os.ErrNotExist):
		fmt.Fprintf(c.Stderr, "acta: %v\n", err)
		return exitUsage
	}
	fmt.Fprintf(c.Stderr, "acta: failed: %v\n", err)
	return exitUndecided
}

func (c command) app() *cli.App {
	serve := c.serve()
	app := &cli.App{
		Name: "acta-serve", Usage: serve.Usage, Description: serve.Description, Version: report.Release,
		HideHelpCommand: true, Writer: c.Stdout, ErrWriter: c.Stderr, ExitErrHandler: func(*cli.Context, error) {},
		DisableSliceFlagSeparator: true, Flags: serve.Flags, Action: serve.Action,
		Commands: []*cli.Command{serve, c.report()}, OnUsageError: onUsageError,
		// serve's options are also the app's; before a command's name they would be ignored.
		Before: func(ctx *cli.Context) error {
			if name := ctx.Args().First(); ctx.NumFlags() > 0 && ctx.App.Command(name) != nil {
				return usagef("write options after %s; those before it are ignored", name)
			}
			return nil
		},
	}
	for _, cmd := range app.Commands {
		cmd.OnUsageError, cmd.HideHelpCommand = onUsageError, true
	}
	return app
}

func onUsageError(_ *cli.Context, err error, _ bool) error { return usageError{err} }

func main() {
	c := command{Stdout: os.Stdout, Stderr: report.NewTerminal(os.Stderr, false), Env: os.Environ()}
	os.Exit(c.Main(os.Args))
}
