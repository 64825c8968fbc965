package host

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Copilot gives no message at its Stop, and writes its transcript after it has called the hook.
func TestStopOfCopilot(t *testing.T) {
	const (
		asks  = `{"type":"user.message","data":{"content":"Add the login"}}` + "\n"
		uses  = `{"type":"assistant.message","data":{"content":"All done.","toolRequests":[{"toolCallId":"c1"}]}}` + "\n" + `{"type":"tool.execution_start","data":{"toolCallId":"c1"}}` + "\n"
		says  = `{"type":"assistant.message","data":{"content":"All done.","toolRequests":[]}}` + "\n"
		hooks = `{"type":"assistant.turn_end","data":{}}` + "\n" + `{"type":"hook.start","data":{"hookType":"agentStop"}}` + "\n"
	)
	for text, want := range map[string]string{asks + says + hooks: "All done.", asks + uses: "", asks + uses + says: "All done.", says + hooks + asks: "", "{\n[]\n": ""} {
		if got := (copilot{}).lastMessage([]byte(text)); got != want {
			t.Errorf("%s says %q, want %q", text, got, want)
		}
	}
	b := planned(t, "pending")
	file := filepath.Join(t.TempDir(), "events.jsonl")
	payload, err := json.Marshal(map[string]any{
		"hook_event_name": "Stop", "session_id": "s1", "timestamp": "2026-11-23T08:26:57.166Z", "cwd": b.top,
		"transcript_path": file, "stop_reason": "end_turn", "stop_hook_active": false,
	})
	if err == nil {
		err = os.WriteFile(file, []byte(asks), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if out := b.hook(copilot{}, "s1", string(payload)).Stdout; out != "" {
		t.Errorf("of one that says nothing: %q", out)
	}
	written := make(chan error)
	go func() { written <- appendTo(file, says+hooks) }()
	if out := b.hook(copilot{}, "s1", string(payload)).Stdout; !strings.Contains(out, "T01 is not done") {
		t.Errorf("who says so in the transcript is told %q", out)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
	if out := b.hook(copilot{}, "s1", string(payload)).Stdout; out != "" {
		t.Errorf("and again: %q", out)
	}
	// What cannot be read says nothing, and is waited for by nobody.
	unread := []string{t.TempDir(), filepath.Join(t.TempDir(), "none"), "t.jsonl", "~/none.jsonl"}
	for _, path := range waits(t) {
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
		unread = append(unread, path, link)
	}
	for _, path := range unread {
		at := strings.NewReplacer(file, path, `"s1"`, `"s3"`).Replace(string(payload))
		if a := b.hook(copilot{}, "s3", at); a.Stdout != "" || len(a.Warnings) > 0 || a.Code != 0 {
			t.Errorf("with %s: %+v", path, a)
		}
	}
	long := strings.Repeat(hooks, 1+maxTranscript/len(hooks))
	for _, text := range []string{asks + says + long, asks + strings.Replace(says, "All", strings.Repeat("x", maxTranscript), 1)} {
		err := os.WriteFile(file, []byte(text), 0o666)
		if out := b.hook(copilot{}, "s3", strings.ReplaceAll(string(payload), `"s1"`, `"s3"`)).Stdout; err != nil || out != "" {
			t.Errorf("%v: what stands far above or in a line that is too long: %q", err, out)
		}
	}
}

// appendTo adds to a file.
func appendTo(file, text string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
