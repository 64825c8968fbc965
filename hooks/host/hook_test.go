package host

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo/repotest"
)

// fixture is a file of testdata/hooks/<host>: payloads as a host sends them, one after the other, and what is recorded.
type fixture struct {
	About    string              `json:"about"`
	Payloads []json.RawMessage   `json:"payloads"`
	Entries  []worklog.Operation `json:"entries"`
	// Sessions is how many sessions there are after them; 1 where it is left out.
	Sessions *int   `json:"sessions"`
	Task     string `json:"task"`
	Outcome  string `json:"outcome"`
	// Stdout is what every call answers.
	Stdout string `json:"stdout"`
}

// bench is a repository that agents work in.
type bench struct {
	*testing.T
	top, home string
	env       map[string]string
	now       time.Time
	host      Host
	n         int
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := newBenchIn(t, t.TempDir())
	if err := os.MkdirAll(filepath.Join(b.top, "src"), 0o777); err != nil {
		t.Fatal(err)
	}
	repotest.Init(t, b.top)
	b.git("commit", "-q", "--allow-empty", "-m", "Base")
	return b
}

// newBenchIn is a bench whose repository is there, or is to be made.
func newBenchIn(t *testing.T, home string) *bench {
	t.Helper()
	home, err := filepath.EvalSymlinks(home)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, top: filepath.Join(home, "r"), home: home, now: repotest.When, env: map[string]string{}}
	for _, v := range repotest.Env(home) {
		name, value, _ := strings.Cut(v, "=")
		b.env[name] = value
	}
	return b
}

func (b *bench) environ() (all []string) {
	for k, v := range b.env {
		all = append(all, k+"="+v)
	}
	return all
}

func (b *bench) git(args ...string) string {
	b.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = b.top, b.environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// hook is a call of a host's hook with a payload, in which $TOP is the top of the work tree and $SESSION the host's
// session.
func (b *bench) hook(h Host, session, payload string) Answer {
	payload = strings.NewReplacer("$TOP", b.top, "$SESSION", session).Replace(payload)
	b.now = b.now.Add(time.Second)
	return Hook{
		Host: h, Stdin: strings.NewReader(payload), Env: b.environ(), Now: b.now,
	}.Answer(context.Background())
}

// sessions are the worklogs of a host's session.
func (b *bench) sessions(session string) (all []*worklog.Session) {
	b.Helper()
	live, err := worklog.LocalSessions(filepath.Join(b.top, ".git"))
	if err != nil {
		b.Fatal(err)
	}
	for _, l := range live {
		if l.HostSession != session {
			continue
		}
		s, unread, err := l.Session()
		if err != nil || unread > 0 {
			b.Fatal(err, unread)
		}
		all = append(all, s)
	}
	return all
}

// What hosts send is recorded as their fixtures say, no more and no less.
func TestFixtures(t *testing.T) {
	for _, h := range Hosts() {
		b := newBench(t)
		files, err := filepath.Glob(filepath.Join("testdata", "hooks", h.ID(), "*.json"))
		if err != nil || len(files) < 10 {
			t.Fatalf("found %d fixtures of %s: %v", len(files), h, err)
		}
		for _, file := range files {
			t.Run(h.ID()+"/"+strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
				c := *b
				c.T = t
				c.check(h, file)
				b.now = c.now
			})
		}
	}
}

func (b *bench) check(h Host, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	var f fixture
	if err := json.Unmarshal(data, &f); err != nil {
		b.Fatal(err)
	}
	session := h.ID() + "-" + strings.TrimSuffix(filepath.Base(file), ".json")
	for _, p := range f.Payloads {
		a := b.hook(h, session, string(p))
		if a.Stdout != f.Stdout || a.Stderr != "" || a.Code != 0 || len(a.Warnings) > 0 {
			b.Errorf("the answer to %s is %+v", p, a)
		}
	}
	want := 1
	if f.Sessions != nil {
		want = *f.Sessions
	}
	all := b.sessions(session)
	if len(all) != want {
		b.Fatalf("%d sessions, and not %d", len(all), want)
	}
	if want == 0 {
		return
	}
	s := all[0]
	if err := validSession(b.T, lines([]*worklog.Session{s})); err != nil {
		b.Errorf("the session is none of docs/schema/worklog.json: %v", err)
	}
	for i := range s.Entries {
		if s.Entries[i].Tokens != 0 {
			b.Errorf("the agent wrote nothing because of acta, and entry %d says %d tokens", i, s.Entries[i].Tokens)
		}
		s.Entries[i].Time = ""
	}
	if got, want := lines(s.Entries), lines(f.Entries); got != want {
		b.Errorf("recorded:\n%s\nexpected:\n%s", got, want)
	}
	if f.Task != "" && s.Task != f.Task || f.Outcome != "" && string(s.Outcome) != f.Outcome {
		b.Errorf("the session is %q, %s; expected %q, %s", s.Task, s.Outcome, f.Task, f.Outcome)
	}
}

// lines are values as JSON, one a line.
func lines[T any](values []T) string {
	var all []string
	for _, e := range values {
		line, err := json.Marshal(e)
		if err != nil {
			panic(err)
		}
		all = append(all, string(line))
	}
	return strings.Join(all, "\n")
}

// The host's session stands in the local state and in the flush, and not in the document.
func TestTheHostsSessionIsNamedInTheFlush(t *testing.T) {
	b := newBench(t)
	b.hook(claude{}, "abc-1", `{"hook_event_name":"SessionStart","session_id":"abc-1","cwd":"$TOP","source":"startup"}`)
	b.hook(claude{}, "abc-1", `{"hook_event_name":"SessionEnd","session_id":"abc-1","cwd":"$TOP"}`)
	ref := "refs/worklog/" + b.sessions("abc-1")[0].ID
	if said := b.git("log", "-1", "--format=%B", ref); !strings.Contains(said, "\nHost-Session: claude abc-1") {
		t.Errorf("the flush says %q", said)
	}
	if doc := b.git("show", ref+":worklog.yaml"); strings.Contains(doc, "abc-1") {
		t.Errorf("the document names the host's session:\n%s", doc)
	}
}

// What the person asked for names the session without the secrets in it, whether it had begun before or not.
func TestSecretsOfAPromptAreMasked(t *testing.T) {
	b := newBench(t)
	start := `{"hook_event_name":"SessionStart","session_id":"$SESSION","cwd":"$TOP"}`
	ask := `{"hook_event_name":"UserPromptSubmit","session_id":"$SESSION","cwd":"$TOP","prompt":"Deploy with API_KEY=abcd1234efgh"}`
	for session, payloads := range map[string][]string{"late": {start, ask}, "early": {ask, start}} {
		for _, p := range payloads {
			b.hook(claude{}, session, p)
		}
		if got := b.sessions(session)[0].Task; got != "Deploy with API_KEY=[masked-secret]" {
			t.Errorf("%s: the task is %q", session, got)
		}
	}
}

// What no host sends is not kept whole: it would stand in every change of a list, and in every flush.
func TestWhatIsKeptIsBounded(t *testing.T) {
	b := newBench(t)
	b.env["ACTA_TIER"] = "STRICT"
	todo := `{"content":"` + strings.Repeat("ä", 1<<20) + `","status":"pending"}`
	payload := `{"hook_event_name":"PostToolUse","session_id":"$SESSION","cwd":"$TOP","tool_name":"TodoWrite","tool_input":{"todos":[TODO]},"tool_response":{"newTodos":[TODO]}}`
	payload = strings.ReplaceAll(payload, "TODO", todo)
	if a := b.hook(claude{}, "s", payload); len(a.Warnings) > 0 || a.Code != 0 {
		t.Error(a)
	}
	if got := b.verifications("s"); len(got) != 1 || got[0] != "completed pass" {
		t.Errorf("a long todo is verified as %v", got)
	}
	b.hook(claude{}, strings.Repeat("s", 1<<20), payload)
	for _, name := range []string{"sessions/*", "hosts/*"} {
		files, err := filepath.Glob(filepath.Join(b.top, ".git", "acta", name))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, f := range files {
			if info, err := os.Stat(f); err != nil || info.Size() > 16<<10 {
				t.Errorf("%s has %d bytes, %v", f, info.Size(), err)
			}
		}
	}
}

// A session that ACTA_SESSION names is written to, and not ended by the host.
func TestAGivenSessionIsUsed(t *testing.T) {
	b := newBench(t)
	git := filepath.Join(b.top, ".git")
	l, err := worklog.Start(t.Context(), git, worklog.Beginning{ID: "20260126_143215-abcd", Task: "Given", Tier: "STANDARD", Started: b.now, WorkTree: git})
	if err != nil {
		t.Fatal(err)
	}
	b.env["ACTA_SESSION"] = l.ID
	for _, p := range []string{
		`{"hook_event_name":"SessionStart","session_id":"s","cwd":"$TOP","source":"startup"}`,
		`{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"$TOP","prompt":"Other"}`,
		`{"hook_event_name":"PostToolUse","session_id":"s","cwd":"$TOP","tool_name":"Write","tool_input":{"file_path":"$TOP/a"}}`,
		`{"hook_event_name":"SessionEnd","session_id":"s","cwd":"$TOP"}`,
	} {
		if a := b.hook(claude{}, "s", p); len(a.Warnings) > 0 {
			t.Error(a)
		}
	}
	if n := len(b.sessions("s")); n != 0 {
		t.Errorf("%d sessions of the host's own", n)
	}
	s, _, err := l.Session()
	if err != nil || len(s.Entries) != 1 || s.Outcome != worklog.Running || s.Task != "Given" {
		t.Errorf("%+v, %v", s, err)
	}
	// One that does not run is none.
	b.env["ACTA_SESSION"] = "20260126_143215-0000"
	b.hook(claude{}, "s2", `{"hook_event_name":"PostToolUse","session_id":"s2","cwd":"$TOP","tool_name":"Write","tool_input":{"file_path":"$TOP/a"}}`)
	if n := len(b.sessions("s2")); n != 1 {
		t.Errorf("%d sessions", n)
	}
}

// The commands that Claude Code runs learn of the session, so that its commits name it.
func TestTheSessionIsExported(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(b.home, "env")
	b.env["CLAUDE_ENV_FILE"] = file
	b.hook(claude{}, "s", `{"hook_event_name":"SessionStart","session_id":"s","cwd":"$TOP","source":"startup"}`)
	data, err := os.ReadFile(file)
	if want := "export ACTA_SESSION=" + b.sessions("s")[0].ID + "\n"; err != nil || string(data) != want {
		t.Errorf("%q, %v", data, err)
	}
}

// A session whose state is lost is found again; one whose record is gone begins anew.
func TestTheStateMayBeLost(t *testing.T) {
	b := newBench(t)
	edit := `{"hook_event_name":"PostToolUse","session_id":"s","cwd":"$TOP","tool_name":"Write","tool_input":{"file_path":"$TOP/a"}}`
	b.hook(claude{}, "s", edit)
	hosts, sessions := filepath.Join(b.top, ".git", "acta", "hosts"), filepath.Join(b.top, ".git", "acta", "sessions")
	state, err := filepath.Glob(filepath.Join(hosts, "claude-*.json"))
	if err != nil || len(state) != 1 {
		t.Fatal(state, err)
	}
	for _, damage := range []string{"", "{", `{"session_id":7}`} {
		if err := os.WriteFile(state[0], []byte(damage), 0o666); err != nil {
			t.Fatal(err)
		}
		if a := b.hook(claude{}, "s", edit); len(a.Warnings) > 0 {
			t.Error(a)
		}
	}
	if all := b.sessions("s"); len(all) != 1 || len(all[0].Entries) != 4 {
		t.Fatalf("%d sessions", len(all))
	}
	if err := os.RemoveAll(sessions); err != nil {
		t.Fatal(err)
	}
	if a := b.hook(claude{}, "s", edit); len(a.Warnings) > 0 {
		t.Error(a)
	}
	if all := b.sessions("s"); len(all) != 1 || len(all[0].Entries) != 1 {
		t.Fatalf("%d sessions", len(all))
	}
}

// Sessions of a host that never says that they ended end a day after the last thing was done in them.
func TestIdleSessionsEnd(t *testing.T) {
	b := newBench(t)
	edit := `{"hook_event_name":"PostToolUse","session_id":"$SESSION","cwd":"$TOP","tool_name":"apply_patch","tool_input":{"command":"*** Add File: a\n"}}`
	old := ""
	for _, s := range []string{"old", "young"} {
		b.hook(codex{}, s, edit)
		if s == "old" {
			old = b.sessions(s)[0].ID
		}
		l, err := filepath.Glob(filepath.Join(b.top, ".git", "acta", "sessions", b.sessions(s)[0].ID+".jsonl"))
		if err != nil || len(l) != 1 {
			t.Fatal(l, err)
		}
		at := b.now.Add(map[string]time.Duration{"old": 0, "young": 2 * time.Hour}[s])
		if err := os.Chtimes(l[0], at, at); err != nil {
			t.Fatal(err)
		}
	}
	b.now = b.now.Add(25 * time.Hour)
	b.hook(codex{}, "new", edit)
	for _, s := range []string{"young", "new"} {
		if got := b.sessions(s)[0].Outcome; got != worklog.Running {
			t.Errorf("session %s is %s", s, got)
		}
	}
	// When another begins its summary remains.
	ended, err := worklog.ReadSession([]byte(b.git("show", worklog.SummaryPrefix+old+":worklog.yaml")))
	if err != nil || ended.Outcome != worklog.Aborted || ended.Summary.Operations != 1 {
		t.Errorf("the old session is %+v, %v", ended, err)
	}
}

// Whatever is in the way, the host gets its answer.
func TestAHostIsNeverBroken(t *testing.T) {
	b := newBench(t)
	edit := `{"hook_event_name":"PostToolUse","session_id":"s","cwd":"$TOP","tool_name":"Write","tool_input":{"file_path":"$TOP/a"}}`
	for name, c := range map[string]struct {
		payload string
		warns   bool
		prepare func()
	}{
		"no JSON":       {payload: "hello", warns: true},
		"nothing":       {payload: "", warns: true},
		"null":          {payload: "null", warns: true},
		"a list":        {payload: "[1]", warns: true},
		"no repository": {payload: strings.ReplaceAll(edit, "$TOP", b.home)},
		"no folder":     {payload: strings.ReplaceAll(edit, "$TOP", b.home+"/none"), warns: true},
		"a full disk": {payload: edit, warns: true, prepare: func() {
			if err := os.WriteFile(filepath.Join(b.top, ".git", "acta"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		if c.prepare != nil {
			c.prepare()
		}
		for _, h := range Hosts() {
			payload := c.payload
			if h.ID() != "claude" && c.prepare != nil {
				continue
			}
			a := b.hook(h, "s", payload)
			if a.Code != 0 || a.Stderr != "" || a.Stdout != "" && a.Stdout != "{}\n" || len(a.Warnings) > 0 != c.warns && h.ID() == "claude" {
				t.Errorf("%s, %s: %+v", name, h.ID(), a)
			}
		}
	}
	nobody := Hook{Host: panicking{}, Stdin: strings.NewReader(`{"hook_event_name":"SessionStart","session_id":"s"}`)}
	if a := nobody.Answer(context.Background()); a.Code != 0 || a.Stdout != "{}\n" || !strings.Contains(strings.Join(a.Warnings, ""), "panic") {
		t.Errorf("a panic: %+v", a)
	}
}

// panicking is a host whose reader has a fault.
type panicking struct{ gemini }

func (panicking) read(payload) event { panic("a fault") }

// No payload makes reading it panic, or the host wait for anything but its answer.
func FuzzPayload(f *testing.F) {
	var n int
	for _, h := range Hosts() {
		files, err := filepath.Glob(filepath.Join("testdata", "hooks", h.ID(), "*.json"))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			var fix fixture
			if err := json.Unmarshal(data, &fix); err != nil {
				f.Fatal(err)
			}
			for _, p := range fix.Payloads {
				f.Add([]byte(p))
				n++
			}
		}
	}
	if n == 0 {
		f.Fatal("there are no payloads to begin with")
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := readPayload(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, h := range Hosts() {
			e := readEvent(h, p)
			if e.kind != noEvent && e.session == "" || e.kind == toolBegin && e.use == nil {
				t.Errorf("%s: %+v", h.ID(), e)
			}
			if e.use != nil && !slices.Contains(worklog.Statuses(), e.use.status) {
				t.Errorf("%s: status %q", h.ID(), e.use.status)
			}
			if e.use != nil && e.use.todos != nil {
				e.use.todos.apply(nil)
				e.use.todos.apply(e.use.todos.intended)
			}
			saysDone(e.lastMessage)
		}
	})
}
