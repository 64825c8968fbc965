package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/hooks/host"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/report"
)

//go:embed help.txt
var helpText []byte // a text would be copied at each start

// placeholders are parts of help.txt that other packages know.
var placeholders = strings.NewReplacer(
	"{hosts}", host.HostIDs(), "{plugin hosts}", host.PluginHosts(), "{guide}", plan.Guide,
	"{perspectives}", strings.Join(parser.Perspectives(), ", "),
	"{report formats}", choice(report.Formats()), "{worklog formats}", choice(worklog.Formats()),
	"{actions}", choice(worklog.Actions()), "{statuses}", choice(worklog.Statuses()),
	"{phases}", choice(worklog.Phases()), "{outcomes}", choice(worklog.Outcomes()))

func choice[T ~string](words []T) string {
	return strings.Join(report.Map(words, func(w T) string { return string(w) }), "|")
}

// words are the texts and options of help.txt by command. With a call's arguments, commands that none of them names
// have their purpose only: each start of acta would read all of them otherwise.
func words(args ...string) map[string]cli.Command {
	all, groups := map[string]cli.Command{}, map[string]string{}
	for _, section := range txtar.Parse(helpText).Files {
		if strings.HasPrefix(section.Name, "+") {
			groups[section.Name] = string(section.Data)
			continue
		}
		name, arguments, _ := strings.Cut(section.Name, " | ")
		usage, rest, _ := bytes.Cut(section.Data, []byte("\n"))
		cmd := cli.Command{ArgsUsage: arguments, Usage: string(usage)}
		if first, _, _ := strings.Cut(name, " "); args == nil || slices.Contains(args, first) {
			cmd.Usage = placeholders.Replace(cmd.Usage)
			for line := range strings.Lines(placeholders.Replace(string(rest))) {
				if strings.HasPrefix(line, "--") || strings.HasPrefix(line, "+") {
					cmd.Flags = append(cmd.Flags, options(strings.TrimSuffix(line, "\n"), groups)...)
				} else {
					cmd.Description += line
				}
			}
		}
		cmd.Description = strings.TrimSuffix(cmd.Description, "\n")
		all[name] = cmd
	}
	return all
}

// options are the options of a line of help.txt: one, or a group's.
func options(line string, groups map[string]string) (all []cli.Flag) {
	if strings.HasPrefix(line, "+") {
		for line := range strings.Lines(placeholders.Replace(groups[line])) {
			all = append(all, options(strings.TrimSuffix(line, "\n"), groups)...)
		}
		return all
	}
	head, usage, _ := strings.Cut(strings.TrimPrefix(line, "--"), ": ")
	name, head, _ := strings.Cut(head, " ")
	var aliases []string
	if letter, ok := strings.CutPrefix(head, "-"); ok {
		letter, head, _ = strings.Cut(letter, " ")
		aliases = []string{letter}
	}
	switch kind, value, _ := strings.Cut(head, " "); kind {
	case "switch":
		return []cli.Flag{&cli.BoolFlag{Name: name, Usage: usage, DisableDefaultText: true}}
	case "list":
		return []cli.Flag{&cli.StringSliceFlag{Name: name, Usage: usage}}
	case "number":
		n, _ := strconv.Atoi(value) // none is 0
		return []cli.Flag{&cli.IntFlag{Name: name, Aliases: aliases, Usage: usage, Value: n}}
	case "time":
		d, _ := time.ParseDuration(value)
		return []cli.Flag{&cli.DurationFlag{Name: name, Usage: usage, Value: d}}
	case "of":
		return []cli.Flag{choiceFlag(name, usage, strings.Split(value, "|"))}
	default:
		return []cli.Flag{&cli.StringFlag{Name: name, Aliases: aliases, Usage: usage, Value: value}}
	}
}

func choiceFlag(name, usage string, values []string) cli.Flag {
	last := len(values) - 1
	known := strings.TrimPrefix(strings.Join(values[:last], ", ")+" or "+values[last], ", ")
	return &cli.StringFlag{
		Name: name, Usage: usage + ": " + known, Value: values[0],
		Action: func(_ *cli.Context, got string) error {
			if !slices.Contains(values, got) {
				return usagef("--%s must be %s, not %q", name, known, got)
			}
			return nil
		},
	}
}

// addHelp adds the texts and options of help.txt to commands. It makes wrong options of every command a usage error,
// exit code 2, and keeps help text off stdout, because the library does not inherit these settings. name and flags are
// those of the command above.
func (c command) addHelp(name string, flags []cli.Flag, commands []*cli.Command, words map[string]cli.Command) {
	for _, cmd := range commands {
		help := words[name+cmd.Name]
		cmd.ArgsUsage, cmd.Usage, cmd.Description, cmd.Flags = help.ArgsUsage, help.Usage, help.Description, help.Flags
		cmd.HideHelpCommand = true
		known := slices.Concat(cmd.Flags, flags)
		if cmd.OnUsageError == nil {
			cmd.OnUsageError = usageErrorOf(known)
		}
		c.addHelp(name+cmd.Name+" ", known, cmd.Subcommands, words)
		if cmd.Subcommands != nil && cmd.Action == nil {
			name := cmd.FullName()
			cmd.Action = c.needsName(name+" needs a command", name+" ", cmd.Subcommands, cli.ShowSubcommandHelp)
		}
	}
}

// helpAsOption turns `acta help COMMAND` into `acta COMMAND --help`.
func helpAsOption(args []string) []string {
	if len(args) < 2 || args[1] != "help" || slices.Contains(args, "--help") {
		return args
	}
	return slices.Concat(args[:1], args[2:], []string{"--help"})
}

// needsName is the action of a command that only has subcommands. Without a name its help goes to standard error: a
// script that calls nothing must fail.
func (c command) needsName(missing, above string, below []*cli.Command, help func(*cli.Context) error) cli.ActionFunc {
	return func(ctx *cli.Context) error {
		if name := ctx.Args().First(); name != "" {
			return unknownCommand(above, name, below)
		}
		c.Stderr.Printf("acta: %s\n\n", missing)
		ctx.App.Writer = c.Stderr
		if err := help(ctx); err != nil {
			return err
		}
		return exitError(exitUsage)
	}
}

// checkArguments refuses more arguments than the command's help names.
func checkArguments(ctx *cli.Context) error {
	cmd := ctx.Command
	most := len(strings.Fields(strings.ReplaceAll(cmd.ArgsUsage, " | ", "|")))
	switch {
	case ctx.NArg() <= most || strings.Contains(cmd.ArgsUsage, "…"):
		return nil
	case most == 0 && cmd.Subcommands != nil:
		return unknownCommand(cmd.Name+" ", ctx.Args().First(), cmd.Subcommands)
	}
	return usagef("%s takes at most %d argument(s), and got %q", cmd.Name, most, ctx.Args().Slice())
}

// unknownCommand is the error about an unknown command; it suggests a similar one, or a subcommand of that name.
func unknownCommand(above, name string, among []*cli.Command) error {
	var known []string
	suggestion := ""
	for _, cmd := range among {
		known = append(known, cmd.Names()...)
		if below := commandNamed(cmd.Subcommands, name); below != nil {
			suggestion = fmt.Sprintf("; did you mean \"%s %s\"?", cmd.Name, name)
		}
	}
	return usagef("there is no command %q%s", above+name, cmp.Or(policy.DidYouMean(name, known), suggestion))
}

func usageErrorOf(flags []cli.Flag) cli.OnUsageErrorFunc {
	return func(_ *cli.Context, err error, _ bool) error {
		name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
		if !unknown {
			return usageError{err}
		}
		var known []string
		for _, f := range flags {
			known = append(known, f.Names()...)
		}
		given, _, _ := strings.Cut(strings.TrimLeft(name, "-"), "=")
		return usagef("there is no option --%s%s", given, strings.Replace(policy.DidYouMean(given, known), "\"", "\"--", 1))
	}
}

func isCompletion(args []string) bool {
	return len(args) > 0 && args[len(args)-1] == "--"+cli.BashCompletionFlag.Names()[0]
}

// The completion scripts; the library writes fish's.
var (
	//go:embed completion.bash
	completionBash string
	//go:embed completion.zsh
	completionZsh string
)

func (c command) runCompletion(call *cli.Context) (err error) {
	shell, script := call.Args().First(), ""
	switch shell {
	case "bash":
		script = completionBash
	case "zsh":
		script = completionZsh
	case "fish":
		if script, err = call.App.ToFishCompletion(); err != nil {
			return err
		}
	default:
		return usagef("completion takes bash, zsh or fish, not %q", shell)
	}
	_, err = fmt.Fprint(c.Stdout, script)
	return err
}
