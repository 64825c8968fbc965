package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/hooks/host"
	"github.com/acta-git/acta/report"
)

// linkedCalls are the calls that write below a path that is a link out of the work tree. A line is a shell's, in the repository;
// one that begins with «-» may go well, for it has nothing to write there.
func linkedCalls() map[string][]string {
	const began = `- echo '{"session_id":"s","hook_event_name":"SessionStart","cwd":"'"$PWD"'"}' | acta agent hook --host claude`
	const claim = "acta plan lease T01 --actor executor-01"
	hosts := fmt.Sprintf(".git/acta/hosts/claude-%x", sha256.Sum256([]byte("s")))[:len(".git/acta/hosts/claude-")+16]
	calls := map[string][]string{
		"working_plan": {
			"acta init --yes", "acta plan add S01 --description Logout --item 'Add logout() to src/auth.py'", "acta plan complete T01",
			"acta plan reopen T02", "acta plan replan S01 --blocker T01 --note no", "acta plan reassess M01 --completed S02 --note yes",
			"acta plan add S01 --description Logout --item 'Add logout() to src/auth.py' --commit",
			"acta loop --executor 'cat ../act' --assessor true --navigator true", `acta mcp <../mcp | grep -o 'acta writes nothing to.*' >&2; false`,
			"- acta plan show", "- acta plan next", "- acta plan lint", "- acta check --message ../act",
		},
		"user_intent":      {"acta init --yes"},
		"TASK_PLANNING.md": {"acta init --yes"},
		".acta.yaml":       {"acta init --yes"},
		".githooks":        {"git config core.hooksPath .githooks; acta install", "acta uninstall", "acta install --seal"},
		".git/acta": {
			"acta plan add S01 --description Logout --item 'Add logout() to src/auth.py'", claim,
			"- acta worklog start --task x", "- acta worklog log --action Edit --status completed --context x", "- acta check --message ../act",
			"- acta heartbeat verify --actor executor-01", "- acta score", "- acta score feedback down --actor executor-01 --by operator",
			"- acta run -- true", "- acta prove -- true", "- acta worklog checkpoint", "- acta worklog finish --outcome success", "- acta worklog gc", "- acta plan release T01", "- acta doctor",
			began,
			"- acta install && git commit -q --allow-empty -m Plain && test $(git log -1 --format=%s) = Plain",
		},
		".git/acta/sessions": {"- acta worklog start --task x"},
		// What lies in a folder of the state: what is written beside a file and then put in its place, a lock, and an output.
		hosts + ".json.new":                             {began, claim},
		hosts + ".json.lock":                            {began, claim},
		".git/acta/sessions/20260101_000000-abcd.jsonl": {"- acta worklog log --action Edit --status completed --context x", claim},
		".git/acta/heartbeat/look.log":                  {"- acta heartbeat verify --notify", claim},
	}
	for name, lines := range hostileCalls {
		for _, line := range lines {
			if strings.HasPrefix(name, "hook ") {
				calls[".git/acta"] = append(calls[".git/acta"], "- "+line)
			}
		}
	}
	for _, h := range host.Hosts() {
		for _, s := range host.Settings(h, host.Parts{MCP: true}) {
			top, _, _ := strings.Cut(s.Path, "/")
			calls[top] = append(calls[top], "acta init --agent "+h.ID(), "acta init --agent "+h.ID()+" --remove")
		}
	}
	return calls
}

// linkedReaders are the commands that write nothing to a repository; serve and report are acta-serve's, demo has a folder of its own.
var linkedReaders = strings.Fields(`
	verify attest attest/verify cite stubs drift tests explain help version completion demo serve report policy policy/check plan/owner
	worklog/list worklog/show heartbeat/lint heartbeat/next heartbeat/interval audit audit/verify score/history score/explain`)

// Each command is called where a link leads out, or said to write nothing.
func TestEveryCommandThatWritesIsCalledThroughALink(t *testing.T) {
	var called strings.Builder
	for _, lines := range linkedCalls() {
		called.WriteString(strings.Join(lines, " \n") + " \n")
	}
	names := leaves(command{Stdout: report.NewTerminal(nil, false)}.app().Commands, "")
	for _, name := range names {
		reads := slices.Contains(linkedReaders, strings.ReplaceAll(name, " ", "/"))
		if writes := strings.Contains(called.String(), "acta "+name+" "); writes == reads {
			t.Errorf("acta %s must be called through a link, or be one of those that only read", name)
		}
	}
	for _, name := range linkedReaders {
		if !slices.Contains(names, strings.ReplaceAll(name, "/", " ")) {
			t.Errorf("there is no command %s", name)
		}
	}
}

// Where a link leads out of the work tree nothing is written, and who wanted to write is told.
func TestNothingIsWrittenThroughALink(t *testing.T) {
	for link, lines := range linkedCalls() {
		t.Run(strings.TrimPrefix(link, "."), func(t *testing.T) {
			t.Parallel()
			l := newLinked(t, link)
			before := l.outside()
			for _, line := range lines {
				line, mayPass := strings.CutPrefix(line, "- ")
				said, err := l.shell(line)
				if after := l.outside(); after != before {
					t.Errorf("%s wrote outside of the work tree; before:\n%s\nafter:\n%s\n%s", line, before, after, said)
				}
				if !mayPass && (err == nil || !strings.Contains(said, " is a symbolic link to ")) {
					t.Errorf("%s must be refused for the link; it said (%v)\n%s", line, err, said)
				}
				if mayPass && strings.Contains(line, "Plain") && err != nil {
					t.Errorf("%s: %v\n%s", line, err, said)
				}
			}
		})
	}
}

type linked struct {
	*testing.T
	home, acta string
}

const linkedPlan = `{"id": "ROOT", "children": [{"id": "M01", "children": [
	{"id": "S01", "children": [{"id": "T01", "checklist": [{"item": "Add login() to src/auth.py"}]}, {"id": "T02", "status": "complete"}]},
	{"id": "S02", "status": "complete", "children": [{"id": "T03", "status": "complete"}]}]}]}`

// newLinked makes a repository with a plan, in which one path is a link to what lies outside.
func newLinked(t *testing.T, link string) *linked {
	t.Helper()
	l := &linked{t, t.TempDir(), actaCommand(t)}
	for path, text := range map[string]string{
		"r/.acta.yaml": "plan: {working: working_plan/current.json}\nverifiers: {look: {run: [echo, looked]}}\n", "r/working_plan/current.json": linkedPlan, "r/user_intent/project.json": "{}\n", "r/src/auth.py": "x = 1\n",
		"r/HEARTBEAT.md": "## Tasks\n\n- [x] look | Look there | verify: look\n",
		"plain":          "Nothing claimed\n",
		"act":            "ACT: T01 login\n\nDone: Add login() to src/auth.py | src/auth.py:1\nActor: executor-01\n",
		"mcp": `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"reopen_task","arguments":{"unit":"T02"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"submit_plan","arguments":{"replace":true,"plan":{"id":"ROOT","type":"parent","children":[]}}}}
`,
	} {
		l.write(path, text)
	}
	if said, err := l.shell("git init -q -b main && git add . && git commit -q -m Base"); err != nil {
		t.Fatal(err, said)
	}
	from, to := filepath.Join(l.home, "r", link), filepath.Join(l.home, "outside", filepath.Base(link))
	err := errors.Join(os.MkdirAll(filepath.Dir(from), 0o777), os.MkdirAll(filepath.Dir(to), 0o777))
	if errRename := os.Rename(from, to); errors.Is(errRename, fs.ErrNotExist) && !strings.Contains(filepath.Base(link)[1:], ".") {
		err = errors.Join(err, os.Mkdir(to, 0o777)) // where there was nothing, the link leads to an empty folder, or a file to be
	}
	if err = errors.Join(err, os.Symlink(to, from)); err != nil {
		t.Fatal(err)
	}
	return l
}

// outside is everything that is outside of the work tree, with its content.
func (l *linked) outside() string {
	l.Helper()
	var b strings.Builder
	top := os.DirFS(filepath.Join(l.home, "outside"))
	err := fs.WalkDir(top, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			b.WriteString(path + "/\n")
			return err
		}
		data, err := fs.ReadFile(top, path)
		b.WriteString(path + ": " + string(data) + "\n")
		return err
	})
	if err != nil {
		l.Fatal(err)
	}
	return b.String()
}

func (l *linked) shell(line string) (string, error) {
	l.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = filepath.Join(l.home, "r")
	cmd.Env = append(os.Environ(), append(gitEnv(l.home), "ACTA_ACTOR=executor-01", "PATH="+filepath.Dir(l.acta)+":"+os.Getenv("PATH"))...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

func (l *linked) write(path, text string) {
	l.Helper()
	file := filepath.Join(l.home, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
		l.Fatal(err)
	}
}
