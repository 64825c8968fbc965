package mcp

import (
	"regexp"
	"strings"
	"testing"
)

// A whole session: two tasks from the first question to the last.
func TestSession(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil, "ACTA_ACTOR=executor-01")

	next := c.done("next_task", nil)
	if next["unit"] != "M01/S01/T01" || next["task"].(args)["description"] != "Login" {
		t.Fatal(next)
	}
	c.done("claim", args{"unit": "T01", "actor_name": "executor-01", "trigger_reason": "next"})
	if may := c.done("check_write_target", args{"path": "src/auth.py"}); may["allowed"] != true || may["unit"] != "M01/S01/T01" {
		t.Error(may)
	}
	w.stage("src/auth.py", loginCode)
	made := c.done("complete_task", args{
		"task_id": "T01", "summary": "login against the session store", "commit": true, "trigger_reason": "it works",
		"checklist": []args{done("Add login() to src/auth.py", "src/auth.py:1-4")},
	})
	if made["complete"] != true || made["act"] != w.Git("rev-parse", "HEAD~") || made["adapt"] != w.Git("rev-parse", "HEAD") {
		t.Errorf("%v\n%s", made, w.Git("log"))
	}
	want := "ADAPT: M01/S01/T01 is complete\nACT: M01/S01/T01 login against the session store\nThe plan"
	if got := w.Git("log", "--format=%s"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if act := w.Git("log", "-1", "--format=%B", "HEAD~"); !strings.Contains(act, "Done: Add login() to src/auth.py | src/auth.py:1-4") ||
		!strings.Contains(act, "Outcome: success\nActor: executor-01\n") {
		t.Error(act)
	}
	if adapt := w.Git("log", "-1", "--format=%B"); !strings.Contains(adapt, "Actor: executor-01\n") || !strings.Contains(adapt, "Reason: it works") {
		t.Error(adapt)
	}
	if status := w.Git("status", "--porcelain"); status != "" {
		t.Error(status)
	}
	c.done("release", args{"unit": "T01"})
	if next := c.done("next_task", nil); next["unit"] != "M01/S01/T02" {
		t.Error(next)
	}
	// The agent commits the ACT itself, and completes the task in the work tree.
	w.stage("src/auth.py", loginCode+"\n\ndef logout(session):\n    session.close()\n")
	w.stage("docs/auth.md", "# Sessions\n\nA session ends with logout().\n")
	report := []args{done("Add logout() to src/auth.py", "src/auth.py:7-8"), done("Describe it in docs/", "docs/auth.md:1-3")}
	said := c.refused("complete_task", args{"task_id": "T02", "summary": "logout", "checklist": report}, "[plan_move_illegal]", "no ACT of M01/S01/T02 carries it yet")
	_, message, _ := strings.Cut(said, "with this message:\n\n")
	w.Write(".git/message", message)
	w.Git("commit", "-q", "-F", ".git/message")
	made = c.done("complete_task", args{"task_id": "T02", "summary": "logout", "checklist": report})
	if made["complete"] != true || made["act"] != w.Git("rev-parse", "HEAD") || made["adapt"] != nil || !strings.Contains(made["next"].(string), "ADAPT: M01/S01/T02") {
		t.Error(made)
	}
	if diff := w.Git("diff"); strings.Count(diff, `"status": "complete"`) != 1 {
		t.Error(diff)
	}
	if next := c.done("next_task", nil); next["unit"] != nil || next["why"] != "no task is open" {
		t.Error(next)
	}
}

// Commits, and messages to commit, name a session where one is named; the logs have that of the server.
func TestTheSessionOfCommits(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	w.stage("src/auth.py", loginCode)
	if said := c.refused("complete_task", loginReport("src/auth.py:1-4"), "with this message:", "Actor: a"); strings.Contains(said, "Session: ") {
		t.Error(said)
	}
	c.done("complete_task", committed(loginReport("src/auth.py:1-4")))
	if log := w.Git("log", "--format=%B"); strings.Contains(log, "Session: ") {
		t.Error(log)
	}
	c.refused("reopen_task", args{"unit": "T99"}, "[plan_unit_unknown]")
	own := regexp.MustCompile(`"session_id":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"`)
	event, refusal := own.FindStringSubmatch(w.Read(".git/acta/event-log.jsonl")), own.FindStringSubmatch(w.Read(".git/acta/audit-log.jsonl"))
	if event == nil || refusal == nil || event[1] != refusal[1] {
		t.Errorf("the logs have the sessions %v and %v", event, refusal)
	}
	w.Git("config", "acta.session", "nightly")
	c.done("reopen_task", args{"unit": "T01", "commit": true})
	if body := w.Git("log", "-1", "--format=%B"); !strings.HasSuffix(body, "\nSession: nightly") {
		t.Error(body)
	}
	w.serve(nil, "ACTA_SESSION=s-env").done("submit_plan", args{"plan": strings.Replace(w.Read("working_plan/current.json"), "A shop", "The shop", 1), "commit": true})
	if body := w.Git("log", "-1", "--format=%B"); !strings.HasSuffix(body, "\nSession: s-env") {
		t.Error(body)
	}
}
