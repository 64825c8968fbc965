package worklog

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/report"
)

// steps turns words into operations: todo:3 a list of three, task:a one todo by name, edit:file, failed-edit, test:0
// and test:1, hung, act, adapt, verify, and phases for explicit checkpoints.
func steps(t *testing.T, words string) []Operation {
	t.Helper()
	var all []Operation
	for _, w := range strings.Fields(words) {
		what, about, _ := strings.Cut(w, ":")
		o := Operation{Time: FormatTime(when), Status: Completed, Context: about}
		switch what {
		case "todo":
			var n int
			if _, err := fmt.Sscan(about, &n); err != nil {
				t.Fatal(err)
			}
			o.Action, o.Details.Todos = TodoWrite, &n
		case "task", "drop":
			one, to := 1, map[string]string{"task": "pending", "drop": "deleted"}[what]
			o.Action, o.Details.Todos, o.Details.StatusChanges = TodoWrite, &one, []StatusChange{{about, "", to}}
		case "edit", "failed-edit":
			o.Action, o.Details.Files = Edit, []string{about}
			if what == "failed-edit" {
				o.Status = Failed
			}
		case "test":
			code := 0
			if about == "1" {
				code, o.Status = 1, Failed
			}
			o.Action, o.Context, o.Details.ExitCode = Bash, "pytest -q", &code
		case "hung":
			o.Action, o.Status, o.Context = Bash, Initiated, "pytest -q"
		case "act":
			o.Action = ActDone
		case "adapt":
			o.Action = AdaptDone
		case "verify":
			o.Action, o.Details.Verification = Verify, "pass"
		default:
			o = NewCheckpoint(FormatTime(when), what)
		}
		all = append(all, o)
	}
	if len(all) == 0 {
		t.Fatal("no steps")
	}
	return all
}

// outline is where the checkpoints stand among the operations.
func outline(entries []Operation) string {
	var all []string
	for _, e := range entries {
		if e.Action == Check {
			all = append(all, "["+e.Details.Phase+"]")
		} else {
			all = append(all, strings.ToLower(string(e.Action)))
		}
	}
	return strings.Join(all, " ")
}

func TestPhasesEndWithACheckpoint(t *testing.T) {
	for _, c := range []struct{ name, tier, steps, want string }{
		{"a normal session", "STRICT", "todo:4 edit:a test:1 edit:a todo:1 test:0 act adapt", "todowrite [planning] edit bash [verification] edit todowrite bash [execution] act adapt"},
		{"tests after the ACT", "STRICT", "todo:3 edit:a act test:0 test:0", "todowrite [planning] edit [execution] act bash [verification] bash"},
		{"tests before and after the ACT", "STRICT", "edit:a test:0 act test:0", "edit bash [verification] [execution] act bash"},
		{"the next task", "STRICT", "todo:3 edit:a test:0 act edit:b test:0 act", "todowrite [planning] edit bash [verification] [execution] act edit bash [verification] [execution] act"},
		{"tests again and again", "STRICT", "edit:a " + strings.Repeat("test:1 edit:a ", 50) + "test:0", "edit bash [verification]" + strings.Repeat(" edit bash", 50)},
		{"a list that is too short", "STRICT", "todo:2 todo:2", "todowrite todowrite"},
		{"a list that grows", "STRICT", "todo:2 todo:3 todo:4", "todowrite todowrite [planning] todowrite"},
		{"one by one", "STRICT", "task:a task:b task:a task:c task:d", "todowrite todowrite todowrite todowrite [planning] todowrite"},
		{"one by one, and dropped", "STRICT", "task:a task:b drop:a task:c", "todowrite todowrite todowrite todowrite"},
		{"an ACT without an edit", "STRICT", "failed-edit:a act", "edit act"},
		{"an edit, then two ACTs", "STRICT", "edit:a act act", "edit [execution] act act"},
		{"a run that has not ended", "STRICT", "hung test:0", "bash bash [verification]"},
		{"said already", "STRICT", "planning todo:3 edit:a execution verification act test:0", "[planning] todowrite edit [execution] [verification] act bash"},
		{"STANDARD", "STANDARD", "todo:3 edit:a test:0 act", "todowrite edit bash [execution] act"},
		{"LIGHT", "LIGHT", "todo:3 edit:a test:0 act", "todowrite edit bash act"},
	} {
		l := &LocalSession{Beginning: Beginning{Tier: c.tier}}
		if got := outline(l.withCheckpoints(nil, steps(t, c.steps))); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		// One by one it is the same.
		var log []Operation
		for _, o := range steps(t, c.steps) {
			log = append(log, l.withCheckpoints(log, []Operation{o})...)
		}
		if got := outline(log); got != c.want {
			t.Errorf("%s, one by one: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestCheckpointsSumUp(t *testing.T) {
	s := &Session{ID: NewSessionID(when), Tier: "STRICT", Started: FormatTime(when), Outcome: Running, Version: version,
		Entries: steps(t, "todo:3 planning verify edit:b edit:a edit:b test:1 verification edit:c execution")}
	s.numberCheckpoints()
	s.sumUp()
	var got strings.Builder
	for _, c := range s.numberCheckpoints() {
		fmt.Fprintf(&got, "%d %s %d %d %v %v\n", c.Number, c.Phase, c.Operations, len(c.Tests), c.Files, c.Deviations)
	}
	if want := "1 planning 1 0 [] []\n2 verification 4 1 [a b] []\n3 execution 5 1 [a b c] []\n"; got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
	if d := s.Entries[7].Details; d.Checkpoint != 2 || *d.Since != 4 || *d.Modified != 2 || *d.Passed != 1 || *d.Failed != 0 || *d.Skipped != 0 {
		t.Errorf("the entry says %+v", d)
	}
	if d := s.Entries[1].Details; d.Tier != "STRICT" || *d.PlanTodos != 3 || d.Approach != "3" {
		t.Errorf("the planning says %+v", d)
	}
	if err := validSession(t, printed(t, s, "yaml")); err != nil {
		t.Error(err)
	}
}

// However many write at once, a phase ends once.
func TestAPhaseEndsOnce(t *testing.T) {
	r := newRecorder(t, Beginning{Tier: "STRICT"})
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			if _, err := r.Record(t.Context(), when, steps(t, "todo:3")...); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s, _, err := r.Session()
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Summary; n.Checkpoints != 1 || n.Operations != 12 {
		t.Errorf("%d checkpoints among %d operations", n.Checkpoints, n.Operations)
	}
}

func TestDeviationsFromThePlan(t *testing.T) {
	milestone := &plan.Node{Unit: &plan.Unit{ID: "M01", Paths: []string{"src/**", "docs/login.md"}}, Key: "M01"}
	unit := &plan.Node{Unit: &plan.Unit{ID: "T01"}, Key: "M01/T01", Parent: milestone}
	files := []string{"docs/login.md", "lib/a.py", "src/auth/login.py"}
	if got, want := strings.Join(outsideFiles(unit, files), "; "), "lib/a.py: outside of the paths of M01/T01"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	milestone.Paths = nil
	if got := outsideFiles(unit, files); got != nil {
		t.Errorf("without paths: %q", got)
	}
	reported := []report.ClaimVerdict{{Item: "Add login()", Status: "done"}, {Item: "Test it", Status: "skipped"}, {Item: "Ran: pytest", Status: "ran"},
		{Item: "Reword", Status: "pending"}}
	if got, want := strings.Join(openItems(unit, reported), "; "), "M01/T01: «Test it»: skipped; M01/T01: «Reword»: pending"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A plan is told by its todos, in their order, as far as a line goes.
func TestAPlanningTellsItsApproach(t *testing.T) {
	s := &Session{ID: NewSessionID(when), Tier: "STRICT", Entries: steps(t, "task:read task:write task:drop drop:drop task:test planning")}
	s.numberCheckpoints()
	if d := s.Entries[5].Details; *d.PlanTodos != 3 || d.Approach != "read; write; test" {
		t.Errorf("%d todos, %q", *d.PlanTodos, d.Approach)
	}
	s.Entries = steps(t, "task:"+strings.Repeat("é", 400)+" planning")
	s.numberCheckpoints()
	if a := s.Entries[1].Details.Approach; len(a) > maxApproach || !strings.HasSuffix(a, "é…") {
		t.Errorf("%d bytes: %s", len(a), a)
	}
}

// A session that ends without an ACT has a checkpoint of its execution, once, where its tier wants one and files were
// edited.
func TestASessionWithoutAnActHasACheckpointOfItsExecution(t *testing.T) {
	for _, c := range []struct{ tier, steps, want string }{
		{"STRICT", "todo:3 edit:a test:0", "todowrite [planning] edit bash [verification] [execution]"},
		{"STANDARD", "edit:a edit:b", "edit edit [execution]"},
		{"STANDARD", "edit:a act edit:b", "edit [execution] act edit"},
		{"STANDARD", "edit:a execution", "edit [execution]"},
		{"STANDARD", "todo:3", "todowrite"},
		{"LIGHT", "todo:3", "todowrite"},
	} {
		r := newRecorder(t, Beginning{Tier: c.tier})
		if _, err := r.Record(t.Context(), when, steps(t, c.steps)...); err != nil {
			t.Fatal(err)
		}
		if _, err := r.End(t.Context(), when, Success); err != nil {
			t.Fatal(err)
		}
		s, _, err := r.Session()
		if err != nil {
			t.Fatal(err)
		}
		if got := outline(s.Entries); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.tier, c.steps, got, c.want)
		}
	}
}

// An entry costs at most what document 000 grants it; a command that is longer stays whole beside it.
func TestAnEntryCostsAtMostThirtyTokens(t *testing.T) {
	r := newRecorder(t, Beginning{Tier: "STRICT"})
	long := "pytest -q " + strings.Repeat("tests/test_ünits.py ", 30)
	for _, o := range []Operation{{Action: Edit, Context: strings.Repeat("x", 600)}, {Action: Bash, Context: long}, {Action: Edit, Context: "short"}} {
		o.Time, o.Status, o.Tokens = FormatTime(when), Completed, Tokens(len(o.Context))
		if _, err := r.Record(t.Context(), when, o); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := r.Session()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range s.Entries {
		if e.Tokens > 30 || len(e.Context) > 120 {
			t.Errorf("%d tokens: %s", e.Tokens, e.Context)
		}
	}
	if run := s.Entries[1]; run.Command() != long || !strings.HasSuffix(run.Context, "…") || run.Details.Command != long {
		t.Errorf("the command is %q", run.Command())
	}
	if e := s.Entries[len(s.Entries)-1]; e.Context != "short" || e.Tokens != 2 {
		t.Errorf("got %+v", e)
	}
	if err := validSession(t, printed(t, s, "json")); err != nil {
		t.Error(err)
	}
}
