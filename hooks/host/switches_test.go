package host

import (
	"strings"
	"testing"
)

// What the environment switches holds in a host's hooks, from the session's beginning to its end.
func TestTheEnvironmentSwitches(t *testing.T) {
	write := `{"hook_event_name":"PostToolUse","session_id":"s","cwd":"$TOP","tool_name":"Write","tool_input":{"file_path":"$TOP/a"}}`
	run := `{"hook_event_name":"PostToolUse","session_id":"s","cwd":"$TOP","tool_name":"Bash","tool_input":{"command":"pytest"},"tool_response":{"stdout":"2 passed"}}`
	todos := strings.Replace(twoTodos, "RESPONSE", `,"tool_response":{"newTodos":[{"content":"Plan","status":"completed"}]}`, 1)
	const whole = "TodoWrite Verify Verify Write Bash Checkpoint"
	for _, c := range []struct {
		key, value, want string
	}{
		{"", "", whole},
		{"ACTA_NO_WORKLOG", "1", ""},
		{"ACTA_SKIP_VERIFY", "1", "TodoWrite Write Bash Checkpoint"},
		{"ACTA_NO_CHECKPOINTS", "1", "TodoWrite Verify Verify Write Bash"},
		{"ACTA_NO_CHECKPOINTS", "true", "TodoWrite Verify Verify Write Bash"},
		{"ACTA_NO_CHECKPOINTS", "0", whole},
		{"ACTA_VERBOSE_LOG", "yes", whole},
	} {
		b := newBench(t)
		b.env["ACTA_TIER"], b.env[c.key] = "STRICT", c.value
		var told []string
		for _, p := range []string{todos, write, run} {
			told = append(told, b.hook(claude{}, "s", p).Stderr)
		}
		if verifies := c.key != "ACTA_SKIP_VERIFY"; verifies != strings.Contains(told[0], "«Build»") {
			t.Errorf("%s=%s: the agent was told %q", c.key, c.value, told)
		}
		var got []string
		isVerbose := false
		for _, s := range b.sessions("s") {
			for _, e := range s.Entries {
				got = append(got, string(e.Action))
				isVerbose = isVerbose || strings.Contains(e.Details.Result, "2 passed")
			}
		}
		if strings.Join(got, " ") != c.want || isVerbose != (c.key == "ACTA_VERBOSE_LOG") {
			t.Errorf("%s=%s: recorded are %q, verbose: %v", c.key, c.value, got, isVerbose)
		}
		// A session that records nothing leaves nothing behind.
		if a := b.hook(claude{}, "s", `{"hook_event_name":"SessionEnd","session_id":"s","cwd":"$TOP"}`); len(a.Warnings) > 0 {
			t.Error(a)
		}
		refs := b.git("for-each-ref", "refs/worklog")
		if records := c.key != "ACTA_NO_WORKLOG"; records != (refs != "") || records != (len(b.sessions("s")) > 0) {
			t.Errorf("%s=%s: at the end there are the refs %q and %d sessions", c.key, c.value, refs, len(b.sessions("s")))
		}
	}
}
