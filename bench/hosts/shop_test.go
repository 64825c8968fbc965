package hosts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo/program/peer"
)

// built is a folder that goes with the tests, and acta the executable in it, built for the first test that has a program.
var (
	built string
	acta  = sync.OnceValues(func() (string, error) {
		path := filepath.Join(built, "acta")
		out, err := exec.Command("go", "build", "-C", "../..", "-o", path, "./cmd/acta").CombinedOutput()
		if err != nil {
			err = fmt.Errorf("go build: %w\n%s", err, out)
		}
		return path, err
	})
)

func TestMain(m *testing.M) {
	var err error
	if built, err = os.MkdirTemp("", "acta-hosts-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(built)
	os.Exit(code)
}

// shop is a repository with a task of two items in progress, acta's hooks and those of a host, in which its agent works.
type shop struct {
	*testing.T
	program program
	run
	env []string
	// calls is the folder in which each call of `acta agent hook` is kept: what it was handed, and what it answered.
	calls string
}

// wait bounds a run of a program: they take some seconds, and longer on a busy machine.
const wait = 3 * time.Minute

// newShop is a shop for a program, before its repository is made. A test whose program was not fetched is skipped.
func newShop(t *testing.T, p program) *shop {
	t.Helper()
	npm := os.Getenv("ACTA_HOSTS")
	if npm != "" {
		npm = filepath.Join(npm, p.id())
	}
	s := &shop{T: t, program: p, run: run{npm: npm}}
	if words, _ := p.command(s.run, "", false); npm == "" || !exists(words) {
		if slices.Contains([]string{"claude", "gemini"}, p.id()) && peer.Required(p.id()) {
			t.Fatalf("%s is not below ACTA_HOSTS, and ACTA_REQUIRE=all asks for it", p.module())
		}
		t.Skipf("%s is not below ACTA_HOSTS: bench/hosts.sh fetches it", p.module())
	}
	acta, err := acta()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s.home, s.top, s.calls = filepath.Join(dir, "home"), filepath.Join(dir, "shop"), filepath.Join(dir, "calls")
	bin := filepath.Join(dir, "bin")
	for _, d := range []string{s.home, s.top, s.calls, bin} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	s.put(filepath.Join(bin, "acta"), fmt.Sprintf(recorder, s.calls, acta))
	if err := os.Chmod(filepath.Join(bin, "acta"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.env = []string{
		"HOME=" + s.home, "PATH=" + bin + ":" + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "CI=1",
		"TMPDIR=" + t.TempDir(),
	}
	return s
}

// recorder is a shell's acta that keeps what a host hands to it and gets back.
const recorder = `#!/bin/sh
[ "$1 $2" = "agent hook" ] || exec %[2]s "$@"
at=%[1]s/$(date +%%s%%N)-$$
cat >$at.in
%[2]s "$@" <$at.in >$at.out 2>$at.err
code=$?
echo $code >$at.code
cat $at.out
cat $at.err >&2
exit $code
`

// exists reports whether the files that a command names are there.
func exists(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		if !strings.Contains(w, "node_modules") {
			return false
		}
		_, err := os.Stat(w)
		return err != nil
	})
}

// begin makes the repository, with acta in the settings of the host.
func (s *shop) begin() {
	s.Helper()
	s.beginWith("acta init --agent " + s.program.id() + " >/dev/null")
}

// beginWith makes the repository; settle lets the host work with acta.
func (s *shop) beginWith(settle string) {
	s.Helper()
	s.sh(`git init -q -b main
git config user.name executor-01
git config user.email executor-01@agents.invalid
acta init --yes >/dev/null
acta plan add ROOT --id T01 --description 'Log in and out' --item 'Add login() to auth.py' --item 'Add logout() to auth.py' >/dev/null
sed -i '/"T01"/,/status/s/"pending"/"in_progress"/' working_plan/current.json
printf 'USERS = {}\n' >users.py
printf '#!/bin/sh\nif grep -q "$1" auth.py; then echo 1 passed; else echo 1 failed; exit 1; fi\n' >test.sh
chmod +x test.sh
` + settle + `
git add .
git commit -q -m 'Begin with a plan'
acta install >/dev/null`)
}

// put writes a file.
func (s *shop) put(file, text string) {
	s.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		s.Fatal(err)
	}
}

// sh runs commands of a person in the work tree, and is what they print.
func (s *shop) sh(commands string) string {
	s.Helper()
	cmd := exec.Command("sh", "-ec", commands)
	cmd.Dir, cmd.Env = s.top, s.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.Fatalf("%v of\n%s\n%s", err, commands, out)
	}
	return strings.TrimSpace(string(out))
}

// agent lets the agent do what is said, one thing a request, and is what is new in each request to its model. With
// resume its last session goes on.
func (s *shop) agent(resume bool, actions ...action) (told []string) {
	s.Helper()
	var steps []Step
	for _, a := range actions {
		if a.write != "" {
			a.write = s.file(a.write)
		}
		if a.read != "" {
			a.read = s.file(a.read)
		}
		if a.edit != "" {
			a.edit = s.file(a.edit)
		}
		steps = append(steps, s.program.step(a))
	}
	m := startModel(steps...)
	defer m.Close()
	s.url = m.URL()
	if err := s.write(s.program.files(s.run)); err != nil {
		s.Fatal(err)
	}
	out := s.start(resume)
	if len(m.Sent()) < len(actions) {
		s.Errorf("%s asked its model %d times, and not %d:\n%s\nit was sent\n%.6000q\nother requests: %.2000q, beyond this machine: %q",
			s.program.module(), len(m.Sent()), len(actions), out, m.News(), m.Others(), m.Beyond())
	}
	if os.Getenv("ACTA_HOSTS_SHOW") != "" {
		s.Logf("%s\n%.3000q\nbeyond this machine: %q", out, m.Others(), m.Beyond())
	}
	return m.News()
}

// start runs the program, and is what it prints.
func (s *shop) start(resume bool) string {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), wait)
	defer cancel()
	words, env := s.program.command(s.run, "Implement T01.", resume)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	// Nothing beyond this machine is reached: the model stands in for it, too.
	cmd.Dir, cmd.Env = s.top, append(append(slices.Clone(s.env), env...), "HOME="+s.home,
		"HTTP_PROXY="+s.url, "HTTPS_PROXY="+s.url, "NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	// What it starts belongs to its group, which is stopped with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		s.Logf("%s: %v\n%s", s.program.module(), err, out.String())
	}
	return out.String()
}

// said is all that the hooks of the host have answered, but for what says nothing.
func (s *shop) said() string {
	s.Helper()
	files, err := filepath.Glob(filepath.Join(s.calls, "*"))
	if err != nil || len(files) < 12 {
		s.Fatalf("the host has called acta %d times, %v", len(files)/4, err)
	}
	var all strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			s.Fatal(err)
		}
		if text := strings.TrimSpace(string(data)); text != "{}" && !strings.HasSuffix(file, ".in") && !strings.HasSuffix(file, ".code") {
			all.WriteString(text)
		}
	}
	return all.String()
}

// record is the session that began last.
func (s *shop) record() *worklog.Session {
	s.Helper()
	ids := strings.Fields(s.sh("acta worklog list | awk '{print $1}'"))
	if len(ids) == 0 {
		s.Fatal("no session is recorded")
	}
	session, err := worklog.ReadSession([]byte(s.sh("acta worklog show --format yaml " + ids[len(ids)-1])))
	if err != nil {
		s.Fatal(err)
	}
	return session
}
