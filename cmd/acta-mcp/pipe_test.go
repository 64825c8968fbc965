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

// A line that is no message is answered with an error, and the session goes on.
func TestBadLinesAreAnswered(t *testing.T) {
	w := newWorld(t, thePlan)
	program, err := exec.LookPath("acta-mcp")
	if err != nil {
		t.Fatal(err)
	}
	bad := []struct {
		line string
		code int
	}{
		{"garbage", -32700}, {"[]", -32600}, {"5", -32600}, {"null", -32600}, {"{}", -32600}, {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"} {}`, -32700}, {`"` + strings.Repeat("x", 20<<20) + `"`, -32600}, {"\xff\x00", -32700},
	}
	var in strings.Builder
	in.WriteString(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}

`)
	for _, b := range bad {
		in.WriteString(b.line + "\n")
	}
	in.WriteString(`{"jsonrpc":"2.0","id":2,"method":"ping"}`) // and no line feed
	cmd := exec.Command(program)
	cmd.Dir, cmd.Env, cmd.Stdin = w.dir, w.env, strings.NewReader(in.String())
	said, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var codes []int
	lived := false
	for line := range strings.Lines(string(said)) {
		var answer struct {
			ID    any
			Error struct{ Code int }
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if answer.ID == nil {
			codes = append(codes, answer.Error.Code)
		}
		lived = lived || answer.ID == 2.0 && answer.Error.Code == 0
	}
	for i, b := range bad {
		if i >= len(codes) || codes[i] != b.code {
			t.Errorf("%.40s: codes are %v, want %d", b.line, codes, b.code)
		}
	}
	if !lived || len(codes) != len(bad) {
		t.Errorf("the session ended: %.400s", said)
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
