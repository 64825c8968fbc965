package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/worklog"
)

// release is what `acta --version` prints and every report names.
const release = judge.Release

// Exit codes (docs/design.md §5). 3 never becomes 0.
const (
	exitClean     = 0
	exitFindings  = 1
	exitUsage     = 2
	exitUndecided = 3
)

// command is one run of the executable.
type command struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	// record is what the run leaves in the audit log; nil for nothing.
	record *record
}

// exit is a result that has been printed already and only asks for its code.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is a call that cannot be understood.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Main runs the command line and returns the exit code.
func (c command) Main(args []string) int {
	// A run is short and its memory small: collecting less often is worth it.
	debug.SetGCPercent(400)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c.record = c.newRecord()
	defer c.save(ctx)
	app := c.app()
	c.record.cmd = calledCommand(app.Commands, args)
	return c.code(app.RunContext(ctx, optionsFirst(app, args)))
}

// code prints an error for the reader who must act and picks the exit code.
func (c command) code(err error) int {
	var done exit
	var refused *worklog.RefusedError
	var usage usageError
	var config *judge.ConfigError
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &done):
		return int(done)
	case errors.As(err, &refused):
		fmt.Fprintf(c.Stderr, "acta: %v\n", err)
		if hint := hintOf(refused); hint != "" {
			fmt.Fprintf(c.Stderr, "    %s\n", hint)
		}
		c.record.refused(refused)
		return exitFindings
	}
	c.record.say(failure, err.Error())
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(c.Stderr, "acta: %v\n    `acta --help` lists commands, `acta COMMAND --help` their options\n", err)
		return exitUsage
	case errors.As(err, &config):
		fmt.Fprintf(c.Stderr, "acta: %v\n", err)
		return exitUsage
	}
	fmt.Fprintf(c.Stderr, "acta: could not decide: %v\n", err)
	return exitUndecided
}

func (c command) app() *cli.App {
	app := &cli.App{
		Name:    "acta",
		Usage:   "hold coding agents to what they say they did",
		Version: release,
		Description: "An agent commits «ACT: <unit>» with a report; acta reads the lines that the report cites and\n" +
			"refuses the commit when nothing is there. `acta demo` shows it at work.",
		Reader: c.Stdin, Writer: c.Stdout, ErrWriter: c.Stderr,
		// Run must return to Main with every error, not exit half way.
		ExitErrHandler:            func(*cli.Context, error) {},
		DisableSliceFlagSeparator: true,
		HideHelpCommand:           true,
		Commands: []*cli.Command{
			c.demo(), c.init(), c.install(), c.uninstall(), c.doctor(), c.hook(), c.check(), c.cite(), c.verify(), c.parse(), c.stubs(), c.claims(),
			c.plan(), c.loop(), c.worklog(), c.agent(), c.mcp(), c.serve(), c.report(), c.heartbeat(), c.score(),
			c.audit(), c.explain(),
		},
		Action: func(ctx *cli.Context) error {
			if name := ctx.Args().First(); name != "" {
				return usagef("there is no command %q", name)
			}
			return usagef("no command given")
		},
		OnUsageError: onUsageError,
	}
	strict(app.Commands)
	return app
}

func onUsageError(_ *cli.Context, err error, _ bool) error { return usageError{err} }

// strict makes unreadable options of every command a usage error, exit code 2,
// and keeps help text off stdout; the library does not inherit the setting.
func strict(commands []*cli.Command) {
	for _, cmd := range commands {
		if cmd.OnUsageError == nil {
			cmd.OnUsageError = onUsageError
		}
		cmd.HideHelpCommand = true
		strict(cmd.Subcommands)
		if cmd.Subcommands != nil && cmd.Action == nil {
			cmd.Action = func(ctx *cli.Context) error {
				if name := ctx.Args().First(); name != "" {
					return usagef("there is no %s %q", cmd.FullName(), name)
				}
				return usagef("%s needs a name", cmd.FullName())
			}
		}
	}
}

// optionsFirst moves the options of a command line before its arguments, since
// the library stops reading options at the first argument. Everything after
// "--" is an argument.
func optionsFirst(app *cli.App, args []string) []string {
	if len(args) == 0 {
		return args
	}
	flags, commands := app.Flags, app.Commands
	out, rest := []string{args[0]}, args[1:]
	for len(rest) > 0 {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(rest[0]) })
		if i < 0 {
			break
		}
		if commands[i].SkipFlagParsing { // another program reads them
			return append(out, rest...)
		}
		out, flags, commands, rest = append(out, rest[0]), commands[i].Flags, commands[i].Subcommands, rest[1:]
	}
	var arguments []string
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		switch {
		case arg == "--":
			return slices.Concat(out, []string{"--"}, arguments, rest)
		case len(arg) < 2 || arg[0] != '-':
			arguments = append(arguments, arg)
		default:
			out = append(out, arg)
			if takesValue(flags, arg) && len(rest) > 0 {
				out, rest = append(out, rest[0]), rest[1:]
			}
		}
	}
	if len(arguments) > 0 {
		out = append(out, "--")
	}
	return append(out, arguments...)
}

// takesValue reports whether an option is followed by its value in the next argument.
func takesValue(flags []cli.Flag, arg string) bool {
	name := strings.TrimLeft(arg, "-")
	if strings.Contains(name, "=") {
		return false
	}
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			_, isBool := f.(*cli.BoolFlag)
			return !isBool
		}
	}
	return false
}

// arguments fails when a command gets more arguments than it takes.
func arguments(ctx *cli.Context, most int) error {
	if ctx.NArg() > most {
		return usagef("%s takes at most %d argument(s), and got %q", ctx.Command.Name, most, ctx.Args().Slice())
	}
	return nil
}
