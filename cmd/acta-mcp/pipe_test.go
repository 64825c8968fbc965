package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

// A client that asks and closes at once gets its answers, and what it asked for is done.
func TestTheEndOfInputWaitsForTheCalls(t *testing.T) {
	w := newWorld(t, thePlan)
	w.stage("src/auth.py", loginCode)
	program, err := exec.LookPath("acta-mcp")
	if err != nil {
		t.Fatal(err)
	}
	report, err := json.Marshal(committed(loginReport("src/auth.py:1-4")))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Dir, cmd.Env = w.dir, w.env
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"complete_task","arguments":` + string(report) + `}}
`)
	var said, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &complaint
	if err := cmd.Run(); err != nil || complaint.Len() > 0 {
		t.Errorf("%v\n%s", err, complaint.String())
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"serverInfo"`) || !strings.Contains(lines[1], `\"complete\":true`) {
		t.Errorf("%s", said.String())
	}
	if log := w.git("log", "--format=%s"); !strings.HasPrefix(log, "ADAPT: M01/S01/T01 is complete\nACT: ") {
		t.Error(log)
	}
}

// What is no call of the executable is exit code 2, and nothing is on standard output but the protocol.
func TestArguments(t *testing.T) {
	var said, complaint bytes.Buffer
	if code := run([]string{"--help"}, nil, nil, &complaint); code != 2 || !strings.Contains(complaint.String(), "docs/mcp.md") {
		t.Error(code, complaint.String())
	}
	if code := run([]string{"--version"}, nil, nopCloser{&said}, nil); code != 0 || !strings.HasPrefix(said.String(), "acta-mcp version ") {
		t.Error(code, said.String())
	}
}

type nopCloser struct{ *bytes.Buffer }

func (nopCloser) Close() error { return nil }
