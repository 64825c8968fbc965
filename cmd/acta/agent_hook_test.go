package main

import (
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Hooks of one session of a host that come at once, and first of all, record in one worklog.
func TestManyHooksOfOneSession(t *testing.T) {
	const calls = 12
	b := newWorklogBench(t)
	var all sync.WaitGroup
	var want []string
	for i := range calls {
		file := fmt.Sprintf("src/%d.py", i)
		want = append(want, "edit "+file)
		all.Go(func() {
			payload := fmt.Sprintf(`{"hook_event_name":"PostToolUse","session_id":"s","cwd":%q,"tool_name":"Edit","tool_input":{"file_path":%q}}`, b.dir, b.dir+"/"+file)
			cmd := exec.Command(b.acta, "agent", "hook", "--host", "claude")
			cmd.Dir, cmd.Env, cmd.Stdin = b.dir, b.env, strings.NewReader(payload)
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	all.Wait()
	sessions := strings.Split(b.run(b.dir, b.acta, "worklog", "list"), "\n")
	if len(sessions) != 1 {
		t.Fatalf("%d sessions:\n%s", len(sessions), strings.Join(sessions, "\n"))
	}
	b.run(b.dir, b.acta, "worklog", "finish", "--outcome", "success")
	id, _, _ := strings.Cut(sessions[0], " ")
	b.account(id, want)
}
