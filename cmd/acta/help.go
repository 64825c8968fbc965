package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/judge/policy"
)

func (c command) help() *cli.Command {
	return &cli.Command{Name: "help"}
}

//go:embed help.txt
var helpText []byte

// words are those of help.txt by the name of a command.
func words() map[string]cli.Command {
	all := map[string]cli.Command{}
	for _, section := range txtar.Parse(helpText).Files {
		name, arguments, _ := strings.Cut(section.Name, " | ")
		usage, description, _ := strings.Cut(strings.TrimSuffix(string(section.Data), "\n"), "\n")
		all[name] = cli.Command{ArgsUsage: arguments, Usage: usage, Description: description}
	}
	return all
}

// explain gives the commands below a name the words that they do not have of themselves.
func explain(above string, commands []*cli.Command, words map[string]cli.Command) {
	for _, cmd := range commands {
		said := words[above+cmd.Name]
		cmd.ArgsUsage = cmp.Or(cmd.ArgsUsage, said.ArgsUsage)
		cmd.Usage = cmp.Or(cmd.Usage, said.Usage)
		cmd.Description = cmp.Or(cmd.Description, said.Description)
		explain(above+cmd.Name+" ", cmd.Subcommands, words)
	}
}

func (c command) version() *cli.Command {
	return &cli.Command{
		Name: "version",
		Action: atMost(0, func(ctx *cli.Context) error {
			cli.ShowVersion(ctx)
			return nil
		}),
	}
}

// helpAsOption makes `acta help COMMAND` what every command knows: `acta COMMAND --help`.
func helpAsOption(args []string) []string {
	if len(args) < 2 || args[1] != "help" || slices.Contains(args, "--help") {
		return args
	}
	return slices.Concat(args[:1], args[2:], []string{"--help"})
}

// needsName is the action of what only has commands below it. Without a name its
// help goes to standard error: a script that calls nothing must fail.
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
		return exit(exitUsage)
	}
}

// noName is the error of an argument for a command that takes none, and has commands below it.
func noName(ctx *cli.Context) error {
	if name := ctx.Args().First(); name != "" {
		return unknownCommand(ctx.Command.Name+" ", name, ctx.Command.Subcommands)
	}
	return nil
}

// unknownCommand names the command that is near, else one below another that is called so.
func unknownCommand(above, name string, among []*cli.Command) error {
	var known []string
	meant := ""
	for _, cmd := range among {
		known = append(known, cmd.Names()...)
		if below := commandNamed(cmd.Subcommands, name); below != nil {
			meant = fmt.Sprintf("; did you mean \"%s %s\"?", cmd.Name, name)
		}
	}
	return usagef("there is no command %q%s", above+name, cmp.Or(policy.DidYouMean(name, known), meant))
}

// usageErrorOf says of an option that is not known which one is near.
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

// completing reports whether a shell asks how the line goes on.
func completing(args []string) bool {
	return len(args) > 0 && args[len(args)-1] == "--"+cli.BashCompletionFlag.Names()[0]
}

// completions are the scripts that ask acta; the library writes fish's.
var completions = map[string]string{
	"bash": `_acta() {
    local current=${COMP_WORDS[COMP_CWORD]} call=("${COMP_WORDS[@]:0:COMP_CWORD}")
    if [[ $current == -* ]]; then call+=("$current"); fi
    COMPREPLY=($(compgen -W "$("${call[@]}" --generate-bash-completion 2>/dev/null)" -- "$current"))
}
complete -o default -F _acta acta
`,
	"zsh": `#compdef acta
_acta() {
    local -a call found
    call=($words[1,CURRENT-1])
    [[ $PREFIX == -* ]] && call+=($PREFIX)
    found=(${(f)"$($call --generate-bash-completion 2>/dev/null)"})
    if (( $#found )); then compadd -a found; else _files; fi
}
compdef _acta acta
`,
}

func (c command) completion() *cli.Command {
	return &cli.Command{
		Name: "completion",
		Action: func(ctx *cli.Context) error {
			shell, script := ctx.Args().First(), ""
			if err := arguments(ctx, 1); err != nil {
				return err
			}
			switch shell {
			case "bash", "zsh":
				script = completions[shell]
			case "fish":
				fish, err := ctx.App.ToFishCompletion()
				if err != nil {
					return err
				}
				script = fish
			default:
				return usagef("completion takes bash, zsh or fish, not %q", shell)
			}
			_, err := fmt.Fprint(c.Stdout, script)
			return err
		},
	}
}
