package host

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

// A session whose only ACT was refused has not succeeded, as long as the unit is open.
func TestASessionWhoseOnlyActWasRefusedFails(t *testing.T) {
	for name, c := range map[string]struct {
		status string
		params map[string]any
		want   worklog.Outcome
	}{
		"a false claim":          {"in_progress", map[string]any{"verdict": "not_verified", "unit": "T01"}, worklog.Failure},
		"an error of form":       {"in_progress", map[string]any{"severity": "error", "rule": "checklist_missing", "unit": "T01"}, worklog.Failure},
		"of what is done by now": {"complete", map[string]any{"severity": "error", "unit": "T01"}, worklog.Success},
		"of no task":             {"in_progress", map[string]any{"severity": "error", "rule": "policy_invalid"}, worklog.Aborted},
		"a warning":              {"in_progress", map[string]any{"severity": "warning", "unit": "T01"}, worklog.Aborted},
	} {
		b := newBench(t)
		b.T = t
		b.write("working_plan/current.json", `{"id": "R", "type": "parent", "children": [{"id": "T01", "type": "atomic", "status": "`+c.status+`"}]}`)
		b.git("add", "-A")
		b.git("commit", "-q", "-m", "Plan")
		b.hook(claude{}, "s", `{"session_id": "s", "cwd": "$TOP", "hook_event_name": "SessionStart"}`)
		id := b.sessions("s")[0].ID
		by := journal.Caller{Actor: journal.Agent, Session: id}
		if _, err := journal.Audit(filepath.Join(b.top, ".git")).Append(t.Context(), by, b.now, journal.Action{Cmd: "hook commit-msg", Params: c.params}); err != nil {
			t.Fatal(err)
		}
		b.hook(claude{}, "s", `{"session_id": "s", "cwd": "$TOP", "hook_event_name": "SessionEnd"}`)
		if got := b.sessions("s")[0].Outcome; got != c.want {
			t.Errorf("%s: the session ends as %s, want %s", name, got, c.want)
		}
	}
}

// The first call of a session names a core.hooksPath by which git finds no hook, and only the first.
func TestTheFirstCallNamesHooksThatAreNotFound(t *testing.T) {
	hiding := t.TempDir()
	for name, c := range map[string]struct{ path, says string }{
		"of a work tree that is gone": {"/gone/tree/.husky", "is /gone/tree/.husky in the local configuration, which is not there"},
		"of another work tree":        {".husky/_", "is the relative path .husky/_ in the local configuration"},
		"that is there":               {"shared", ""},
		"of another tool":             {hiding, "holds acta's hooks, but git does not run them, because core.hooksPath is " + hiding},
		"that nothing sets":           {"", ""},
	} {
		b := newBench(t)
		b.T = t
		b.write("shared/commit-msg", "#!/bin/sh\n")
		if c.path == hiding {
			r, err := repo.Open(t.Context(), b.top, repo.Options{})
			if err == nil {
				_, err = hooks.Install(t.Context(), r, hooks.Options{Binary: "/opt/acta"})
			}
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
		}
		if c.path != "" {
			b.git("config", "core.hooksPath", c.path)
		}
		start := `{"session_id": "s", "cwd": "$TOP", "hook_event_name": "SessionStart"}`
		for i, says := range []string{c.says, ""} {
			said := strings.Join(b.hook(claude{}, "s", start).Warnings, "\n")
			if (said == "") != (says == "") || !strings.Contains(said, says) {
				t.Errorf("%s: call %d says %q, want %q", name, i+1, said, says)
			}
		}
	}
}
