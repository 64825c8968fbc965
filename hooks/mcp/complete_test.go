package mcp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func loginReport(evidence string) args {
	return args{"task_id": "T01", "summary": "login", "actor_name": "a", "checklist": []args{done("Add login() to src/auth.py", evidence)}}
}

func committed(report args) args {
	report["commit"] = true
	return report
}

// A false report is refused with what is false in it, and nothing is written.
func TestFalseReports(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	w.stage("src/auth.py", "def login(user, password):\n    pass\n")
	for name, r := range map[string]struct {
		report args
		words  []string
	}{
		"a stub":             {loginReport("src/auth.py:1-2"), []string{"the report of M01/S01/T01 does not hold", "Empty implementation detected", "[checklist_evidence_empty_impl]"}},
		"no file":            {loginReport("src/nothing.py:1-2"), []string{"[checklist_evidence_file_not_found]"}},
		"no line":            {loginReport("src/auth.py:10-20"), []string{"[checklist_evidence_line_out_of_range]"}},
		"no evidence":        {loginReport(""), []string{"[checklist_evidence_required]"}},
		"no form":            {loginReport("src/auth.py:one-two"), []string{"[checklist_evidence_format_invalid]"}},
		"another item":       {args{"task_id": "T01", "checklist": []args{done("Do something else", "src/auth.py:1-2")}}, []string{"[checklist_items_mismatch]"}},
		"no item":            {args{"task_id": "T01", "checklist": []args{}}, []string{"does not show «Add login() to src/auth.py» (it is not reported)", "[plan_move_illegal]"}},
		"a pending item":     {args{"task_id": "T01", "checklist": []args{{"item": "Add login() to src/auth.py", "status": "pending"}}}, []string{"[checklist_item_pending]"}},
		"no reason":          {args{"task_id": "T01", "checklist": []args{{"item": "Add login() to src/auth.py", "status": "skipped"}}}, []string{"[checklist_reason_required]"}},
		"a reason that cuts": {args{"task_id": "T01", "checklist": []args{{"item": "Add login() to src/auth.py", "status": "skipped", "reason": "one | two"}}}, []string{"plain text without « | »", "[report_unreadable]"}},
		"no status":          {args{"task_id": "T01", "checklist": []args{{"item": "Add login() to src/auth.py", "status": "finished"}}}, []string{"status"}},
		"no task":            {args{"task_id": "T99", "checklist": []args{done("Add login() to src/auth.py", "src/auth.py:1-2")}}, []string{"[plan_unit_unknown]"}},
		"a slice":            {args{"task_id": "S01", "checklist": []args{done("Add login() to src/auth.py", "src/auth.py:1-2")}}, []string{"[act_not_allowed]"}},
	} {
		for _, commit := range []bool{false, true} {
			r.report["commit"] = commit
			if said := c.refused("complete_task", r.report, r.words...); t.Failed() {
				t.Fatalf("%s: %s", name, said)
			}
		}
	}
	if log := w.Read(".git/acta/audit-log.jsonl"); !strings.Contains(log, `"rule":"checklist_evidence_empty_impl"`) || !strings.Contains(log, `"cmd":"mcp complete_task"`) {
		t.Error(log)
	}
}

// Evidence may be a list, and cite what is there in any order.
func TestEvidenceAsAList(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	w.stage("src/auth.py", loginCode)
	report := loginReport("")
	report["checklist"] = []args{{"item": "add `login()` to src/auth.py", "status": "done", "evidence": []string{"src/auth.py:3-4", "src/auth.py:1-2"}}}
	c.done("complete_task", committed(report))
	if body := w.Git("log", "-1", "--format=%B", "HEAD~"); !strings.Contains(body, "| src/auth.py:3-4, src/auth.py:1-2") {
		t.Error(body)
	}
}

// What was written and not staged is not judged, and that is said. A long summary is in the commit as a whole.
func TestWhatIsNotStaged(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	w.Write("src/auth.py", loginCode)
	report := loginReport("src/auth.py:1-4")
	report["summary"] = strings.Repeat("The login opens a session. ", 5) + "That is all"
	said := c.refused("complete_task", report, "[checklist_evidence_file_not_found]", "src/auth.py has unstaged changes")
	if strings.Contains(said, "README") {
		t.Error(said)
	}
	w.Git("add", "src")
	c.done("complete_task", committed(report))
	if body := w.Git("log", "-1", "--format=%B", "HEAD~"); !strings.Contains(body, "\n\n"+report["summary"].(string)+"\n\nDone: ") {
		t.Error(body)
	}
}

// What is committed already needs no second ACT.
func TestTheActIsThere(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	w.stage("src/auth.py", loginCode)
	w.Git("commit", "-q", "-m", "ACT: T01 login\n\nDone: Add login() to src/auth.py | src/auth.py:1-4#login\nOutcome: success\nActor: a")
	act := w.Git("rev-parse", "HEAD")
	other := c.refused("complete_task", committed(loginReport("src/auth.py:1-2")), "[act_not_allowed]", `"evidence":"src/auth.py:1-4#login"`)
	if !strings.Contains(other, "call complete_task with this checklist") {
		t.Error(other)
	}
	out := c.done("complete_task", committed(loginReport("src/auth.py:1-4")))
	if out["act"] != act || out["adapt"] != w.Git("rev-parse", "HEAD") || w.Git("rev-parse", "HEAD~") != act {
		t.Errorf("%v\n%s", out, w.Git("log", "--oneline"))
	}
	c.refused("complete_task", committed(loginReport("src/auth.py:1-4")), "[plan_move_illegal]")
}

// A verifier that completing needs runs once the user has agreed: by the hook where that is installed, else by the tool.
func TestAVerifierThatCompletingNeeds(t *testing.T) {
	w := newWorld(t, thePlan)
	w.stage(".acta.yaml", "complete: {verifier: tests}\nverifiers: {tests: {run: [sh, -c, 'echo ran >>../ran; test -e ../passes']}}\n")
	w.Git("commit", "-q", "-m", "The policy")
	w.stage("src/auth.py", loginCode)
	w.Git("commit", "-q", "-m", "ACT: T01 login\n\nDone: Add login() to src/auth.py | src/auth.py:1-4\nOutcome: success\nActor: a")
	act := w.Git("rev-parse", "HEAD")
	c := w.serve(nil)
	report := loginReport("src/auth.py:1-4")
	if said := fmt.Sprint(c.done("complete_task", report)["warnings"]); !strings.Contains(said, "the verifier tests was not run: nobody on this machine has agreed") {
		t.Error(said)
	}
	w.Git("checkout", "-q", "working_plan")
	w.Git("config", "--global", "acta.trustPolicy", "true")
	failed := "the verifier tests ended with: exit status 1"
	c.refused("complete_task", report, "Cannot complete task T01", failed, "[plan_move_illegal]")
	c.refused("complete_task", committed(report), "Cannot complete task T01", failed, "[plan_move_illegal]")
	w.Git("config", "core.hooksPath", "hooks")
	w.Write("hooks/commit-msg", "#!/bin/sh\n# acta-hook: a hook script, as far as its marker tells\necho the hook refuses >&2\nexit 1\n")
	if err := os.Chmod(filepath.Join(w.Dir, "hooks/commit-msg"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := w.Read("../ran")
	c.refused("complete_task", committed(report), "git made no commit, and the plan is as it was", "the hook refuses")
	if ran := w.Read("../ran"); strings.Count(ran, "ran") != 2 || ran != before {
		t.Errorf("%q, %q", before, ran)
	}
	if w.Git("rev-parse", "HEAD") != act || w.Git("status", "--porcelain", "working_plan") != "" {
		t.Error(w.Git("status"))
	}
	w.Git("config", "--unset", "core.hooksPath")
	w.Write("../passes", "")
	if out := c.done("complete_task", committed(report)); out["complete"] != true || out["warnings"] != nil {
		t.Error(out)
	}
}

// What the plan of the work tree says already is committed when that is asked for, as long as HEAD's does not say it.
func TestTheAdaptIsMissing(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	w.stage("src/auth.py", loginCode)
	w.Git("commit", "-q", "-m", "ACT: T01 login\n\nDone: Add login() to src/auth.py | src/auth.py:1-4\nOutcome: success\nActor: a")
	act := w.Git("rev-parse", "HEAD")
	if out := c.done("complete_task", loginReport("src/auth.py:1-4")); out["complete"] != true || !strings.Contains(out["next"].(string), "again with commit: true") {
		t.Error(out)
	}
	c.refused("complete_task", loginReport("src/auth.py:1-4"), "[plan_move_illegal]", "make the same change with a commit")

	// Two tools, one truth.
	truth := "complete in the plan of the work tree, and pending in HEAD's"
	c.refused("reopen_task", args{"unit": "T01", "commit": true}, truth, "[plan_move_illegal]", "without a commit")
	target := args{"unit": "T01", "path": "src/auth.py"}
	if out := c.done("check_write_target", target); out["allowed"] != false || !strings.Contains(out["why"].(string), truth) {
		t.Error(out)
	}

	c.refused("complete_task", committed(loginReport("src/auth.py:1-2")), "[act_not_allowed]")
	out := c.done("complete_task", committed(loginReport("src/auth.py:1-4")))
	if out["complete"] != true || out["act"] != act || out["adapt"] != w.Git("rev-parse", "HEAD") || w.Git("rev-parse", "HEAD~") != act || w.Git("status", "--porcelain") != "" {
		t.Errorf("%v\n%s", out, w.Git("log", "--oneline"))
	}
	c.refused("complete_task", committed(loginReport("src/auth.py:1-4")), "[plan_move_illegal]", "name the task that this ADAPT changes")
	if out := c.done("check_write_target", target); !strings.Contains(out["why"].(string), "is complete: reopen it first") {
		t.Error(out)
	}
}

// A plan that was edited by hand completes nothing: it is held against HEAD's, and the ACT that is there.
func TestCompletedByHand(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	w.Write("working_plan/current.json", strings.Replace(thePlan, `"description": "Login", "status": "pending"`, `"description": "Login", "status": "complete"`, 1))
	w.stage("src/auth.py", "def login(user, password):\n    pass\n")
	c.refused("complete_task", committed(loginReport("src/auth.py:1-2")), "[checklist_evidence_empty_impl]")
	w.stage("src/auth.py", loginCode)
	w.Write(".git/COMMIT_EDITMSG", "Of a refused commit\n")
	if out := c.done("complete_task", committed(loginReport("src/auth.py:1-4"))); out["act"] != w.Git("rev-parse", "HEAD~") || out["adapt"] != w.Git("rev-parse", "HEAD") {
		t.Errorf("%v\n%s", out, w.Git("log", "--oneline"))
	}
	if kept := w.Read(".git/COMMIT_EDITMSG"); kept != "Of a refused commit\n" {
		t.Errorf("the message of a refused commit became %q", kept)
	}
}

// An ACT that was false is mended by the next, under the same lines.
func TestAFalseActIsMended(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	w.stage("src/auth.py", "def login(user, password):\n    pass\n\n\n")
	w.Git("commit", "-q", "-m", "ACT: T01 login\n\nDone: Add login() to src/auth.py | src/auth.py:1-4\nOutcome: success\nActor: a")
	c.refused("complete_task", loginReport("src/auth.py:1-4"), "[checklist_evidence_empty_impl]")
	w.stage("src/auth.py", loginCode)
	if out := c.done("complete_task", committed(loginReport("src/auth.py:1-4"))); out["complete"] != true {
		t.Error(out)
	}
}

// A task that failed is reported so; its ADAPT is another's business.
func TestFailure(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	report := args{"task_id": "T01", "outcome": "failure", "checklist": []args{{"item": "Add login() to src/auth.py", "status": "pending"}}}
	out := c.done("complete_task", committed(report))
	if out["complete"] != false || out["act"] != w.Git("rev-parse", "HEAD") || !strings.Contains(out["next"].(string), "failure_threshold") {
		t.Error(out)
	}
	c.refused("complete_task", committed(report), "[act_not_allowed]", "submit_plan with \"unit\": \"M01/S01/T01\"")
	raised := strings.Replace(thePlan, `"description": "Login",`, `"description": "Login", "failure_threshold": 0.25,`, 1)
	c.refused("submit_plan", args{"plan": thePlan, "unit": "T01", "commit": true}, "[threshold_invalid]")
	c.done("submit_plan", args{"plan": raised, "unit": "T01", "commit": true})
	w.stage("src/auth.py", loginCode)
	if out := c.done("complete_task", committed(loginReport("src/auth.py:1-4"))); out["complete"] != true {
		t.Error(out)
	}
}

// A task that cannot go on is reported as blocked; it stays open, and the next ACT waits for nothing.
func TestBlocked(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	c.refused("complete_task", committed(loginReport("src/auth.py:1-4")), "«Outcome: blocked | <reason>»")
	report := args{"task_id": "T01", "outcome": "blocked", "trigger_reason": "The session store has no credentials here", "checklist": []args{}}
	out := c.done("complete_task", committed(report))
	if out["complete"] != false || out["act"] != w.Git("rev-parse", "HEAD") || !strings.Contains(out["next"].(string), "is blocked; the task stays open") ||
		!strings.Contains(w.Git("log", "-1", "--format=%B"), "Outcome: blocked | The session store has no credentials here\n") {
		t.Error(out, w.Git("log", "-1", "--format=%B"))
	}
	w.stage("src/auth.py", loginCode)
	if out := c.done("complete_task", committed(loginReport("src/auth.py:1-4"))); out["complete"] != true {
		t.Error(out)
	}
}

// Where HEAD has no plan yet the work tree's says what is to be reported.
func TestThePlanIsNotCommittedYet(t *testing.T) {
	w := newWorld(t, "")
	c := w.serve(nil)
	c.done("submit_plan", args{"plan": thePlan})
	w.stage("src/auth.py", loginCode+"\n\ndef logout(session):\n    session.user = None\n")
	w.stage("docs/auth.md", "# Sessions\n\nThey end.\n")
	half := args{"task_id": "T02", "commit": true, "checklist": []args{done("Add logout() to src/auth.py", "src/auth.py:7-8")}}
	c.refused("complete_task", half, "does not show «Describe it in docs/» (it is not reported)", "[plan_move_illegal]")
	if out := c.done("complete_task", committed(loginReport("src/auth.py:1-4"))); out["complete"] != true || w.Git("status", "--porcelain") != "" {
		t.Errorf("%v\n%s", out, w.Git("status", "--porcelain"))
	}
}

// An ADAPT that would be refused is known before the ACT is made.
func TestNoActThatLeadsNowhere(t *testing.T) {
	w := newWorld(t, strings.Replace(thePlan, `"People can log in", "status": "pending"`, `"People can log in", "status": "complete"`, 1))
	c := w.serve(nil)
	w.stage("src/auth.py", loginCode)
	c.refused("complete_task", committed(loginReport("src/auth.py:1-4")), "[act_not_allowed]")
}

// A hook that refuses is quoted, and everything is as it was.
func TestAHookRefuses(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	w.stage("src/auth.py", loginCode)
	for _, title := range []string{"ACT", "ADAPT"} {
		w.Hook("commit-msg", "#!/bin/sh\nif grep -q '^"+title+":' \"$1\"; then echo not today >&2; exit 1; fi\n")
		if title == "ACT" {
			c.refused("complete_task", committed(loginReport("src/auth.py:1-4")), "git made no commit, and nothing was written", "not today")
			continue
		}
		a := c.call("complete_task", committed(loginReport("src/auth.py:1-4")))
		if !a.refused || !strings.Contains(a.text, "and its ADAPT was not: git made no commit, and the plan is as it was") || w.Git("status", "--porcelain") != "" {
			t.Errorf("%s\n%s", a.text, w.Git("status", "--porcelain"))
		}
	}
	if err := os.Remove(filepath.Join(w.CommonDir(), "hooks", "commit-msg")); err != nil {
		t.Fatal(err)
	}
	if out := c.done("complete_task", committed(loginReport("src/auth.py:1-4"))); out["complete"] != true {
		t.Error(out)
	}
}

// Calls that commit at once wait for each other.
func TestConcurrentCompletions(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	w.stage("src/auth.py", loginCode)
	var all sync.WaitGroup
	var answers [6]answer
	for i := range answers {
		all.Go(func() {
			if i%2 == 0 {
				answers[i] = c.call("complete_task", committed(loginReport("src/auth.py:1-4")))
			} else {
				answers[i] = c.call("next_task", nil)
			}
		})
	}
	all.Wait()
	made := 0
	for i, a := range answers {
		switch {
		case i%2 == 1:
			if a.refused {
				t.Error(a.text)
			}
		case !a.refused:
			made++
		case !strings.Contains(a.text, "[plan_move_illegal]"):
			t.Error(a.text)
		}
	}
	if log := w.Git("log", "--format=%s"); made != 1 || strings.Count(log, "\n") != 2 {
		t.Errorf("%d made\n%s", made, log)
	}
}

// A call that is cancelled stops git, and the server goes on.
func TestACancelledCallStopsGit(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	w.stage("src/auth.py", loginCode)
	pipe, end := filepath.Join(w.Dir, ".git/started"), filepath.Join(w.Dir, ".git/end")
	fifo(t, pipe)
	fifo(t, end)
	t.Cleanup(func() { // the hook, which git leaves behind, ends only now
		let, err := os.OpenFile(end, os.O_RDWR, 0) // does not wait for a reader, who may have gone
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = let.Close() }()
		if _, err := let.WriteString("go\n"); err != nil {
			t.Error(err)
		}
	})
	w.Hook("pre-commit", "#!/bin/sh\nexec >/dev/null 2>&1\necho started >"+pipe+"\nread line <"+end+"\n")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: "complete_task", Arguments: committed(loginReport("src/auth.py:1-4"))})
		ended <- err
	}()
	if _, err := os.ReadFile(pipe); err != nil { // until the hook runs
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("the call went on")
	}
	if err := os.Remove(filepath.Join(w.Dir, ".git/hooks/pre-commit")); err != nil {
		t.Fatal(err)
	}
	// It waits for its turn, which comes when the first has let go.
	if out := c.done("complete_task", committed(loginReport("src/auth.py:1-4"))); out["complete"] != true {
		t.Error(out)
	}
}
