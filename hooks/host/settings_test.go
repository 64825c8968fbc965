package host

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// commands counts the hooks of each event that call acta.
func commands(t *testing.T, h Host, settings []byte) map[string]int {
	t.Helper()
	var s map[string]any // of a key that is there twice it has the last
	if err := json.Unmarshal(settings, &s); err != nil {
		t.Fatalf("%v:\n%s", err, settings)
	}
	n := map[string]int{}
	events, _ := s["hooks"].(map[string]any)
	for event, list := range events {
		for _, e := range list.([]any) {
			if isCall(must(json.Marshal(e)), hookCommand(h)) {
				n[event]++
			}
		}
	}
	return n
}

// The hooks are added to whatever is there, all of which stays; a second time nothing changes.
func TestAddHooks(t *testing.T) {
	settings := []string{
		"", "\n", "{}", " { } ", "{\n}\n",
		`{"permissions":{"allow":["Bash(ls:*)"]}}`,
		"{\n  \"model\": \"m\",\n  \"hooks\": {}\n}\n",
		"{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{ \"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}] }\n\t\t]\n\t},\n\t\"z\": 1.50,\n\t\"a\": \"<&>\\u00e4\"\n}",
		"{\r\n    \"hooks\": {\"PostToolUse\": [], \"AfterTool\" : [ ] , \"postToolUse\": [{\"command\": \"x\"}]},\r\n    \"version\": 1\r\n}\r\n",
		"\xef\xbb\xbf{\n \"a\": {\"hooks\": {\"Stop\": 1}}\n}",
		`{"hooks": {"Stop": [], "SessionStart": []}, "hooks": {"x": []}}`,
		"{\"a\": \"}]\\\"{\", \"hooks\": {\"Stop\": [\n{\"hooks\": [{\"command\": \"[{\"}]}\n]}}",
	}
	for _, h := range jsonHosts() {
		for i, before := range settings {
			t.Run(fmt.Sprint(h.ID(), i), func(t *testing.T) {
				after, err := h.hooks(true).Add([]byte(before))
				if err != nil {
					t.Fatal(err)
				}
				n := commands(t, h, after)
				for _, e := range configured(t, h) {
					if n[e.name] != 1 {
						t.Errorf("%s calls acta %d times:\n%s", e.name, n[e.name], after)
					}
				}
				if again, err := h.hooks(true).Add(after); err != nil || string(again) != string(after) {
					t.Errorf("a second time it is another: %v\n%s", err, again)
				}
				kept(t, strings.TrimPrefix(before, "\xef\xbb\xbf"), string(after))
			})
		}
	}
}

// kept holds that all that is no white space stood in this order before, too.
func kept(t *testing.T, before, after string) {
	t.Helper()
	rest := after
	for _, word := range strings.Fields(before) {
		for _, r := range word {
			i := strings.IndexRune(rest, r)
			if i < 0 {
				t.Fatalf("%q is gone:\n%s", r, after)
			}
			rest = rest[i+len(string(r)):]
		}
	}
	var was, is map[string]any
	if strings.TrimSpace(before) == "" {
		return
	}
	if json.Unmarshal([]byte(before), &was) != nil || json.Unmarshal([]byte(after), &is) != nil {
		t.Fatal("it is no JSON")
	}
	for key, value := range was {
		if key == "hooks" {
			continue
		}
		a, b := must(json.Marshal(value)), must(json.Marshal(is[key]))
		if a != b {
			t.Errorf("%s was %s and is %s", key, a, b)
		}
	}
}

// must is JSON as a text.
func must(data []byte, err error) string {
	if err != nil {
		panic(err)
	}
	return string(data)
}

// The text around what is added is not touched.
func TestAddHooksKeepsTheText(t *testing.T) {
	before := "{\n   \"model\" : \"m\",  \"n\": [1,2 ,3],\n   \"hooks\": {\n      \"Stop\": [ {\"hooks\": [ ]} ]\n   }\n}\n"
	after, err := (codex{}).hooks(false).Add([]byte(before))
	if err != nil {
		t.Fatal(err)
	}
	if head := before[:strings.Index(before, " ]\n   }")]; !strings.HasPrefix(string(after), head) {
		t.Errorf("it begins otherwise:\n%s", after)
	}
	want := ",\n         {\n            \"hooks\": [\n               {\n                  \"type\": \"command\",\n                  \"command\": \"acta agent hook --host codex\",\n                  \"timeout\": 10\n               }\n            ]\n         }\n      ],\n      \"SessionStart\": [\n"
	if !strings.Contains(string(after), want) {
		t.Errorf("there is no\n%s\nin\n%s", want, after)
	}
	if !strings.HasSuffix(string(after), "      ]\n   }\n}\n") {
		t.Errorf("it ends otherwise:\n%s", after)
	}
}

// What would lose something is refused, and an event for which acta is called already is left alone.
func TestAddHooksRefuses(t *testing.T) {
	for before, want := range map[string]string{
		"{\n  // mine\n  \"a\": 1\n}": "line 2, column 3: ",
		"{\"a\": 1,}":                 "comments would be lost",
		"[]":                          "no JSON object",
		"{\"hooks\": []}":             "hooks is not an object",
		"{\"hooks\": {\"Stop\": {}}}": "hooks.Stop is not a list",
		"{\"hooks\": {\"Stop\": \"acta agent\"}}": "hooks.Stop is not a list",
	} {
		if _, err := (claude{}).hooks(false).Add([]byte(before)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", before, err)
		}
	}
	mine := `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/bin/acta agent hook --host claude"}]}]}}`
	after, err := (claude{}).hooks(false).Add([]byte(mine))
	if err != nil || commands(t, claude{}, after)["Stop"] != 1 {
		t.Errorf("%v:\n%s", err, after)
	}
}

// jsonHosts are the hosts whose hooks are configured in JSON.
func jsonHosts() []Host {
	return slices.DeleteFunc(Hosts(), func(h Host) bool { return !strings.HasSuffix(h.hooks(false).Path, ".json") })
}

// configured are the events that acta asks a host for, with its veto.
func configured(t *testing.T, h Host) (all []hookEvent) {
	t.Helper()
	text, err := h.hooks(true).Add(nil)
	var s struct {
		Hooks map[string][]struct{ Matcher string }
	}
	if err != nil || json.Unmarshal(text, &s) != nil || len(s.Hooks) < 5 {
		t.Fatalf("%v:\n%s", err, text)
	}
	for event, list := range s.Hooks {
		for _, e := range list {
			all = append(all, hookEvent{event, e.Matcher})
		}
	}
	return all
}

// What is configured is read: no host is asked for an event that nothing follows from.
func TestHookedEventsAreRead(t *testing.T) {
	for _, h := range jsonHosts() {
		for _, e := range configured(t, h) {
			p := payload{"hook_event_name": e.name, "session_id": "s", "conversation_id": "s", "file_path": "a", "prompt": "p"}
			if e.matcher == "" {
				if readEvent(h, p).kind == noEvent {
					t.Errorf("%s does not read %s", h.ID(), e.name)
				}
				continue
			}
			for tool := range strings.SplitSeq(e.matcher, "|") {
				p["tool_name"], p["tool_input"], p["tool_response"] = tool, map[string]any{
					"command": "c", "file_path": "f", "path": "f", "notebook_path": "f", "prompt": "p", "todos": []any{}, "plan": []any{}, "subject": "s", "taskId": "1",
				}, map[string]any{}
				if tool == "apply_patch" {
					p["tool_input"] = map[string]any{"patch": "*** Add File: a\n"}
				}
				if readEvent(h, p).kind == noEvent {
					t.Errorf("%s does not read %s of %s", h.ID(), e.name, tool)
				}
			}
		}
	}
}
