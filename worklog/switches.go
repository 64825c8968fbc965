package worklog

import (
	"slices"
	"strings"

	"github.com/acta-git/acta/policy"
)

// EnvSwitches are what ACTA_NO_WORKLOG, ACTA_SKIP_VERIFY, ACTA_NO_CHECKPOINTS and
// ACTA_VERBOSE_LOG switch: 1 does, and so do true, yes and on.
func EnvSwitches(getenv func(string) string) policy.Switches {
	isOn := func(name string) bool {
		return slices.Contains([]string{"1", "true", "yes", "on"}, strings.ToLower(strings.TrimSpace(getenv(name))))
	}
	return policy.Switches{
		NoWorklog: isOn("ACTA_NO_WORKLOG"), SkipVerify: isOn("ACTA_SKIP_VERIFY"),
		NoCheckpoints: isOn("ACTA_NO_CHECKPOINTS"), VerboseLog: isOn("ACTA_VERBOSE_LOG"),
	}
}

// SwitchVariables are the variables that switch the same: a process sets them for what it starts.
func SwitchVariables(s policy.Switches) []string {
	names := s.Names()
	for i := range names {
		names[i] = "ACTA_" + strings.ToUpper(names[i])
	}
	return names
}
