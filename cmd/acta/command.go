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

// command is one run of the executable.
type command struct {
	Stdin  io.Reader
	Stdout *report.Terminal
	Stderr *report.Terminal
	// record is what the run leaves in the audit log; nil for nothing.
	record *record
	// budget limits what a hook prints; nil where acta was asked.
	budget *budget
	// unknown is the name of a command that nothing has, as an error.
	unknown *error
}

// endingReader is standard input for as long as the command is not to end: who writes to it may never say a word.
type endingReader struct {
	ctx context.Context
	io.Reader
}

// Read reads what there is, until a signal comes.
func (r endingReader) Read(p []byte) (int, error) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		data := make([]byte, len(p)) // a read that is given up may end later
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
	signals := []os.Signal{syscall.SIGTERM}
	if !signal.Ignored(os.Interrupt) { // as of what a shell runs in the background; what acta runs inherits it
		signals = append(signals, os.Interrupt)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends what does not end by the first
	if c.Stdin != nil {
		c.Stdin = endingReader{ctx, c.Stdin}
	}
	c.record, c.unknown = c.newRecord(), new(error)
	defer c.save(ctx)
	app := c.app()
	if !completing(args) {
		args = takeSwitches(optionsFirst(app, helpAsOption(args)))
	}
	c.record.cmd = calledCommand(app.Commands, args)
	answer := c.hookAnswer()
	err := app.RunContext(ctx, args)
	if *c.unknown != nil {
		err = *c.unknown
	}
	if err == nil {
		err = c.Stdout.Err()
	}
	if code := c.code(err); code != exitClean || !strings.HasPrefix(c.record.cmd, "hook") {
		return code
	}
	return answer
}

// hookAnswer is the exit code by which a hook's script knows that acta has judged, and no file in its place.
func (c command) hookAnswer() int {
	answer, _ := strconv.Atoi(os.Getenv(envAnswer))
	_ = os.Unsetenv(envAnswer) // it is for this process alone
	return answer
}

// code prints an error for the reader who must act and picks the exit code.
func (c command) code(err error) int {
	var done exit
	var refused *change.RefusedError
	var usage usageError
	var config *policy.ConfigError
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &done):
		return int(done)
	case errors.As(err, &refused):
		c.Stderr.Printf("acta: %v\n", err)
		if hint := hintOf(refused); hint != "" {
			c.Stderr.Printf("    %s\n", hint)
		}
		c.record.refused(refused)
		return exitFindings
	}
	if errors.As(err, &usage) { // a slip of the hand is nothing for the audit log
		c.Stderr.Printf("acta: %v\n    `acta help` lists commands, `acta help COMMAND` their options\n", err)
		return exitUsage
	}
	c.record.say(failure, err.Error())
	var leaves *repo.OutsideLinkError
	switch {
	case errors.As(err, &config), errors.As(err, &leaves):
		c.Stderr.Printf("acta: %v\n", err)
		if _, ok := errors.AsType[*policy.Error](err); ok {
			c.Stderr.Printf("    fix %s in a commit that claims nothing; until then every claim is refused (`acta policy "+
				"check` tests it)\n",
				policy.Path)
		}
		return exitUsage
	}
	c.Stderr.Printf("acta: could not decide: %v\n", err)
	return exitUndecided
}

func (c command) app() *cli.App {
	app := &cli.App{
		Name:    "acta",
		Usage:   "hold coding agents to what they say they did",
		Version: report.Release,
		Description: "An agent commits «ACT: <task>» with a report; acta reads the lines that the report cites and\n" +
			"refuses the commit when nothing is there. `acta demo` shows it at work.",
		Reader: c.Stdin, Writer: c.Stdout, ErrWriter: c.Stderr,
		// Run must return to Main with every error, not exit half way.
		ExitErrHandler:            func(*cli.Context, error) {},
		DisableSliceFlagSeparator: true,
		HideHelpCommand:           true,
		Commands:                  c.commands(),
		EnableBashCompletion:      true,
	}
	app.Flags = []cli.Flag{cli.HelpFlag} // which the library leaves out where there is a command «help»
	app.Action = c.needsName("no command given", "", app.Commands, cli.ShowAppHelp)
	app.OnUsageError = usageErrorOf(append(slices.Clone(app.Flags), cli.VersionFlag))
	// The library calls it for `acta nonsense --help` and goes on.
	app.CommandNotFound = func(ctx *cli.Context, name string) {
		*c.unknown = unknownCommand("", name, ctx.Command.Subcommands)
	}
	explain("", app.Commands, words())
	c.strict(app.Commands, app.Flags)
	return app
}

// strict makes unreadable options of every command a usage error, exit code 2,
// and keeps help text off stdout; the library does not inherit the setting. above
// are the options that stand before the command.
func (c command) strict(commands []*cli.Command, above []cli.Flag) {
	for _, cmd := range commands {
		flags := slices.Concat(cmd.Flags, above)
		if cmd.OnUsageError == nil {
			cmd.OnUsageError = usageErrorOf(flags)
		}
		cmd.HideHelpCommand = true
		for _, f := range cmd.Flags { // «(default: false)» of a switch tells nobody anything
			if s, ok := f.(*cli.BoolFlag); ok {
				s.DisableDefaultText = true
			}
		}
		c.strict(cmd.Subcommands, flags)
		if cmd.Subcommands != nil && cmd.Action == nil {
			cmd.Action = c.needsName(cmd.FullName()+" needs a name", cmd.FullName()+" ", cmd.Subcommands, cli.ShowSubcommandHelp)
		}
	}
}

// optionsFirst moves the options of a command line before its arguments, since
// the library stops reading options at the first argument, and behind the name of a
// subcommand, since what stands before it is not the subcommand's to the library; and the switches before everything.
// Everything after "--" is an argument.
func optionsFirst(app *cli.App, args []string) []string {
	if len(args) == 0 {
		return args
	}
	var within *cli.Command
	flags, commands := app.Flags, app.Commands
	out, rest := []string{args[0]}, args[1:]
	for len(rest) > 0 {
		if isSwitch(rest[0]) {
			out, rest = slices.Insert(out, 1, rest[0]), rest[1:]
			continue
		}
		at, cmd := 0, commandNamed(commands, rest[0])
		if within != nil { // options in front of the first name are the app's own
			at, cmd = subcommand(within, rest)
		}
		if cmd == nil {
			break
		}
		out, rest = append(out, rest[at]), slices.Concat(rest[:at], rest[at+1:])
		if cmd.SkipFlagParsing { // another program reads them
			return append(out, rest...)
		}
		within, flags, commands = cmd, cmd.Flags, cmd.Subcommands
	}
	var arguments []string
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		switch {
		case arg == "--" && within != nil && within.Name == proveCommand: // its own arguments stay apart
			return slices.Concat(out, []string{"--"}, arguments, []string{"--"}, rest)
		case arg == "--":
			return slices.Concat(out, []string{"--"}, arguments, rest)
		case !isOption(arg) && within != nil && within.Name == runCommand: // all that follows is the other's
			return slices.Concat(out, []string{"--", arg}, rest)
		case !isOption(arg):
			arguments = append(arguments, arg)
		case isSwitch(arg):
			out = slices.Insert(out, 1, arg)
		case !takesValue(flags, arg):
			out = append(out, arg)
		case lacksValue(rest):
			// The library says so where nothing follows that it could take for the value.
			return append(out, arg)
		default:
			out, rest = append(out, arg, rest[0]), rest[1:]
		}
	}
	if len(arguments) > 0 {
		out = append(out, "--")
	}
	return append(out, arguments...)
}

func commandNamed(commands []*cli.Command, name string) *cli.Command {
	if i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(name) }); i >= 0 {
		return commands[i]
	}
	return nil
}

// subcommand finds the first argument that names a subcommand and has nothing but options before it,
// read as the subcommand reads them; one that it does not know, as the command does.
func subcommand(of *cli.Command, args []string) (at int, cmd *cli.Command) {
	for i, arg := range args {
		if sub := commandNamed(of.Subcommands, arg); sub != nil && allOptions(slices.Concat(sub.Flags, of.Flags), args[:i]) {
			return i, sub
		}
	}
	return 0, nil
}

// allOptions reports whether there are only options, each with its value. A "--" may end them.
func allOptions(flags []cli.Flag, args []string) bool {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			return len(args) == 0
		case !isOption(arg):
			return false
		case !takesValue(flags, arg):
		case lacksValue(args):
			return false
		default:
			args = args[1:]
		}
	}
	return true
}

func isOption(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

// lacksValue reports whether an option has no value in what follows it. Who means the value "--" writes --option=--.
func lacksValue(following []string) bool { return len(following) == 0 || following[0] == "--" }

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

// atMost is the action of a command that takes so many arguments and no more.
func atMost(most int, run cli.ActionFunc) cli.ActionFunc {
	return func(ctx *cli.Context) error {
		if err := arguments(ctx, most); err != nil {
			return err
		}
		return run(ctx)
	}
}

// arguments fails when a command gets more arguments than it takes.
func arguments(ctx *cli.Context, most int) error {
	if ctx.NArg() > most {
		return usagef("%s takes at most %d argument(s), and got %q", ctx.Command.Name, most, ctx.Args().Slice())
	}
	return nil
}

// switches are the options of every command that switch parts of the worklog off, or more of it on. Each stands for a
// variable.
var switches = []string{"no-worklog", "skip-verify", "no-checkpoints", "verbose-log"}

// switchOf is the switch that an argument is, and its value. One with a value that it cannot have is left to the
// command, which may be the hook of a host: what it answers to that is its own matter.
func switchOf(arg string) (name string, on, ok bool) {
	name, value, hasValue := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
	on, err := strconv.ParseBool(value)
	return name, on || !hasValue, isOption(arg) && slices.Contains(switches, name) && (err == nil || !hasValue)
}

func isSwitch(arg string) bool {
	_, _, ok := switchOf(arg)
	return ok
}

// takeSwitches takes the switches that optionsFirst has put in front out of a call, and makes variables of them, which
// what this process starts inherits: git and its hooks, agents, the companion.
func takeSwitches(args []string) []string {
	for len(args) > 1 {
		name, on, ok := switchOf(args[1])
		if !ok {
			break
		}
		if on {
			_ = os.Setenv("ACTA_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_")), "1") // no such name is refused
		}
		args = slices.Delete(args, 1, 2)
	}
	return args
}

// switched are the switches of the call.
func switched() policy.Switches { return worklog.EnvSwitches(os.Environ()) }
