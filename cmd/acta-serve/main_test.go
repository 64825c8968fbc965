package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/acta-git/acta/repo/repotest"
)

// TestMain makes the test binary answer to the name acta-serve.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "acta-serve" {
		main()
		return
	}
	os.Exit(m.Run())
}

// place is a repository, and an environment of its own.
type place struct {
	*testing.T
	dir, home, program string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	p := &place{t, filepath.Join(home, "shop"), home, filepath.Join(home, "bin", "acta-serve")}
	for _, dir := range []string{p.dir, filepath.Dir(p.program)} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(self, p.program); err != nil {
		t.Fatal(err)
	}
	p.git("init", "-q", "-b", "main", "--template=")
	p.git("config", "user.name", "Olga Operator")
	p.git("config", "user.email", "olga@example.invalid")
	if err := os.WriteFile(filepath.Join(p.dir, "auth.py"), []byte("def login(user):\n    user.seen = True\n    return user\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p.git("add", ".")
	p.git("commit", "-q", "-m", "ACT: T01 login\n\nDone: Add login to auth.py | auth.py:1-3\nActor: executor-01\n")
	return p
}

func (p *place) env(more ...string) []string {
	return repotest.Env(p.home, more...)
}

func (p *place) git(args ...string) string {
	p.Helper()
	return p.gitAt("2026-01-26T10:00:00Z", args...)
}

func (p *place) gitAt(date string, args ...string) string {
	p.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = p.dir, p.env("GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// call runs acta-serve to its end.
func (p *place) call(env []string, args ...string) (code int, stdout, stderr string) {
	p.Helper()
	cmd := exec.Command(p.program, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.dir, p.env(env...), &out, &errs
	err := cmd.Run()
	if failed := (*exec.ExitError)(nil); err != nil && !asExit(err, &failed) {
		p.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

func asExit(err error, to **exec.ExitError) (ok bool) {
	*to, ok = err.(*exec.ExitError)
	return ok
}

// running is a server that runs.
type running struct {
	*place
	cmd *exec.Cmd
	url string
	// said is its second line, where the token is.
	said string
	rest chan string
}

func (p *place) start(env []string, args ...string) *running {
	p.Helper()
	cmd := exec.Command(p.program, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = p.dir, p.env(env...), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.Fatal(err)
	}
	r := &running{place: p, cmd: cmd, rest: make(chan string, 1)}
	lines := bufio.NewReader(out)
	first, err1 := lines.ReadString('\n')
	second, err2 := lines.ReadString('\n')
	if err1 != nil || err2 != nil {
		p.Fatalf("it said %q and %q", first, second)
	}
	url, ok := strings.CutPrefix(strings.TrimSpace(first), "acta: serving ")
	if !ok {
		p.Fatalf("it said %q", first)
	}
	r.url, r.said = url, strings.TrimSpace(second)
	go func() {
		rest, _ := io.ReadAll(lines)
		r.rest <- string(rest)
	}()
	p.Cleanup(func() { _ = cmd.Process.Kill() })
	return r
}

// end ends it as a service manager does, and returns its exit code.
func (r *running) end() int {
	r.Helper()
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		r.Fatal(err)
	}
	if rest := <-r.rest; rest != "" {
		r.Errorf("it said more: %q", rest)
	}
	_ = r.cmd.Wait()
	return r.cmd.ProcessState.ExitCode()
}

func (r *running) vote(token string) int {
	r.Helper()
	request, err := http.NewRequestWithContext(r.Context(), "POST", r.url+"/api/score/feedback", strings.NewReader(`{"vote": "up", "commit": "HEAD"}`))
	if err != nil {
		r.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		r.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}

// A server makes a token, keeps it for its user alone, uses it again, and ends
// when it is told to, open pages and all.
func TestServe(t *testing.T) {
	p := newPlace(t)
	r := p.start(nil, "serve", "--addr", "127.0.0.1:0")
	file, ok := strings.CutPrefix(r.said, "acta: the token is stored in ")
	if !ok {
		t.Fatal(r.said)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info, err)
	}
	data, err := os.ReadFile(file)
	token := strings.TrimSpace(string(data))
	if err != nil || len(token) != 64 || strings.HasPrefix(file, p.dir) {
		t.Fatalf("the token has %d characters and lies in %s: %v", len(token), file, err)
	}
	if code := r.vote("x" + token[1:]); code != 401 {
		t.Errorf("a wrong token: %d", code)
	}
	if code := r.vote(token); code != 200 {
		t.Errorf("the token: %d", code)
	}
	if note := p.git("notes", "--ref", "acta-feedback", "show", "HEAD"); !strings.Contains(note, `"by":"Olga Operator"`) {
		t.Error(note)
	}
	page, err := http.Get(r.url + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	if code := r.end(); code != exitClean {
		t.Errorf("it ended with %d", code)
	}
	again := p.start(nil, "--addr", "localhost:0", "--repo", ".", "--repo", p.dir, "--by", "Rita")
	if code := again.vote(token); code != 200 {
		t.Errorf("the token of the first run: %d", code)
	}
	if note := p.git("notes", "--ref", "acta-feedback", "show", "HEAD"); !strings.Contains(note, `"by":"Rita"`) {
		t.Error(note)
	}
	var said struct{ Repos []string }
	health, err := http.Get(again.url + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer health.Body.Close()
	if err := json.NewDecoder(health.Body).Decode(&said); err != nil || !slices.Equal(said.Repos, []string{"shop"}) {
		t.Error(said, err)
	}
	if code := again.end(); code != exitClean {
		t.Errorf("it ended with %d", code)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := p.call(nil, "--addr", "127.0.0.1:0"); code != exitUsage || !strings.Contains(stderr, "chmod 600") {
		t.Errorf("a token that others may read: %d, %s", code, stderr)
	}
}

func TestGivenToken(t *testing.T) {
	p := newPlace(t)
	file := filepath.Join(p.home, "token")
	if err := os.WriteFile(file, []byte("from-a-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		env, args []string
		token     string
	}{
		{[]string{"ACTA_TOKEN=from-the-environment"}, nil, "from-the-environment"},
		{nil, []string{"--token-file", file}, "from-a-file"},
		{[]string{"ACTA_TOKEN=from-the-environment"}, []string{"--token-file", file}, "from-a-file"},
	} {
		r := p.start(c.env, append([]string{"serve", "--addr", "127.0.0.1:0"}, c.args...)...)
		if code := r.vote(c.token); code != 200 || strings.Contains(r.said, c.token) {
			t.Errorf("%v %v: %d, and it said %q", c.env, c.args, code, r.said)
		}
		r.end()
	}
	if _, err := os.Stat(filepath.Join(p.home, ".config")); err == nil {
		t.Error("a token was made although one was given")
	}
	// Other addresses ask for the token at every read, and answer to the names of the machine.
	r := p.start([]string{"ACTA_TOKEN=given-and-long-enough"}, "--addr", "0.0.0.0:0", "--host", "acta.example")
	_, port, err := net.SplitHostPort(strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{"127.0.0.1:" + port: 401, "localhost:" + port: 401, "acta.example": 401, "acta.example:" + port: 401, "evil.example:" + port: 421, "127.0.0.1:1": 421} {
		request, err := http.NewRequestWithContext(t.Context(), "GET", r.url+"/api/score", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %s, expected %d", host, answer.Status, want)
		}
	}
	r.end()
}

// With --notify the program that the policy names is told of who is in lockdown today: the author, for the agent that
// the ACT names has proven nothing. The day is that of the test.
func TestServeNotifies(t *testing.T) {
	p := newPlace(t)
	told := filepath.Join(p.home, "told")
	if out, err := exec.Command("mkfifo", told).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, content := range map[string]string{".acta.yaml": "score: {notify: {run: [sh, -c, 'cat >" + told + "']}}\n", "pay.py": "def charge(card):\n    pass\n"} {
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p.git("add", ".acta.yaml")
	p.git("commit", "-q", "-m", "Policy")
	p.git("add", ".")
	p.gitAt(time.Now().Format(time.RFC3339), "commit", "-q", "-m", "ACT: T02 payment\n\nDone: Add charge() | pay.py:1-2\nActor: executor-02\n")
	r := p.start(nil, "serve", "--addr", "127.0.0.1:0", "--notify")
	said, err := os.ReadFile(told) // waits for the program
	if err != nil || !strings.Contains(string(said), `"actor":"executor-01"`) || !strings.Contains(string(said), `"penalty":"lockdown"`) {
		t.Errorf("%s, %v", said, err)
	}
	if code := r.end(); code != exitClean {
		t.Errorf("it ended with %d", code)
	}
}

func TestUsage(t *testing.T) {
	p := newPlace(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	empty := filepath.Join(p.home, "empty")
	if err := os.WriteFile(empty, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	short, open := filepath.Join(p.home, "short"), filepath.Join(p.home, "open")
	if err := errors.Join(os.WriteFile(short, []byte("x\n"), 0o600), os.WriteFile(open, []byte(strings.Repeat("x", 64)), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--addr", "0.0.0.0:0", "--token-file", short}, exitUsage, "at least 16"},
		{[]string{"--addr", "[::]:0", "--token-file", open}, exitUsage, "chmod 600"},
		{[]string{"--addr", "0.0.0.0:0", "--report-token-file", open}, exitUsage, "chmod 600"},
		{[]string{"--addr", "0.0.0.0:0"}, exitUsage, "ACTA_TOKEN"},
		{[]string{"--addr", ":0"}, exitUsage, "ACTA_TOKEN"},
		{[]string{"--addr", "[::]:0"}, exitUsage, "ACTA_TOKEN"},
		{[]string{"--addr", "127.0.0.1:0", "serve"}, exitUsage, "write options after serve"},
		{[]string{"--repo", p.dir, "--", "report", "--html", "-"}, exitUsage, "write options after report"},
		{[]string{"report", "HEAD", "--html"}, exitUsage, "takes one range"},
		{[]string{"--addr", "nonsense"}, exitUsage, "HOST:PORT"},
		{[]string{"--addr", "127.0.0.1:http-alt"}, exitUsage, "no port"},
		{[]string{"--addr", taken.Addr().String()}, exitUndecided, "cannot listen on"},
		{[]string{"--token-file", empty}, exitUsage, "holds no token"},
		{[]string{"--token-file", empty + "x"}, exitUsage, "no such file"},
		{[]string{"--repo", p.home}, exitUsage, p.home},
		{[]string{"--repo", p.home + "/nothing"}, exitUsage, "nothing"},
		{[]string{"--nonsense"}, exitUsage, "nonsense"},
		{[]string{"serve", "now"}, exitUsage, "now"},
		{[]string{"report"}, exitUsage, "--html"},
		{[]string{"report", "--html", "x.html", "nothing"}, exitUsage, "nothing"},
		{[]string{"report", "--html", "x.html", "a...b"}, exitUsage, "three dots"},
		{[]string{"report", "--html", filepath.Join(p.home, "no", "x.html")}, exitUsage, "no such file"},
	} {
		code, stdout, stderr := p.call(nil, c.args...)
		if code != c.code || stdout != "" || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: %d, %q %q", c.args, code, stdout, stderr)
		}
	}
}

func TestReport(t *testing.T) {
	p := newPlace(t)
	scratch := "TMPDIR=" + t.TempDir()
	var pages []string
	for i, args := range [][]string{{"--html", "a.html"}, {"--html", "a.html", "HEAD"}, {"--html", "-", "..HEAD"}} {
		code, stdout, stderr := p.call([]string{scratch}, append([]string{"report"}, args...)...)
		if code != exitClean || stderr != "" {
			t.Fatalf("%v: %d %s", args, code, stderr)
		}
		if i < 2 {
			data, err := os.ReadFile(filepath.Join(p.dir, "a.html"))
			if err != nil || stdout != "" {
				t.Fatal(err, stdout)
			}
			stdout = string(data)
		}
		pages = append(pages, stdout)
	}
	if pages[0] != pages[1] || !strings.Contains(pages[0], "Add login to auth.py") {
		t.Error("HEAD is not everything that HEAD reaches")
	}
	if strings.Contains(pages[2], "Add login to auth.py</span>") {
		t.Error("the range HEAD..HEAD is not empty")
	}
	// Who reads it goes away.
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(p.program, "report", "--html", "-")
	cmd.Dir, cmd.Env, cmd.Stdout = p.dir, p.env(scratch), out
	if err := errors.Join(in.Close(), cmd.Start(), out.Close()); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("nobody has read it, and it is well")
	}
	if left, _ := filepath.Glob(filepath.Join(strings.TrimPrefix(scratch, "TMPDIR="), "*")); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
}

func TestHosts(t *testing.T) {
	at := func(ip string, port int) *net.TCPAddr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: port} }
	for _, c := range []struct {
		host string
		at   *net.TCPAddr
		more []string
		want []string
	}{
		{"127.0.0.1", at("127.0.0.1", 7711), nil, []string{"127.0.0.1:7711", "localhost:7711"}},
		{"localhost", at("::1", 7711), nil, []string{"localhost:7711", "[::1]:7711"}},
		{"192.0.2.1", at("192.0.2.1", 80), nil, []string{"192.0.2.1:80", "192.0.2.1"}},
		{"192.0.2.1", at("192.0.2.1", 7711), []string{"acta.example", "b.example:443"}, []string{"acta.example", "acta.example:7711", "b.example:443"}},
	} {
		got := hostHeaders(c.host, c.at, c.more)
		for _, name := range c.want {
			if !slices.Contains(got, name) {
				t.Errorf("%s at %v: %v lacks %s", c.host, c.at, got, name)
			}
		}
		if slices.Contains(got, "192.0.2.1") && !strings.HasSuffix(fmt.Sprint(c.at), ":80") || slices.Contains(got, "b.example") {
			t.Errorf("%s at %v: %v", c.host, c.at, got)
		}
	}
}
