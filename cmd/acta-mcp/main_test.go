package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test binary answer to the name acta-mcp.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"acta-mcp": main})
}

// thePlan is what most tests begin with.
const thePlan = `{
  "id": "SHOP",
  "type": "parent",
  "description": "A shop",
  "status": "pending",
  "children": [
    {"id": "M01", "type": "parent", "description": "People can log in", "status": "pending", "children": [
      {"id": "S01", "type": "parent", "description": "Sessions", "status": "pending", "children": [
        {"id": "T01", "type": "atomic", "description": "Login", "status": "pending", "checklist": [
          {"item": "Add login() to src/auth.py", "required": true, "kind": "code"}]},
        {"id": "T02", "type": "atomic", "description": "Logout", "status": "pending", "checklist": [
          {"item": "Add logout() to src/auth.py", "required": true, "kind": "code"},
          {"item": "Describe it in docs/", "required": true, "kind": "text"}]}
      ]}
    ]}
  ]
}
`

const loginCode = "def login(user, password):\n    session = Session(user)\n    session.open(password)\n    return session\n"

// world is a repository in which a server runs.
type world struct {
	*testing.T
	dir string
	env []string
}

// newWorld makes a repository with the plan committed; "" for none.
func newWorld(t *testing.T, plan string) *world {
	t.Helper()
	home := t.TempDir()
	w := &world{T: t, dir: filepath.Join(home, "r")}
	w.env = append(os.Environ(),
		"HOME="+home, "GIT_CONFIG_GLOBAL="+filepath.Join(home, ".gitconfig"), "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=executor-01", "GIT_AUTHOR_EMAIL=executor-01@agents.invalid",
		"GIT_COMMITTER_NAME=executor-01", "GIT_COMMITTER_EMAIL=executor-01@agents.invalid",
		"GIT_AUTHOR_DATE=2026-01-26T14:32:15Z", "GIT_COMMITTER_DATE=2026-01-26T14:32:15Z",
		"ACTA_ACTOR=", "ACTA_SESSION=")
	if err := os.Mkdir(w.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	w.git("init", "-q", "-b", "main")
	w.write("README", "A shop\n")
	if plan != "" {
		w.write("working_plan/current.json", plan)
	}
	w.git("add", ".")
	w.git("commit", "-q", "-m", "The plan")
	return w
}

func (w *world) git(args ...string) string {
	w.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (w *world) write(path, text string) {
	w.Helper()
	file := filepath.Join(w.dir, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		w.Fatal(err)
	}
}

// stage writes a file and stages it.
func (w *world) stage(path, text string) {
	w.Helper()
	w.write(path, text)
	w.git("add", path)
}

func (w *world) read(path string) string {
	w.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, path))
	if err != nil {
		w.Fatal(err)
	}
	return string(data)
}

// state is all that a call could write: HEAD, the index and the work tree.
func (w *world) state() string {
	w.Helper()
	return w.git("rev-parse", "HEAD") + "\n" + w.git("status", "--porcelain") + "\n" + w.git("diff", "HEAD")
}

// client is a client that speaks with a server of its own over pipes.
type client struct {
	*world
	session *sdk.ClientSession
}

// serve starts acta-mcp in the repository and connects to it.
func (w *world) serve(options *sdk.ClientOptions, env ...string) *client {
	w.Helper()
	program, err := exec.LookPath("acta-mcp")
	if err != nil {
		w.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Dir, cmd.Env, cmd.Stderr = w.dir, append(w.env, env...), os.Stderr
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, options).Connect(w.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		if err := session.Close(); err != nil {
			w.Errorf("the server ended: %v", err)
		}
	})
	return &client{w, session}
}

// answer is what a tool said: its text, and the structured content.
type answer struct {
	text    string
	refused bool
	out     map[string]any
}

func (c *client) call(tool string, arguments map[string]any) answer {
	c.Helper()
	ctx, cancel := context.WithTimeout(c.Context(), time.Minute)
	defer cancel()
	r, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		c.Fatalf("%s: %v", tool, err)
	}
	a := answer{refused: r.IsError}
	for _, part := range r.Content {
		if text, ok := part.(*sdk.TextContent); ok {
			a.text += text.Text
		}
	}
	if r.StructuredContent != nil {
		data, err := json.Marshal(r.StructuredContent)
		if err == nil {
			err = json.Unmarshal(data, &a.out)
		}
		if err != nil {
			c.Fatal(err)
		}
	}
	return a
}

// done calls a tool that is to succeed.
func (c *client) done(tool string, arguments map[string]any) map[string]any {
	c.Helper()
	a := c.call(tool, arguments)
	if a.refused || a.out == nil {
		c.Fatalf("%s %v: %s", tool, arguments, a.text)
	}
	return a.out
}

// refused calls a tool that is to refuse with these words, and to write nothing.
func (c *client) refused(tool string, arguments map[string]any, words ...string) string {
	c.Helper()
	before := c.state()
	a := c.call(tool, arguments)
	if !a.refused {
		c.Fatalf("%s %v was not refused: %s", tool, arguments, a.text)
	}
	for _, want := range words {
		if !strings.Contains(a.text, want) {
			c.Errorf("%s %v: %s\nwant %q", tool, arguments, a.text, want)
		}
	}
	if after := c.state(); after != before {
		c.Errorf("%s %v was refused, and wrote\n%s\nbefore\n%s", tool, arguments, after, before)
	}
	return a.text
}

type args = map[string]any

func done(item, evidence string) args {
	return args{"item": item, "status": "done", "evidence": evidence}
}
