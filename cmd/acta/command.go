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
	"strconv"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/record/change"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/report"
)

// Exit codes (docs/ci.md). 3 never becomes 0.
const (
	exitClean     = 0
	exitFindings  = 1
	exitUsage     = 2
	exitUndecided = 3
)

type command struct {
	Stdin  io.Reader
	Stdout *report.Terminal
	Stderr *report.Terminal
	// record collects entries for the audit log; nil collects nothing.
	record *record
	// budget limits a hook's output; nil for other commands.
	budget         *budget
	unknownCommand *error
}

// endingReader is standard input that ends with the command: its writer may never write.
type endingReader struct {
	ctx context.Context
	io.Reader
}

// Read reads until a signal comes.
func (r endingReader) Read(p []byte) (int, error) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		data := make([]byte, len(p)) // an abandoned read may end later
		n, err := r.Reader.Read(data)
		done <- read{data[:n], err}
	}()
	select {
	case got := <-done:
		return copy(p, got.data), got.err
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	}
}

// stdin is standard input itself, for a program that inherits it.
func (c command) stdin() io.Reader {
	if r, ok := c.Stdin.(endingReader); ok {
		return r.Reader
	}
	return c.Stdin
}

// exitError is a printed result that only sets the exit code.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// exitWith is the error that sets an exit code; nil for 0.
func exitWith(code int) error {
	if code == exitClean {
		return nil
	}
	return exitError(code)
}

type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Main runs the command line and returns the exit code.
func (c command) Main(args []string) int {
	// A run is short and small: collect garbage less often.
	debug.SetGCPercent(400)
	signals := []os.Signal{syscall.SIGTERM}
	if !signal.Ignored(os.Interrupt) { // shells ignore it for background jobs, and children inherit that
		signals = append(signals, os.Interrupt)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal kills
	if c.Stdin != nil {
		c.Stdin = endingReader{ctx, c.Stdin}
	}
	by := journal.Caller{Actor: journal.Agent, Name: os.Getenv("ACTA_ACTOR"), Session: os.Getenv("ACTA_SESSION")}
	c.record, c.unknownCommand = &record{caller: by}, new(error)
	defer c.save(ctx)
	app := c.app(args...)
	if !isCompletion(args) {
		args = optionsFirst(app, helpAsOption(args))
	}
	c.record.cmd = calledCommand(app.Commands, args)
	answer, _ := strconv.Atoi(os.Getenv(envAnswer)) // the exit code that proves to a hook's script that acta has judged
	_ = os.Unsetenv(envAnswer)                      // for this process only
	err := app.RunContext(ctx, args)
	if *c.unknownCommand != nil {
		err = *c.unknownCommand
	}
	if err == nil {
		err = c.Stdout.Err()
	}
	if code := c.exitCodeOf(err); code != exitClean || !strings.HasPrefix(c.record.cmd, "hook") {
		return code
	}
	return answer
}

func (c command) exitCodeOf(err error) int {
	var printed exitError
	var refused *change.RefusedError
	var usage usageError
	var config *policy.ConfigError
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &printed):
		return int(printed)
	case errors.As(err, &refused):
		c.Stderr.Printf("acta: %v\n", err)
		hint := refused.Hint("say who you are: --actor NAME, ACTA_ACTOR, or git's configuration acta.actor")
		if hint != "" {
			c.Stderr.Printf("    %s\n", hint)
		}
		c.record.add("", refused.Params())
		return exitFindings
	}
	if errors.As(err, &usage) { // usage errors do not go to the audit log
		c.Stderr.Printf("acta: %v\n    `acta help` lists commands, `acta help COMMAND` their options\n", err)
		return exitUsage
	}
	c.record.addMessage(failure, err.Error())
	var leaves *repo.OutsideLinkError
	if errors.As(err, &config) || errors.As(err, &leaves) {
		c.Stderr.Printf("acta: %v\n", err)
		if _, ok := errors.AsType[*policy.Error](err); ok {
			c.Stderr.Printf("    fix %s in a commit that claims nothing; until then every claim is refused (`acta policy "+
				"check` tests it)\n", policy.Path)
		}
		return exitUsage
	}
	c.Stderr.Printf("acta: could not decide: %v\n", err)
	return exitUndecided
}

// app is the library's form of acta; with a call's arguments, only the commands that they name have options.
func (c command) app(args ...string) *cli.App {
	app := &cli.App{
		Name:    "acta",
		Usage:   "hold coding agents to what they say they did",
		Version: report.Release,
		Description: "An agent commits «ACT: <task>» with a report; acta reads the lines that the report cites and\n" +
			"refuses the commit when nothing is there. `acta demo` shows it at work.",
		Reader: c.Stdin, Writer: c.Stdout, ErrWriter: c.Stderr,
		// Run must return errors to Main instead of exiting.
		ExitErrHandler:            func(*cli.Context, error) {},
		DisableSliceFlagSeparator: true,
		HideHelpCommand:           true,
		Commands:                  c.commands(),
		EnableBashCompletion:      true,
	}
	app.Flags = []cli.Flag{cli.HelpFlag} // the library omits it if there is a command «help»
	app.Action = c.needsName("no command given", "", app.Commands, cli.ShowAppHelp)
	app.OnUsageError = usageErrorOf(append(slices.Clone(app.Flags), cli.VersionFlag))
	// The library calls this for `acta nonsense --help`, and continues.
	app.CommandNotFound = func(ctx *cli.Context, name string) {
		*c.unknownCommand = unknownCommand("", name, ctx.Command.Subcommands)
	}
	c.addHelp("", app.Flags, app.Commands, words(args...))
	return app
}

// optionsFirst moves a command's options before its arguments, where the library stops reading them, and after the name
// of a subcommand, because it would not see them before it. It removes switches, and exports them. Everything after
// "--" is an argument.
func optionsFirst(app *cli.App, args []string) []string {
	if len(args) == 0 {
		return args
	}
	top := &cli.Command{Flags: app.Flags, Subcommands: app.Commands}
	at := top
	var names, options, arguments []string
	with := func(rest ...string) []string { return slices.Concat(args[:1], names, options, rest) }
	for rest := args[1:]; len(rest) > 0; {
		arg := rest[0]
		rest = rest[1:]
		sub := commandNamed(at.Subcommands, arg)
		switch {
		case exportSwitch(arg):
		case sub != nil && len(arguments) == 0 && (at != top || len(options) == 0): // options before any name are the app's
			at, names = sub, append(names, arg)
			if sub.SkipFlagParsing { // another program reads the rest
				return with(rest...)
			}
		case arg == "--" && len(arguments) == 0 && len(rest) > 0 && commandNamed(at.Subcommands, rest[0]) != nil:
			names = append(names, rest[0])
			return with(append([]string{arg}, rest[1:]...)...)
		case arg == "--" && at.Name == proveCommand: // keep its own arguments apart
			return with(slices.Concat([]string{arg}, arguments, []string{arg}, rest)...)
		case arg == "--":
			return with(slices.Concat([]string{arg}, arguments, rest)...)
		case !isOption(arg) && at.Name == runCommand: // the rest belongs to the other command
			return with(slices.Concat([]string{"--", arg}, rest)...)
		case !isOption(arg):
			arguments = append(arguments, arg)
		case !takesValue(at, arg):
			options = append(options, arg)
		case len(rest) == 0 || rest[0] == "--": // the value "--" is written --option=--
			return with(arg) // the library reports the missing value if nothing follows
		default:
			options, rest = append(options, arg, rest[0]), rest[1:]
		}
	}
	if len(arguments) > 0 {
		arguments = slices.Insert(arguments, 0, "--")
	}
	return with(arguments...)
}

func commandNamed(commands []*cli.Command, name string) *cli.Command {
	if i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(name) }); i >= 0 {
		return commands[i]
	}
	return nil
}

func isOption(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

// takesValue reports whether an option of a command, or of one below it, takes the next argument as its value.
func takesValue(of *cli.Command, arg string) bool {
	flags := slices.Clone(of.Flags)
	for _, sub := range of.Subcommands {
		flags = append(flags, sub.Flags...)
	}
	name := strings.TrimLeft(arg, "-")
	i := slices.IndexFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
	if i < 0 {
		return false
	}
	_, isBool := flags[i].(*cli.BoolFlag)
	return !isBool
}

// switches are options of every command that turn parts of the worklog off or on, like the variables of that name.
var switches = []string{"no-worklog", "skip-verify", "no-checkpoints", "verbose-log"}

// exportSwitch reports whether an argument is a switch, and exports one that is on as a variable. Child processes
// inherit it: git and its hooks, agents, the companion. A switch with an invalid value is left to the command, because
// a host's hook has errors of its own.
func exportSwitch(arg string) bool {
	name, value, hasValue := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
	on, err := strconv.ParseBool(value)
	if !isOption(arg) || !slices.Contains(switches, name) || hasValue && err != nil {
		return false
	}
	if on || !hasValue {
		_ = os.Setenv("ACTA_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_")), "1") // cannot fail
	}
	return true
}

func envSwitches() policy.Switches { return worklog.EnvSwitches(os.Environ()) }
