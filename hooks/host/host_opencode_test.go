package host

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/record/worklog"
)

// What the plugin hands over is read, and it names no event that is not.
func TestTheEventsOfThePluginAreRead(t *testing.T) {
	var names []string
	for _, m := range regexp.MustCompile(`(?:hook_event_name: |await event\(|names = isNew \? \[)"([\w.]+)"`).FindAllStringSubmatch(opencodePlugin, -1) {
		names = append(names, m[1])
	}
	kinds := map[eventKind]bool{}
	for _, name := range append(names, "chat.message") {
		p := payload{"hook_event_name": name, "session_id": "s", "tool_name": "bash", "tool_input": map[string]any{"command": "c"}}
		kinds[readEvent(opencode{}, p).kind] = true
	}
	if len(kinds) != 6 || kinds[noEvent] {
		t.Errorf("%q are of the kinds %v", names, kinds)
	}
	m := regexp.MustCompile(`const guarded = \[(.*)\]`).FindStringSubmatch(opencodePlugin)
	for tool := range strings.SplitSeq(m[1], ", ") {
		p := payload{"hook_event_name": "tool.execute.before", "session_id": "s", "tool_name": strings.Trim(tool, `"`), "tool_input": map[string]any{
			"command": "c", "filePath": "f", "patchText": "*** Add File: a\n",
		}}
		if readEvent(opencode{}, p).kind != toolBegin {
			t.Errorf("acta is asked before %s, and does not read that", tool)
		}
	}
}

// What its user has made of the plugin's command stays, and so does its guard; the rest is written anew.
func TestThePluginIsWrittenAnew(t *testing.T) {
	made, err := (opencode{}).hooks(true).Add(nil)
	if err != nil || !strings.Contains(string(made), "\nconst guard = true") {
		t.Fatalf("%v\n%s", err, made)
	}
	mine := strings.Replace(string(made), `"acta agent hook --host opencode"`, `"/opt/acta agent hook --host opencode --skip-verify"`, 1)
	old := strings.Replace(mine, "// acta:end", "old()\n// acta:end", 1)
	got, err := (opencode{}).hooks(false).Add([]byte("import \"./mine.js\"\n\n" + old))
	if err != nil || string(got) != "import \"./mine.js\"\n\n"+mine {
		t.Errorf("%v\n%s", err, got)
	}
	if got, err = (opencode{}).hooks(false).Remove(got); err != nil || string(got) != "import \"./mine.js\"\n" {
		t.Errorf("left is %q, %v", got, err)
	}
}

// OpenCode writes its schema into a configuration that names none, so that one that acta makes has it; it goes with
// what acta wrote there, and stays in a file that was there before.
func TestTheConfigurationOfOpenCode(t *testing.T) {
	s := (opencode{}).servers()
	made, err := s.Add(nil)
	if err != nil || !slices.Contains(strings.Fields(string(made)), `"$schema":`) {
		t.Fatalf("%v\n%s", err, made)
	}
	if left, err := s.Remove(made); err != nil || len(left) > 0 {
		t.Errorf("left is %q, %v", left, err)
	}
	for _, mine := range []string{`{"$schema": "https://opencode.ai/config.json"}`, `{"theme": "x"}`} {
		if got, err := s.Remove([]byte(mine)); err != nil || string(got) != mine {
			t.Errorf("%s is %q, %v", mine, got, err)
		}
	}
	got, err := s.Add([]byte(`{"theme": "x"}`))
	if err != nil || strings.Contains(string(got), "schema") || !strings.Contains(string(got), `"mcp"`) {
		t.Errorf("%v\n%s", err, got)
	}
}

// The tokens that it tells of at the end of each turn, and of the session, are added up.
func TestTheTokensOfOpenCode(t *testing.T) {
	b := newBench(t)
	tell := func(event, more string) {
		b.hook(opencode{}, "s", fmt.Sprintf(`{"session_id":"s","cwd":"$TOP","hook_event_name":%q%s}`, event, more))
	}
	tell("session.created", "")
	tell("session.idle", `,"tokens":{"input":4000,"output":200},"last_assistant_message":"I stop here."`)
	tell("session.idle", `,"tokens":{"input":1000,"output":50},"last_assistant_message":"I stop here."`)
	tell("dispose", `,"tokens":{"input":10,"output":1}`)
	want := worklog.ModelTokens{Input: 5010, Output: 251}
	if got := b.sessions("s")[0].Summary.Model; got == nil || *got != want {
		t.Errorf("the session used %+v, and not %+v", got, want)
	}
}

// A command in a folder of its own is judged there before it runs.
func TestTheFolderOfACommand(t *testing.T) {
	b := newBench(t)
	ask := func(dir string) string {
		return b.hook(opencode{}, "s", `{"session_id":"s","cwd":"$TOP","hook_event_name":"tool.execute.before","tool_name":"bash",`+
			`"tool_input":{"command":"echo x >pre-commit","workdir":"`+dir+`"}}`).Stdout
	}
	if said := ask("$TOP/.git/hooks"); !strings.Contains(said, "so it is not run") {
		t.Errorf("to write a hook where they lie is told %q", said)
	}
	if said := ask("$TOP/src"); said != "" {
		t.Errorf("to write a file of that name elsewhere is told %q", said)
	}
}
