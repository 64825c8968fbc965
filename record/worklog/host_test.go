package worklog

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/record/journal"
)

func openedHost(t *testing.T, dir string) (h *HostState, unlock func() error) {
	t.Helper()
	h, unlock, err := OpenHost(t.Context(), dir, "claude", "a/session of its host")
	if err != nil {
		t.Fatal(err)
	}
	return h, unlock
}

func TestAHostsSessionIsRemembered(t *testing.T) {
	dir := t.TempDir()
	h, unlock := openedHost(t, dir)
	h.Task, h.Lists, h.Reminded = "Add it", map[string][]Todo{"": {{"1", "a", "pending"}}}, []string{"T01"}
	if h.LocalSession() != nil {
		t.Error("nobody has begun a worklog")
	}
	l, err := Start(t.Context(), dir, Beginning{Started: when, Tier: "STRICT", Host: "claude", HostSession: h.ID})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Save(); err != nil {
		t.Fatal(err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	again, unlock := openedHost(t, dir) // which finds the session, though nobody has told it
	if again.Task != "Add it" || !slices.Equal(again.Reminded, h.Reminded) || again.Lists[""][0] != h.Lists[""][0] || again.Session != l.ID || again.LocalSession() == nil {
		t.Errorf("got %+v", again)
	}
	if err := again.LocalSession().Rename(t.Context(), "Add it with ghp_"+strings.Repeat("a", 36)); err != nil {
		t.Fatal(err)
	}
	if got := OpenStored(dir, l.ID).Task; got != "Add it with [masked-GitHub-token]" {
		t.Errorf("the task is %q", got)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "acta", "hosts", "claude-*.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	write(t, files[0], []byte("{"))
	broken, unlock := openedHost(t, dir)
	if broken.Task != "" || broken.Session != l.ID {
		t.Errorf("a state that cannot be read: %+v", broken)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
}

// Hosts call acta at each tool, and few calls change the state.
func TestAHostsStateIsWrittenOnlyIfItHasChanged(t *testing.T) {
	dir := t.TempDir()
	saved := func(task string) os.FileInfo {
		t.Helper()
		h, unlock := openedHost(t, dir)
		h.Task = task
		if err := errors.Join(h.Save(), unlock()); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(h.file)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	first, same, other := saved("Add it"), saved("Add it"), saved("Add more")
	if !os.SameFile(first, same) || os.SameFile(same, other) {
		t.Errorf("written again: %t; written when changed: %t", !os.SameFile(first, same), !os.SameFile(same, other))
	}
}

func TestStatesOfHostsAreForgotten(t *testing.T) {
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{"old": 31 * 24 * time.Hour, "new": time.Hour} {
		file := filepath.Join(dir, name)
		write(t, file, nil)
		if err := os.Chtimes(file, when.Add(-age), when.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := removeOldFiles(dir, when); err != nil {
		t.Fatal(err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 || names[0].Name() != "new" {
		t.Errorf("left: %v, %v", names, err)
	}
}

func TestHowASessionEndedWhereNobodySays(t *testing.T) {
	act := func(status Status, outcome string) Operation {
		return Operation{Time: FormatTime(when), Action: ActDone, Status: status, Details: Details{Outcome: outcome}}
	}
	adapt := func(to string) Operation {
		return Operation{Action: AdaptDone, Status: Completed, Details: Details{StatusChanges: []StatusChange{{"T01", "pending", to}}}}
	}
	run := func(command string, status Status) Operation {
		return Operation{Time: FormatTime(when), Action: Bash, Status: status, Context: command}
	}
	for name, c := range map[string]struct {
		entries []Operation
		want    Outcome
	}{
		"nothing happened":         {nil, Aborted},
		"a task is complete":       {[]Operation{adapt("in_progress"), adapt("complete")}, Success},
		"a task was begun":         {[]Operation{adapt("in_progress")}, Aborted},
		"an ACT":                   {[]Operation{act(Completed, "")}, Success},
		"an ACT that failed":       {[]Operation{act(Completed, ""), act(Failed, "")}, Failure},
		"one that says so":         {[]Operation{act(Completed, "failure")}, Failure},
		"one that was given up":    {[]Operation{act(Failed, "aborted")}, Aborted},
		"tests that failed":        {[]Operation{run("pytest", Failed)}, Aborted},
		"tests that passed":        {[]Operation{run("pytest", Completed)}, Aborted},
		"an ACT says more of them": {[]Operation{run("pytest", Failed), act(Completed, "")}, Success},
	} {
		l, err := Start(t.Context(), t.TempDir(), Beginning{Started: when, Tier: "STRICT"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.add(t.Context(), logLines(c.entries)...); err != nil {
			t.Fatal(err)
		}
		if got, err := l.InferredOutcome(); err != nil || got != c.want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, c.want)
		}
	}
}

// The audit log of this machine says which units' ACTs were refused; one that was made since matters more.
func TestUnitsWhoseACTsWereRefused(t *testing.T) {
	dir := t.TempDir()
	l, err := Start(t.Context(), dir, Beginning{Started: when, Tier: "STRICT"})
	if err != nil {
		t.Fatal(err)
	}
	log := func(session, cmd string, params map[string]any) {
		t.Helper()
		if _, err := journal.Audit(dir).Append(t.Context(), journal.Caller{Actor: journal.Agent, Session: session}, when, journal.Action{Cmd: cmd, Params: params}); err != nil {
			t.Fatal(err)
		}
	}
	refused := map[string]any{"severity": journal.ErrorSeverity, "unit": "T01"}
	log(l.ID, "hook commit-msg", refused)
	log(l.ID, "hook commit-msg", refused)
	log(l.ID, "hook commit-msg", map[string]any{"verdict": "not_verified", "unit": "T02"})
	log(l.ID, "hook commit-msg", map[string]any{"severity": journal.WarningSeverity, "unit": "T03"})
	log(l.ID, "check", map[string]any{"severity": journal.ErrorSeverity, "unit": "T04"})
	log("another", "hook commit-msg", map[string]any{"severity": journal.ErrorSeverity, "unit": "T05"})
	if got := l.RefusedUnits(); !slices.Equal(got, []string{"T01", "T02"}) {
		t.Errorf("got %v", got)
	}
	act := Operation{Time: FormatTime(when), Action: ActDone, Status: Completed, Details: Details{Unit: "T01"}}
	if _, err := l.add(t.Context(), logLines([]Operation{act})...); err != nil {
		t.Fatal(err)
	}
	if got := l.RefusedUnits(); !slices.Equal(got, []string{"T02"}) {
		t.Errorf("after an ACT of the one: %v", got)
	}
	act.Time, act.Details.Unit = FormatTime(when.Add(time.Minute)), "T06"
	if _, err := l.add(t.Context(), logLines([]Operation{act})...); err != nil {
		t.Fatal(err)
	}
	if got := l.RefusedUnits(); got != nil {
		t.Errorf("after a later one: %v", got)
	}
}
