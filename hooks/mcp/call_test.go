package mcp

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo/repotest"
)

const smallPlan = `{"id": "ROOT", "type": "parent", "children": [
  {"id": "S01", "type": "parent", "children": [
    {"id": "T01", "type": "atomic", "status": "pending", "checklist": [{"item": "Add login() to src/auth.py"}]},
    {"id": "T02", "type": "atomic", "status": "pending", "checklist": [{"item": "Write docs/api.md"}]},
    {"id": "T03", "type": "atomic", "status": "complete", "checklist": [{"item": "Add logout()"}]}
  ]}
]}
`

// desk is a server over a repository with a plan.
type desk struct {
	*testing.T
	w *repotest.WorkTree
	s *server
}

func newDesk(t *testing.T) *desk {
	w := repotest.NewWorkTree(t)
	w.Write("working_plan/current.json", smallPlan)
	w.Commit("Plan")
	return &desk{t, w, newServer(Server{Dir: w.Dir, Log: slog.New(slog.DiscardHandler)})}
}

// by begins a call of an actor, "" for nobody.
func (d *desk) by(actor string, raw string) *call {
	d.Helper()
	c, err := d.s.begin(context.Background(), "test", callerInput{Actor: actor}, json.RawMessage(raw))
	if err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() { c.repo.Close() })
	return c
}

// refused holds an error to words, and the audit log to the rule.
func (d *desk) refused(c *call, err error, words ...string) {
	d.Helper()
	if err == nil {
		d.Errorf("it is not refused; %q was wanted", words)
		return
	}
	said := c.refuse(err).Error()
	for _, w := range words {
		if !strings.Contains(said, w) {
			d.Errorf("it says %q, and not %q", said, w)
		}
	}
}

// A unit has one holder; whoever else wants it is refused, and nothing is written.
func TestLeasesAreRefused(t *testing.T) {
	d := newDesk(t)
	ada := d.by("ada", "")
	if out, err := ada.claim(t.Context(), claimInput{Unit: "T01", TTL: "2h"}); err != nil || !out.IsNew || out.Unit != "S01/T01" {
		t.Fatal(out, err)
	}
	if out, err := ada.claim(t.Context(), claimInput{Unit: "S01/T01"}); err != nil || out.IsNew {
		t.Errorf("what one holds is taken again: %+v, %v", out, err)
	}
	held := d.w.Read(".git/acta/unit-claims.json")
	bob := d.by("bob", "")
	for unit, words := range map[string][]string{
		"T01": {"owned by ada, not bob", "[unit_not_owned]"}, "S01": {"owned by ada"}, "T99": {"[plan_unit_unknown]"}, "": {"needs a task"},
	} {
		_, err := bob.claim(t.Context(), claimInput{Unit: unit})
		d.refused(bob, err, words...)
	}
	_, err := bob.claim(t.Context(), claimInput{Unit: "T02", TTL: "-1h"})
	d.refused(bob, err, "ttl must be a time")
	nobody := d.by("", "")
	_, err = nobody.claim(t.Context(), claimInput{Unit: "T02"})
	d.refused(nobody, err, "[unit_not_owned]", "actor_name")
	_, err = bob.release(t.Context(), releaseInput{Unit: "T01"})
	d.refused(bob, err, "[unit_not_owned]")
	if now := d.w.Read(".git/acta/unit-claims.json"); now != held {
		t.Errorf("a refused call has written\n%s\nwhere there was\n%s", now, held)
	}
	if log := d.w.Read(".git/acta/audit-log.jsonl"); strings.Count(log, "unit_not_owned") != 4 {
		t.Errorf("the audit log has not each refusal:\n%s", log)
	}
	if out, err := bob.release(t.Context(), releaseInput{Unit: "T01", Force: true}); err != nil || out.Agent != "ada" {
		t.Errorf("by force: %+v, %v", out, err)
	}
	if out, err := bob.release(t.Context(), releaseInput{Unit: "T01"}); err != nil || out.WasReleased {
		t.Errorf("what nobody holds is left as it is: %+v, %v", out, err)
	}
}

func TestWriteTargets(t *testing.T) {
	d := newDesk(t)
	ada := d.by("ada", "")
	for _, c := range []struct {
		path, unit string
		allowed    bool
		why        string
	}{
		{"src/auth.py", "T01", true, "names src/auth.py"},
		{"docs/api.md", "T01", false, "src/auth.py"},
		{"docs/api.md", "S01", true, "docs/api.md"},
		{"working_plan/current.json", "T01", false, "submit_plan"},
		{".git/config", "T01", false, "belongs to git"},
		{"../elsewhere.py", "T01", false, "outside"},
		{"src/", "T01", false, "folder"},
		{"user_intent/project.json", "T01", false, "what people asked for"},
		{"src/auth.py", "T03", false, "reopen it first"},
	} {
		out, err := ada.checkWriteTarget(t.Context(), checkWriteTargetInput{Path: c.path, Unit: c.unit})
		if err != nil || out.IsAllowed != c.allowed || !strings.Contains(out.Reason, c.why) {
			t.Errorf("%s for %s: %+v, %v; want %v, %q", c.path, c.unit, out, err, c.allowed, c.why)
		}
	}
	_, err := ada.checkWriteTarget(t.Context(), checkWriteTargetInput{Path: "src/auth.py"})
	d.refused(ada, err, "ada holds no task", "name a task")
	_, err = ada.checkWriteTarget(t.Context(), checkWriteTargetInput{Path: " "})
	d.refused(ada, err, "needs a path")
}

// A tree that cannot be read, or leaves out what is open, changes nothing.
func TestPlansThatAreRefused(t *testing.T) {
	d := newDesk(t)
	for raw, words := range map[string][]string{
		`{"plan": {"id": "ROOT", "children": 7}}`:                  {"children"},
		`{"plan": "{\"id\": \"ROOT\""}`:                            {"1:"},
		`{"plan": {"id": "ROOT", "type": "parent"}}`:               {"S01/T01", "[scope_reduced]", "replace"},
		`{"plan": {"id": "ROOT", "type": "parent"}, "plan": null}`: {""},
	} {
		c := d.by("ada", raw)
		_, err := c.submitPlan(t.Context(), submitPlanInput{})
		d.refused(c, err, words...)
		if now := d.w.Read("working_plan/current.json"); now != smallPlan {
			t.Fatalf("%s is refused, and the plan was written:\n%s", raw, now)
		}
	}
}

// A server outside of a repository says so, and goes on.
func TestNoRepository(t *testing.T) {
	repotest.Isolate(t)
	s := newServer(Server{Dir: t.TempDir(), Env: os.Environ(), Log: slog.New(slog.DiscardHandler)})
	if c, err := s.begin(t.Context(), "next_task", callerInput{}, nil); err == nil {
		t.Errorf("a call has begun: %+v", c)
	}
}
