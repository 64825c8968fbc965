package host

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/record/worklog"
)

// verifications are the Verify entries of a host's session: their status and context.
func (b *bench) verifications(session string) (all []string) {
	b.Helper()
	for _, s := range b.sessions(session) {
		for _, e := range s.Entries {
			if e.Action == worklog.Verify {
				all = append(all, fmt.Sprintf("%s %s", e.Status, e.Details.Verification))
			}
		}
	}
	return all
}

func (b *bench) stored(path, text string) {
	b.Helper()
	file := filepath.Join(b.home, ".claude", path)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
}

const (
	twoTodos = `{"hook_event_name":"PostToolUse","session_id":"$SESSION","cwd":"$TOP","tool_name":"TodoWrite","tool_input":{"todos":[` +
		`{"content":"Plan","status":"completed","activeForm":"x"},{"content":"Build","status":"in_progress","activeForm":"x"}]}RESPONSE}`
	update = `{"hook_event_name":"PostToolUse","session_id":"$SESSION","cwd":"$TOP","tool_name":"TaskUpdate","tool_input":{"taskId":"1","status":"completed"}RESPONSE}`
)

// In STRICT the agent is told, in the way of its host, what is not there as it was intended.
func TestTodosAreVerified(t *testing.T) {
	missing := `,"tool_response":{"newTodos":[{"content":"Plan","status":"completed"}]}`
	wrong := `,"tool_response":{"newTodos":[{"content":"Plan","status":"pending"},{"content":"Build","status":"in_progress"}]}`
	fine := `,"tool_response":{"oldTodos":[],"newTodos":[{"content":"Plan","status":"completed"},{"content":"Build","status":"in_progress"}]}`
	for name, c := range map[string]struct {
		payload, response string
		files             map[string]string // the host's store
		want              string            // the verifications
		told              string
	}{
		"as intended":             {payload: twoTodos, response: fine, want: "completed pass"},
		"one is missing":          {payload: twoTodos, response: missing, want: "failed fail, failed fail", told: "«Build»"},
		"one is another":          {payload: twoTodos, response: wrong, want: "failed fail, failed fail", told: "«Plan»"},
		"nothing tells":           {payload: twoTodos, want: "skipped timeout"},
		"the store tells":         {payload: twoTodos, files: map[string]string{"todos/S-agent-S.json": `[{"content":"Plan","status":"completed"},{"content":"Build","status":"in_progress"}]`}, want: "completed pass"},
		"the store knows better":  {payload: twoTodos, response: missing, files: map[string]string{"todos/S-agent-S.json": `[{"content":"Plan","status":"completed"},{"content":"Build","status":"in_progress"}]`}, want: "failed fail, retried pass"},
		"the store is cleared":    {payload: twoTodos, response: fine, files: map[string]string{"todos/S-agent-S.json": `[]`}, want: "completed pass"},
		"the store is no list":    {payload: twoTodos, files: map[string]string{"todos/S-agent-S.json": `{`}, want: "skipped timeout"},
		"an update as intended":   {payload: update, response: `,"tool_response":{"success":true,"statusChange":{"from":"pending","to":"completed"}}`, want: "completed pass"},
		"an update is refused":    {payload: update, response: `,"tool_response":{"success":false}`, want: "failed fail, failed fail", told: "it is missing"},
		"an update is in no file": {payload: update, response: `,"tool_response":{"success":true}`, files: map[string]string{"tasks/S/1.json": `{"id":"1","subject":"Plan","status":"pending"}`, "tasks/S/.lock": ""}, want: "failed fail, failed fail", told: "it is pending"},
		"an update is in a file":  {payload: update, response: `,"tool_response":"Updated task #1 status"`, files: map[string]string{"tasks/S/1.json": `{"id":"1","subject":"Plan","status":"completed"}`}, want: "completed pass"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.env["ACTA_TIER"] = "STRICT"
			for path, text := range c.files {
				b.stored(path, text)
			}
			a := b.hook(claude{}, "S", strings.Replace(c.payload, "RESPONSE", c.response, 1))
			if got := strings.Join(b.verifications("S"), ", "); got != c.want || len(a.Warnings) > 0 {
				t.Errorf("verified: %q, and not %q; %v", got, c.want, a.Warnings)
			}
			if a.Code != 0 != (c.told != "") || !strings.Contains(a.Stderr, c.told) || a.Stdout != "" {
				t.Errorf("the answer is %+v", a)
			}
		})
	}
}

// In other tiers nothing is verified.
func TestStandardVerifiesNothing(t *testing.T) {
	b := newBench(t)
	a := b.hook(claude{}, "S", strings.Replace(twoTodos, "RESPONSE", `,"tool_response":{"newTodos":[]}`, 1))
	if all := b.verifications("S"); len(all) > 0 || a.Code != 0 {
		t.Errorf("%v, %+v", all, a)
	}
}

// Each host is told where it listens: no other exits with anything but 0.
func TestAMismatchIsToldAsTheHostShowsIt(t *testing.T) {
	b := newBench(t)
	b.env["ACTA_TIER"] = "STRICT"
	for h, payload := range map[Host]string{
		gemini{}: `{"hook_event_name":"AfterTool","session_id":"S","cwd":"$TOP","tool_name":"write_todos","tool_input":{"todos":[{"description":"Plan","status":"pending"}]},"tool_response":{"returnDisplay":{"todos":[]}}}`,
		cursor{}: `{"hook_event_name":"postToolUse","conversation_id":"S","cwd":"$TOP","tool_name":"TodoWrite","tool_input":{"todos":[{"content":"Plan","status":"pending"}]},"tool_output":"{\"todos\":[]}"}`,
	} {
		a := b.hook(h, "S", payload)
		var said struct {
			Context  string `json:"additional_context"`
			Specific struct {
				Context string `json:"additionalContext"`
			} `json:"hookSpecificOutput"`
		}
		if err := json.Unmarshal([]byte(a.Stdout), &said); err != nil || a.Code != 0 || !strings.Contains(said.Context+said.Specific.Context, "«Plan»") {
			t.Errorf("%s: %+v, %v", h, a, err)
		}
	}
	// Codex answers update_plan with nothing that could be compared.
	a := b.hook(codex{}, "C", `{"hook_event_name":"PostToolUse","session_id":"C","cwd":"$TOP","tool_name":"update_plan","tool_input":{"plan":[{"step":"Plan","status":"pending"}]},"tool_response":"Plan updated"}`)
	if got := b.verifications("C"); a.Stdout != "" || a.Code != 0 || len(got) != 1 || got[0] != "skipped timeout" {
		t.Errorf("%v, %+v", got, a)
	}
}
