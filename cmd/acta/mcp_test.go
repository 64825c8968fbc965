package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A session over `acta mcp` with the hooks installed: what the server commits the hooks judge, anchor and record, and
// what it left behind `acta verify` finds nothing against.
func TestMCPAndTheHooks(t *testing.T) {
	home := t.TempDir()
	shell := trailShell(t, home)
	if out := shell("acta install >/dev/null; acta plan add S01 --id T03 --description Login --item 'Add login() to src/login.py' --commit >/dev/null; " +
		"acta worklog start --task login >/dev/null; git status --porcelain"); out != "" {
		t.Fatal(out)
	}
	cmd := exec.Command(actaCommand(t), "mcp")
	cmd.Dir, cmd.Stderr = filepath.Join(home, "r"), os.Stderr
	cmd.Env = append(os.Environ(), gitEnv(home)...)
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	}()
	call := func(evidence string) (said string, refused bool) {
		r, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: "complete_task", Arguments: map[string]any{
			"task_id": "T03", "summary": "login", "actor_name": "executor-01", "commit": true,
			"checklist": []map[string]any{{"item": "Add login() to src/login.py", "status": "done", "evidence": evidence}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r.Content)
		if err != nil {
			t.Fatal(err)
		}
		return string(text), r.IsError
	}
	shell("printf 'def login(session, user):\\n    session.user = user\\n    return session\\n' >src/login.py; git add src")
	if said, refused := call("src/auth.py:1-2"); !refused || !strings.Contains(said, "[checklist_evidence_empty_impl]") {
		t.Error(said)
	}
	if said, refused := call("src/login.py:1-3"); refused {
		t.Fatal(said)
	}
	if said := shell("git log -2 --format=%B"); !strings.Contains(said, "ADAPT: M01/S01/T03 is complete") || !strings.Contains(said, "| src/login.py:1-3#login") {
		t.Error(said)
	}
	if said := shell("acta verify HEAD && git status --porcelain"); !strings.Contains(said, "1 verified; 0 errors, ") {
		t.Error(said)
	}
	r, err := client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "acta://worklog"})
	if err != nil {
		t.Fatal(err)
	}
	if text := r.Contents[0].Text; strings.Count(text, `"action": "Act"`) != 1 || strings.Count(text, `"action": "Adapt"`) != 1 {
		t.Error(text)
	}
}
