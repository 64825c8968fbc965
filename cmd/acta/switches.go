package main

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/record/worklog"
)

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
