package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/record/worklog"
)

// switchFlags are the options that switch parts of the worklog off, or more of it on. Every command takes them, and
// none but `worklog` lists them.
func switchFlags(into *policy.Switches) []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{
			Name: "no-worklog", Usage: "record nothing; statuses are verified all the same", Destination: &into.NoWorklog,
			Hidden: true,
		},
		&cli.BoolFlag{Name: "skip-verify", Usage: "verify no changes of status", Destination: &into.SkipVerify, Hidden: true},
		&cli.BoolFlag{Name: "no-checkpoints", Usage: "make no checkpoints", Destination: &into.NoCheckpoints, Hidden: true},
		&cli.BoolFlag{
			Name: "verbose-log", Usage: "record whole results of tools, secrets masked", Destination: &into.VerboseLog,
			Hidden: true,
		},
	}
}

// switchHelp names them in the one place that does: they are options of every command, and a matter of the worklog
// alone.
func switchHelp() string {
	help := []string{"Every command takes these, before its name or behind it:"}
	for _, f := range switchFlags(&policy.Switches{}) {
		help = append(help, fmt.Sprintf("   --%-15s %s", f.Names()[0], f.(*cli.BoolFlag).Usage))
	}
	return strings.Join(help, "\n")
}

// isSwitch reports whether an argument is one of these options. One with a value that it cannot have is left to the
// command, which may be the hook of a host: what it answers to that is its own matter.
func isSwitch(arg string) bool {
	name, value, hasValue := strings.Cut(arg, "=")
	if _, err := strconv.ParseBool(value); hasValue && err != nil || !strings.HasPrefix(name, "-") {
		return false
	}
	name = strings.TrimPrefix(name[1:], "-")
	return slices.ContainsFunc(switchFlags(&policy.Switches{}), func(f cli.Flag) bool { return f.Names()[0] == name })
}

// passSwitches hands what the options switch on to what this process starts, as variables: git and its hooks, agents,
// the companion.
func (c command) passSwitches(*cli.Context) error {
	for _, variable := range worklog.SwitchVariables(*c.switches) {
		if err := os.Setenv(variable, "1"); err != nil {
			return err
		}
	}
	return nil
}

// switched are the switches of the call: passSwitches has made variables of its options.
func (c command) switched() policy.Switches { return worklog.EnvSwitches(c.Getenv) }
