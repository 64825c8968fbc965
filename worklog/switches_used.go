package worklog

import (
	"encoding/json"

	"github.com/acta-git/acta/policy"
)

// The switches by name, as events and statistics have them.
const (
	switchWorklog     = "no_worklog"
	switchVerify      = "skip_verify"
	switchCheckpoints = "no_checkpoints"
)

// skips are the switches that leave something out. More detail (verbose_log) leaves out nothing.
func skips() []string { return []string{switchWorklog, switchVerify, switchCheckpoints} }

// switchNames are the switches that are on and leave something out.
func switchNames(s policy.Switches) []string {
	var names []string
	for _, o := range []struct {
		on   bool
		name string
	}{{s.NoWorklog, switchWorklog}, {s.SkipVerify, switchVerify}, {s.NoCheckpoints, switchCheckpoints}} {
		if o.on {
			names = append(names, o.name)
		}
	}
	return names
}

// switchesUsed are the switches that the event log tells of, by session. What cannot be read of it is passed over.
func switchesUsed(commonDir string) map[string][]string {
	used := map[string][]string{}
	events, _, err := Events(commonDir).Read(0)
	if err != nil {
		return used
	}
	for _, e := range events {
		var said struct{ Switch, Session string }
		if e.Params == nil || json.Unmarshal(e.Params, &said) != nil || !IsSessionID(said.Session) {
			continue
		}
		for _, name := range skips() {
			if said.Switch == name {
				used[said.Session] = append(used[said.Session], name)
			}
		}
	}
	return used
}
