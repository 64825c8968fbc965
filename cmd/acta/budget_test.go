package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHooksKeepToTheirBudget: nothing on success, at most 40 lines a run, the errors before the warnings, and the
// command that prints all of it (docs/install.md).
func TestHooksKeepToTheirBudget(t *testing.T) {
	home := t.TempDir()
	v := &vector{T: t, home: home, dir: filepath.Join(home, "r"), acta: actaCommand(t)}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(v.dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(v.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	v.git("init", "--quiet", "--initial-branch=main")
	write("message", "Say something\n")
	v.git("add", ".")
	if out, errs, code := v.run("", v.acta, "hook", "commit-msg", "message"); out+errs != "" || code != exitClean {
		t.Errorf("an honest commit hears %q, exit code %d", out+errs, code)
	}
	v.git("commit", "--quiet", "-m", "Base")

	var stubs, claims strings.Builder
	for n := range 45 {
		fmt.Fprintf(&stubs, "def f%d():\n    pass\n", n)
		fmt.Fprintf(&claims, "Done: Add f%d | a.py:%d-%d\n", n, 2*n+1, 2*n+2)
	}
	write("a.py", stubs.String())
	v.git("add", ".")
	said := func(most int, args ...string) string {
		t.Helper()
		out, errs, _ := v.run("", v.acta, args...)
		if lines := strings.Count(out+errs, "\n"); lines > most {
			t.Errorf("acta %v prints %d lines, and %d are the most:\n%s%s", args, lines, most, out, errs)
		}
		return out + errs
	}
	if got := said(maxLines, "hook", "pre-commit"); !strings.Contains(got, "more: acta check\n") {
		t.Error(got)
	}
	write("message", "ACT: T01\n\n"+claims.String()+"Done: Add g | gone.py:1\nOutcome: success\n")
	got := said(maxLines, "hook", "commit-msg", "message")
	for _, want := range []string{"gone.py", "more: acta check\n", "46 errors", "acta: the commit was refused"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if all := said(200, "check", "--message", "message"); strings.Count(all, ": error: ") != 46 {
		t.Errorf("check prints\n%s", all)
	}

	v.git("commit", "--quiet", "-F", "message")
	head, _, _ := v.run("", "git", "rev-parse", "HEAD")
	head = strings.TrimSpace(head)
	var refs strings.Builder
	for n := range 30 {
		fmt.Fprintf(&refs, "refs/heads/b%d %s refs/heads/b%d %s\n", n, head, n, strings.Repeat("0", 40))
	}
	out, errs, code := v.run(refs.String(), v.acta, "hook", "pre-push", "origin", v.dir)
	if strings.Count(out+errs, "\n") > maxLines || code != exitFindings || !strings.Contains(errs, "acta: and 29 more: acta audit\n") ||
		!strings.Contains(errs, "more: acta verify "+head+"\n") {
		t.Errorf("pre-push prints, with exit code %d,\n%s%s", code, out, errs)
	}
}
