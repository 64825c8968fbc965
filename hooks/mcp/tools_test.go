package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/acta-git/acta/plan"
)

// tools are those that the server offers, with what each cannot do without.
var tools = map[string][]string{
	"submit_plan": {"plan"}, "next_task": nil, "check_write_target": {"path"}, "complete_task": {"task_id", "checklist"},
	"reopen_task": {"unit"}, "reopen_slice": {"unit"}, "claim": {"unit"}, "release": {"unit"},
	"worklog_append": {"action", "status", "context"}, "checkpoint": nil, "score": nil,
}

// Every tool has schemas that are JSON Schema, and says who acts and why.
func TestToolsAndTheirSchemas(t *testing.T) {
	c := newWorld(t, thePlan).serve(nil)
	listed, err := c.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
		for what, schema := range map[string]any{"input": tool.InputSchema, "output": tool.OutputSchema} {
			compiler := jsonschema.NewCompiler()
			compiler.AssertFormat()
			if err := compiler.AddResource("mem:///schema.json", schema); err != nil {
				t.Fatal(err)
			}
			if _, err := compiler.Compile("mem:///schema.json"); err != nil {
				t.Errorf("%s: %s schema: %v", tool.Name, what, err)
			}
		}
		in := tool.InputSchema.(map[string]any)
		properties := in["properties"].(map[string]any)
		for _, name := range append([]string{"actor_name", "trigger_reason"}, tools[tool.Name]...) {
			if properties[name] == nil {
				t.Errorf("%s has no %s", tool.Name, name)
			}
		}
		required, _ := in["required"].([]any)
		if fmt.Sprint(required) != fmt.Sprint(toAny(tools[tool.Name])) {
			t.Errorf("%s requires %v", tool.Name, required)
		}
		if tool.Description == "" || tool.Title == "" || tool.Annotations == nil {
			t.Errorf("%s says too little of itself", tool.Name)
		}
		if tool.Name == "submit_plan" && !strings.Contains(tool.Description, plan.Guide) {
			t.Errorf("submit_plan does not say that an item is written as %s", plan.Guide)
		}
		if hint := tool.Annotations.DestructiveHint; tool.Name == "submit_plan" && (hint == nil || !*hint) {
			t.Error("submit_plan can take tasks out of the plan, and does not say so")
		}
	}
	slices.Sort(names)
	if len(names) != len(tools) {
		t.Errorf("tools: %v", names)
	}
	if c.session.InitializeResult().Instructions == "" || c.session.InitializeResult().ServerInfo.Version == "" {
		t.Error("the server does not say what it is")
	}
}

func toAny(words []string) []any {
	var all []any
	for _, w := range words {
		all = append(all, w)
	}
	return all
}

// What is no call is an error of the protocol; what is a call and wrong, the tool's.
func TestProtocolErrors(t *testing.T) {
	c := newWorld(t, thePlan).serve(nil)
	if _, err := c.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "no_such_tool"}); err == nil {
		t.Error("a tool that is not there was called")
	}
	c.refused("claim", nil, "unit")
	c.refused("claim", args{"unit": 7}, "unit")
	c.refused("worklog_append", args{"action": "Nothing", "status": "completed", "context": "x"}, "action")
	c.done("next_task", args{"of_the_client": true})
}

func TestClaimAndRelease(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	c.refused("claim", args{"unit": "T01"}, "no actor is named [unit_not_owned]", "actor_name")
	c.refused("claim", args{"unit": "T99", "actor_name": "a"}, "[plan_unit_unknown]")
	c.refused("claim", args{"unit": " ", "actor_name": "a"}, "needs a task")
	c.refused("claim", args{"unit": "T01", "actor_name": "a", "ttl": "soon"}, "ttl must be a time like")
	if out := c.done("claim", args{"unit": "T01", "actor_name": "a", "trigger_reason": "my turn", "ttl": "2h"}); out["unit"] != "M01/S01/T01" || out["taken"] != true {
		t.Error(out)
	}
	if out := c.done("claim", args{"unit": "T01", "actor_name": "a"}); out["taken"] != false {
		t.Error(out)
	}
	c.refused("claim", args{"unit": "T01", "actor_name": "b"}, "Task M01/S01/T01 is owned by a, not b [unit_not_owned]")
	c.refused("claim", args{"unit": "S01", "actor_name": "b"}, "[unit_not_owned]")
	c.refused("release", args{"unit": "T01", "actor_name": "b"}, "[unit_not_owned]")
	c.refused("release", args{"unit": "T01"}, "[unit_not_owned]")

	// The task that somebody else holds is passed over.
	if next := c.done("next_task", args{"actor_name": "b"}); next["unit"] != "M01/S01/T02" {
		t.Error(next)
	}
	if next := c.done("next_task", args{"actor_name": "a"}); next["unit"] != "M01/S01/T01" {
		t.Error(next)
	}
	if out := c.done("release", args{"unit": "T01", "actor_name": "b", "force": true, "trigger_reason": "a is gone"}); out["released"] != true || out["agent"] != "a" {
		t.Error(out)
	}
	if out := c.done("release", args{"unit": "T01", "actor_name": "b"}); out["released"] != false {
		t.Error(out)
	}

	// What was done is in the event log, what was refused in the audit log.
	events := w.Read(".git/acta/event-log.jsonl")
	for _, want := range []string{`"cmd":"mcp claim"`, `"trigger_reason":"my turn"`, `"ttl":"2h0m0s"`, `"forced":true`} {
		if !strings.Contains(events, want) {
			t.Errorf("no %s in\n%s", want, events)
		}
	}
	if n := strings.Count(events, "\n"); n != 2 {
		t.Errorf("%d events", n)
	}
	if refusals := w.Read(".git/acta/audit-log.jsonl"); !strings.Contains(refusals, `"rule":"unit_not_owned"`) || !strings.Contains(refusals, `"cmd":"mcp release"`) {
		t.Error(refusals)
	}
}

// Two servers, many calls, one unit: one wins, and all others hear who.
func TestTwoServersClaimOneUnit(t *testing.T) {
	w := newWorld(t, thePlan)
	servers := []*client{w.serve(nil), w.serve(nil)}
	const racers = 16
	var all sync.WaitGroup
	var answers [racers]answer
	start := make(chan struct{})
	for i := range racers {
		all.Go(func() {
			<-start
			answers[i] = servers[i%2].call("claim", args{"unit": "T01", "actor_name": fmt.Sprintf("executor-%d", i)})
		})
	}
	close(start)
	all.Wait()
	won := 0
	for _, a := range answers {
		if !a.refused {
			won++
		} else if !strings.Contains(a.text, "[unit_not_owned]") {
			t.Error(a.text)
		}
	}
	if won != 1 {
		t.Errorf("%d won", won)
	}
}

// With another actor, or with none, a unit that somebody holds is neither completed nor reopened.
func TestSomebodyElsesUnit(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	c.done("claim", args{"unit": "T01", "actor_name": "a"})
	report := args{"task_id": "T01", "checklist": []args{done("Add login() to src/auth.py", "README:1")}, "commit": true}
	c.refused("complete_task", report, "[unit_not_owned]", "actor_name")
	report["actor_name"] = "b"
	c.refused("complete_task", report, "[unit_not_owned]")
	c.refused("reopen_task", args{"unit": "T01", "actor_name": "b"}, "[")
	c.refused("check_write_target", args{"unit": "T01", "path": "src/auth.py", "actor_name": "b"}, "[unit_not_owned]")
}

func TestCheckWriteTarget(t *testing.T) {
	w := newWorld(t, strings.Replace(thePlan, `"description": "Logout"`, `"description": "Logout, with tests/**/*.py and/or scripts"`, 1))
	c := w.serve(nil)
	if err := os.Symlink(os.TempDir(), filepath.Join(w.Dir, "out")); err != nil {
		t.Fatal(err)
	}
	c.refused("check_write_target", args{"path": "src/auth.py"}, "[unit_not_owned]")
	c.refused("check_write_target", args{"path": "src/auth.py", "actor_name": "a"}, "a holds no task [unit_not_owned]")
	c.refused("check_write_target", args{"path": "src/auth.py", "unit": "T99"}, "[plan_unit_unknown]")
	c.refused("check_write_target", args{"path": "", "unit": "T01"}, "needs a path")
	for _, p := range []struct {
		unit, path string
		allowed    bool
		why        string
	}{
		{"T01", "src/auth.py", true, "names src/auth.py"},
		{"T01", "./src/../src/auth.py", true, "names src/auth.py"},
		{"T01", filepath.Join(w.Dir, "src/auth.py"), true, "names src/auth.py"},
		{"T01", "server/src/auth.py", true, "names src/auth.py"},
		{"T01", "src/other.py", false, "does not name it; it names src/auth.py"},
		{"T01", "auth.py", false, "does not name it"},
		{"T01", "docs/auth.md", false, "does not name it"},
		{"T02", "docs/auth.md", true, "names docs/"},
		{"T02", "docs/deep/auth.md", true, "names docs/"},
		{"T02", "tests/a/test_auth.py", true, "names tests/**/*.py"},
		{"T02", "tests/a/test_auth.go", false, "does not name it"},
		{"T02", "docs", false, "does not name it"},
		{"S01", "docs/auth.md", true, "names docs/"},
		{"S01", "README", false, "does not name it"},
		{"T01", "../auth.py", false, "outside of the repository"},
		{"T01", "/etc/passwd", false, "outside of the repository"},
		{"T01", "out/src/auth.py", false, "outside of the repository"},
		{"T01", ".", false, "folder"},
		{"T01", ".git/config", false, "belongs to git"},
		{"T01", "vendor/lib/.git/config", false, "belongs to git"},
		{"T01", "vendor/.GIT", false, "belongs to git"},
		{"T01", "working_plan/current.json", false, "the plan"},
		{"T01", "user_intent/project.json", false, "what people asked for"},
	} {
		out := c.done("check_write_target", args{"unit": p.unit, "path": p.path})
		if out["allowed"] != p.allowed || !strings.Contains(out["why"].(string), p.why) {
			t.Errorf("%s %s: %v", p.unit, p.path, out)
		}
	}
	// Without a unit, those that the actor holds.
	c.done("claim", args{"unit": "T01", "actor_name": "a"})
	c.done("claim", args{"unit": "T02", "actor_name": "a"})
	if out := c.done("check_write_target", args{"path": "docs/auth.md", "actor_name": "a"}); out["allowed"] != true || out["unit"] != "M01/S01/T02" {
		t.Error(out)
	}
	if out := c.done("check_write_target", args{"path": "lib/x.py", "actor_name": "a"}); out["allowed"] != false {
		t.Error(out)
	}
}

// For a task that its parent has to plan again nothing is written.
func TestCheckWriteTargetOfAnEscalatedTask(t *testing.T) {
	c := newWorld(t, strings.Replace(thePlan, `"id": "T01",`, `"id": "T01", "failure_threshold": 1.0,`, 1)).serve(nil)
	out := c.done("check_write_target", args{"unit": "T01", "path": "src/auth.py"})
	if out["allowed"] != false || !strings.Contains(out["why"].(string), "escalated") {
		t.Error(out)
	}
}

// A unit that says where it works allows that, what its words name, and what goes along with any work.
func TestCheckWriteTargetOfAUnitWithPaths(t *testing.T) {
	c := newWorld(t, strings.Replace(thePlan, `"id": "T01",`, `"id": "T01", "paths": ["lib/**", "docs"],`, 1)).serve(nil)
	for path, want := range map[string]string{
		"lib/deep/a.py": "true M01/S01/T01 works in lib/**", "docs/x.md": "true M01/S01/T01 works in docs",
		"src/auth.py":       "true M01/S01/T01 names src/auth.py",
		"tests/test_lib.py": "true tests, lock files and change logs go along with any task", "go.sum": "true tests, lock files",
		"deploy/prod.py": "false M01/S01/T01 works in lib/**, docs, and does not name it [outside_scope]",
	} {
		out := c.done("check_write_target", args{"unit": "T01", "path": path})
		if got := fmt.Sprint(out["allowed"], " ", out["why"]); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// A unit that names no file has nothing to hold one against.
func TestCheckWriteTargetOfAUnitThatNamesNoFile(t *testing.T) {
	c := newWorld(t, strings.Replace(thePlan, "Add login() to src/auth.py", "Add login and/or user.check to the session", 1)).serve(nil)
	if out := c.done("check_write_target", args{"unit": "T01", "path": "lib/x.py"}); out["allowed"] != true || out["named"] != false {
		t.Error(out)
	}
}

func TestSubmitPlan(t *testing.T) {
	w := newWorld(t, "")
	c := w.serve(nil)
	c.refused("next_task", nil, "there is no plan")
	var tree any
	if err := json.Unmarshal([]byte(thePlan), &tree); err != nil {
		t.Fatal(err)
	}
	c.refused("submit_plan", args{"plan": "{"}, "[plan_invalid]")
	c.refused("submit_plan", args{"plan": args{"id": "A", "type": "nothing"}}, "plan:", "[plan_invalid]")
	c.refused("submit_plan", args{"plan": 7}, `validating /properties/plan: type: 7 has type "integer", want one of "object, string"`)
	c.refused("submit_plan", args{}, `missing properties: ["plan"]`)
	c.refused("complete_task", args{"task_id": "T01", "checklist": []any{args{"item": "a", "status": 1}}}, "/properties/status")

	// The first plan, as an object.
	if out := c.done("submit_plan", args{"plan": tree}); out["unit"] != "SHOP" || out["path"] != "working_plan/current.json" || len(out["moves"].([]any)) == 0 {
		t.Error(out)
	}
	if next := c.done("next_task", nil); next["unit"] != "M01/S01/T01" {
		t.Error(next)
	}
	w.Git("add", ".")
	w.Git("commit", "-q", "-m", "The plan")

	// As text; the same again changes nothing.
	c.refused("submit_plan", args{"plan": args{"id": "X"}}, "The tree lacks tasks of the plan: ", "[scope_reduced]", `"replace": true`)
	if w.Git("status", "--porcelain") != "" {
		t.Error("a tree that leaves out the plan was written")
	}
	if out := c.done("submit_plan", args{"plan": thePlan}); len(out["moves"].([]any)) != 0 || w.Git("status", "--porcelain") != "" {
		t.Error(out)
	}
	more := strings.Replace(thePlan, `"description": "Logout"`, `"description": "Logout and more"`, 1)
	out := c.done("submit_plan", args{"plan": more, "commit": true, "trigger_reason": "it was unclear", "actor_name": "navigator"})
	if out["commit"] != w.Git("rev-parse", "HEAD") || w.Git("log", "-1", "--format=%s") != "ADAPT: SHOP is planned" || w.Git("status", "--porcelain") != "" {
		t.Errorf("%v\n%s", out, w.Git("log", "-1"))
	}

	// Illegal moves.
	complete := strings.Replace(more, `"description": "Login", "status": "pending"`, `"description": "Login", "status": "complete"`, 1)
	c.refused("submit_plan", args{"plan": complete}, "[plan_move_illegal]")
	c.refused("submit_plan", args{"plan": complete, "unit": "T01"}, "it has no ACT [plan_move_illegal]")
	c.refused("submit_plan", args{"plan": complete, "unit": "T99"}, "[plan_unit_unknown]")
	c.done("claim", args{"unit": "T01", "actor_name": "a"})
	c.refused("submit_plan", args{"plan": more, "unit": "T01", "actor_name": "b"}, "[unit_not_owned]")

	// Less than before is legal, and seen.
	less := strings.Replace(more, `,
          {"item": "Describe it in docs/", "required": true, "kind": "text"}`, "", 1)
	if out := c.done("submit_plan", args{"plan": less}); !strings.Contains(fmt.Sprint(out["warnings"]), "[scope_reduced]") {
		t.Error(out)
	}
}

// A plan that was removed or broken is held against HEAD's.
func TestSubmitPlanInPlaceOfABrokenOne(t *testing.T) {
	w := newWorld(t, thePlan)
	c := w.serve(nil)
	complete := strings.ReplaceAll(thePlan, "pending", "complete")
	w.Write("working_plan/current.json", "{")
	c.refused("submit_plan", args{"plan": complete}, "[")
	c.refused("next_task", nil, "[plan_invalid]")
	c.done("submit_plan", args{"plan": thePlan})
	if err := os.Remove(filepath.Join(w.Dir, "working_plan/current.json")); err != nil {
		t.Fatal(err)
	}
	c.refused("submit_plan", args{"plan": complete}, "[")
	c.done("submit_plan", args{"plan": thePlan})
	if root := c.done("next_task", nil); root["unit"] != "M01/S01/T01" {
		t.Error(root)
	}
}

func TestReopen(t *testing.T) {
	w := newWorld(t, strings.ReplaceAll(thePlan, `"pending", "checklist"`, `"complete", "checklist"`))
	c := w.serve(nil)
	c.refused("reopen_task", args{"unit": "S01"}, "M01/S01 groups tasks", "[plan_move_illegal]", "reopen_slice")
	c.refused("reopen_slice", args{"unit": "T01"}, "no slice but a task [plan_move_illegal]", "reopen_task")
	c.refused("reopen_slice", args{"unit": "S01"}, "[plan_move_illegal]") // it is not complete
	c.refused("reopen_task", args{"unit": "T99"}, "[plan_unit_unknown]")
	out := c.done("reopen_task", args{"unit": "T01", "trigger_reason": "it broke", "actor_name": "a"})
	if !strings.Contains(fmt.Sprint(out["moves"]), "T01: complete → pending") || out["commit"] != nil {
		t.Error(out)
	}
	c.refused("reopen_task", args{"unit": "T01"}, "[plan_move_illegal]")
	// What submit_plan brings does not reopen: that is its owner's to do.
	open := strings.Replace(w.Read("working_plan/current.json"), `"status": "complete"`, `"status": "pending"`, 1)
	c.refused("submit_plan", args{"plan": open}, "[plan_")
	c.refused("submit_plan", args{"plan": open, "unit": "T02"}, "[plan_move_illegal]")

	w = newWorld(t, strings.ReplaceAll(strings.Replace(thePlan, `"Sessions", "status": "pending"`, `"Sessions", "status": "complete"`, 1), `"pending", "checklist"`, `"complete", "checklist"`))
	c = w.serve(nil)
	c.refused("reopen_task", args{"unit": "T01"}, "[plan_move_illegal]")
	out = c.done("reopen_slice", args{"unit": "M01/S01", "commit": true})
	if !strings.Contains(fmt.Sprint(out["moves"]), "S01: complete → in_progress") || out["commit"] != w.Git("rev-parse", "HEAD") {
		t.Error(out)
	}
	if body := w.Git("log", "-1", "--format=%B"); !strings.Contains(body, "ADAPT: M01/S01 is open again\n\nReopen: M01/S01") {
		t.Error(body)
	}
}
