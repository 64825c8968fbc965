package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ran is a payload of Claude Code's for a command that went well.
func ran(command string) string {
	return fmt.Sprintf(`{"hook_event_name":"PostToolUse","session_id":"$SESSION","cwd":"$TOP","tool_name":"Bash",`+
		`"tool_input":{"command":%q},"tool_response":{"stdout":"","stderr":""}}`, command)
}

// entries are those of the session «s», a line each, with their files.
func (b *bench) entries() (all []string) {
	b.Helper()
	for _, e := range b.sessions("s")[0].Entries {
		all = append(all, fmt.Sprintf("%s: %s %v", e.Action, e.Context, e.Details.Files))
	}
	return all
}

// A file that a command wrote is recorded, whatever the command says; what was there before is nobody's, and what a
// tool told of is not told twice.
func TestFilesThatACommandWritesAreSeen(t *testing.T) {
	b := newBench(t)
	b.write("kept.py", "1\n")
	b.write("gone.py", "1\n")
	b.write(".gitignore", "*.log\n")
	b.git("add", ".")
	b.git("commit", "-q", "-m", "Files")
	b.write("before.py", "1\n")
	start := `{"hook_event_name":"SessionStart","session_id":"s","cwd":"$TOP","source":"startup"}`
	write := `{"hook_event_name":"PostToolUse","session_id":"s","cwd":"$TOP","tool_name":"Write","tool_input":{"file_path":"$TOP/told.py","content":"1\n"}}`
	prompt := `{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"$TOP","prompt":"Go on"}`
	remove := func(name string) {
		if err := os.Remove(filepath.Join(b.top, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		do      func()
		payload string
		want    string // the entry that comes, "" for none
	}{
		{nil, start, ""},
		{nil, ran("ls"), ""},
		{func() { b.write("src/new.py", "1\n"); b.write("x.log", "1\n") }, ran("cat > src/new.py"), "Write: write src/new.py, by a command [src/new.py]"},
		{nil, ran("ls"), ""},
		{func() { b.write("kept.py", "12\n"); b.write("src/new.py", "12\n") }, ran("sed -i s/1/12/ kept.py src/new.py"), "Edit: edit 2 files, by a command [kept.py src/new.py]"},
		{func() { b.write("src/new.py", "345\n") }, ran("pytest"), "Edit: edit src/new.py, by a command [src/new.py]; Bash: pytest []"},
		{func() { remove("gone.py") }, ran("rm gone.py"), "Edit: edit gone.py, by a command [gone.py]"},
		{func() { b.write("told.py", "1\n") }, write, "Write: write told.py: +1 -0 [told.py]"},
		{nil, ran("ls"), ""},
		// What is committed was seen before.
		{func() { b.git("add", "."); b.git("commit", "-q", "-m", "Work") }, ran("git commit"), ""},
		// A run of tests leaves what is new to nobody; a person's changes between two turns are theirs.
		{func() { b.write("report.xml", "1\n") }, ran("pytest"), "Bash: pytest []"},
		{func() { b.write("person.py", "1\n") }, prompt, ""},
		{nil, ran("ls"), ""},
		// At the end of a turn everything is seen of which no tool told.
		{func() { b.write("patched.py", "1\n") }, `{"hook_event_name":"Stop","session_id":"s","cwd":"$TOP","last_assistant_message":"Well."}`, "Write: write patched.py, by a command [patched.py]"},
	} {
		if step.do != nil {
			step.do()
		}
		n := 0
		if len(b.sessions("s")) > 0 {
			n = len(b.entries())
		}
		if a := b.hook(claude{}, "s", step.payload); len(a.Warnings) > 0 || a.Stdout+a.Stderr != "" {
			t.Fatalf("%s: %+v", step.payload, a)
		}
		if got := strings.Join(b.entries()[n:], "; "); got != step.want {
			t.Errorf("%s: recorded is %q, want %q", step.payload, got, step.want)
		}
	}
}

// What others have committed, and a pull brings, is none of the agent's.
func TestFilesThatAPullBringsAreNotTheAgents(t *testing.T) {
	b := newBench(t)
	b.hook(claude{}, "s", `{"hook_event_name":"SessionStart","session_id":"s","cwd":"$TOP","source":"startup"}`)
	b.write("theirs.py", "1\n")
	b.git("add", ".")
	b.git("commit", "-q", "-m", "Theirs")
	b.git("update-ref", "refs/remotes/origin/main", "HEAD")
	b.hook(claude{}, "s", ran("git pull"))
	if got := b.entries(); len(got) > 0 {
		t.Errorf("recorded: %q", got)
	}
}

// Where more is uncommitted than anybody's work nobody looks, for a while.
func TestATreeThatIsTooLargeIsLeftAlone(t *testing.T) {
	b := newBench(t)
	b.hook(claude{}, "s", `{"hook_event_name":"SessionStart","session_id":"s","cwd":"$TOP","source":"startup"}`)
	for i := range maxUncommitted + 1 {
		b.write(fmt.Sprintf("node_modules/m%d", i), "")
	}
	for range 2 {
		if a := b.hook(claude{}, "s", ran("npm install")); len(a.Warnings) > 0 || len(b.entries()) > 0 {
			t.Errorf("%+v, %q", a, b.entries())
		}
	}
}

// An ACT that no hook of git's has seen is recorded, with its verdicts, and decides how the session ends.
func TestAnActIsRecordedWhereHooksAreOff(t *testing.T) {
	for code, want := range map[string]string{"return user.name": "success", "pass": "failure"} {
		b := newBench(t)
		b.hook(claude{}, "s", `{"hook_event_name":"SessionStart","session_id":"s","cwd":"$TOP","source":"startup"}`)
		for _, message := range []string{"Plain work", "ACT: T01 work\n\nDone: Add name() to a.py | a.py:1-2"} {
			b.write("a.py", "def name(user):\n    "+code+"\n# "+message[:5]+"\n")
			b.git("add", "-A")
			b.git("commit", "-q", "-m", message)
			b.hook(claude{}, "s", ran("git commit"))
			b.hook(claude{}, "s", ran("ls"))
		}
		acts := 0
		for _, e := range b.entries() {
			if strings.HasPrefix(e, "Act: ") {
				acts++
			}
		}
		b.hook(claude{}, "s", `{"hook_event_name":"SessionEnd","session_id":"s","cwd":"$TOP"}`)
		if got := b.sessions("s")[0].Outcome; acts != 1 || string(got) != want {
			t.Errorf("%s: %d ACTs, %s, want %s: %q", code, acts, got, want, b.entries())
		}
	}
}
