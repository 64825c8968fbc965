package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A hook script saves starting acta where there is nothing to ask. These tests hold what
// the hook scripts that `acta install` writes do to what the same hooks do when each of
// them starts acta and nothing is left out.

// asked are hooks that are installed as scripts that only start acta.
var asked = []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"}

func TestHookScriptsRefuseWhatTheHooksRefuse(t *testing.T) {
	template := makeTemplate(t, gitFolder(t))
	messages := []struct {
		said, text string
		lies       bool
	}{
		{"claims nothing", "An ordinary commit\n", true},
		{"picked", "An ordinary commit\n\n(cherry picked from commit 0123456789012345678901234567890123456789)\n", true},
		{"honest", "ACT: T01 rework g\n\nDone: Rework g | real.py:1-2\n", false},
	}
	tried := 0
	for _, y := range ways() {
		if !strings.HasPrefix(y.name, "`git commit") && !strings.HasPrefix(y.name, "in a ") {
			continue
		}
		for _, m := range messages {
			tried++
			t.Run(y.name+" "+m.said, func(t *testing.T) {
				t.Parallel()
				var made [2]bool
				for i, install := range []func(w *world){
					func(w *world) { w.installBare(asked...) },
					func(w *world) { w.installAll() },
				} {
					w := newWorld(t, template, m.lies)
					w.writeFile(w.message, m.text)
					if y.prepare != nil {
						y.prepare(w)
					}
					install(w)
					made[i] = y.make(w)
				}
				passes := !m.lies || strings.Contains(y.name, "no-verify")
				if made[0] != passes || made[1] != passes {
					t.Errorf("with all hooks asked it is made: %v, with the scripts: %v; want %v", made[0], made[1], passes)
				}
			})
		}
	}
	if tried < 15 {
		t.Errorf("only %d cases", tried)
	}
}

// What prepare-commit-msg writes is the same, whether its script starts acta or not.
func TestHookScriptsPrepareWhatTheHookPrepares(t *testing.T) {
	template := makeTemplate(t, gitFolder(t))
	long := "Subject\n" + strings.Repeat("\nA line of it", 120)
	const added = "Actor: a"
	cases := []struct {
		name, message string
		env, config   []string
		add           bool
	}{
		{"nothing known", "ACT: T01 x\n", nil, nil, false},
		{"environment", "ACT: T01 x\n", []string{"ACTA_ACTOR=a"}, nil, true},
		{"session only", "ACT: T01 x\n", []string{"ACTA_SESSION=s"}, nil, false},
		{"configuration", "ACT: T01 x\n", nil, []string{"acta.actor", "a"}, true},
		{"configured with another case", "ADAPT: T01 x\n", nil, []string{"ACTA.Actor", "a"}, true},
		{"other configuration", "ACT: T01 x\n", nil, []string{"acta.anchor", "false"}, false},
		{"no title", "Exact: not\n", []string{"ACTA_ACTOR=a"}, nil, false},
		{"no title at all", "Ordinary\n", nil, []string{"acta.actor", "a"}, false},
		{"a task", "Ordinary\n", []string{"ACTA_UNIT=T01"}, []string{"acta.actor", "a"}, true},
		{"a task, nobody", "Ordinary\n", []string{"ACTA_UNIT=T01"}, nil, false},
		{"title in the report", "feat: x\n\nDone: y\nAct: T01\n", nil, []string{"acta.actor", "a"}, true},
		{"title without line feed", "ADAPT: T01 x", nil, []string{"acta.actor", "a"}, true},
		{"title far down", long + "\n\nAct: T01\n", nil, []string{"acta.actor", "a"}, true},
		{"an editor, no template", "ACT: T01 x\n", []string{"GIT_EDITOR=true"}, nil, false},
		{"an editor", "ACT: T01 x\n", []string{"GIT_EDITOR=true"}, []string{"acta.actor", "a"}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var wrote [2]string
			for i := range wrote {
				w := newWorld(t, template, false)
				w.writeFile(w.message, c.message)
				if c.config != nil {
					w.git(append([]string{"config"}, c.config...)...)
				}
				if i == 0 {
					w.installBare("prepare-commit-msg")
				} else {
					w.keep("prepare-commit-msg")
				}
				w.env = append([]string{"GIT_EDITOR=:"}, c.env...)
				args := []string{"commit", "--quiet", "--allow-empty", "--file", w.message}
				if strings.HasPrefix(c.name, "an editor") {
					args = append(args, "--edit")
				}
				w.git(args...)
				wrote[i] = w.git("log", "-1", "--format=%B")
			}
			if wrote[0] != wrote[1] || strings.Contains(wrote[0], added) != c.add {
				t.Errorf("the hook makes of it\n%s\nand its script\n%s\nwant %q: %v", wrote[0], wrote[1], added, c.add)
			}
		})
	}
}

// installBare installs hooks that only start acta.
func (w *world) installBare(names ...string) {
	w.Helper()
	for _, name := range names {
		w.writeFile(filepath.Join(w.hooksDir(), name), fmt.Sprintf("#!/bin/sh\nexec '%s' hook %s \"$@\"\n", w.acta, name))
	}
}

// installAll installs as users do.
func (w *world) installAll() {
	w.Helper()
	if out, code := w.run(w.dir, w.acta, "install"); code != exitClean {
		w.Fatalf("acta install: %s", out)
	}
}

// gitFolder is where the git on PATH is.
func gitFolder(t *testing.T) string {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(git)
}
