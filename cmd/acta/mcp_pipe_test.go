package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo/repotest"
)

// begin is what every client says first.
const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// served is what `acta mcp` prints in a repository with a plan and a staged file, to a client that asks and closes at once.
func served(t *testing.T, in string) (*repotest.WorkTree, string) {
	t.Helper()
	w := repotest.NewWorkTree(t)
	w.Write("working_plan/current.json", `{"id": "SHOP", "type": "parent", "children": [
		{"id": "T01", "type": "atomic", "status": "pending", "checklist": [{"item": "Add login() to src/auth.py"}]}]}`)
	w.Commit("The plan")
	w.Write("src/auth.py", "def login(user, password):\n    session = Session(user)\n    session.open(password)\n    return session\n")
	w.Git("add", ".")
	cmd := exec.Command(actaCommand(t), "mcp")
	cmd.Dir, cmd.Stdin = w.Dir, strings.NewReader(in)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, complaint.String())
	}
	return w, string(out)
}

// A client that asks and closes at once gets its answers, and what it asked for is done.
func TestTheEndOfInputWaitsForTheCalls(t *testing.T) {
	const report = `{"task_id": "T01", "commit": true, "checklist": [
		{"item": "Add login() to src/auth.py", "status": "done", "evidence": "src/auth.py:1-4"}]}`
	w, said := served(t, begin+`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"complete_task","arguments":`+
		strings.ReplaceAll(report, "\n", " ")+"}}\n")
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"serverInfo"`) || !strings.Contains(lines[1], `\"complete\":true`) {
		t.Errorf("%s", said)
	}
	if log := w.Git("log", "--format=%s"); !strings.HasPrefix(log, "ADAPT: T01 is complete\nACT: ") {
		t.Error(log)
	}
}

// An invalid message is answered with an error, and the calls around it with their results.
func TestAnInvalidMessageIsAnswered(t *testing.T) {
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":7}`, `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":null,"method":"tools/list"}`,
	} {
		_, said := served(t, begin+message+"\n"+`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n")
		lines := strings.Split(strings.TrimSpace(said), "\n")
		if len(lines) != 3 || !strings.Contains(said, `"code":-32600`) || !strings.Contains(said, `"complete_task"`) {
			t.Errorf("%s: %s", message, said)
		}
	}
}
