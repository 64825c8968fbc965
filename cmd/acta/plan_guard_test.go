package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/shell"

	"github.com/acta-git/acta/plan"
)

// guardPlan is the tree that the cases of the guard table begin with. Its tasks differ in their last ACT.
func guardPlan() *plan.Unit {
	task := func(id, status string) *plan.Unit {
		return &plan.Unit{ID: id, Type: plan.Atomic, Status: status, Description: "Task " + id, Checklist: []plan.Item{{Text: "Add login() to a.py"}}}
	}
	parent := func(id, status string, below ...*plan.Unit) *plan.Unit {
		return &plan.Unit{ID: id, Type: plan.Parent, Status: status, Description: "Task " + id, Children: below}
	}
	later := parent("M04", plan.Pending)
	later.DependsOn = []string{"M01"}
	next := parent("M05", plan.Pending)
	next.DependsOn = []string{"M02"}
	waiting := parent("S10", plan.InProgress, task("WAITS", plan.Pending))
	waiting.DependsOn = []string{"S03"}
	return parent("ROOT", plan.InProgress,
		parent("M01", plan.InProgress,
			parent("S01", plan.InProgress, task("DONE", plan.Complete), task("GOOD", plan.Pending), task("NONE", plan.InProgress),
				task("PART", plan.Pending), task("FALSE", plan.Pending), task("FAILED", plan.Pending)),
			parent("S02", plan.Complete, task("T21", plan.Complete), task("T22", plan.Complete)),
			parent("S03", plan.InProgress, task("T31", plan.Complete)),
			parent("S04", plan.Pending)),
		parent("M02", plan.Complete, parent("S05", plan.Complete, task("T51", plan.Complete)), parent("S06", plan.InProgress, task("T61", plan.Pending))),
		parent("M03", plan.Pending, parent("S07", plan.Complete, task("T71", plan.Complete))),
		parent("M06", plan.InProgress, parent("S08", plan.Complete, task("T81", plan.Complete))),
		parent("M07", plan.InProgress, parent("S09", plan.Complete, task("T91", plan.Pending)), waiting),
		later, next)
}

// guardCases are what a command is asked, row by row of docs/plan.md's table. want is the refusal, to the letter, or the moves.
var guardCases = []struct {
	row, command, refused string
	moves                 string // "; " between them
}{
	{row: "complete a task", command: "complete GOOD", moves: "GOOD: pending → complete"},
	{row: "complete a task", command: "complete M01/S01/DONE", refused: "Task DONE is already complete [plan_move_illegal]"},
	{row: "complete a task", command: "complete NONE", refused: "Cannot complete task NONE: it has no ACT [plan_move_illegal]"},
	{row: "complete a task", command: "complete PART", refused: "Cannot complete task PART: its last ACT, ID, does not show «Add login() to a.py» (it is not reported) [plan_move_illegal]"},
	{row: "complete a task", command: "complete FALSE", refused: "Cannot complete task FALSE: its last ACT, ID, does not show «Add login() to a.py» (it is not verified: stub: stub (5-6, pass)) [plan_move_illegal]"},
	{row: "complete a task", command: "complete FAILED", refused: "Cannot complete task FAILED: its last ACT, ID, says that it failed [plan_move_illegal]"},
	{row: "complete a task", command: "complete T61", refused: "Cannot complete task T61: milestone M02 is already complete [plan_move_illegal]"},
	{row: "complete a task", command: "complete WAITS",
		refused: "Cannot complete task WAITS: slice S10 depends on slice S03, which is in_progress [plan_move_illegal]"},
	{row: "complete a task", command: "complete T99", refused: "Task T99 is not in the plan [plan_unit_unknown]"},

	{row: "complete a slice", command: "complete S03", moves: "S03: in_progress → complete"},
	{row: "complete a slice", command: "complete S01", refused: "Cannot complete slice S01: task GOOD is pending [plan_move_illegal]"},
	{row: "complete a slice", command: "complete S02", refused: "Slice S02 is already complete [plan_move_illegal]"},
	{row: "complete a slice", command: "complete S06", refused: "Cannot complete slice S06: milestone M02 is already complete [plan_move_illegal]"},

	{row: "complete a milestone", command: "complete M06", moves: "M06: in_progress → complete"},
	{row: "complete a milestone", command: "complete M01", refused: "Cannot complete milestone M01: slice S01 is in_progress [plan_move_illegal]"},
	{row: "complete a milestone", command: "complete M07", refused: "Cannot complete milestone M07: task T91 is pending [plan_move_illegal]"},
	{row: "complete a milestone", command: "complete M03", refused: "Cannot complete milestone M03: it is pending, not active [plan_move_illegal]"},
	{row: "complete a milestone", command: "complete M02", refused: "Milestone M02 is already complete [plan_move_illegal]"},

	{row: "plan a task", command: "add S01 --id NEW --description New --item 'Add logout() to a.py'", moves: "NEW: added to S01"},
	{row: "plan a task", command: "add S01 --id GOOD --description Other", moves: "GOOD: description: «Task GOOD» → «Other»"},
	{row: "plan a task", command: "add S02 --id NEW --description New", refused: "Cannot plan task NEW: slice S02 is already complete [plan_move_illegal]"},
	{row: "plan a task", command: "add S99 --id NEW --description New", refused: "Task S99 is not in the plan [plan_unit_unknown]"},

	{row: "plan a slice", command: "add M01 --id NEW --type parent --description New", moves: "NEW: added to M01"},
	{row: "plan a slice", command: "add M02 --id NEW --type parent --description New", refused: "Cannot plan slice NEW: milestone M02 is already complete [plan_move_illegal]"},
	{row: "plan a slice", command: "add M01 --id S02 --description Other", refused: "Cannot re-plan: slice S02 is already complete [plan_move_illegal]"},

	{row: "plan a milestone", command: "add ROOT --id NEW --type parent --description New --depends-on M01", moves: "NEW: added to ROOT"},
	{row: "plan a milestone", command: "add M05 --id NEW --description New", moves: "NEW: added to M05"},
	{row: "plan a milestone", command: "add M04 --id NEW --description New", refused: "Cannot plan M04: dependency M01 is not complete [plan_move_illegal]"},
	{row: "plan a milestone", command: "add ROOT --id M02 --description Other", refused: "Cannot re-plan: milestone M02 is already complete [plan_move_illegal]"},

	{row: "reassess a roadmap", command: "reassess M01 --completed S02 --note fine", moves: "M01: assessments changed"},
	{row: "reassess a roadmap", command: "reassess M01 --completed S01", refused: "Cannot reassess M01: slice S01 is not complete [plan_move_illegal]"},
	{row: "reassess a roadmap", command: "reassess M01 --completed S08", refused: "Cannot reassess M01: slice S08 is not one of its slices [plan_move_illegal]"},
	{row: "reassess a roadmap", command: "reassess M01 --completed DONE", refused: "Cannot reassess M01: task DONE is not one of its slices [plan_move_illegal]"},
	{row: "reassess a roadmap", command: "reassess S03 --completed S02",
		refused: "Cannot reassess S03: it is a slice, and only a milestone has a roadmap [plan_move_illegal]"},
	{row: "reassess a roadmap", command: "reassess M02 --completed S05", refused: "Cannot reassess M02: it is complete, not active [plan_move_illegal]"},

	{row: "re-plan a slice", command: "replan S01 --blocker DONE --note slow", moves: "S01: replans changed"},
	{row: "re-plan a slice", command: "replan S03 --blocker M01/S03/T31", moves: "S03: replans changed"},
	{row: "re-plan a slice", command: "replan S04 --blocker DONE", refused: "Cannot re-plan S04: blocker DONE is not one of its tasks [plan_move_illegal]"},
	{row: "re-plan a slice", command: "replan S03 --blocker S02", refused: "Cannot re-plan S03: blocker S02 is not one of its tasks [plan_move_illegal]"},
	{row: "re-plan a slice", command: "replan M01 --blocker DONE",
		refused: "Cannot re-plan M01: it is a milestone, and only a slice can be re-planned [plan_move_illegal]"},
	{row: "re-plan a slice", command: "replan GOOD --blocker DONE",
		refused: "Cannot re-plan GOOD: it is a task, and only a slice can be re-planned [plan_move_illegal]"},
	{row: "re-plan a slice", command: "replan S01 --blocker GOOD", refused: "Cannot re-plan S01: blocker GOOD is not complete [plan_move_illegal]"},
	{row: "re-plan a slice", command: "replan S01 --blocker T99", refused: "Task T99 is not in the plan [plan_unit_unknown]"},
	{row: "re-plan a slice", command: "replan S02 --blocker DONE", refused: "Cannot re-plan: slice S02 is already complete [plan_move_illegal]"},

	{row: "reopen a task", command: "reopen DONE", moves: "DONE: complete → pending"},
	{row: "reopen a task", command: "reopen GOOD", refused: "Cannot reopen task GOOD: it is pending, not complete [plan_move_illegal]"},
	{row: "reopen a task", command: "reopen T21", refused: "Cannot reopen task T21: slice S02 is already complete [plan_move_illegal]"},

	{row: "reopen a slice", command: "reopen S02", moves: "S02: complete → in_progress; T21: complete → pending; T22: complete → pending"},
	{row: "reopen a slice", command: "reopen S01", refused: "Cannot reopen slice S01: it is in_progress, not complete [plan_move_illegal]"},
	{row: "reopen a slice", command: "reopen S05", refused: "Cannot reopen slice S05: milestone M02 is already complete [plan_move_illegal]"},
	{row: "reopen a slice", command: "reopen M02", refused: "Cannot reopen milestone M02: only a task or a slice can be reopened [plan_move_illegal]"},

	{row: "reword, renumber, move or remove complete work", command: "add S01 --id DONE --description Other", refused: "Cannot re-plan: task DONE is already complete [plan_move_illegal]"},
	{row: "reword, renumber, move or remove complete work", command: "add S01 --id DONE --item 'Add other() to a.py'", refused: "Cannot re-plan: task DONE is already complete [plan_move_illegal]"},
	{row: "reword, renumber, move or remove complete work", command: "reopen DONE", moves: "DONE: complete → pending"},
}

// Every row of the guard table through the commands, with and without --commit: what is legal is done, and nothing
// else; what is not is refused to the letter, and nothing is written.
func TestTheGuardTableThroughTheCommands(t *testing.T) {
	t.Parallel()
	g, acta := newGuardRepo(t), newWorkers(t)
	tip := g.head()
	before := plan.Write(guardPlan())
	for _, c := range guardCases {
		for _, more := range []string{"", " --commit"} {
			t.Run(c.command+more, func(t *testing.T) {
				args, err := shell.Fields("plan "+c.command+more, nil)
				if err != nil {
					t.Fatal(err)
				}
				got := acta.run(t, call{Dir: g.dir, Env: g.env, Args: args})
				out, complaint, code := got.Stdout, got.Stderr, got.Code
				after, err := os.ReadFile(g.file)
				if err != nil {
					t.Fatal(err)
				}
				head := g.head()
				if c.refused != "" {
					first, _, _ := strings.Cut(regexp.MustCompile(`[0-9a-f]{12}`).ReplaceAllString(complaint, "ID"), "\n")
					if code != 1 || first != "acta: "+c.refused || out != "" {
						t.Errorf("exit code %d, %q, %q; want %q", code, out, complaint, c.refused)
					}
					if string(after) != string(before) || head != tip {
						t.Error("something was written")
					}
					return
				}
				defer g.git("reset", "-q", "--hard", tip)
				root, err := plan.Read(after)
				if err != nil {
					t.Fatal(err)
				}
				var moves []string
				for _, m := range plan.Diff(guardPlan(), root) {
					moves = append(moves, m.String())
				}
				if got := strings.Join(moves, "; "); code != 0 || got != c.moves || !strings.HasPrefix(out, strings.ReplaceAll(got, "; ", "\n")+"\n") {
					t.Errorf("exit code %d, moves %s, %q, %q; want %s", code, got, out, complaint, c.moves)
				}
				if committed := head != tip; committed != (more != "") || committed && g.git("status", "--porcelain") != "" {
					t.Errorf("committed: %v; %s", committed, g.git("status", "--porcelain"))
				}
			})
		}
	}
}

// No row of the page's table is without a case that is done or refused.
func TestEveryRowOfTheGuardTableHasCases(t *testing.T) {
	page := readPage(t, "docs/plan.md")
	_, table, found := strings.Cut(string(page), "| change | how by hand | condition |\n| --- | --- | --- |\n")
	table, _, ends := strings.Cut(table, "\n\n")
	if !found || !ends {
		t.Fatal("docs/plan.md has no guard table")
	}
	var rows []string
	for line := range strings.Lines(table) {
		rows = append(rows, strings.TrimSpace(strings.Split(line, "|")[1]))
	}
	if len(rows) != 11 {
		t.Errorf("the table has %d rows", len(rows))
	}
	for _, row := range rows {
		legal, refused := 0, 0
		for _, c := range guardCases {
			if c.row == row && c.refused != "" {
				refused++
			} else if c.row == row {
				legal++
			}
		}
		if legal == 0 || refused == 0 {
			t.Errorf("%s: %d cases are legal and %d refused", row, legal, refused)
		}
	}
	for _, c := range guardCases {
		if !slices.Contains(rows, c.row) {
			t.Errorf("there is no row %q", c.row)
		}
	}
}

// guardRepo is a repository with hooks, the guard plan, and the ACTs of its tasks.
type guardRepo struct {
	t         *testing.T
	dir, file string
	env       []string
}

func newGuardRepo(t *testing.T) *guardRepo {
	home := t.TempDir()
	g := &guardRepo{t: t, dir: filepath.Join(home, "r")}
	g.file = filepath.Join(g.dir, "working_plan", "current.json")
	g.env = append(os.Environ(), append(gitEnv(home), "PATH="+filepath.Dir(actaCommand(t))+":"+os.Getenv("PATH"))...)
	if err := os.MkdirAll(filepath.Dir(g.file), 0o777); err != nil {
		t.Fatal(err)
	}
	g.git("init", "-q", "-b", "main")
	g.write("a.py", "def login(session):\n    session.user = 1\n\n\ndef stub(session):\n    pass\n")
	g.write("working_plan/current.json", string(plan.Write(guardPlan())))
	g.git("add", ".")
	g.git("commit", "-q", "-m", "The plan")
	done := "Done: Add login() to a.py | a.py:1-2\n"
	for _, act := range []struct{ unit, report string }{
		{"GOOD", done},
		{"PART", "Done: Add something else to a.py | a.py:1-2\n"},
		{"FALSE", "Done: Add login() to a.py | a.py:5-6\n"},
		{"WAITS", done},
		{"FAILED", done + "Outcome: failure\n"},
	} {
		g.write("a.py", fmt.Sprintf("def login(session):\n    session.%s = 1\n\n\ndef stub(session):\n    pass\n", act.unit))
		g.git("commit", "-q", "-a", "-m", "ACT: "+act.unit+" work\n\n"+act.report)
	}
	if _, complaint, code := g.sh("acta install"); code != 0 {
		t.Fatal(complaint)
	}
	return g
}

func (g *guardRepo) write(path, text string) {
	g.t.Helper()
	if err := os.WriteFile(filepath.Join(g.dir, path), []byte(text), 0o666); err != nil {
		g.t.Fatal(err)
	}
}

// head is the commit of the branch, as its file names it.
func (g *guardRepo) head() string {
	g.t.Helper()
	id, err := os.ReadFile(filepath.Join(g.dir, ".git", "refs", "heads", "main"))
	if err != nil {
		g.t.Fatal(err)
	}
	return strings.TrimSpace(string(id))
}

// sh runs a line of shell.
func (g *guardRepo) sh(line string) (out, complaint string, code int) {
	g.t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = g.dir, g.env
	var o, c strings.Builder
	cmd.Stdout, cmd.Stderr = &o, &c
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		g.t.Fatal(err)
	}
	return o.String(), c.String(), cmd.ProcessState.ExitCode()
}

func (g *guardRepo) git(args ...string) string {
	g.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = g.dir, g.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
