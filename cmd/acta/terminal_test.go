package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/acta-git/acta/report"
)

// hostile is a name that moves the cursor, turns the line around, and begins lines of its own.
const hostile = "n\x1b[31m\u202e\u009b\r\nINJECTED\n::set-output name=a::b"

// walked is how every command is called over the hostile repository. H stands for the hostile name.
var walked = map[string][]string{
	"demo": nil, "init": {"", "--agent claude"}, "install": {""}, "uninstall": {""}, "doctor": {""},
	"hook pre-commit": {""}, "hook prepare-commit-msg": {"message"}, "hook commit-msg": {"message"}, "hook post-commit": {""},
	"hook applypatch-msg": {"message"}, "hook pre-applypatch": {""}, "hook post-applypatch": {""}, "hook post-merge": {""},
	"hook post-rewrite": {"amend"}, "hook pre-push": {"H H"}, "hook pre-receive": {""}, "hook reference-transaction": {"committed", "prepared"},
	"check": {"--message message", "--message message --format github", "--message message --format json", "--message H"},
	"cite":  {"", "--since HEAD~1", "--unit H", "--format json"},
	"verify": {"", "HEAD~1..HEAD", "HEAD~1..HEAD --format github", "HEAD~1..HEAD --format markdown", "HEAD~1..HEAD --format json",
		"HEAD~1..HEAD --format gitlab", "HEAD~1..HEAD --format sarif", "H..HEAD"},
	"prove":         {"-- true", "HEAD~1..HEAD --share H -- true", "H..HEAD -- H", "--message message -- sh -c H", "--unit H"},
	"attest":        {"HEAD~1..HEAD --signer true", "HEAD~1..HEAD --key message", "H..HEAD --signer true", "HEAD~1..HEAD --signer cat -o -"},
	"attest verify": {"H --signers H", "message --signers message", "--base HEAD", "--base HEAD --commit H"},
	"parse":         {"message", "H"}, "stubs": {". --all", ". --format jsonl", "H", "--diff HEAD~1", "--staged"},
	"drift": {"", "--format json"}, "tests": {"HEAD~1..HEAD", "--staged --format json", "H..HEAD"}, "plan show": {"", "--format json", "H"}, "plan next": {"", "--format json"},
	"plan add": {"ROOT --id H", "ROOT --id T09 --description H --item H", "H --id T1"}, "plan complete": {"T01", "H"},
	"plan reopen": {"T01", "H"}, "plan replan": {"T01 --blocker H"}, "plan reassess": {"T01 --completed H"},
	"plan lint": {"", "--format jsonl"}, "plan lease": {"T01", "T01 --actor H", "H", "T01 --actor other"},
	"plan release": {"T01 --actor other", "T01", "H"}, "plan owner": {"T01", "--format json T01", "H"},
	"run":           {"", "-- true H", "H", "--junit H -- true"},
	"loop":          {"", "--executor H", "--executor false"},
	"worklog start": {"--task H"}, "worklog log": {"--action Edit --status completed --context H --result H", "--action Bash --status failed --context H", "--action H --status H"},
	"worklog checkpoint": {"", "--phase H"}, "worklog finish": {"--outcome H", "--outcome success"}, "worklog list": {"", "--format json"},
	"worklog show": {"", "--format json", "H"}, "worklog gc": {""},
	"agent hook": {"--host claude", "--host H"}, "mcp": {"--help", "--H"}, "serve": {"--help"}, "report": {"--help"},
	"heartbeat lint": {""}, "heartbeat next": {"", "--format json"}, "heartbeat verify": {"", "H", "--format json"},
	"heartbeat interval": {""}, "score": {"", "--format json", "--actor H"}, "score history": {"", "--format json"}, "score explain": {"", "--format json"},
	"score feedback": {"HEAD --up --comment H", "H --up"}, "audit": {"", "--format jsonl", "--actor H", "--since H"}, "audit verify": {""},
	"policy": {"", "--format json"}, "policy check": {"", "H", "message"},
	"help": {"", "H", "plan H"}, "version": {"", "H"}, "completion": {"fish", "H"}, "explain": {"", "H", "evidence_unclear"},
}

// TestNoCommandPrintsWhatNamesHide walks all commands over a repository whose files, actors, items, tasks and sessions are called so.
func TestNoCommandPrintsWhatNamesHide(t *testing.T) {
	v, acta, visible := hostileRepository(t), newWorkers(t), 0
	for _, name := range leaves(command{Stdout: report.NewTerminal(nil, false)}.app().Commands, "") {
		calls, ok := walked[name]
		if !ok {
			t.Errorf("%q is not walked: add to the table how it is called", name)
		}
		for _, call := range calls {
			args := strings.Fields(name + " " + call)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "H", hostile)
			}
			for i, arg := range args { // revisions are meant
				args[i] = strings.ReplaceAll(arg, hostile+"EAD", "HEAD")
			}
			var out, errs string
			if name == "serve" || name == "report" { // they become another program
				out, errs, _ = v.run(hostilePayload(t), v.acta, args...)
			} else {
				out, errs, _ = acta.in(v, hostilePayload(t), args...)
			}
			visible += strings.Count(out+errs, `\u001b[31m`)
			github := slices.Contains(args, "github")
			if bad := spoken(out, github) + spoken(errs, false); bad != "" {
				t.Errorf("acta %s prints %s", strings.Join(strings.Fields(name+" "+call), " "), bad)
			}
		}
	}
	if visible < 100 {
		t.Errorf("the names are shown %d times; the walk does not meet them", visible)
	}
}

// TestArgumentsArePrintedByTheTerminal: it keeps names to one line, and fmt.Fprintf does not.
func TestArgumentsArePrintedByTheTerminal(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 50 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(source), "fmt.Fprintf"+"(c.Std") {
			t.Errorf("%s: write c.Stdout.Printf or c.Stderr.Printf", file)
		}
	}
}

// in has a worker answer a call in a repository, as v.run does with a process of its own.
func (w workers) in(v *vector, stdin string, args ...string) (stdout, stderr string, code int) {
	v.Helper()
	got := w.run(v.T, call{Dir: v.dir, Stdin: stdin, Env: gitEnv(v.home), Args: args})
	return got.Stdout, got.Stderr, got.Code
}

// spoken finds what a hidden character, a forged line or a forged command of the CI service there is in output.
func spoken(out string, workflow bool) string {
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		begins := strings.TrimLeft(line, " \t")
		forged := strings.HasPrefix(line, "INJECTED") || strings.HasPrefix(begins, "::set-output") || strings.HasPrefix(begins, "::") && !workflow
		if forged || strings.ContainsAny(line, "\x1b\u202e\u009b\r\x00") {
			return fmt.Sprintf("%q", line)
		}
	}
	return ""
}

func leaves(commands []*cli.Command, above string) []string {
	var all []string
	for _, c := range commands {
		if c.Hidden { // an old name of one that is walked
			continue
		}
		name := strings.TrimSpace(above + " " + c.Name)
		if len(c.Subcommands) == 0 || slices.Contains([]string{"attest", "audit", "policy", "score"}, c.Name) { // these do something by themselves
			all = append(all, name)
		}
		all = append(all, leaves(c.Subcommands, name)...)
	}
	return all
}

// hostilePayload is what the hook of a host tells, and what git would tell a hook.
func hostilePayload(t *testing.T) string {
	t.Helper()
	data, err := json.Marshal(map[string]any{
		"hook_event_name": "PostToolUse", "session_id": "s", "cwd": ".", "tool_name": hostile,
		"tool_input": map[string]string{"file_path": hostile}, "tool_response": hostile,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func hostileRepository(t *testing.T) *vector {
	t.Helper()
	home := t.TempDir()
	v := &vector{T: t, home: home, dir: filepath.Join(home, "re\x1b[31m\u202epo"), acta: actaCommand(t)}
	plan, err := json.Marshal(map[string]any{"id": "ROOT", "type": "parent", "description": hostile, "children": []any{
		map[string]any{"id": "T01", "type": "atomic", "description": hostile, "acceptance_criteria": []any{map[string]string{"item": hostile}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	report := "Done: Add\x1b[31m\u202e f | ::x\u202e.py:1-2\nDone: Add\x1b g | gone\x1b[31m.py:1\nOutcome: success\nActor: e\x1b[31m\u202evil\n"
	for name, text := range map[string]string{
		"::x\u202e.py": "def f\u202e():\n    pass\n", hostile[:len("n\x1b[31m\u202e\u009b\r\nINJECTED")] + ".py": "def g():\n    pass\n",
		"::set-output name=a::b.py": "def f():\n    pass\n", "working_plan/current.json": string(plan), "message": "ACT: T01 \x1b[31m\u202e\n\n" + report,
		"HEARTBEAT.md": "## Tasks\n- [ ] a\x1b | " + "x\x1b[31m\u202e\n- [ ] mail | Check \x1b[31m\u202e mail\n- [ ] b | c | \x1b[31murgent\n",
	} {
		path := filepath.Join(v.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	v.git("init", "--quiet", "--initial-branch=main")
	v.git("config", "user.name", "e\x1b[31m\u202evil")
	v.git("add", "working_plan", "HEARTBEAT.md")
	v.git("commit", "--quiet", "-m", "Base")
	v.git("add", ".")
	v.git("commit", "--quiet", "--author", "e\x1b[31m\u202evil <e@agents.invalid>", "-m", "ACT: T01 \x1b[31m\u202e\n\n"+report)
	if err := os.WriteFile(filepath.Join(v.dir, "::y\u202e\x1b.py"), []byte("def h():\n    pass\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	v.git("add", ".")
	return v
}
