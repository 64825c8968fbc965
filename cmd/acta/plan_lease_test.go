package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Forty processes race for one unit: one wins, and all others hear who.
func TestOneProcessWinsAUnit(t *testing.T) {
	home := t.TempDir()
	dir, acta := filepath.Join(home, "r"), actaCommand(t)
	env := append(os.Environ(), gitEnv(home)...)
	run := func(name string, args ...string) (string, string, int) {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, env
		var out, complaint strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &complaint
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			t.Error(err)
			return "", "", -1
		}
		return out.String(), complaint.String(), cmd.ProcessState.ExitCode()
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, complaint, code := run("git", "init", "-q"); code != 0 {
		t.Fatal(complaint)
	}
	const racers = 40
	var out, complaints [racers]string
	var codes [racers]int
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range racers {
		all.Go(func() {
			<-start
			out[i], complaints[i], codes[i] = run(acta, "plan", "lease", "M01/S01/T01", "--actor", fmt.Sprintf("executor-%03d", i))
		})
	}
	close(start)
	all.Wait()
	owner, _, _ := run(acta, "plan", "owner", "M01/S01/T01")
	winners := 0
	for i := range racers {
		me := fmt.Sprintf("executor-%03d", i)
		if codes[i] == 0 {
			winners++
			if !strings.Contains(owner, "is owned by "+me+",") || out[i] != "M01/S01/T01 is leased to "+me+"\n" {
				t.Errorf("%s won, and %s", me, owner)
			}
			continue
		}
		_, after, _ := strings.Cut(owner, "is owned by ")
		who, _, _ := strings.Cut(after, ",")
		if want := fmt.Sprintf("acta: Task M01/S01/T01 is owned by %s, not %s [unit_not_owned]\n", who, me); codes[i] != 1 || complaints[i] != want {
			t.Errorf("%s: exit code %d, %q; want %q", me, codes[i], complaints[i], want)
		}
	}
	if winners != 1 {
		t.Errorf("%d winners", winners)
	}
	// The winner alone has an event, and the losers' entries are in one log.
	if said, _, code := run(acta, "audit", "verify"); code != 0 || !strings.Contains(said, "event-log.jsonl: 1 line, unchanged") {
		t.Errorf("exit code %d: %s", code, said)
	}
}
