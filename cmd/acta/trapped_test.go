package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// hostileCalls are calls of every command in a repository that means harm. A line is a shell's, in the repository.
var hostileCalls = map[string][]string{
	"check":                      {"acta check --message ../act", "acta check --message ../plain --format json"},
	"cite":                       {"acta cite", "acta cite --since HEAD~1"},
	"verify":                     {"acta verify HEAD~1..HEAD", "acta verify", "acta verify HEAD --format json", "acta verify HEAD --attested ../act"},
	"attest":                     {"acta attest HEAD~1..HEAD --signer 'cat >/dev/null; echo s'", "acta attest HEAD --signer cat --notes", "acta attest HEAD --signer cat -o ../attested"},
	"attest verify":              {"acta attest HEAD --signer cat -o ../attested; acta attest verify ../attested --signers ../act", "acta attest verify --base HEAD"},
	"stubs":                      {"acta stubs .", "cd ..; acta stubs r/tool", "acta stubs --diff HEAD~1", "acta stubs --staged", "acta stubs src/auth.py"},
	"drift":                      {"acta drift", "acta drift HEAD~1..HEAD --format json"},
	"plan show":                  {"acta plan show"},
	"plan next":                  {"acta plan next"},
	"plan add":                   {"acta plan add S01 --id T09 --description Logout --item 'Add logout() to src/auth.py'"},
	"plan complete":              {"acta plan complete T01 --actor executor-01"},
	"plan reopen":                {"acta plan reopen T01 --actor executor-01 --reason again"},
	"plan replan":                {"acta plan replan S01 --blocker T01 --note no"},
	"plan reassess":              {"acta plan reassess M01 --completed S01 --note yes"},
	"plan lint":                  {"acta plan lint"},
	"plan lease":                 {"acta plan lease T02 --actor executor-01"},
	"plan release":               {"acta plan release T02 --actor executor-01"},
	"plan owner":                 {"acta plan owner T01"},
	"worklog start":              {"acta worklog start --task x"},
	"worklog log":                {"acta worklog log --action Edit --status completed --context x --file src/auth.py"},
	"worklog checkpoint":         {"acta worklog checkpoint"},
	"worklog finish":             {"acta worklog finish --outcome success"},
	"worklog list":               {"acta worklog list"},
	"worklog show":               {"acta worklog show"},
	"worklog gc":                 {"acta worklog gc"},
	"run":                        {"acta worklog start --task x >../id; ACTA_SESSION=$(cat ../id) acta run --junit 'src/*' -- true", "acta run -- true"},
	"agent hook":                 {`echo '{"session_id":"s","hook_event_name":"SessionStart","cwd":"'"$PWD"'"}' | acta agent hook --host claude`},
	"mcp":                        {`acta mcp <../mcp`},
	"heartbeat lint":             {"acta heartbeat lint"},
	"heartbeat next":             {"acta heartbeat next --actor executor-01"},
	"heartbeat verify":           {"acta heartbeat verify --actor executor-01"},
	"heartbeat interval":         {"acta heartbeat interval --actor executor-01"},
	"policy":                     {"acta policy"},
	"policy check":               {"acta policy check"},
	"help":                       {"acta help verify"},
	"version":                    {"acta version"},
	"completion":                 {"acta completion bash"},
	"score":                      {"acta score --actor executor-01", "acta score"},
	"score history":              {"acta score history --actor executor-01"},
	"score explain":              {"acta score explain --actor executor-01"},
	"score feedback":             {"acta score feedback down --actor executor-01 --by operator"},
	"audit":                      {"acta audit"},
	"audit verify":               {"acta audit verify"},
	"explain":                    {"acta explain stub_added"},
	"prove":                      {"acta prove HEAD~1..HEAD -- true", "acta prove --message ../act -- true", "acta prove"},
	"tests":                      {"acta tests HEAD~1..HEAD", "acta tests --staged"},
	"init":                       {"acta init", "acta init --agent claude --dry-run"},
	"hook commit-msg":            {"cp ../act ../m && acta hook commit-msg ../m", "cp ../plain ../m && acta hook commit-msg ../m"},
	"hook pre-commit":            {"acta hook pre-commit"},
	"hook post-commit":           {"acta hook post-commit"},
	"hook applypatch-msg":        {"cp ../act ../m && acta hook applypatch-msg ../m"},
	"hook post-applypatch":       {"acta hook post-applypatch"},
	"hook post-merge":            {"acta hook post-merge 0"},
	"hook pre-applypatch":        {"acta hook pre-applypatch"},
	"hook prepare-commit-msg":    {"cp ../act ../m && acta hook prepare-commit-msg ../m"},
	"hook post-rewrite":          {`echo "$(git rev-parse HEAD~1) $(git rev-parse HEAD)" | acta hook post-rewrite amend`},
	"hook pre-push":              {`echo "refs/heads/main $(git rev-parse HEAD) refs/heads/main $(git rev-parse HEAD~1)" | acta hook pre-push evil evil`},
	"hook pre-receive":           {`echo "$(git rev-parse HEAD~1) $(git rev-parse HEAD) refs/heads/main" | acta hook pre-receive`},
	"hook reference-transaction": {`echo "$(git rev-parse HEAD~1) $(git rev-parse HEAD) refs/heads/main" | acta hook reference-transaction prepared`},
}

// hostileElsewhere are commands that are not called: what they do is to act, as their user, with the user's own git and hooks.
var hostileElsewhere = map[string]string{
	"demo":      "works in a folder of its own",
	"install":   "writes hooks",
	"uninstall": "takes hooks away",
	"doctor":    "finds out whether the hooks fire by letting them fire",
	"loop":      "commits, and runs what its user names",
	"serve":     "starts acta-serve, whose readers are those of score, claims and the worklog",
	"report":    "starts acta-serve, as above",
}

// Nothing that a tree or its .git/config brings runs when acta reads it.
func TestNothingOfAHostileRepositoryRuns(t *testing.T) {
	for name, partial := range map[string]bool{"whole": false, "partial": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newTrapped(t, partial)
			for _, name := range h.commands() {
				calls := hostileCalls[name]
				if (len(calls) == 0) == (hostileElsewhere[name] == "") {
					t.Errorf("acta %s must be called in a hostile repository, or be said to act", name)
				}
				for _, line := range calls {
					h.unsprung(".", line)
					h.unsprung("tool", strings.ReplaceAll(line, "../", "../../"))
				}
			}
		})
	}
}

type trapped struct {
	*testing.T
	home, dir, acta string
}

// hostileTraps are settings of .git/config by which git runs a program. %s is the program.
const hostileTraps = `
[core]
	fsmonitor = %s fsmonitor
	sshCommand = %s ssh
	pager = %s pager
	editor = %s editor
	askPass = %s-gpg
	gitProxy = %s-gpg
	alternateRefsCommand = %s alternates
[alias]
	cat-file = !%s alias
	rev-list = !%s alias
	rev-parse = !%s alias
	ls-files = !%s alias
	write-tree = !%s alias
[filter "evil"]
	clean = %s clean
	smudge = %s smudge
	required
[filter "evil=\"2\""]
	process = %s process
[diff]
	external = %s external
[diff "evil"]
	textconv = %s textconv
	command = %s driver
[log]
	showSignature = true
[gpg]
	program = %s-gpg
[pager]
	reflog = %s pager
	config = %s pager
[credential]
	helper = !%s credential
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[protocol "file"]
	allow = always
[remote "evil"]
	url = file:///nowhere
	promisor = true
	uploadpack = %s promisor
[remote "evil2"]
	url = ext::%s ext
	promisor = true
[remote "evil3"]
	url = nothing
	vcs = ext
	promisor = true
`

var hostileHooks = []string{"post-index-change", "reference-transaction", "pre-commit", "commit-msg", "post-commit", "post-checkout", "fsmonitor-watchman"}

// newTrapped makes the repository, and shows that git alone springs its traps.
func newTrapped(t *testing.T, partial bool) *trapped {
	t.Helper()
	h := &trapped{T: t, home: t.TempDir(), acta: actaCommand(t)}
	h.dir = filepath.Join(h.home, "r")
	evil := filepath.Join(h.home, "evil")
	for path, text := range map[string]string{
		"evil": "#!/bin/sh\necho \"$1\" >>'" + h.home + "/sprung'\n" +
			"case $1 in clean | smudge) exec cat ;; textconv) exec cat \"$2\" ;; esac\nexit 1\n",
		"evil-gpg": "#!/bin/sh\nexec " + evil + " gpg\n",
		"act":      "ACT: T02 login\n\nDone: Add login() to src/auth.py | src/auth.py:4-6\nActor: executor-01\n",
		"plain":    "Nothing claimed\n",
		"mcp":      hostileRequests,
		"r/.acta.yaml": "verifiers: {evil: {run: ['" + evil + "', verifier]}}\n" +
			"score: {notify: {run: ['" + evil + "', notify], webhook: 'http://127.0.0.1:1/'}}\n",
		"r/.gitattributes":   "*.py filter=evil diff=evil\n",
		"r/HEARTBEAT.md":     "## Tasks\n\n- [x] look | Look there | verify: src/auth.py:1-2\n- [x] back | Look back | verify: evil\n",
		"r/src/auth.py":      "def logout(session):\n    pass\n",
		"r/web.js":           "function one() { return 1 }\n",
		"r/src/late.py":      "def late():\n    return later()\n",
		"r/tool/HEAD":        "ref: refs/heads/main\n",
		"r/tool/config":      "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = " + evil + " embedded\n",
		"r/tool/objects/x":   "x",
		"r/tool/refs/x":      "x",
		"r/tool/run.py":      "def run():\n    pass\n",
		"r/user_intent/x.md": "x\n",
		"r/working_plan/current.json": `{"id": "ROOT", "children": [{"id": "M01", "children": [{"id": "S01", "children": [
			{"id": "T01", "checklist": [{"item": "Add logout() to src/auth.py"}]}, {"id": "T02", "checklist": [{"item": "Add login() to src/auth.py"}]}]}]}]}`,
	} {
		h.write(path, text)
	}
	h.git("init -q -b main && git add . && git commit -q -m Base")
	h.git("commit -q --allow-empty -m 'ACT: T01 logout' -m 'Done: Add logout() to src/auth.py | src/auth.py:1-2\nActor: executor-01'")
	// A signature is what gpg.program is asked about.
	h.git(`cat-file commit HEAD | sed '/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----' >../signed
		git update-ref refs/heads/main $(git hash-object -t commit -w ../signed)`)
	h.write("r/src/auth.py", "def logout(session):\n    pass\n\ndef login(session):\n    session.user = 1\n    return session\n")
	h.git("add src")
	h.write("r/src/auth.py", "def logout(session):\n    session.end()\n\ndef login(session):\n    session.user = 1\n    return session\n")
	h.write("r/new.py", "def new():\n    pass\n")
	for _, hook := range hostileHooks {
		h.write("r/tool/hooks/"+hook, "#!/bin/sh\nexec "+evil+" "+hook+"\n")
	}
	h.write("r/.git/config", h.read("r/.git/config")+strings.ReplaceAll(hostileTraps, "%s", evil))
	h.git("config core.hooksPath tool/hooks; git config acta.trustPolicy true")
	if partial {
		h.git("config core.repositoryFormatVersion 1; git config extensions.partialClone evil; rm -f .git/objects/$(git rev-parse HEAD:src/late.py | sed 's,..,&/,')")
	}
	h.live(partial)
	return h
}

// hostileRequests ask the MCP server what it can tell.
const hostileRequests = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"score","arguments":{"actor_name":"executor-01"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"next_task","arguments":{}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"check_write_target","arguments":{"task_id":"T01","path":"src/auth.py"}}}
{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"acta://worklog"}}
{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"acta://plan"}}
`

// live proves that git itself springs the traps that its reading commands can spring.
func (h *trapped) live(partial bool) {
	h.Helper()
	h.shell(".", "touch src/late.py; git status; git diff; git log -1; git update-index --refresh; git reflog show -1; GIT_PAGER= git cat-file --textconv HEAD:src/auth.py")
	h.write("r/web.js", "function two() { return 1 + 1 }\n")
	h.write("r/.gitattributes", h.read("r/.gitattributes")+"*.js filter=evil=\"2\"\n")
	h.shell(".", "git hash-object web.js")
	h.shell("tool", "git ls-files -m")
	want := []string{"embedded", "fsmonitor", "clean", "process", "gpg", "driver", "textconv", "post-index-change"}
	if partial {
		h.shell(".", "git cat-file -p HEAD:src/late.py")
		want = append(want, "promisor", "ext")
	}
	sprung := strings.Fields(h.read("sprung"))
	for _, trap := range want {
		if !slices.Contains(sprung, trap) {
			h.Fatalf("the trap %s does not work: git alone sprang %q only", trap, sprung)
		}
	}
}

// unsprung calls acta in a folder and fails where a trap was sprung.
func (h *trapped) unsprung(folder, line string) {
	h.Helper()
	if err := os.RemoveAll(filepath.Join(h.home, "sprung")); err != nil {
		h.Fatal(err)
	}
	out := h.shell(folder, line)
	if sprung, err := os.ReadFile(filepath.Join(h.home, "sprung")); err == nil {
		h.Errorf("%s, in %s: ran %q\n%s", line, folder, sprung, out)
	}
}

func (h *trapped) shell(folder, line string) string {
	h.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = filepath.Join(h.dir, folder)
	cmd.Env = append(os.Environ(), append(gitEnv(h.home), "PATH="+filepath.Dir(h.acta)+":"+os.Getenv("PATH"))...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		h.Fatal(err)
	}
	return out.String()
}

func (h *trapped) git(line string) {
	h.Helper()
	if out := h.shell(".", "set -e; git "+line); out != "" {
		h.Fatalf("git %s: %s", line, out)
	}
}

func (h *trapped) write(path, text string) {
	h.Helper()
	file := filepath.Join(h.home, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o777)); err != nil {
		h.Fatal(err)
	}
}

func (h *trapped) read(path string) string {
	h.Helper()
	data, err := os.ReadFile(filepath.Join(h.home, path))
	if err != nil {
		h.Fatal(err)
	}
	return string(data)
}

// commands are the names of all commands that do something.
func (h *trapped) commands() []string {
	var names []string
	var walk func(prefix string, commands []*cli.Command)
	walk = func(prefix string, commands []*cli.Command) {
		for _, c := range commands {
			if c.Hidden { // an old name of one that is called
				continue
			}
			if len(c.Subcommands) == 0 || slices.Contains([]string{"score", "audit", "policy"}, prefix+c.Name) {
				names = append(names, prefix+c.Name)
			}
			walk(prefix+c.Name+" ", c.Subcommands)
		}
	}
	walk("", command{}.app().Commands)
	return names
}
