package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/program/peer"
)

// lie and truth are an agent's messages over work.
const (
	work  = "def logout(session):\n    pass\n\n\ndef login(user, password):\n    return Session(user).open(password)\n"
	lie   = "ACT: T02 password logout\n\nDone: Add logout() to auth.py | auth.py:1-2\nOutcome: success\n"
	truth = "ACT: T01 password login\n\nDone: Add login() to auth.py | auth.py:5-6\nOutcome: success\n"
)

// The files of a release install on a machine without Go and without a C compiler, and refuse a lie there. What is not this
// machine's target is made by hand only: a target's grammars take minutes to compile.
func TestAReleaseInstallsAndRefusesALie(t *testing.T) {
	r, host := built(t)
	if err := r.npmLauncher("acta"); err != nil {
		t.Fatal(err)
	}
	if err := r.sums(new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	ways := []struct {
		name, peer string
		tools      []string
		install    func(t *testing.T, r release, host target, m *machine) (acta string)
	}{
		{"archive", "xz", []string{"sh", "sed", "dirname", "basename", "mkdir", "cp", "mv", "rm", "mktemp", "tar", "xz", "grep",
			"sha256sum", "chmod", "uname", "touch", "cat"}, fromArchive},
		{"npm", "npm", []string{"sh", "node", "env"}, fromNPM},
		{"wheel", "python3", []string{"sh"}, fromWheel},
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			if ok, err := peer.Condition("tool:" + way.peer); err != nil {
				t.Fatal(err)
			} else if !ok {
				t.Skipf("no %s", way.peer)
			}
			m := newMachine(t, append(way.tools, "git"))
			m.refusesALie(way.install(t, r, host, m))
		})
	}
	t.Run("a second build", func(t *testing.T) { sameAgain(t, r, host) })
}

// built are acta's files for this machine.
func built(t *testing.T) (release, target) {
	t.Helper()
	host, err := command("go", "env", "GOHOSTOS", "GOHOSTARCH")
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := targetsNamed([]string{strings.ReplaceAll(host, "\n", "-")})
	if err != nil {
		t.Skip(err)
	}
	top, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	r := release{top: top, work: t.TempDir(), out: t.TempDir(), level: 1} // 9 takes half a minute
	if err := r.make(wanted[0], []string{"acta"}); err != nil {
		t.Fatal(err)
	}
	return r, wanted[0]
}

// sameAgain builds once more: whoever builds the commit gets the same bytes. xz is left out, which has no other input.
func sameAgain(t *testing.T, first release, host target) {
	t.Helper()
	again := release{top: first.top, work: t.TempDir(), out: t.TempDir(), level: first.level}
	if err := again.build(host, []string{"acta"}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []func(target, string) error{again.sbom, again.npmPlatform, again.wheel} {
		if err := step(host, "acta"); err != nil {
			t.Fatal(err)
		}
	}
	files, err := again.digests()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 3 {
		t.Fatalf("%v were made", files)
	}
	for _, f := range files {
		one, err := os.ReadFile(filepath.Join(first.out, f.name))
		if err != nil {
			t.Fatal(err)
		}
		other, err := os.ReadFile(filepath.Join(again.out, f.name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one, other) {
			t.Errorf("%s: a second build gives other bytes", f.name)
		}
	}
}

// machine is one with some programs alone.
type machine struct {
	*testing.T
	home, tools string
}

func newMachine(t *testing.T, tools []string) *machine {
	m := &machine{t, t.TempDir(), t.TempDir()}
	for _, tool := range tools {
		path, err := exec.LookPath(tool)
		if err == nil {
			path, err = filepath.EvalSymlinks(path)
		}
		if err == nil {
			err = os.Symlink(path, filepath.Join(m.tools, tool))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, absent := range []string{"go", "gcc", "cc"} {
		if _, err := os.Stat(filepath.Join(m.tools, absent)); err == nil {
			t.Fatalf("%s is on the machine's PATH", absent)
		}
	}
	return m
}

// run runs a program of the machine and gives what it prints.
func (m *machine) run(dir, stdin, program string, args ...string) (out string, ok bool) {
	m.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(peer.GitEnv(m.home), "PATH="+m.tools, "PREFIX="+filepath.Join(m.home, "prefix"))
	data, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		m.Fatalf("%v: %v", cmd.Args, err)
	}
	return string(data), err == nil
}

func (m *machine) must(dir, stdin, program string, args ...string) string {
	m.Helper()
	out, ok := m.run(dir, stdin, program, args...)
	if !ok {
		m.Fatalf("%s %q: %s", program, args, out)
	}
	return out
}

// refusesALie makes a repository, installs the hooks by an acta, and commits a lie and the truth.
func (m *machine) refusesALie(acta string) {
	m.Helper()
	git := filepath.Join(m.tools, "git")
	if said := m.must(m.home, "", acta, "--version"); said != "acta version "+version+"\n" {
		m.Fatal(said)
	}
	repository := filepath.Join(m.home, "shop")
	m.must(m.home, "", git, "init", "--quiet", repository)
	if err := os.WriteFile(filepath.Join(repository, "auth.py"), []byte(work), 0o666); err != nil {
		m.Fatal(err)
	}
	m.must(repository, "", git, "add", "auth.py")
	m.must(repository, "", acta, "install")
	said, ok := m.run(repository, lie, git, "commit", "--quiet", "-F", "-")
	if ok || !strings.Contains(said, "[checklist_evidence_empty_impl]") {
		m.Errorf("the lie was not refused as one: %s", said)
	}
	message := filepath.Join(m.home, "message")
	if err := os.WriteFile(message, []byte(lie), 0o666); err != nil {
		m.Fatal(err)
	}
	// By the name that users call, which may be a launcher: its exit code is acta's.
	if said, ok := m.run(repository, "", acta, "check", "--message", message); ok || !strings.Contains(said, "[checklist_evidence_empty_impl]") {
		m.Errorf("acta check lets the lie pass: %s", said)
	}
	// Git starts the executable itself.
	hook, err := os.ReadFile(filepath.Join(repository, ".git/hooks/commit-msg"))
	if err != nil || strings.Contains(string(hook), ".js") {
		m.Errorf("the hook starts a launcher: %v\n%s", err, hook)
	}
	m.must(repository, truth, git, "commit", "--quiet", "-F", "-")
}
