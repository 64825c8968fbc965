package worklog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acta-git/acta/policy"
)

// The sources of a switch.
const (
	ByFlag   = "flag"
	ByEnv    = "env"
	ByPolicy = "policy"
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

// SwitchAll is Switch for the options of a call, and for its variables.
func (r *Recorder) SwitchAll(ctx context.Context, now time.Time, options policy.Switches, getenv func(string) string) error {
	return errors.Join(r.Switch(ctx, now, options, ByFlag), r.Switch(ctx, now, EnvSwitches(getenv), ByEnv))
}

// Switch lets what a source switches hold for this recorder, and records that it was used. An error means that the use
// is not recorded; the switches hold.
func (r *Recorder) Switch(ctx context.Context, now time.Time, s policy.Switches, source string) error {
	r.Switches = r.Switches.Or(s)
	return r.Used(ctx, now, s, source)
}

// Used records in the event log what a source switches: once a session, switch and source.
func (l *Live) Used(ctx context.Context, now time.Time, s policy.Switches, source string) (err error) {
	names := s.Names()
	if len(names) == 0 {
		return nil
	}
	path := l.file(".switches")
	known, err := usesIn(path)
	if err != nil || !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(known, name+" "+source) }) {
		return err
	}
	unlock, err := lock(ctx, path, sessionWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if known, err = usesIn(path); err != nil {
		return err
	}
	var acts []Act
	for _, name := range names {
		if use := name + " " + source; !slices.Contains(known, use) {
			known = append(known, use)
			acts = append(acts, Act{Cmd: "worklog switch", Params: map[string]any{"switch": name, "source": source, "session": l.ID}})
		}
	}
	if len(acts) == 0 {
		return nil
	}
	if _, err := Events(filepath.Dir(filepath.Dir(l.dir))).Append(ctx, By{Actor: Agent, Name: l.Actor, Session: l.ID}, now, acts...); err != nil {
		return fmt.Errorf("the use of %s is not in the event log: %w", strings.Join(names, ", "), err)
	}
	return replace(path, []byte(strings.Join(known, "\n")+"\n"))
}

// usesIn are the uses that a session has recorded.
func usesIn(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' }), err
}
