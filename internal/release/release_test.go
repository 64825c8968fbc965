package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo/program/peer"
)

// lie and truth are an agent's messages over work.
const (
	work  = "def logout(session):\n    pass\n\n\ndef login(user, password):\n    return Session(user).open(password)\n"
	lie   = "ACT: T02 password logout\n\nDone: Add logout() to auth.py | auth.py:1-2\nOutcome: success\n"
	truth = "ACT: T01 password login\n\nDone: Add login() to auth.py | auth.py:5-6\nOutcome: success\n"
)

// What a release is made of installs on a machine without Go and without a C compiler, and refuses a lie there. ACTA_DIST
// names the folder of a release that GoReleaser has made; without it acta is built, and an archive made, as that does.
func TestAReleaseInstallsAndRefusesALie(t *testing.T) {
	r := &release{dist: os.Getenv("ACTA_DIST"), level: 1} // 9 takes half a minute
	if r.dist == "" {
		r.dist = filepath.Join(t.TempDir(), "dist")
		build(t, r.dist)
	}
	before, err := os.ReadFile(filepath.Join(r.dist, "SHA256SUMS"))
	if err == nil {
		err = r.run()
	}
	if err != nil {
		t.Fatal(err)
	}
	ways := []struct {
		name, peer string
		tools      []string
		install    func(t *testing.T, r *release, m *machine) (acta string)
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
			m.refusesALie(way.install(t, r, m))
		})
	}
	for _, id := range []string{"claude", "codex", "gemini", "opencode"} {
		if name := fmt.Sprintf("acta-%s-plugin-%s.tar.gz", version, id); !strings.Contains(r.sums.String(), "  "+name+"\n") {
			t.Errorf("%s is not among what was made", name)
		}
	}
	t.Run("a second time", func(t *testing.T) {
		sums := r.sums.String()
		again := &release{dist: r.dist, level: r.level}
		if err := again.run(); err != nil || again.sums.String() != sums || sums == "" {
			t.Errorf("%v: the packages are other bytes:\n%s\n%s", err, sums, again.sums.String())
		}
	})
	if err := os.WriteFile(filepath.Join(r.dist, "SHA256SUMS"), before, 0o666); err != nil {
		t.Fatal(err)
	}
}

// thisPlatform is the platform of this machine.
func thisPlatform(t *testing.T) platform {
	t.Helper()
	i := slices.IndexFunc(platforms, func(p platform) bool { return p.goos == runtime.GOOS && p.goarch == runtime.GOARCH })
	if i < 0 {
		t.Skip("no release is made for this machine")
	}
	return platforms[i]
}

// name is that of an archive, and of the folder in it.
func name(t *testing.T) string {
	return "acta-" + version + "-" + thisPlatform(t).goos + "-" + thisPlatform(t).goarch
}

// build makes what GoReleaser makes of acta, for this machine.
func build(t *testing.T, dist string) {
	t.Helper()
	dir := filepath.Join(dist, name(t))
	list := fmt.Sprintf(`[{"path": "dist/%s/acta", "goos": %q, "goarch": %q, "type": "Binary", "extra": {"Binary": "acta", "Ext": ""}}]`,
		name(t), thisPlatform(t).goos, thisPlatform(t).goarch)
	archive := filepath.Join(dist, name(t)+".tar.xz")
	for _, args := range [][]string{
		{"go", "build", "-trimpath", "-tags", "urfave_cli_no_docs,netgo,osusergo",
			"-ldflags", "-s -w -linkmode=external -extldflags=-static", "-o", dir + "/", "../../cmd/acta"},
		{"tar", "-c", "-C", dist, "-f", archive, "-I", "xz -1", name(t)},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	data, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		"artifacts.json": list, "SHA256SUMS": fmt.Sprintf("%x  %s\n", sha256.Sum256(data), filepath.Base(archive)),
	} {
		if err := os.WriteFile(filepath.Join(dist, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
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
