package mcp

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acta-git/acta/record/worklog"
	"github.com/acta-git/acta/repo"
)

// begin begins a session in the work tree, as `acta worklog start` does.
func (w *world) begin(tier string) string {
	w.Helper()
	r, err := repo.Open(w.Context(), w.Dir, repo.Options{})
	if err != nil {
		w.Fatal(err)
	}
	defer r.Close()
	gitDir, common, err := r.Dirs(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	at := time.Date(2026, 1, 26, 14, 32, 15, 0, time.UTC)
	l, _, err := worklog.Begin(w.Context(), r, gitDir, common, at, worklog.Beginning{Task: "login", Tier: tier})
	if err != nil {
		w.Fatal(err)
	}
	return l.ID
}

func TestWorklog(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	edit := args{"action": "Edit", "status": "completed", "context": "login", "files": []string{"./src/auth.py", filepath.Join(w.Dir, "src/auth.py"), "../x"}}

	// The record fails open.
	for tool, arguments := range map[string]args{"worklog_append": edit, "checkpoint": {}} {
		if out := c.done(tool, arguments); out["recorded"] != false || !strings.Contains(out["warnings"].([]any)[0].(string), "no session runs in this work tree") {
			t.Error(out)
		}
	}
	c.refused("worklog_append", args{"action": "Edit", "status": "completed", "context": " "}, "needs a context")
	if _, err := c.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "acta://worklog"}); err == nil {
		t.Error("a worklog that does not run was read")
	}

	id := w.begin("STANDARD")
	if out := c.done("worklog_append", edit); out["recorded"] != true || out["session"] != id {
		t.Error(out)
	}
	run := args{"action": "Bash", "status": "failed", "context": "go test ./...", "exit_code": 1, "session": id, "actor_name": "a", "trigger_reason": "x"}
	if out := c.done("worklog_append", run); out["recorded"] != true {
		t.Error(out)
	}
	if out := c.done("worklog_append", args{"action": "Bash", "status": "completed", "context": "ls"}); out["recorded"] != false || out["why"] == nil || out["warnings"] != nil {
		t.Error(out)
	}
	if out := c.done("checkpoint", args{"phase": "planning"}); out["recorded"] != false || !strings.Contains(out["why"].(string), "STANDARD") {
		t.Error(out)
	}
	if out := c.done("checkpoint", nil); out["recorded"] != true {
		t.Error(out)
	}
	c.refused("checkpoint", args{"phase": "dinner"}, "phase")

	var session worklog.Session
	if err := json.Unmarshal([]byte(c.resource("acta://worklog")), &session); err != nil {
		t.Fatal(err)
	}
	if session.ID != id || len(session.Entries) != 3 || *session.Entries[1].Details.ExitCode != 1 || strings.Join(session.Entries[0].Details.Files, " ") != "src/auth.py ../x" {
		t.Errorf("%+v", session)
	}
	if w.Git("rev-parse", "refs/worklog/"+id) == "" { // the checkpoint wrote it
		t.Error("the session is not in its ref")
	}

	// What the server's environment switches off is not recorded, and that is said.
	off := w.serve(nil, "ACTA_NO_CHECKPOINTS=1")
	if out := off.done("checkpoint", nil); out["recorded"] != false || !strings.Contains(out["why"].(string), "switched off") {
		t.Error(out)
	}
	if out := off.done("worklog_append", edit); out["recorded"] != true {
		t.Error(out)
	}
	if out := w.serve(nil, "ACTA_NO_WORKLOG=1").done("worklog_append", edit); out["recorded"] != false {
		t.Error(out)
	}

	// ACTA_SESSION names the session, and a flag of the environment is none of the call's.
	named := w.serve(nil, "ACTA_SESSION=20990101_000000-abcd")
	if out := named.done("worklog_append", edit); out["recorded"] != false || !strings.Contains(out["why"].(string), "20990101_000000-abcd does not run") {
		t.Error(out)
	}
}

// resource reads a resource as text.
func (c *client) resource(uri string) string {
	c.Helper()
	r, err := c.session.ReadResource(c.Context(), &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		c.Fatal(err)
	}
	if len(r.Contents) != 1 || r.Contents[0].MIMEType != "application/json" {
		c.Fatalf("%+v", r)
	}
	return r.Contents[0].Text
}

// The plan is listed and read as it stands in the work tree.
func TestPlanResource(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	listed, err := c.session.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	uris := map[string]bool{}
	for _, r := range listed.Resources {
		uris[r.URI] = r.Description != "" && r.MIMEType != ""
	}
	if len(uris) != 2 || !uris["acta://plan"] || !uris["acta://worklog"] {
		t.Error(uris)
	}
	var tree map[string]any
	if err := json.Unmarshal([]byte(c.resource("acta://plan")), &tree); err != nil || tree["id"] != "SHOP" {
		t.Error(err, tree)
	}
	c.done("submit_plan", args{"plan": strings.Replace(thePlan, "A shop", "A good shop", 1)})
	if !strings.Contains(c.resource("acta://plan"), "A good shop") {
		t.Error("the resource is not what was submitted")
	}
	if _, err := c.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "acta://nothing"}); err == nil {
		t.Error("a resource that is not there was read")
	}
}
