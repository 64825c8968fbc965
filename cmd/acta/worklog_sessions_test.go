package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/record/worklog"
)

// playedSession is a repository in which the recorded session of an agent is played
// (testdata/sessions/claude.jsonl): its host's hooks call acta, the agent commits an
// ACT by git, acta an ADAPT.
type playedSession struct {
	*testing.T
	*sessionTemplate
	home, dir string
	env       []string // of the session, besides
}

// sessionTemplate is what the sessions of a test begin with: a repository with a plan and hooks.
type sessionTemplate struct {
	acta, home string
	workers
}

func newSessionTemplate(t *testing.T) *sessionTemplate {
	t.Helper()
	s := &sessionTemplate{actaCommand(t), t.TempDir(), newWorkers(t)}
	p := &playedSession{T: t, sessionTemplate: s, home: s.home, dir: filepath.Join(s.home, "r")}
	p.write("working_plan/current.json", sessionPlan)
	p.run("git", "init", "-q", "-b", "main")
	p.run("git", "add", ".")
	p.run("git", "commit", "-q", "-m", "Plan")
	p.run(p.acta, "install")
	return s
}

const sessionPlan = `{"id": "ROOT", "type": "parent", "description": "All", "status": "in_progress", "children": [
{"id": "T01", "type": "atomic", "description": "Login and logout", "status": "in_progress",
 "checklist": [{"item": "Add login()", "required": true}, {"item": "Add logout()", "required": true}], "children": []}]}`

// play plays the session to its end and returns what the worklog shows of it then.
func (s *sessionTemplate) play(t *testing.T, env ...string) (*playedSession, *worklog.Session) {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(s.home)); err != nil {
		t.Fatal(err)
	}
	p := &playedSession{T: t, sessionTemplate: s, home: home, dir: filepath.Join(home, "r")}
	p.env = append([]string{"ACTA_ACTOR=executor-01"}, env...)

	recorded, err := os.ReadFile("testdata/sessions/claude.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(recorded), []byte{'\n'})
	if len(lines) < 12 {
		t.Fatalf("the recorded session has %d lines", len(lines))
	}
	id := ""
	for i, line := range lines {
		switch {
		case bytes.Contains(line, []byte(`"tool_name": "Write"`)):
			p.write("src/auth.py", "def login(user):\n    return sessions.open(user)\n\n\n")
		case bytes.Contains(line, []byte(`"tool_name": "Edit"`)):
			p.write("src/auth.py", "def login(user):\n    return sessions.open(user)\n\n\ndef logout(user):\n    return sessions.close(user)\n")
		case bytes.Contains(line, []byte(`"hook_event_name": "Stop"`)):
			id = p.commit()
		}
		if out := p.hook(line); out != "" {
			t.Errorf("line %d of the session is answered %q", i+1, out)
		}
	}
	if id == "" {
		t.Fatal("the recorded session has no end at which the agent commits")
	}
	return p, p.shown(p.dir, id)
}

// commit makes the ACT and the ADAPT, in the session that runs if one does.
func (p *playedSession) commit() (id string) {
	p.Helper()
	listed := p.run(p.acta, "worklog", "list", "--format", "json")
	var all []struct {
		ID string `json:"session_id"`
	}
	if err := json.Unmarshal([]byte(listed), &all); err != nil {
		p.Fatal(err)
	}
	if len(all) > 0 {
		id = all[len(all)-1].ID
		p.env = append(p.env, "ACTA_SESSION="+id)
	} else {
		id = "executor's own" // of one that is known by its commits alone
		p.env = append(p.env, "ACTA_SESSION="+id)
	}
	p.run("git", "add", ".")
	p.run("git", "commit", "-q", "-m", "ACT: T01 login and logout\n\nDone: Add login() | src/auth.py:1-2\nDone: Add logout() | src/auth.py:5-6\nRan: pytest -q | exit 0")
	p.run(p.acta, "plan", "complete", "T01", "--commit", "--reason", "every item is done")
	return id
}

func (p *playedSession) write(path, text string) {
	file := filepath.Join(p.dir, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
		p.Fatal(err)
	}
}

func (p *playedSession) command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "ACTA_") && !strings.HasPrefix(v, "ACTA_REQUIRE=") })
	env := slices.DeleteFunc(gitEnv(p.home), func(v string) bool { return strings.Contains(v, "_DATE=") }) // commits stand among what was recorded before and after
	cmd.Env = append(append(cmd.Env, env...), p.env...)
	return cmd
}

func (p *playedSession) run(name string, args ...string) string {
	p.Helper()
	return p.runIn(p.dir, name, args...)
}

func (p *playedSession) runIn(dir, name string, args ...string) string {
	p.Helper()
	cmd := p.command(dir, name, args...)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil || strings.Contains(complaint.String(), "acta: ") {
		p.Fatalf("%s %q: %v: %s", name, args, err, complaint.String())
	}
	return string(out)
}

// hook hands a payload to acta as the host does, and returns all that it prints.
func (p *playedSession) hook(payload []byte) string {
	p.Helper()
	payload = bytes.ReplaceAll(bytes.ReplaceAll(payload, []byte("$TOP"), []byte(p.dir)), []byte("$SESSION"), []byte("s1"))
	// What another session's call has set is empty here.
	env := []string{"ACTA_SESSION=", "ACTA_TIER=", "ACTA_SKIP_VERIFY=", "ACTA_NO_CHECKPOINTS=", "ACTA_VERBOSE_LOG=", "ACTA_NO_WORKLOG="}
	got := p.workers.run(p.T, call{
		Dir: p.dir, Stdin: string(payload), Env: append(env, p.command(p.dir, "git").Env...),
		Args: []string{"agent", "hook", "--host", "claude"},
	})
	if got.Code != exitClean {
		p.Errorf("acta agent hook: exit code %d: %s", got.Code, got.Stderr)
	}
	return got.Stdout + got.Stderr
}

// shown is what the worklog shows of a session, in a repository. It holds to the schema.
func (p *playedSession) shown(dir, id string) *worklog.Session {
	p.Helper()
	printed := p.runIn(dir, p.acta, "worklog", "show", id, "--format", "json")
	var v any
	if err := json.Unmarshal([]byte(printed), &v); err != nil {
		p.Fatal(err)
	}
	if err := published(p, "worklog").Validate(v); err != nil {
		p.Errorf("%v\n%s", err, printed)
	}
	var s worklog.Session
	if err := json.Unmarshal([]byte(printed), &s); err != nil {
		p.Fatal(err)
	}
	return &s
}

// told is a session in short: an entry a word, with what became of it.
func told(s *worklog.Session) []string {
	var out []string
	for i := range s.Entries {
		e := &s.Entries[i]
		word := fmt.Sprintf("%s %s", e.Action, e.Status)
		if e.Details.Phase != "" {
			word += " " + e.Details.Phase
		}
		out = append(out, word)
	}
	return out
}

// All of a session that is recorded in STRICT: its worklog, three verifications
// (two todo lists and the ADAPT), three checkpoints.
func strictSession() []string {
	return []string{
		"TodoWrite completed", "Checkpoint completed planning", "Verify completed",
		"Write completed", "Bash failed", "Checkpoint completed verification",
		"Edit completed", "Task completed", "Bash completed", "TodoWrite completed", "Verify completed",
		"Checkpoint completed execution", "Act completed", "Adapt completed",
	}
}

// without leaves out entries by their first word.
func without(all []string, actions ...string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(actions, strings.Fields(s)[0]) })
}

func TestARecordedSessionInEveryTierAndWithEveryFlag(t *testing.T) {
	template := newSessionTemplate(t)
	standard := without(strictSession(), "Verify")
	standard = slices.DeleteFunc(standard, func(s string) bool {
		return strings.HasPrefix(s, "Checkpoint") && !strings.HasSuffix(s, "execution")
	})
	for _, c := range []struct {
		name string
		env  []string
		want []string
	}{
		{"STRICT", []string{"ACTA_TIER=STRICT"}, strictSession()},
		{"STANDARD", []string{"ACTA_TIER=STANDARD"}, standard},
		{"the default", nil, standard},
		{"LIGHT", []string{"ACTA_TIER=LIGHT"}, without(standard, "Write", "Edit", "Bash", "Checkpoint")},
		{"STRICT --skip-verify", []string{"ACTA_TIER=STRICT", "ACTA_SKIP_VERIFY=1"}, without(strictSession(), "Verify")},
		{"STRICT --no-checkpoints", []string{"ACTA_TIER=STRICT", "ACTA_NO_CHECKPOINTS=1"}, without(strictSession(), "Checkpoint")},
		{"STRICT --verbose-log", []string{"ACTA_TIER=STRICT", "ACTA_VERBOSE_LOG=1"}, strictSession()},
		// What commits tell is there all the same.
		{"STRICT --no-worklog", []string{"ACTA_TIER=STRICT", "ACTA_NO_WORKLOG=1"}, []string{"Act completed", "Adapt completed"}},
		{"EXEMPT", []string{"ACTA_TIER=EXEMPT"}, []string{"Act completed", "Adapt completed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, s := template.play(t, c.env...)
			got := told(s)
			// A checkpoint and what brought it may bear the same second: the order of the entries is that of what is written.
			if !slices.Equal(got, c.want) {
				t.Errorf("recorded is\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
			}
			whole := slices.ContainsFunc(s.Entries, func(e worklog.Operation) bool { return strings.Contains(e.Details.Result, "1 failed, 1 passed") })
			if want := strings.Contains(c.name, "verbose"); whole != want {
				t.Errorf("whole results are there: %v, want %v", whole, want)
			}
		})
	}
}

// completedTodos counts the todos that the agent's list says are completed.
func completedTodos(s *worklog.Session) (n int) {
	for i := range s.Entries {
		for _, c := range s.Entries[i].Details.StatusChanges {
			if s.Entries[i].Action == worklog.TodoWrite && c.To == "completed" {
				n++
			}
		}
	}
	return n
}

// A clone that has nothing but the commits tells the same as the one in which the
// session was recorded, but for what only that can know: the task in words, the tier that the host was
// given, when the session began and ended before and after its commits, and the entries between them.
func TestASessionFromAFreshCloneEqualsTheLiveOne(t *testing.T) {
	template := newSessionTemplate(t)
	for _, tier := range []string{"STRICT", "STANDARD"} {
		t.Run(tier, func(t *testing.T) {
			t.Parallel()
			p, live := template.play(t, "ACTA_TIER="+tier)
			p.run("git", "clone", "-q", ".", "clone")
			clone := filepath.Join(p.dir, "clone")
			if refs := p.runIn(clone, "git", "for-each-ref", "refs/worklog"); refs != "" {
				t.Fatalf("the clone has more than commits: %s", refs)
			}
			rebuilt := p.shown(clone, live.ID)

			want := *live
			want.Entries = slices.DeleteFunc(slices.Clone(live.Entries), func(e worklog.Operation) bool {
				return e.Action != worklog.ActDone && e.Action != worklog.AdaptDone
			})
			// What only the live one can know.
			want.Task, want.Tier, want.Started, want.Completed = rebuilt.Task, rebuilt.Tier, rebuilt.Started, rebuilt.Completed
			// And what sums that up.
			want.Summary = worklog.Summary{Operations: len(want.Entries), Files: rebuilt.Summary.Files, Todos: 1, Seconds: rebuilt.Summary.Seconds}
			for _, e := range want.Entries {
				want.Summary.Tokens += e.Tokens
			}
			if len(want.Entries) != 2 || !reflect.DeepEqual(rebuilt, &want) {
				t.Errorf("rebuilt is\n%+v\nwant\n%+v", *rebuilt, want)
			}
			if rebuilt.Task != "T01" || rebuilt.Started > *rebuilt.Completed || rebuilt.Summary.Files != 2 {
				t.Errorf("from commits alone the session is %+v", *rebuilt)
			}

			// The unit that the ADAPT completed is no todo of the agent's list: it counts besides those.
			if adapt := rebuilt.Entries[1].Details; !slices.Equal(adapt.StatusChanges, []worklog.StatusChange{{Todo: "T01", From: "in_progress", To: "complete"}}) ||
				adapt.Todos == nil || *adapt.Todos != 1 || live.Summary.Todos != 1+completedTodos(live) {
				t.Errorf("the ADAPT is told as %+v, of %d completed", adapt, live.Summary.Todos)
			}

			// With the session's ref the clone has all of it.
			p.runIn(clone, "git", "fetch", "-q", "origin", "refs/worklog/*:refs/worklog/*")
			if fetched := p.shown(clone, live.ID); !reflect.DeepEqual(fetched, live) {
				t.Errorf("fetched is\n%+v\nlive is\n%+v", *fetched, *live)
			}
		})
	}
}
