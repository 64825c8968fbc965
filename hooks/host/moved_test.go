package host

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

// These are what each host sends after a shell command, after a tool of which nothing is recorded, and at the end of a
// turn, as far as it can be kept from that.
var afterTool = map[string]map[string]string{
	"claude": {
		"begin": `"hook_event_name":"SessionStart"`,
		"shell": `"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_response":{"stdout":""}`,
		"fails": `"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"make"},"error":"Exit code 1"`,
		"other": `"hook_event_name":"PostToolUse","tool_name":"mcp__git__commit","tool_input":{},"tool_response":{}`,
		"ask":   `"hook_event_name":"UserPromptSubmit","prompt":"Go on"`,
		"stop":  `"hook_event_name":"Stop","last_assistant_message":"Bye.","stop_hook_active":false`,
	},
	"codex": {
		"begin": `"hook_event_name":"SessionStart"`,
		"shell": `"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_response":""`,
		"other": `"hook_event_name":"PostToolUse","tool_name":"view_image","tool_input":{},"tool_response":""`,
		"ask":   `"hook_event_name":"UserPromptSubmit","prompt":"Go on"`,
		"stop":  `"hook_event_name":"Stop","last_assistant_message":"Bye.","stop_hook_active":false`,
	},
	"copilot": {
		"begin": `"hook_event_name":"SessionStart","source":"new"`,
		"shell": `"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_result":{}`,
		"fails": `"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"make"},"error":"x"`,
		"other": `"hook_event_name":"PostToolUse","tool_name":"sql","tool_input":{},"tool_result":{}`,
		"ask":   `"hook_event_name":"UserPromptSubmit","prompt":"Go on"`,
		"stop":  `"hook_event_name":"Stop","stop_hook_active":false`,
	},
	"qwen": {
		"begin": `"hook_event_name":"SessionStart"`,
		"shell": `"hook_event_name":"PostToolUse","tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{"llmContent":"Output: x"}`,
		"fails": `"hook_event_name":"PostToolUseFailure","tool_name":"run_shell_command","tool_input":{"command":"make"},"error":"x"`,
		"other": `"hook_event_name":"PostToolUse","tool_name":"read_file","tool_input":{},"tool_response":{}`,
		"ask":   `"hook_event_name":"UserPromptSubmit","prompt":"Go on","submitted_prompt":"Go on","prompt_id":"p"`,
		"stop":  `"hook_event_name":"Stop","last_assistant_message":"Bye.","stop_hook_active":false`,
	},
	"gemini": {
		"begin": `"hook_event_name":"SessionStart"`,
		"shell": `"hook_event_name":"AfterTool","tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{"llmContent":"Output: x"}`,
		"other": `"hook_event_name":"AfterTool","tool_name":"read_file","tool_input":{},"tool_response":{"llmContent":"x"}`,
		"ask":   `"hook_event_name":"BeforeAgent","prompt":"Go on"`,
		"stop":  `"hook_event_name":"AfterAgent","prompt_response":"Bye.","stop_hook_active":false`,
	},
	"opencode": {
		"begin": `"hook_event_name":"session.created","prompt":"Go on"`,
		"shell": `"hook_event_name":"tool.execute.after","tool_name":"bash","tool_input":{"command":"make"},"tool_response":{"output":"x","metadata":{"exit":0}}`,
		"other": `"hook_event_name":"tool.execute.after","tool_name":"git_commit","tool_input":{},"tool_response":{}`,
		"ask":   `"hook_event_name":"chat.message","prompt":"Go on"`,
		"stop":  `"hook_event_name":"session.idle","last_assistant_message":"Bye.","stop_hook_active":false`,
	},
	"cursor": {
		"begin": `"hook_event_name":"sessionStart"`,
		"shell": `"hook_event_name":"postToolUse","tool_name":"Shell","tool_input":{"command":"make"},"tool_output":{"exitCode":0}`,
		"other": `"hook_event_name":"postToolUse","tool_name":"MCP:commit","tool_input":{},"tool_output":{}`,
		"ask":   `"hook_event_name":"beforeSubmitPrompt","prompt":"Go on"`,
	},
}

// tell calls a host's hook with such a payload, of a session in the work tree, and returns what it answers.
func (b *bench) tell(h Host, session, what string) Answer {
	b.Helper()
	event := afterTool[h.ID()][what]
	if event == "" {
		b.Fatalf("%s sends nothing after «%s»", h.ID(), what)
	}
	return b.hook(h, session, `{"session_id":"$SESSION","conversation_id":"$SESSION","cwd":"$TOP",`+event+`}`)
}

// told is what the model is told by an answer, in the place where its host looks; "" for nothing.
func told(t *testing.T, h Host, a Answer) string {
	t.Helper()
	if h.ID() == "claude" && a.Code == 2 {
		return a.Stderr
	}
	if a.Code != 0 {
		t.Errorf("%s: exit code %d", h.ID(), a.Code)
	}
	var out struct {
		Decision, Reason string
		Context          string `json:"additional_context"`
		TopLevel         string `json:"additionalContext"`
		Text             string `json:"text"`
		Specific         struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if a.Stdout != "" {
		if err := json.Unmarshal([]byte(a.Stdout), &out); err != nil {
			t.Fatalf("%s: %v: %s", h.ID(), err, a.Stdout)
		}
	}
	if out.Decision == "block" {
		return out.Reason
	}
	return out.Specific.Context + out.Context + out.TopLevel + out.Text
}

const (
	hollowACT = "ACT: T01 add logout\n\nDone: Add logout | src/auth.py:1-2\n"
	honestACT = "ACT: T01 add logout\n\nDone: Add logout | src/good.py:1-2\n"
)

// prepared is a repository with a function that does nothing and one that does something, on which nothing is claimed
// yet.
func prepared(t *testing.T) *bench {
	t.Helper()
	preparedOnce.Do(func() {
		b := newBench(t)
		b.write("src/auth.py", "def logout():\n    pass\n")
		b.write("src/good.py", "def logout():\n    return sessions.pop()\n")
		b.git("add", "--all")
		b.git("commit", "-q", "-m", "Sources")
		if err := os.CopyFS(preparedHome, os.DirFS(b.home)); err != nil {
			t.Fatal(err)
		}
	})
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(preparedHome)); err != nil {
		t.Fatal(err)
	}
	return newBenchIn(t, home)
}

// preparedHome has the repository that tests have copies of.
var (
	preparedOnce sync.Once
	preparedHome string
)

// in is the same bench in another folder.
func (b *bench) in(dir string) *bench {
	other := *b
	other.top = dir
	return &other
}

// made changes a file and commits it.
func (b *bench) made(message string, options ...string) {
	b.Helper()
	b.n++
	b.write(fmt.Sprintf("src/n%d.txt", b.n), "x")
	b.git("add", "--all")
	b.git(append([]string{"commit", "-q", "-m", message}, options...)...)
}

// plumbed commits without git commit, and moves a branch.
func (b *bench) plumbed(message, ref string) {
	b.Helper()
	b.n++
	b.write(fmt.Sprintf("src/n%d.txt", b.n), "x")
	b.git("add", "--all")
	id := b.git("commit-tree", "-p", "HEAD", "-m", message, b.git("write-tree"))
	b.git("update-ref", ref, id)
}

// plays are what happens between two looks, and whether the model is told that an ACT is refused.
var plays = []struct {
	name string
	// before the session's first look, and after it.
	before, after func(b *bench)
	refused       bool
	// each: every host plays it; another is the same work for all, and one host plays it.
	each bool
	// out is the way out that is told.
	out string
}{
	{name: "nothing", each: true, after: func(*bench) {}},
	{name: "an old lie without a branch, merged later", before: func(b *bench) {
		b.git("checkout", "-q", "--detach")
		b.made(hollowACT)
	}, after: func(b *bench) {
		b.git("checkout", "-q", "main")
		b.tell(b.host, "s", "other")
		b.git("merge", "-q", "--no-ff", "-m", "Merge", "HEAD@{1}")
	}},
	{name: "a lie by commit", each: true, after: func(b *bench) { b.made(hollowACT) }, refused: true, out: "git reset --soft HEAD~1;"},
	{name: "a lie by --no-verify", each: true, after: func(b *bench) { b.made(hollowACT, "--no-verify") }, refused: true},
	{name: "a lie with hooksPath emptied", after: func(b *bench) {
		b.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", hollowACT)
	}, refused: true},
	{name: "a lie by plumbing", each: true, after: func(b *bench) { b.plumbed(hollowACT, "HEAD") }, refused: true},
	{name: "a lie by amending", after: func(b *bench) { b.git("commit", "-q", "--amend", "-m", hollowACT) }, refused: true},
	{name: "a lie on a branch that is then merged", after: func(b *bench) {
		b.git("checkout", "-q", "-b", "side")
		b.made(hollowACT)
		b.git("checkout", "-q", "main")
		b.git("merge", "-q", "--ff-only", "side")
		b.git("branch", "-q", "-d", "side")
	}, refused: true},
	{name: "a lie that is merged with a commit of its own", after: func(b *bench) {
		b.git("checkout", "-q", "-b", "side")
		b.made(hollowACT)
		b.git("checkout", "-q", "main")
		b.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
	}, refused: true, out: "rebase -i --rebase-merges"},
	{name: "a lie in a new branch by plumbing, checked out", after: func(b *bench) {
		b.plumbed(hollowACT, "refs/heads/side")
		b.git("checkout", "-q", "side")
	}, refused: true},
	{name: "a lie behind a tag", after: func(b *bench) {
		b.plumbed(hollowACT, "refs/tags/t")
		b.git("reset", "-q", "--hard", "t")
	}, refused: true},
	{name: "a lie that is not the last", after: func(b *bench) {
		b.made(hollowACT)
		b.made("More")
		b.made("And more")
	}, refused: true, out: "and the 2 behind it, and keep the work: git reset --soft HEAD~3;"},
	{name: "a lie with a rebase", after: func(b *bench) {
		b.git("checkout", "-q", "-b", "side")
		b.made(hollowACT)
		b.git("checkout", "-q", "main")
		b.write("src/m.txt", "m")
		b.git("add", "--all")
		b.git("commit", "-q", "-m", "Meanwhile")
		b.git("rebase", "-q", "main", "side")
	}, refused: true},
	{name: "a lie that is pushed at once", before: withRemote, after: func(b *bench) {
		b.made(hollowACT)
		b.git("push", "-q", "origin", "main")
	}, refused: true},
	{name: "a lie fetched from a folder beside", after: func(b *bench) {
		b.git("clone", "-q", b.top, b.home+"/beside")
		beside := b.in(b.home + "/beside")
		beside.made(hollowACT)
		b.git("pull", "-q", "--ff-only", b.home+"/beside", "main")
	}, refused: true},
	{name: "a lie in a work tree that is made for it", after: func(b *bench) {
		b.git("worktree", "add", "-q", "-b", "side", b.home+"/aside")
		b.in(b.home + "/aside").made(hollowACT)
		b.git("merge", "-q", "--ff-only", "side")
	}, refused: true},
	{name: "an ADAPT of a plan that cannot be read", after: func(b *bench) {
		b.write("working_plan/current.json", "{")
		b.made("ADAPT: T01 done\n\nDeviation: none\n")
	}, refused: true},
	{name: "an ACT of another session here, and then none", after: func(b *bench) {
		b.tell(b.host, "other", "begin")
		b.made(hollowACT)
		if said := told(b.T, b.host, b.tell(b.host, "other", "shell")); !strings.Contains(said, "refused") {
			b.Errorf("the other session is told %q", said)
		}
	}},
	{name: "a lie before a session that begins within this one's", after: func(b *bench) {
		b.made(hollowACT)
		b.tell(b.host, "other", "begin")
		b.tell(b.host, "other", "shell")
	}, refused: true},
	{name: "another session's new work tree", after: func(b *bench) {
		b.git("worktree", "add", "-q", "-b", "side", b.home+"/aside")
		aside := b.in(b.home + "/aside")
		aside.tell(b.host, "other", "begin")
		aside.made(hollowACT)
		b.git("merge", "-q", "--ff-only", "side")
	}},
	{name: "an honest ACT", each: true, after: func(b *bench) { b.made(honestACT) }},
	{name: "a lie that is mended before the look", after: func(b *bench) {
		b.made(hollowACT)
		b.git("reset", "-q", "--soft", "HEAD~1")
		b.made(honestACT)
	}},
	{name: "a plain commit", after: func(b *bench) { b.made("Work") }},
	{name: "a lie that is not on this branch", after: func(b *bench) { b.plumbed(hollowACT, "refs/heads/side") }},
	{name: "a branch that stood before is checked out", each: true, before: lieOnSide, after: func(b *bench) { b.git("checkout", "-q", "side") }},
	{name: "a branch that stood before is merged", each: true, before: lieOnSide, after: func(b *bench) {
		b.made("Work")
		b.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
	}},
	{name: "a branch that stood before is rebased", each: true, before: lieOnSide, after: func(b *bench) {
		b.write("src/m.txt", "m")
		b.git("add", "--all")
		b.git("commit", "-q", "-m", "Meanwhile")
		b.git("rebase", "-q", "main", "side")
	}},
	{name: "a remote's branch is pulled", each: true, before: withRemote, after: func(b *bench) {
		b.elsewhere().made(hollowACT)
		b.in(b.home+"/elsewhere").git("push", "-q", "origin", "main")
		b.git("pull", "-q", "--ff-only", "origin", "main")
	}},
	{name: "own work is rebased on what a remote brought", before: withRemote, after: func(b *bench) {
		b.elsewhere().made(hollowACT)
		b.in(b.home+"/elsewhere").git("push", "-q", "origin", "main")
		b.git("commit", "-q", "--allow-empty", "-m", "Work")
		b.git("pull", "-q", "--rebase", "origin", "main")
	}},
	{name: "a remote is pulled by its address", before: withRemote, after: func(b *bench) {
		b.elsewhere().made(hollowACT)
		b.in(b.home+"/elsewhere").git("push", "-q", "origin", "main:other")
		b.git("fetch", "-q", b.home+"/remote.git", "other")
		b.git("merge", "-q", "--ff-only", "FETCH_HEAD")
	}},
	{name: "another work tree's branch is merged", each: true, before: func(b *bench) {
		b.git("worktree", "add", "-q", "-b", "side", b.home+"/aside")
	}, after: func(b *bench) {
		b.in(b.home + "/aside").made(hollowACT)
		b.git("merge", "-q", "--ff-only", "side")
	}},
	{name: "another work tree has left the branch since", before: func(b *bench) {
		b.git("worktree", "add", "-q", "-b", "side", b.home+"/aside")
	}, after: func(b *bench) {
		aside := b.in(b.home + "/aside")
		aside.made(hollowACT)
		aside.git("checkout", "-q", "-b", "next", "HEAD~1")
		b.git("merge", "-q", "--ff-only", "side")
	}},
	{name: "a person commits between two turns", each: true, after: func(b *bench) {
		if h := b.host; h.ID() != "cursor" {
			b.tell(h, "s", "stop")
		}
		b.made(hollowACT)
		b.tell(b.host, "s", "ask")
	}},
}

// withRemote gives the repository a remote that has its branch.
func withRemote(b *bench) {
	b.git("init", "-q", "--bare", b.home+"/remote.git")
	b.git("remote", "add", "origin", b.home+"/remote.git")
	b.git("push", "-q", "-u", "origin", "main")
}

// elsewhere is another person's clone of the remote.
func (b *bench) elsewhere() *bench {
	b.git("clone", "-q", "-b", "main", b.home+"/remote.git", b.home+"/elsewhere")
	return b.in(b.home + "/elsewhere")
}

// lieOnSide is a branch with an ACT that does not hold, from before the session.
func lieOnSide(b *bench) {
	b.git("checkout", "-q", "-b", "side")
	b.made(hollowACT)
	b.git("checkout", "-q", "main")
}

// What the agent commits is judged after whatever tool it used, and what does not hold is told to the model in the
// place where its host looks, once; nothing else is.
func TestTheHostIsAnEntryPoint(t *testing.T) {
	t.Parallel()
	for at, h := range Hosts() {
		if afterTool[h.ID()] == nil {
			t.Errorf("nothing says what %s sends after a tool", h.ID())
			continue
		}
		for i, play := range plays {
			what := []string{"shell", "other"}[i%2]
			if !play.each && i%len(Hosts()) != at {
				continue
			}
			t.Run(h.ID()+"/"+play.name, func(t *testing.T) {
				t.Parallel()
				b := prepared(t)
				b.host = h
				if play.before != nil {
					play.before(b)
				}
				silent := h.emptyAnswer()
				if a := b.tell(h, "s", "begin"); a.Stdout != silent.Stdout {
					t.Errorf("at the beginning: %+v", a)
				}
				play.after(b)
				a := b.tell(h, "s", what)
				if len(a.Warnings) > 0 {
					t.Error(a.Warnings)
				}
				if !play.refused {
					if a.Stdout != silent.Stdout || a.Stderr != "" || a.Code != 0 || a.Refusal != nil {
						t.Errorf("%d bytes are said to who is honest: %+v", len(a.Stdout)+len(a.Stderr), a)
					}
					return
				}
				said := told(t, h, a)
				if !strings.Contains(said, "acta: refused: commit ") || !strings.Contains(said, play.out) ||
					a.Refusal == nil || strings.Count(said, "\n") > maxReported {
					t.Errorf("the model is told %q", said)
				}
				if a := b.tell(h, "s", what); a.Stdout != silent.Stdout || a.Code != 0 {
					t.Errorf("it is told twice: %+v", a)
				}
			})
		}
	}
}

// What was committed last is judged at the end of the turn, which goes on.
func TestTheEndOfATurnIsALook(t *testing.T) {
	for _, h := range Hosts() {
		if _, held := h.hold(""); !held || afterTool[h.ID()]["stop"] == "" {
			continue
		}
		b := prepared(t)
		b.tell(h, "s", "begin")
		b.made(hollowACT)
		if said := told(t, h, b.tell(h, "s", "stop")); !strings.Contains(said, "git reset --soft HEAD~1") {
			t.Errorf("%s: the model is told %q", h.ID(), said)
		}
		if a := b.tell(h, "s", "stop"); a.Stdout != h.emptyAnswer().Stdout {
			t.Errorf("%s: it is kept twice: %+v", h.ID(), a)
		}
	}
}
