package host

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// beforeTool is what each host that asks before a tool runs sends of a shell command, and of a file that is written.
var beforeTool = map[string][2]string{
	"claude": {
		`"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":VALUE}`,
		`"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":VALUE,"content":""}`,
	},
	"codex": {
		`"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":VALUE}`,
		`"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"file_path":VALUE}`,
	},
	"copilot": {
		`"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":VALUE}`,
		`"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"path":VALUE,"file_text":""}`,
	},
	"qwen": {
		`"hook_event_name":"PreToolUse","tool_name":"run_shell_command","tool_input":{"command":VALUE}`,
		`"hook_event_name":"PreToolUse","tool_name":"write_file","tool_input":{"file_path":VALUE,"content":""}`,
	},
	"gemini": {
		`"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":VALUE}`,
		`"hook_event_name":"BeforeTool","tool_name":"write_file","tool_input":{"file_path":VALUE,"content":""}`,
	},
	"opencode": {
		`"hook_event_name":"tool.execute.before","tool_name":"bash","tool_input":{"command":VALUE}`,
		`"hook_event_name":"tool.execute.before","tool_name":"write","tool_input":{"filePath":VALUE,"content":""}`,
	},
	"cursor": {
		`"hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":VALUE}`,
		`"hook_event_name":"preToolUse","tool_name":"Write","tool_input":{"file_path":VALUE}`,
	},
}

// asks is a host's question before a tool runs. Nothing runs.
func (b *bench) asks(h Host, what int, value string) Answer {
	b.Helper()
	said, err := json.Marshal(strings.ReplaceAll(value, "$TOP", b.top))
	if err != nil {
		b.Fatal(err)
	}
	event := strings.Replace(beforeTool[h.ID()][what], "VALUE", string(said), 1)
	return b.hook(h, "s", `{"session_id":"s","conversation_id":"s","cwd":"$TOP",`+event+`}`)
}

// vetoed is why a host is told not to run a tool, in the place where it looks; "" where it may.
func vetoed(t *testing.T, h Host, a Answer) string {
	t.Helper()
	var out struct {
		Decision, Reason, Permission, Text string
		ToAgent                            string `json:"agent_message"`
		Specific                           struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if a.Stdout != "" {
		if err := json.Unmarshal([]byte(a.Stdout), &out); err != nil {
			t.Fatalf("%s: %v: %s", h.ID(), err, a.Stdout)
		}
	}
	switch "deny" {
	case out.Decision:
		return out.Reason
	case out.Permission:
		return out.ToAgent
	case out.Specific.Decision:
		return out.Specific.Reason
	}
	return out.Text
}

// guardList is testdata/guard.txt: the commands of each group.
func guardList(t *testing.T) map[string][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/guard.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, group := range strings.Split(string(data), "\n== ")[1:] {
		kind, lines, _ := strings.Cut(group, "\n")
		for line := range strings.Lines(lines) {
			line = strings.TrimSuffix(line, "\n")
			if more, goesOn := strings.CutPrefix(line, "\t"); goesOn {
				all[kind][len(all[kind])-1] += "\n" + more
			} else if line != "" {
				all[kind] = append(all[kind], line)
			}
		}
	}
	return all
}

// What only goes around is kept from running, and nothing else is. What goes around unseen is counted, too: a command
// that is seen now belongs to the others.
func TestGuard(t *testing.T) {
	b := newBench(t)
	list := guardList(t)
	for kind, commands := range list {
		for _, command := range commands {
			a := b.asks(claude{}, 0, command)
			why := vetoed(t, claude{}, a)
			if (why != "") != (kind == "veto") || (a.VetoReason != "") != (why != "") || len(a.Warnings) > 0 {
				t.Errorf("%s: %s\n\tis told %q %v", kind, command, why, a.Warnings)
			}
			if why == "" && a.Stdout != "" {
				t.Errorf("%d bytes are said of %s", len(a.Stdout), command)
			}
		}
	}
	veto, pass, miss := len(list["veto"]), len(list["pass"]), len(list["miss"])
	t.Logf("%d commands go around and are vetoed, %d do so unseen, %d are honest and pass", veto, miss, pass)
	if veto < 90 || pass < 120 || miss == 0 || len(list) != 3 {
		t.Error("the list has lost commands")
	}
}

// Each host is asked and answered in its own form, of commands and of files.
func TestEveryHostIsVetoed(t *testing.T) {
	b := newBench(t)
	for _, h := range Hosts() {
		if beforeTool[h.ID()][0] == "" {
			t.Errorf("nothing says what %s asks before a tool runs", h.ID())
			continue
		}
		for _, c := range []struct {
			what  int
			value string
			want  bool
		}{
			{0, "git commit --no-verify -m x", true}, {0, "acta run -- git commit --no-verify -m x", true}, {0, "git commit -m x", false},
			{1, b.top + "/.git/hooks/commit-msg", true}, {1, b.top + "/.git/acta/audit-log.jsonl", true},
			{1, ".git/hooks/commit-msg", true}, {1, b.top + "/src/hooks/a.ts", false}, {1, "/tmp/x/.git/hooks/a", false},
		} {
			a := b.asks(h, c.what, c.value)
			why := vetoed(t, h, a)
			if (why != "") != c.want || c.want && !strings.Contains(why, "so it is not run") || a.Code != 0 {
				t.Errorf("%s: %s: %+v", h.ID(), c.value, a)
			}
			if !c.want && a.Stdout != h.emptyAnswer().Stdout {
				t.Errorf("%s: %s: it is told %q", h.ID(), c.value, a.Stdout)
			}
		}
	}
	if a := b.in(t.TempDir()).asks(claude{}, 0, "git commit --no-verify -m x"); a.Stdout != "" {
		t.Errorf("where no repository is: %+v", a)
	}
}
