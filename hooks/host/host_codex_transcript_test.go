package host

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/acta-git/acta/record/worklog"
)

// The forms in which Codex writes how a command ended, by its id; what it printed says nothing.
func TestExitCodesInCodexTranscripts(t *testing.T) {
	other := `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"call_2","exit_code":7}}}`
	for line, want := range map[string]int{
		`{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"call_1","exit_code":3}}}`:                              3,
		`{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"call_1","exit_code":0}}`:                                                          0,
		`{"type":"response_item","payload":{"type":"function_call_output","call_id":"call_1","output":"Chunk ID: 5\nProcess exited with code 2\nOutput:\nx"}}`: 2,
		`{"type":"response_item","payload":{"type":"function_call_output","call_id":"call_1","output":"Chunk ID: 5\nOutput:\nProcess exited with code 2\n"}}`:  -1,
		`{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"call_2","exit_code":4,"cwd":"/call_1"}}`:                                          -1,
		`{"type":"response_item","payload":{"type":"function_call","call_id":"call_1","arguments":"{\"cmd\":\"exit 3\"}"}}`:                                    -1,
		`{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"call_1"}}}`:                                            -1,
		`call_1 is no JSON`: -1,
	} {
		got := -1
		if code := (codex{}).exitCode([]byte(line+"\n"+other+"\n"), "call_1"); code != nil {
			got = *code
		}
		if got != want {
			t.Errorf("%s: %d, want %d", line, got, want)
		}
	}
}

// Codex' payloads have nothing but what a command printed: its code stands in the transcript.
func TestCodexTranscriptsAreRead(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "rollout.jsonl")
	event := func(name, more string) {
		t.Helper()
		p := fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s","cwd":"$TOP","transcript_path":%q%s}`, name, file, more)
		if a := b.hook(codex{}, "s", p); len(a.Warnings) > 0 || a.Code != 0 {
			t.Fatalf("%+v", a)
		}
	}
	run := `,"tool_name":"Bash","tool_input":{"command":"pytest"},"tool_response":"1 failed\n","tool_use_id":"call_1"`
	event("SessionStart", "")
	event("PostToolUse", run) // there is no transcript
	text := `{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"call_1","exit_code":1}}` + "\n"
	for _, more := range []string{text, `{"type":"event_msg"`} { // a line that is not whole yet
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(more); err != nil || f.Close() != nil {
			t.Fatal(err)
		}
		event("PostToolUse", run)
		event("Stop", `,"last_assistant_message":"Well."`)
	}
	s := b.sessions("s")[0]
	if len(s.Entries) != 3 || s.Entries[0].Details.ExitCode != nil || s.Entries[2].Details.ExitCode == nil ||
		*s.Entries[2].Details.ExitCode != 1 || s.Entries[2].Status != worklog.Failed {
		t.Errorf("recorded:\n%s", lines(s.Entries))
	}
}
