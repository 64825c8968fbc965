package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acta-git/acta/repo/repotest"
)

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

// world is a repository in which servers run.
type world struct{ *repotest.WorkTree }

// newWorld makes a repository with the plan committed; "" for none.
func newWorld(t *testing.T, plan string) *world {
	t.Helper()
	w := &world{repotest.NewWorkTree(t)}
	for _, name := range []string{"ACTA_ACTOR", "ACTA_SESSION"} {
		t.Setenv(name, "")
	}
	w.Write("README", "A shop\n")
	if plan != "" {
		w.Write("working_plan/current.json", plan)
	}
	w.Commit("The plan")
	return w
}

// stage writes a file and stages it.
func (w *world) stage(path, text string) {
	w.Helper()
	w.Write(path, text)
	w.Git("add", path)
}

// state is all that a call could write: HEAD, the index and the work tree.
func (w *world) state() string {
	w.Helper()
	return w.Git("rev-parse", "HEAD") + "\n" + w.Git("status", "--porcelain") + "\n" + w.Git("diff", "HEAD")
}

// client is a client that speaks with a server of its own over pipes.
type client struct {
	*world
	session *sdk.ClientSession
}

// serve runs a server in the repository, with variables («NAME=value») of its own, and connects to it.
func (w *world) serve(options *sdk.ClientOptions, env ...string) *client {
	w.Helper()
	in, asks := io.Pipe()
	answers, out := io.Pipe()
	server := Server{Dir: w.Dir, Log: slog.New(slog.DiscardHandler), Env: append(os.Environ(), env...)}
	ended := make(chan error, 1)
	ctx := context.WithoutCancel(w.Context()) // it ends when its client has closed
	go func() {
		defer out.Close()
		ended <- server.Run(ctx, in, out)
	}()
	transport := &sdk.IOTransport{Reader: answers, Writer: asks}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, options).Connect(ctx, transport, nil)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		if err := session.Close(); err != nil {
			w.Errorf("the session: %v", err)
		}
		if err := <-ended; err != nil && !errors.Is(err, io.ErrClosedPipe) { // of an answer that nobody waits for
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
