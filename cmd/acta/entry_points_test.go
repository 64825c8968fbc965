package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/acta-git/acta/hooks"
	"github.com/acta-git/acta/hooks/host"
)

// The matrix of docs/install.md: every way to make a commit, through every entry point, on
// real git. The entry points are the hook scripts that `acta install` writes. An entry point stands alone in
// its column, so that no other hides what it does.
// Each way is gone twice: with a false claim and a plan that cannot be read, and
// honestly, past all entry points at once.
//
// ACTA_UPDATE=1 writes the page. ACTA_GITS lists folders of other gits (separated
// like PATH) that the matrix must hold for as well.

// What an entry point does about a false claim.
const (
	refused  = "refused"
	recorded = "recorded"
	onlyCI   = "seen only by CI"
	toldOf   = "told" // to the agent that made it
)

// entryPoint is a column: hooks that are installed alone, or a step after the commit.
type entryPoint struct {
	name  string
	hooks []string
	// state is a file, in the git directory that work trees share, by which the entry point records what it lets pass.
	state string
	// after judges commits that are made already, and reports whether the entry point refuses them; nil for an entry point at the commit.
	after func(w *world) bool
}

func entryPoints() []entryPoint {
	return []entryPoint{
		{name: "pre-commit", hooks: []string{"pre-commit"}},
		{name: "commit-msg", hooks: []string{"commit-msg"}},
		{name: "pre-applypatch", hooks: []string{"applypatch-msg", "pre-applypatch"}},
		{name: "post-rewrite", hooks: []string{"post-rewrite"}, state: "acta/rewrites.jsonl"},
		{name: "reference-transaction", hooks: []string{"reference-transaction"}},
		{name: "pre-push", after: func(w *world) bool {
			w.keep("pre-push")
			defer w.keep()
			return w.refuses("push", "--quiet", "origin", "HEAD:refs/heads/pushed")
		}},
		{name: "pre-receive", after: func(w *world) bool {
			return w.refuses("push", "--quiet", "origin", "HEAD:refs/heads/received")
		}},
		{name: "acta verify", after: func(w *world) bool {
			return w.verify() == exitFindings
		}},
	}
}

// way is a row: how a commit comes to be.
type way struct {
	name string
	// prepare comes before the hooks are installed: what was there before.
	prepare func(w *world)
	// make is the command that makes the commit; false when git did not.
	make func(w *world) bool
}

func ways() []way {
	stage := func(w *world) { w.change(); w.git("add", "--all") }
	commit := func(args ...string) func(w *world) bool {
		return func(w *world) bool {
			stage(w)
			return w.try(append([]string{"commit", "--quiet", "--file", w.message}, args...)...)
		}
	}
	// side makes the commit on a branch of its own, past all entry points, and goes back.
	side := func(w *world) {
		w.git("checkout", "--quiet", "-b", "side")
		stage(w)
		w.git("commit", "--quiet", "--file", w.message)
		w.git("checkout", "--quiet", "main")
	}
	meanwhile := func(w *world) {
		w.write("other.txt", "other\n")
		w.git("add", "--all")
		w.git("commit", "--quiet", "-m", "Meanwhile")
	}
	return []way{
		{"`git commit`", nil, commit()},
		{"`git commit -a`", nil, func(w *world) bool {
			w.change()
			return w.try("commit", "--quiet", "-a", "--file", w.message)
		}},
		{"`git commit PATH`", func(w *world) { w.write("staged.txt", "not of this commit\n"); w.git("add", "staged.txt") }, func(w *world) bool {
			w.change()
			return w.try("commit", "--quiet", "--file", w.message, "real.py", planPath)
		}},
		{"`git commit --amend`", func(w *world) { w.git("commit", "--quiet", "--allow-empty", "-m", "For now") }, commit("--amend")},
		{"in a linked work tree (worktreeConfig)", func(w *world) {
			tree := filepath.Join(w.home, "linked")
			w.git("worktree", "add", "--quiet", "-b", "linked", tree)
			w.git("config", "extensions.worktreeConfig", "true")
			w.dir = tree
			w.git("config", "--worktree", "core.sparseCheckout", "false")
		}, commit()},
		{"in a submodule", func(w *world) {
			w.dir = w.home
			w.git("init", "--quiet", "super")
			w.dir = filepath.Join(w.home, "super")
			w.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../server", "sub")
			w.dir = filepath.Join(w.dir, "sub")
		}, commit()},
		{"`git merge`", func(w *world) {
			side(w)
			w.git("checkout", "--quiet", "side")
			w.write(planPath, planGood) // the merge itself is what lies
			w.git("commit", "--quiet", "-a", "--amend", "-m", "On the side")
			w.git("checkout", "--quiet", "main")
		}, func(w *world) bool { return w.try("merge", "--quiet", "--no-ff", "--file", w.message, "side") }},
		{"`git cherry-pick`", func(w *world) { side(w); meanwhile(w) }, func(w *world) bool { return w.try("cherry-pick", "side") }},
		{"`git revert --edit`", func(w *world) {
			w.write("real.py", "def g():\n    return 2\n")
			w.git("commit", "--quiet", "-a", "-m", "To be reverted")
		}, func(w *world) bool { return w.edits().try("revert", "--edit", "HEAD") }},
		{"`git rebase`", func(w *world) { side(w); meanwhile(w); w.git("checkout", "--quiet", "side") }, func(w *world) bool {
			return w.try("rebase", "--quiet", "main")
		}},
		{"`git rebase -i`, squash", func(w *world) {
			meanwhile(w)
			w.git("checkout", "--quiet", "-b", "side")
			stage(w)
			w.git("commit", "--quiet", "-m", "Work", "-m", "For: T01")
			w.git("commit", "--quiet", "--allow-empty", "--file", w.message)
		}, func(w *world) bool {
			return w.edits().try("-c", "sequence.editor=sed -i 2s/pick/squash/", "rebase", "--quiet", "-i", "--keep-empty", "main")
		}},
		{"`git am`", func(w *world) {
			side(w)
			w.git("format-patch", "--quiet", "--output", w.patch(), "-1", "side")
			meanwhile(w)
		}, func(w *world) bool {
			return w.try("am", "--quiet", w.patch())
		}},
		{"`git commit --no-verify`", nil, commit("--no-verify")},
	}
}

const (
	planPath = "working_plan/current.json"
	planGood = "{\"id\": \"ROOT\", \"type\": \"parent\", \"children\": [{\"id\": \"T01\", \"type\": \"atomic\"}]}\n"
	planBad  = "{\"id\": \"ROOT\", \"type\":\n"
)

// world is a repository with a server, for one way through one entry point.
type world struct {
	*testing.T
	*template
	home, dir string
	message   string // the file of the commit's message
	lies      bool
	env       []string
}

// template is what the worlds of a test share.
type template struct {
	home, acta, path string
	workers
	// verdicts has the exit code of `acta verify` for a commit, which says all that it depends on; func() int each.
	verdicts sync.Map
}

// newWorld copies what the template holds.
func newWorld(t *testing.T, shared *template, lies bool) *world {
	t.Helper()
	w := &world{T: t, template: shared, home: t.TempDir(), lies: lies}
	if err := os.CopyFS(w.home, os.DirFS(shared.home)); err != nil {
		t.Fatal(err)
	}
	w.dir, w.message = filepath.Join(w.home, "repository"), filepath.Join(w.home, "message")
	text := "ACT: T01 rework g\n\nDone: Rework g | real.py:1-2\n"
	if lies {
		text = "ACT: T01 rework f\n\nDone: Rework f | stub.py:1-2\n"
	}
	w.writeFile(w.message, text)
	return w
}

// makeTemplate makes the server and a clone of it: a stub, a function and a plan; and the hook scripts beside them.
func makeTemplate(t *testing.T, path string) *template {
	t.Helper()
	w := &world{T: t, template: &template{home: t.TempDir(), acta: actaCommand(t), path: path, workers: newWorkers(t)}}
	w.home = w.template.home
	w.dir = w.home
	w.git("init", "--quiet", "--bare", "--initial-branch=main", "server")
	w.git("clone", "--quiet", "server", "repository")
	w.dir = filepath.Join(w.home, "repository")
	w.git("remote", "set-url", "origin", "../server")
	w.git("checkout", "--quiet", "-B", "main")
	w.write("stub.py", "def f():\n    pass\n")
	w.write("real.py", "def g():\n    return 1\n")
	w.write(planPath, planGood)
	w.git("add", "--all")
	w.git("commit", "--quiet", "-m", "Base")
	w.git("push", "--quiet", "origin", "main")
	if out, code := w.run(filepath.Join(w.home, "server"), w.acta, "install"); code != 0 {
		t.Fatal(out)
	}
	w.install()
	if err := os.Rename(w.hooksDir(), w.scripts()); err != nil {
		t.Fatal(err)
	}
	return w.template
}

// scripts are what `acta install` writes in the template.
func (w *world) scripts() string { return filepath.Join(w.template.home, "scripts") }

// change is what the commit changes: honest work, and with a lie a plan that cannot be read.
func (w *world) change() {
	w.Helper()
	w.write("real.py", "def g():\n    return 3\n")
	if w.lies {
		w.write(planPath, planBad)
	}
}

func (w *world) write(name, text string) {
	w.Helper()
	w.writeFile(filepath.Join(w.dir, name), text)
}

func (w *world) writeFile(path, text string) {
	w.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o777)); err != nil {
		w.Fatal(err)
	}
}

func (w *world) patch() string { return filepath.Join(w.home, "0001.patch") }

// edits makes git's editor write the message.
func (w *world) edits() *world {
	e := *w
	e.env = []string{"GIT_EDITOR=cp '" + w.message + "'"}
	return &e
}

func (w *world) hooksDir() string {
	w.Helper()
	return w.git("rev-parse", "--path-format=absolute", "--git-path", "hooks")
}

// install has `acta install` write its hook scripts.
func (w *world) install() {
	w.Helper()
	if out, code := w.run(w.dir, w.acta, "install", "--seal"); code != 0 {
		w.Fatal(out)
	}
}

// keep leaves only the hook scripts of these names, as `acta install` writes them in every world. A submodule has hooks
// from git's template, samples all.
func (w *world) keep(names ...string) {
	w.Helper()
	to := w.hooksDir()
	if err := errors.Join(os.RemoveAll(to), os.MkdirAll(to, 0o777)); err != nil {
		w.Fatal(err)
	}
	for _, name := range names {
		script, err := os.ReadFile(filepath.Join(w.scripts(), name))
		if err := errors.Join(err, os.WriteFile(filepath.Join(to, name), script, 0o777)); err != nil {
			w.Fatal(err)
		}
	}
}

// installed are the hook scripts that are in a folder.
func (w *world) installed(dir string) map[string]string {
	w.Helper()
	all := map[string]string{}
	for _, p := range hooks.Points() {
		script, err := os.ReadFile(filepath.Join(dir, p.Name))
		if isServers := p.Set == hooks.Server; isServers == (err == nil) {
			w.Errorf("acta install does not write what it should: %s, %v", p.Name, err)
		}
		all[p.Name] = string(script)
	}
	return all
}

// verify is the exit code of `acta verify` of what a push would bring.
func (w *world) verify() int {
	w.Helper()
	head := w.git("rev-parse", "HEAD")
	code, _ := w.verdicts.LoadOrStore(head, sync.OnceValue(func() int {
		return w.ask("", "verify", "origin/main..HEAD").Code
	}))
	return code.(func() int)()
}

// environment is that of every command.
func (w *world) environment() []string {
	path := "PATH=" + w.path + string(filepath.ListSeparator) + os.Getenv("PATH")
	return slices.Concat(gitEnv(w.home), []string{"GIT_EDITOR=true", path}, w.env)
}

// ask has a process that answers many calls answer one of acta.
func (w *world) ask(stdin string, args ...string) answered {
	w.Helper()
	return w.workers.run(w.T, call{Dir: w.dir, Stdin: stdin, Env: w.environment(), Args: args})
}

func (w *world) run(dir, name string, args ...string) (string, int) {
	w.Helper()
	cmd := exec.Command(name, args...)
	if name == "git" {
		cmd.Path = filepath.Join(w.path, "git")
	}
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), w.environment()...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		w.Fatal(err)
	}
	return strings.TrimSpace(out.String()), cmd.ProcessState.ExitCode()
}

func (w *world) git(args ...string) string {
	w.Helper()
	out, code := w.run(w.dir, "git", args...)
	if code != 0 {
		w.Fatalf("git %v: %s", args, out)
	}
	return out
}

// try runs the command that makes the commit. A command that fails for another
// reason than an entry point is no answer.
func (w *world) try(args ...string) bool {
	w.Helper()
	out, code := w.run(w.dir, "git", args...)
	if code != 0 && !strings.Contains(out, "was refused") {
		w.Fatalf("git %v failed, and no entry point refused it: %s", args, out)
	}
	return code == 0
}

func (w *world) refuses(args ...string) bool {
	w.Helper()
	return !w.try(args...)
}

// through goes the way past one entry point and says what the entry point did about it; past
// no entry point at the commit, what each of those after it does.
func (w *world) through(y way, d entryPoint) map[string]string {
	w.Helper()
	if y.prepare != nil {
		y.prepare(w)
	}
	w.keep(d.hooks...)
	if len(d.hooks) == 0 {
		w.sessionsBegin(onlookers(y))
	}
	if !y.make(w) {
		return map[string]string{d.name: refused}
	}
	if code := w.verify(); code != exitFindings {
		w.Errorf("CI does not see it: exit code %d", code)
	}
	said := map[string]string{d.name: onlyCI}
	common := w.git("rev-parse", "--path-format=absolute", "--git-common-dir")
	if _, err := os.Stat(filepath.Join(common, d.state)); d.state != "" && err == nil {
		said[d.name] = recorded
	}
	if len(d.hooks) == 0 {
		for host, what := range w.tell(onlookers(y)) {
			told := onlyCI
			if strings.Contains(what, "acta: refused: commit ") {
				told = toldOf
			}
			if before := said["hosts"]; before != "" && before != told {
				w.Errorf("%s says %q, unlike another host", host, what)
			}
			said["hosts"] = told
		}
		for _, d := range entryPoints() {
			if d.after != nil {
				said[d.name] = onlyCI
				if d.after(w) {
					said[d.name] = refused
				}
			}
		}
	}
	return said
}

// onlookers are the two hosts that look on at a way; at the next way others do. Hosts differ in how they ask and are told,
// and not in how they judge.
func onlookers(y way) []host.Host {
	n, all := slices.IndexFunc(ways(), func(other way) bool { return other.name == y.name }), host.Hosts()
	return []host.Host{all[n%len(all)], all[(n+3)%len(all)]}
}

// honest goes the way past all entry points; none may stand in it.
func honest(w *world, y way) {
	w.Helper()
	hosts := onlookers(y)[:1]
	if y.prepare != nil {
		y.prepare(w)
	}
	w.install()
	if !maps.Equal(w.installed(w.hooksDir()), w.installed(w.scripts())) {
		w.Error("acta install writes other hook scripts here than in the template")
	}
	w.sessionsBegin(hosts)
	if !y.make(w) {
		w.Errorf("an honest commit is refused")
		return
	}
	for host, what := range w.tell(hosts) {
		if what != "" {
			w.Errorf("%s says %q of an honest commit", host, what)
		}
	}
	for _, d := range entryPoints() {
		if d.after != nil && d.after(w) {
			w.Errorf("%s refuses an honest commit", d.name)
		}
	}
	if got := w.git("log", "-1", "--format=%s"); got != "ACT: T01 rework g" {
		w.Errorf("the commit was not made: HEAD is %q", got)
	}
}

func TestEveryEntryPointForEveryWayToCommit(t *testing.T) {
	t.Parallel()
	first, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range append([]string{filepath.Dir(first)}, filepath.SplitList(os.Getenv("ACTA_GITS"))...) {
		t.Run(strings.ReplaceAll(dir, "/", "_"), func(t *testing.T) { testEntryPoints(t, dir) })
	}
}

// actaCommand is the executable by which scripts call acta, too. A link to the test binary will not do: what
// `acta install` writes names the file itself.
func actaCommand(t *testing.T) string {
	t.Helper()
	acta, err := exec.LookPath("acta")
	if err != nil {
		t.Fatal(err)
	}
	return acta
}

func testEntryPoints(t *testing.T, path string) {
	shared := makeTemplate(t, path)
	var mu sync.Mutex
	cells := map[string]string{}
	t.Run("cells", func(t *testing.T) {
		for _, y := range ways() {
			t.Run(y.name+" honestly", func(t *testing.T) {
				t.Parallel()
				honest(newWorld(t, shared, false), y)
			})
			atCommit := slices.DeleteFunc(entryPoints(), func(d entryPoint) bool { return d.after != nil })
			for _, d := range append(atCommit, entryPoint{name: "after the commit"}) {
				t.Run(y.name+" "+d.name, func(t *testing.T) {
					t.Parallel()
					said := newWorld(t, shared, true).through(y, d)
					mu.Lock()
					defer mu.Unlock()
					for name, what := range said {
						cells[y.name+name] = what
					}
				})
			}
		}
	})
	if t.Failed() {
		return
	}
	const page = "../../docs/install.md"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	have := string(data)
	before, rest, begins := strings.Cut(have, "<!-- entry points -->\n")
	_, behind, ends := strings.Cut(rest, "<!-- /entry points -->\n")
	if !begins || !ends {
		t.Fatal("docs/install.md has no place for the matrix")
	}
	want := before + "<!-- entry points -->\n" + entryPointsMatrix(cells) + hostsLine(cells) + "<!-- /entry points -->\n" + behind
	if os.Getenv("ACTA_UPDATE") != "" {
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if have != want {
		t.Errorf("docs/install.md is not what was measured; run ACTA_UPDATE=1 go test ./cmd/acta -run EveryEntryPoint\ngot\n%s", want)
	}
}

// entryPointsMatrix is the table of docs/install.md: a row holds all ways with which the entry points deal alike.
func entryPointsMatrix(cells map[string]string) string {
	var b strings.Builder
	b.WriteString("| how the commit is made |")
	for _, d := range entryPoints() {
		fmt.Fprintf(&b, " %s |", d.name)
	}
	b.WriteString("\n|" + strings.Repeat(" --- |", len(entryPoints())+1) + "\n")
	var rows []string
	names := map[string][]string{}
	for _, y := range ways() {
		row := ""
		for _, d := range entryPoints() {
			row += " " + strings.Replace(cells[y.name+d.name], onlyCI, "–", 1) + " |"
		}
		if names[row] == nil {
			rows = append(rows, row)
		}
		names[row] = append(names[row], y.name)
	}
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s |%s\n", strings.Join(names[row], ", "), row)
	}
	return b.String()
}
