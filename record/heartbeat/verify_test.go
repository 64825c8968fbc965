package heartbeat

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

// testTree is a work tree whose files are committed.
type testTree struct {
	t   *testing.T
	dir string
	env []string
	now time.Time
}

func newTree(t *testing.T, files map[string]string) *testTree {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tree := &testTree{t: t, dir: dir, now: repotest.When, env: repotest.Env(dir, "ACTA_TOKEN=secret", "ACTA_TOKENS=kept")}
	for name, text := range files {
		tree.write(name, text)
	}
	tree.git("init", "-q", "-b", "main", "--template=")
	tree.git("add", ".")
	tree.git("commit", "-q", "--allow-empty", "-m", "Base")
	return tree
}

func (w *testTree) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		w.t.Fatal(err)
	}
}

func (w *testTree) git(args ...string) {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (w *testTree) commonDir() string { return filepath.Join(w.dir, ".git") }

// verify judges the tasks of a file, lines without their bullet.
func (w *testTree) verify(lines ...string) []Result {
	w.t.Helper()
	r, err := repo.Open(w.t.Context(), w.dir, repo.Options{Env: w.env})
	if err != nil {
		w.t.Fatal(err)
	}
	defer r.Close()
	h := parser.ParseHeartbeat([]byte("## Tasks\n- " + strings.Join(lines, "\n- ") + "\n"))
	var tasks []*parser.Task
	for i := range h.Tasks {
		tasks = append(tasks, &h.Tasks[i])
	}
	v := &Verification{
		Repo: r, Top: w.dir, GitDir: w.commonDir(), CommonDir: w.commonDir(), Env: w.env, HasAgreed: true, Now: w.now,
		Caller: journal.Caller{Actor: journal.Agent, Name: "executor-01", Session: "s"},
	}
	results, warnings, err := v.Verify(w.t.Context(), h, tasks)
	if err != nil || len(warnings) > 0 || len(results) != len(lines) {
		w.t.Fatalf("%v: %d results, warnings %q, %v", lines, len(results), warnings, err)
	}
	return results
}

// verdicts are the results, a line each.
func verdicts(results []Result) string {
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintf(&b, "%s %s contradiction=%v attempts=%d judged=%v %s\n", r.Task.ID, r.Verdict, r.IsContradiction, r.Attempts, r.IsJudged, r.Reason)
	}
	return b.String()
}

const verifiersFile = `env: [ACTA_TOKENS]
verifiers:
  ok: {run: ["true"]}
  no: {run: [sh, -c, "exit 3"]}
  gone: {run: [acta-no-such-program]}
  nothing: {run: [sh, -c, acta-no-such-program]}
  killed: {run: [sh, -c, "kill -9 $$"]}
  argument: {run: [test, "$HOME; false", "=", "$HOME; false"]}
  token: {run: [sh, -c, 'test -z "$ACTA_TOKEN" && test "$ACTA_TOKENS" = kept']}
  place: {run: [test, -f, src/auth.py]}
  own: {run: [./own.sh]}
  count: {run: [sh, -c, "echo run >>runs"]}
score: {timezone: Pacific/Auckland}
`

const planFile = `{"id": "ROOT", "type": "parent", "children": [
 {"id": "T01", "type": "atomic", "status": "complete"}, {"id": "T02", "type": "atomic", "status": "in_progress"}]}
`

func TestHintsAreJudged(t *testing.T) {
	w := newTree(t, map[string]string{
		".acta.yaml": verifiersFile, "working_plan/current.json": planFile, "own.sh": "#!/bin/sh\nexit 0\n", "notes.md": "# A brief\n\nIt rains.\n",
		"src/auth.py": "def login(user):\n    return user.token\n\n\ndef logout(user):\n    pass\n",
	})
	w.write("work.py", "def work():\n    return 1 + 2\n") // not tracked
	w.write(".acta.yaml", verifiersFile+"# changed\n")
	if err := os.Symlink("/etc", filepath.Join(w.dir, "out")); err != nil {
		t.Fatal(err)
	}
	for hint, want := range map[string]string{
		"ok": "verified", "no": "refuted the verifier no ended with exit code 3", "argument": "verified", "token": "verified", "place": "verified", "own": "verified",
		"gone":     "unclear the verifier gone cannot be started",
		"nothing":  "unclear the verifier nothing found no program to run: exit code 127",
		"killed":   "unclear the verifier killed did not end by itself: signal: killed",
		"unit:T01": "verified", "unit: T02": "refuted the task T02 is in progress in HEAD's plan, and not complete",
		"unit:T09":        "unclear HEAD's plan has no task T09",
		"src/auth.py:1-2": "verified", "src/auth.py:1-2#login": "verified", "src/auth.py:1-2, work.py:1-2": "verified", "notes.md:3": "verified",
		"src/auth.py:5-6":          "refuted src/auth.py:5-6: stub",
		"src/auth.py:1-2, no.py:1": "refuted no.py:1: file not found",
		"src/auth.py:1-90":         "refuted src/auth.py:1-90: line out of range",
		".git/config:1":            "refuted .git/config:1: file not found",
		"out/passwd:1":             "unclear out/passwd:1: out is a symbolic link that leaves the repository",
		"src/auth.py":              "unclear HEAD's policy has no verifier src/auth.py",
		"-src/auth.py:1-2":         "unclear HEAD's policy has no verifier",
		"true":                     "unclear HEAD's policy has no verifier true",
		"email_count":              "unclear HEAD's policy has no verifier email_count",
		"sh -c 'exit 0'":           "unclear HEAD's policy has no verifier",
		"ok; true":                 "unclear HEAD's policy has no verifier",
	} {
		for _, box := range []string{"[x]", "[ ]"} {
			id := "t" + hint + box
			r := w.verify(box + " " + id + " | d | verify: " + hint)[0]
			got := r.Verdict.String()
			if r.IsContradiction {
				got = "refuted"
			}
			expected, reason, _ := strings.Cut(want, " ")
			if expected == "refuted" && box == "[ ]" {
				expected = "not_verified" // who claims nothing contradicts nothing
			}
			if got != expected || !strings.HasPrefix(r.Reason, reason) {
				t.Errorf("%s %s: %s %s, want %s", box, hint, got, r.Reason, want)
			}
		}
	}
	if r := w.verify("[x] bare | d")[0]; r.Verdict.String() != "unclear" || !strings.Contains(r.Reason, "does not say how") {
		t.Errorf("no hint: %+v", r)
	}
}

// What a policy in the work tree names is not run: only what has landed counts.
func TestThePolicyIsThatOfHEAD(t *testing.T) {
	w := newTree(t, map[string]string{".acta.yaml": "verifiers: {a: {run: [sh, -c, exit 1]}}\n"})
	w.write(".acta.yaml", "verifiers: {a: {run: ['true']}, b: {run: [sh, -c, 'echo >>runs']}}\n")
	want := "a not_verified contradiction=true attempts=1 judged=true the verifier a ended with exit code 1\n" +
		"b unclear contradiction=false attempts=1 judged=true HEAD's policy has no verifier b, and it is neither path:line-end nor unit:KEY\n"
	if got := verdicts(w.verify("[x] a | d | verify: a", "[x] b | d | verify: b")); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "runs")); err == nil {
		t.Error("the verifier of the work tree's policy was run")
	}
}

func TestAttemptsStopAtTheLimit(t *testing.T) {
	w := newTree(t, map[string]string{".acta.yaml": verifiersFile})
	w.now = time.Date(2026, 1, 26, 10, 59, 0, 0, time.UTC) // 23:59 in Auckland
	runs := func() int {
		data, _ := os.ReadFile(filepath.Join(w.dir, "runs"))
		return strings.Count(string(data), "\n")
	}
	line := "[ ] a | d | verify: %s | max_attempts: 2"
	for call, want := range []string{
		"a verified contradiction=false attempts=1 judged=true \n", "a verified contradiction=false attempts=2 judged=true \n",
		"a verified contradiction=false attempts=2 judged=false \n",
	} {
		if got := verdicts(w.verify(fmt.Sprintf(line, "count"))); got != want {
			t.Errorf("call %d: %swant %s", call+1, got, want)
		}
	}
	if runs() != 2 {
		t.Errorf("%d runs", runs())
	}
	// Another question counts anew; a box that is ticked, or other words, are none.
	w.verify(fmt.Sprintf(line, "no"))
	w.verify(fmt.Sprintf(line, "no"))
	want := "a not_verified contradiction=true attempts=2 judged=false the verifier no ended with exit code 3\n"
	if got := verdicts(w.verify("[x] A | other words | optional | verify: no | max_attempts: 2")); got != want {
		t.Errorf("got %swant %s", got, want)
	}
	// An attempt that was cut off has no verdict.
	w.write(".git/acta/"+attemptsFile, fmt.Sprintf(`{"day": "2026-01-26", "tasks": [
		{"work_tree": %q, "id": "b", "verify": "ok", "attempts": 2}]}`, w.commonDir()))
	want = "b unclear contradiction=false attempts=2 judged=false its 2 attempts of today are used up, and none reached a verdict\n"
	if got := verdicts(w.verify("[x] b | d | verify: ok | max_attempts: 2")); got != want {
		t.Errorf("got %swant %s", got, want)
	}
	w.now = w.now.Add(time.Minute) // the next day, there
	if got := w.verify(fmt.Sprintf(line, "count"))[0]; got.Attempts != 1 || !got.IsJudged || runs() != 3 {
		t.Errorf("the next day: %+v, %d runs", got, runs())
	}
}

// A hundred calls at once make as many attempts as there are, and each leaves its line in the log.
func TestCallsAtOnceLoseNoAttempt(t *testing.T) {
	w := newTree(t, map[string]string{".acta.yaml": verifiersFile})
	var calls sync.WaitGroup
	for range 24 {
		calls.Go(func() {
			w.verify("[x] a | d | verify: count | max_attempts: 7", "[x] b | d | verify: no | max_attempts: 9")
		})
	}
	calls.Wait()
	runs, err := os.ReadFile(filepath.Join(w.dir, "runs"))
	if err != nil || strings.Count(string(runs), "\n") != 7 {
		t.Errorf("%q, %v", runs, err)
	}
	entries, err := journal.Heartbeats(w.commonDir()).Read()
	if err != nil || len(entries) != 48 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	judged := map[string]int{}
	for _, e := range entries {
		var p struct {
			ID     string
			Judged bool
		}
		if err := json.Unmarshal(e.Params, &p); err != nil {
			t.Fatal(err)
		}
		if p.Judged {
			judged[p.ID]++
		}
	}
	if judged["a"] != 7 || judged["b"] != 9 {
		t.Errorf("judged %v", judged)
	}
	if s, err := journal.Heartbeats(w.commonDir()).Verify(); err != nil || s.Fault != nil || s.Lines != 48 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestTheLogHoldsWhatAScoreAsksFor(t *testing.T) {
	w := newTree(t, map[string]string{".acta.yaml": verifiersFile})
	w.verify("[x] a | d | optional | verify: no", "[ ] b | d | optional | verify: no", "[ ] c | d | verify: no", "[ ] e | d | optional | verify: ok")
	log, state, err := journal.Heartbeats(w.commonDir()).ReadVerified()
	if err != nil || state.Fault != nil || len(log) != 4 {
		t.Fatalf("%d verdicts, %+v, %v", len(log), state, err)
	}
	file := parser.ParseHeartbeat([]byte("## Tasks\n- [x] a | d | optional | verify: no\n- [ ] b | d | optional | verify: no\n- [ ] c | d | verify: no\n- [ ] e | d | optional | verify: ok\n"))
	want := fmt.Sprintf(`{"again":false,"attempt":1,"checked":true,"contradiction":true,"file":"%s","id":"a","judged":true,`+
		`"reason":"the verifier no ended with exit code 3","required":false,"verdict":"not_verified","verify":"no"}`, fingerprint(file))
	if e := log[0]; string(e.Params) != want || !e.Time.Equal(w.now) || e.Name != "executor-01" || e.Cmd != LogCommand || !repo.IsID(e.Commit) {
		t.Errorf("got  %+v\nwant %s", e, want)
	}
}

// Attempts that cannot be read are not attempts that nobody made.
func TestDamagedAttemptsAreAnError(t *testing.T) {
	w := newTree(t, map[string]string{".acta.yaml": verifiersFile})
	w.verify("[x] a | d | verify: ok")
	w.write(".git/acta/"+attemptsFile, "{")
	r, err := repo.Open(t.Context(), w.dir, repo.Options{Env: w.env})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	h := parser.ParseHeartbeat([]byte("## Tasks\n- [x] a | d | verify: ok\n"))
	v := &Verification{Repo: r, Top: w.dir, GitDir: w.commonDir(), CommonDir: w.commonDir(), Env: w.env, HasAgreed: true, Now: w.now}
	if _, _, err := v.Verify(t.Context(), h, []*parser.Task{&h.Tasks[0]}); err == nil || !strings.Contains(err.Error(), "remove it to count from zero") {
		t.Errorf("%v", err)
	}
}

func TestNextIsTheFirstRequiredTaskThatIsOpen(t *testing.T) {
	h := parser.ParseHeartbeat([]byte("## Tasks\n- [x] a | d\n- [ ] b | d | optional\n- [ ] c | d\n- [ ] e | d\n"))
	if n := Next(h, false); n == nil || n.ID != "c" {
		t.Errorf("next is %v", n)
	}
	if n := Next(h, true); n == nil || n.ID != "b" {
		t.Errorf("next is %v where all are required", n)
	}
	if n := Next(parser.ParseHeartbeat([]byte("## Tasks\n- [x] a | d\n- [ ] b | d | optional\n")), false); n == nil || n.ID != "b" {
		t.Errorf("next is %v where no required one is open", n)
	}
	if n := Next(parser.ParseHeartbeat([]byte("## Tasks\n- [x] a | d\n")), false); n != nil {
		t.Errorf("next is %v where none is open", n)
	}
}
