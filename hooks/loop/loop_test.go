package loop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

const (
	planFile  = "working_plan/current.json"
	firstPlan = `{"id": "ROOT", "type": "parent", "status": "pending", "children": [
  {"id": "S01", "type": "parent", "status": "pending", "children": [
    {"id": "T01", "type": "atomic", "status": "pending", "failure_threshold": 0.0,
     "checklist": [{"item": "Add login() to login.py"}]}]}]}
`
	code   = "def login(session, user):\n    session.user = user\n"
	report = `{"outcome": "success", "summary": "login", "checklist": [{"item": "Add login() to login.py", "status": "done", "evidence": "login.py:1-2"}]}`
	facts  = `{"observations": [{"perspective": "build", "fact": "it builds"}]}`
)

// world is a repository with a plan, and agents beside it.
type world struct {
	*repotest.WorkTree
	loop Loop
	// steps and refused are what the loop told of, a line each.
	steps, refused []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{WorkTree: repotest.NewWorkTree(t)}
	w.Write(planFile, firstPlan)
	w.Write("user_intent/project.json", `{"wanted": "a login"}`)
	w.Write("user_intent/amendments/01.md", "And soon.\n")
	w.Commit("The first plan")
	w.Write("../report", report)
	w.Write("../code", code)
	w.loop = Loop{
		Dir: w.Dir, Env: os.Environ(), Caller: journal.Caller{Name: "executor-01", Session: "s"}, Stderr: &bytes.Buffer{},
		Executor: "cp ../code login.py; cat ../report", Assessor: "echo '" + facts + "'", Navigator: "cat ../tree",
		Witness: w,
	}
	return w
}

func (w *world) OnStep(s Step) {
	w.steps = append(w.steps, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", s.Title, s.Unit, s.Outcome, strings.Join(s.Moves, ", "))))
}

func (w *world) OnRefusal(_, role string, again bool, err error) {
	w.refused = append(w.refused, fmt.Sprintf("%s %t %v", role, again, err))
}

// tree is the plan as a navigator's reply, with some texts replaced, and lies where navigators print it from.
func (w *world) tree(replaced ...string) {
	w.Helper()
	w.Write("../tree", `{"tree": `+strings.NewReplacer(replaced...).Replace(w.Git("show", "HEAD:"+planFile))+`}`)
}

// run lets the loop make so many commits.
func (w *world) run(steps int) (done bool, err error) {
	w.Helper()
	w.loop.MaxSteps = steps
	return w.loop.Run(w.Context())
}

// works is run where nothing is in the way; title is what the last commit says.
func (w *world) works(steps int, title string) {
	w.Helper()
	if _, err := w.run(steps); err != nil {
		w.Fatal(err)
	}
	if got := w.Git("log", "-1", "--format=%s"); got != title {
		w.Errorf("the last commit is %q, want %q", got, title)
	}
}

func equal(t testing.TB, what string, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAPlanIsWorkedThroughToItsEnd(t *testing.T) {
	w := newWorld(t)
	w.loop.Navigator = `printf '{"tree": %s}' "$(awk -v id="\"${ACTA_UNIT##*/}\"" '/"id"/ {ours = index($0, id)} ours {sub(/pending|in_progress/, "complete")} {print}' ` + planFile + `)"`
	w.Write(planFile, string(plan.Write(planOf(t, firstPlan)))) // a key a line, for awk
	w.Commit("The same plan")
	done, err := w.run(0)
	if !done || err != nil {
		t.Fatal(done, err)
	}
	equal(t, "steps", w.steps,
		"ACT S01/T01 success",
		"ADAPT S01/T01  ROOT: pending → in_progress, S01: pending → in_progress, T01: pending → complete",
		"ADAPT S01  S01: in_progress → complete", "ADAPT ROOT  ROOT: in_progress → complete")
	want := "ACT: S01/T01 login\n\nDone: Add login() to login.py | login.py:1-2\nOutcome: success\nActor: executor-01\nSession: s"
	if got := w.Git("log", "-1", "--format=%B", "HEAD~3"); got != want {
		t.Errorf("the ACT is\n%s\nwant\n%s", got, want)
	}
	if got := w.Git("show", "--format=", "--name-only", "HEAD~3"); got != "login.py" {
		t.Errorf("the ACT brings %s", got)
	}
	if got, want := w.Git("log", "-1", "--format=%s", "HEAD~1"), "ADAPT: S01 in_progress → complete"; got != want {
		t.Errorf("the ADAPT is %q, want %q", got, want)
	}
	if got := w.Git("status", "--porcelain"); got != "" {
		t.Errorf("left: %s", got)
	}
	if done, err := w.run(0); !done || err != nil || len(w.steps) != 4 {
		t.Errorf("once more: %t, %v, %v", done, err, w.steps)
	}
}

func planOf(t *testing.T, text string) *plan.Unit {
	t.Helper()
	root, err := plan.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestAReplyThatCannotBeUsedIsHandedBackOnce(t *testing.T) {
	stub := "printf 'def login(session, user):\\n    pass\\n' >login.py; "
	for name, c := range map[string]struct{ executor, says string }{
		"no JSON":            {"echo Done", "JSON"},
		"no outcome":         {"echo '{}'", "the reply needs an outcome: expected success, failure, aborted, found \"\""},
		"of another task":    {`echo '{"task_id": "T09", "outcome": "success"}'`, "the reply is about T09; the request was about S01/T01"},
		"a failed program":   {"exit 3", "the executor failed: exit status 3"},
		"a stub":             {stub + "cat ../report", "checklist_evidence_empty_impl"},
		"an edit of a plan":  {"echo >>" + planFile + "; cat ../report", "an ACT leaves the plan as it is"},
		"what git refuses":   {"mkdir -p sub && git init -q sub; cat ../report", "what you changed cannot be staged:"},
		"too much to report": {`echo '{"outcome": "success", "checklist": [{"item": "a", "status": "skipped", "reason": "either | or"}]}'`, "the report does not fit into a commit message"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.loop.Executor = "cat >>../asked; [ -e ../again ] && { git checkout -q " + planFile + "; rm -rf sub; cp ../code login.py; exec cat ../report; }; touch ../again; " + c.executor
			w.works(1, "ACT: S01/T01 login")
			if len(w.refused) != 1 || !strings.HasPrefix(w.refused[0], "executor false ") || !strings.Contains(w.refused[0], c.says) {
				t.Errorf("handed back: %q, want %q", w.refused, c.says)
			}
			var first, second map[string]any
			d := json.NewDecoder(strings.NewReader(w.Read("../asked")))
			if err := errors.Join(d.Decode(&first), d.Decode(&second)); err != nil {
				t.Fatal(err)
			}
			if text, _ := second["error"].(string); first["error"] != nil || !strings.Contains(text, c.says) || second["key"] != "S01/T01" {
				t.Errorf("asked again with %v", second)
			}
		})
	}
}

func TestASecondReplyThatCannotBeUsedIsAFailedACT(t *testing.T) {
	w := newWorld(t)
	w.loop.Executor = "cp ../code login.py; echo Done"
	w.works(1, "ACT: S01/T01 no reply that fits")
	equal(t, "steps", w.steps, "ACT S01/T01 failure")
	if len(w.refused) != 2 || !strings.HasPrefix(w.refused[1], "executor true ") {
		t.Errorf("handed back: %q", w.refused)
	}
	want := "ACT: S01/T01 no reply that fits\n\nPending: Add login() to login.py\nOutcome: failure\nActor: executor-01\nSession: s"
	if got := w.Git("log", "-1", "--format=%B"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if w.Git("show", "--format=", "--name-only") != "" || w.Read("login.py") != code {
		t.Error("what the executor wrote is committed, or gone")
	}
	// Its ADAPT must raise the threshold, and is told so.
	w.tree(`"failure_threshold": 0.0`, `"failure_threshold": 0.25`)
	w.loop.Navigator = "cat >../asked; cat ../tree"
	w.works(1, "ADAPT: S01/T01 failure_threshold 0.0 → 0.25")
	if got := w.Git("log", "-1", "--format=%b"); !strings.Contains(got, "Observation: quality | the last ACT failed; its ADAPT raises failure_threshold by 0.25 at least") {
		t.Errorf("got\n%s", got)
	}
	for _, part := range []string{`"intent":{"project":{"wanted":"a login"},"amendments":{"01.md":"And soon.\n"}}`, `"perspectives":["technical","requirements","risk","efficiency"]`} {
		if got := w.Read("../asked"); !strings.Contains(got, part) {
			t.Errorf("the navigator was not told %s: %s", part, got)
		}
	}
}

func TestWhoAssessesOrNavigatesInVainRaisesTheThreshold(t *testing.T) {
	for name, c := range map[string]struct{ assessor, tree, says string }{
		"no observations": {"echo '{}'", "", "no reply of the assessor is valid: the reply has no observations"},
		"no perspective":  {`echo '{"observations": [{"perspective": "taste", "fact": "a"}]}'`, "", "no reply of the assessor is valid: observation 1 has no perspective"},
		"no fact":         {`echo '{"observations": [{"perspective": "build", "fact": " "}]}'`, "", "no reply of the assessor is valid: observation 1 has no fact"},
		"no tree":         {"", "{}", "no reply of the navigator is valid: the reply has no tree"},
		"no plan":         {"", `{"tree": {"id": 1}}`, "no reply of the navigator is valid: the tree cannot be read"},
		"an illegal plan": {"", "remove the item", "no reply of the navigator is valid: the tree is not a legal ADAPT of S01/T01"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.works(1, "ACT: S01/T01 login")
			if c.assessor != "" {
				w.loop.Assessor = c.assessor
			}
			w.Write("../tree", c.tree)
			if c.tree == "remove the item" {
				w.tree(`"status": "pending", "children"`, `"status": "complete", "children"`)
			}
			w.works(1, "ADAPT: S01/T01 failure_threshold 0.0 → 0.25")
			if got := w.Git("log", "-1", "--format=%b"); !strings.Contains(got, "Observation: quality | "+c.says) {
				t.Errorf("got\n%s\nwant %s", got, c.says)
			}
		})
	}
}

func TestAnExecutorMayCommitItsOwnACT(t *testing.T) {
	w := newWorld(t)
	w.loop.Executor = `cp ../code login.py; git add login.py; git commit -qm 'ACT: S01/T01 by itself

Done: Add login() to login.py | login.py:1-2'; echo '{}'`
	w.works(1, "ACT: S01/T01 by itself")
	equal(t, "steps", w.steps, "ACT S01/T01 committed by the executor itself")
}

func TestWhatIsInTheWayStopsTheLoop(t *testing.T) {
	blocked := func(err error) bool { return errors.As(err, new(*BlockedError)) }
	stuck := func(err error) bool { return errors.As(err, new(*StuckError)) }
	for name, c := range map[string]struct {
		prepare func(*world)
		is      func(error) bool
		says    string
	}{
		"a merge": {func(w *world) { w.Write(".git/MERGE_HEAD", w.Git("rev-parse", "HEAD")+"\n") }, blocked, "a merge is under way in "},
		"an edited plan": {func(w *world) { w.Write(planFile, firstPlan+"\n") }, blocked,
			"the plan " + planFile + " in the work tree is not HEAD's; commit the change, or take it back: git checkout HEAD -- " + planFile},
		"a staged plan": {func(w *world) {
			w.Write(planFile, firstPlan+"\n")
			w.Git("add", planFile)
			w.Write(planFile, firstPlan)
		}, blocked, "in the index is not HEAD's"},
		"a plan that is gone": {func(w *world) {
			if err := os.Remove(filepath.Join(w.Dir, planFile)); err != nil {
				w.Fatal(err)
			}
		}, blocked, "in the work tree is not HEAD's"},
		"no plan": {func(w *world) { w.Git("rm", "-q", planFile); w.Commit("No plan") }, blocked, "HEAD has no plan"},
		"no program": {func(w *world) { w.loop.Executor = "no-such-program-here" }, func(err error) bool { return errors.As(err, new(*NoAgentError)) },
			`the executor cannot be run: sh finds no program for "no-such-program-here"`},
		"no work tree": {func(w *world) { w.loop.Dir = w.CommonDir() }, func(err error) bool { return errors.Is(err, repo.ErrNotRepository) }, "lies in no work tree"},
		"somebody else's": {func(w *world) {
			if _, err := lease.Take(w.Context(), w.CommonDir(), "S01/T01", "executor-02", 0, repotest.When); err != nil {
				w.Fatal(err)
			}
		}, stuck, "the rest of the plan belongs to others: S01/T01 is "},
		"nothing but what is escalated": {func(w *world) {
			w.Write(planFile, `{"id": "T01", "type": "atomic", "status": "pending", "failure_threshold": 1.0}`)
			w.Commit("Escalate it")
		}, stuck, "the plan is not complete, and no task can start: "},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c.prepare(w)
			head := w.Git("rev-parse", "HEAD")
			done, err := w.run(1)
			if done || err == nil || !c.is(err) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %t, %v; want %q", done, err, c.says)
			}
			if w.Git("rev-parse", "HEAD") != head {
				t.Error("something was committed")
			}
		})
	}
}

// At a parent no ACT can fail.
func TestAParentThatGetsNoTreeStopsTheLoop(t *testing.T) {
	w := newWorld(t)
	w.works(1, "ACT: S01/T01 login")
	w.tree(`"status": "pending", "failure_threshold"`, `"status": "complete", "failure_threshold"`)
	w.works(1, "ADAPT: S01/T01 pending → complete, ROOT: pending → in_progress, S01: pe…")
	for name, says := range map[string]string{"the same tree": "the tree changes nothing, so S01 would have its turn again", "{}": "the reply has no tree"} {
		w.Write("../tree", name)
		if name != "{}" {
			w.tree()
		}
		if _, err := w.run(1); !errors.As(err, new(*StuckError)) || !strings.Contains(err.Error(), "the navigator gave an invalid reply twice; the last error: "+says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Killed between its commit and its work tree a loop leaves the plan of HEAD's parent, which the next one brings up.
func TestWhatAKilledLoopLeftIsBroughtUp(t *testing.T) {
	w := newWorld(t)
	w.works(1, "ACT: S01/T01 login")
	w.tree(`"failure_threshold": 0.0`, `"failure_threshold": 0.25`)
	w.works(1, "ADAPT: S01/T01 failure_threshold 0.0 → 0.25")
	now := w.Read(planFile)
	w.Git("checkout", "-q", "HEAD~1", "--", planFile)
	w.Write("working_plan/.current.json.acta", "half")
	w.Write(".git/"+scratchIndex, "half")
	w.Write("other.txt", "staged\n")
	w.Git("add", "other.txt")
	w.loop.Executor = "false"
	w.works(1, "ACT: S01/T01 no reply that fits")
	if w.Read(planFile) != now {
		t.Errorf("the plan is\n%s", w.Read(planFile))
	}
	if got := w.Git("status", "--porcelain"); got != "A  other.txt" {
		t.Errorf("left: %s", got)
	}
	if _, err := os.Stat(filepath.Join(w.CommonDir(), scratchIndex)); !os.IsNotExist(err) {
		t.Errorf("the scratch index: %v", err)
	}
}

// An agent that takes too long is ended with all that it started, which would hold its output open.
func TestAnAgentIsEndedWhenItsTimeIsUp(t *testing.T) {
	w := newWorld(t)
	w.loop.Timeout = 300 * time.Millisecond
	w.loop.Executor = "[ -e ../again ] && exec cat ../report; touch ../again; cp ../code login.py; sleep 300 & sleep 300"
	w.works(1, "ACT: S01/T01 login")
	if len(w.refused) == 0 || !strings.Contains(w.refused[0], "the executor was ended: it took longer than 300ms") {
		t.Errorf("handed back: %q", w.refused)
	}
}

func TestAReplyIsBounded(t *testing.T) {
	var b boundedBuffer
	if n, err := b.Write(make([]byte, maxReply)); n != maxReply || err != nil || b.isTruncated {
		t.Errorf("%d, %v, %t", n, err, b.isTruncated)
	}
	if _, err := b.Write([]byte{0}); err == nil || !b.isTruncated || b.Len() != maxReply {
		t.Errorf("%v, %t, %d", err, b.isTruncated, b.Len())
	}
}

func TestASubjectHoldsWhatFits(t *testing.T) {
	long := strings.Repeat("T", 80)
	for _, c := range []struct{ unit, summary, want string }{
		{"T01", "", "ACT: T01"},
		{"T01", " two\n words ", "ACT: T01 two words"},
		{"T01", strings.Repeat("é", 80), "ACT: T01 " + strings.Repeat("é", 62) + "…"},
		{long, "more", "ACT: " + long},
	} {
		if got := subject("ACT", c.unit, c.summary); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestALockOfGitsIsFoundInWhateverLanguage(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "index.lock")
	for complaint, want := range map[string]string{
		"fatal: Unable to create '" + lock + "': File exists.":           "",
		"Schwerwiegend: Konnte „" + lock + "“ nicht erstellen: Es gibt ": "",
	} {
		if got := lockFileIn(complaint); got != want {
			t.Errorf("before there is one: %q", got)
		}
	}
	if err := os.WriteFile(lock, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, complaint := range []string{"fatal: Unable to create '" + lock + "': File exists.", "fatal: Impossible de créer «" + lock + "»"} {
		if got := lockFileIn(complaint); got != lock {
			t.Errorf("%s: %q", complaint, got)
		}
	}
}
