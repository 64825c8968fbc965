package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// settledHistory makes commits that settle one another: mistakes that are
// superseded or reverted later, one that is not, a merge, and commits that claim nothing.
func settledHistory(t *testing.T) *vector {
	t.Helper()
	v := newVector(t, &txtar.Archive{})
	write := func(name, body string) {
		if err := os.WriteFile(filepath.Join(v.dir, name), []byte(body), 0o666); err != nil {
			t.Fatal(err)
		}
		v.git("add", name)
	}
	act := func(unit, body string) {
		write(unit+".py", "def f(user):\n    "+body+"\n")
		v.git("commit", "--quiet", "--allow-empty", "-m", fmt.Sprintf("ACT: %s f\n\nDone: Add f() | %s.py:1-2", unit, unit))
	}
	act("T01", "pass")
	act("T02", "return user.check()")
	v.git("commit", "--quiet", "--allow-empty", "-m", "Nothing is claimed")
	act("T03", "pass")
	v.git("revert", "--no-edit", "HEAD")
	act("T01", "raise NotImplementedError")
	act("T04", "pass")
	v.git("checkout", "--quiet", "-b", "side", "HEAD~2")
	v.git("commit", "--quiet", "--allow-empty", "-m", "ADAPT: T02 done")
	v.git("checkout", "--quiet", "main")
	v.git("merge", "--quiet", "--no-ff", "-m", "Merge side", "side")
	act("T01", "return user.login()")
	write("T02.py", "def f(user):\n    pass\n") // hollows what was claimed and held
	v.git("commit", "--quiet", "-m", "Tidy up")
	return v
}
