package change

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/record/lease"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

const planFile = "working_plan/current.json"

// twoTasks is a plan of which nothing is done.
const twoTasks = `{"id": "ROOT", "type": "parent", "status": "in_progress", "children": [
  {"id": "T01", "type": "atomic", "status": "pending", "description": "Login",
   "checklist": [{"item": "Describe the login in docs/auth.md", "required": true, "kind": "text"}]},
  {"id": "T02", "type": "atomic", "status": "pending", "description": "Logout"}]}
`

// actOfT01 does all of T01, and cites where.
const actOfT01 = `ACT: T01 login

Done: Describe the login in docs/auth.md | docs/auth.md:1-3
`

// planned is a repository whose HEAD has the plan, and a request that completes T01.
func planned(t *testing.T) (*repotest.WorkTree, Request) {
	t.Helper()
	r := repotest.NewWorkTree(t)
	r.Write(planFile, twoTasks)
	r.Commit("Plan it")
	opened, err := repo.Open(t.Context(), r.Dir, repo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	return r, Request{
		Repo: opened, CommonDir: r.CommonDir(), Caller: journal.Caller{Actor: journal.Agent, Name: "executor-01", Session: "s", Reason: "all\n tests pass"},
		Cmd: "plan complete", Params: map[string]any{"by": "hand"},
		Summary: "is complete", OwnerOnly: true, Out: &bytes.Buffer{},
	}
}

func completeT01(root *plan.Unit) (plan.Change, error) { return plan.CompleteUnit(root, "T01") }

// events are those that the log holds.
func events(t *testing.T, r *repotest.WorkTree) []journal.Entry {
	t.Helper()
	all, err := journal.Events(r.CommonDir()).Read()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// acted is planned with an ACT of T01.
func acted(t *testing.T) (*repotest.WorkTree, Request) {
	t.Helper()
	r, change := planned(t)
	r.Write("docs/auth.md", "# The login\n\nWho logs in gets a session, which the login writes.\n")
	r.Commit(actOfT01)
	return r, change
}

func statusOf(t *testing.T, r *repotest.WorkTree, unit string) string {
	t.Helper()
	root, err := plan.Read([]byte(r.Read(planFile)))
	if err != nil {
		t.Fatal(err)
	}
	return plan.StatusIn(root, unit)
}

func TestAChangeIsWrittenAndToldOf(t *testing.T) {
	r, change := acted(t)
	head := r.Git("rev-parse", "HEAD")
	done, err := change.Apply(t.Context(), completeT01)
	if err != nil {
		t.Fatal(err)
	}
	if done.Unit != "T01" || done.Path != planFile || len(done.Moves) == 0 || done.Commit != "" || done.LogWarnings != nil || done.LogError != nil {
		t.Errorf("got %+v", done)
	}
	if told := events(t, r); len(told) != 1 || told[0].Cmd != "plan complete" || string(told[0].Params) != `{"by":"hand","unit":"T01"}` {
		t.Errorf("told %+v", told)
	}
	if got := statusOf(t, r, "T01"); got != plan.Complete {
		t.Errorf("T01 is %s", got)
	}
	if r.Git("rev-parse", "HEAD") != head {
		t.Error("something was committed")
	}
	want := []plan.ItemBasis{{Item: "Describe the login in docs/auth.md", Kind: "verified", Text: "docs/auth.md:1-3 (" + head[:12] + ")"}}
	if !slices.Equal(done.Bases, want) || done.NotRunReason != "" {
		t.Errorf("it rests on %v, and %q", done.Bases, done.NotRunReason)
	}
}

func TestAChangeIsCommittedAsAnADAPT(t *testing.T) {
	r, change := acted(t)
	r.Write("other.txt", "staged\n")
	r.Git("add", "other.txt")
	change.Commit = true
	done, err := change.Apply(t.Context(), completeT01)
	if err != nil {
		t.Fatal(err)
	}
	want := "ADAPT: T01 is complete\n\nObservation: requirements | items of the last ACT: 1 verified\nActor: executor-01\nSession: s\nReason: all tests pass"
	if got := r.Git("log", "-1", "--format=%B"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := r.Git("log", "-1", "--format=%H", "--name-only"); got != string(done.Commit)+"\n\n"+planFile {
		t.Errorf("committed: %s, want %s", got, done.Commit)
	}
	if got := r.Git("status", "--porcelain"); got != "A  other.txt" {
		t.Errorf("what else was staged is %q", got)
	}
	change.Observations = []string{"build |  it\nbuilds"}
	change.Summary = "is open again"
	reopen := func(root *plan.Unit) (plan.Change, error) { return plan.ReopenUnit(root, "T01") }
	if _, err := change.Apply(t.Context(), reopen); err != nil {
		t.Fatal(err)
	}
	if got := r.Git("log", "-1", "--format=%B"); !strings.HasPrefix(got, "ADAPT: T01 is open again\n\nObservation: build | it builds\nReopen: T01\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestWhatIsRefusedChangesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(*testing.T, *repotest.WorkTree, *Request)
		rule    string // of what is refused
		says    string
	}{
		"no ACT": {func(*testing.T, *repotest.WorkTree, *Request) {}, plan.RuleMoveIllegal, "Cannot complete task T01: it has no ACT"},
		"somebody else's": {func(t *testing.T, r *repotest.WorkTree, _ *Request) {
			hold(t, r, "executor-02")
		}, rules.UnitNotOwned, "Task T01 is owned by executor-02, not executor-01"},
		"nobody's name": {func(t *testing.T, r *repotest.WorkTree, q *Request) {
			hold(t, r, "executor-02")
			q.Caller.Name = ""
		}, rules.UnitNotOwned, "Task T01 is owned by executor-02, and no actor is named"},
		"leases that cannot be read": {func(t *testing.T, r *repotest.WorkTree, _ *Request) {
			r.Write(".git/acta/unit-claims.json", "{")
		}, "", "unit-claims.json cannot be read"},
		"no plan": {func(t *testing.T, r *repotest.WorkTree, _ *Request) {
			if err := os.Remove(filepath.Join(r.Dir, planFile)); err != nil {
				t.Fatal(err)
			}
		}, "", "there is no plan at working_plan/current.json; `acta init --yes` writes one"},
		"a broken plan": {func(t *testing.T, r *repotest.WorkTree, _ *Request) { r.Write(planFile, "{") }, plan.RuleInvalid, planFile},
		"a link": {func(t *testing.T, r *repotest.WorkTree, _ *Request) {
			outside := filepath.Join(t.TempDir(), "plan.json")
			if err := errors.Join(os.Rename(filepath.Join(r.Dir, planFile), outside), os.Symlink(outside, filepath.Join(r.Dir, planFile))); err != nil {
				t.Fatal(err)
			}
		}, "", planFile},
	} {
		t.Run(name, func(t *testing.T) {
			r, change := planned(t)
			c.prepare(t, r, &change)
			before, _ := os.ReadFile(filepath.Join(r.Dir, planFile)) // nil where there is none
			_, err := change.Apply(t.Context(), completeT01)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("got %v, want %q", err, c.says)
			}
			if told := events(t, r); told != nil {
				t.Errorf("somebody was told %+v", told)
			}
			rule := ""
			if refused := (*RefusedError)(nil); errors.As(AsRefused(err), &refused) {
				rule = refused.Rule
			}
			if rule != c.rule {
				t.Errorf("refused by %q, want %q", rule, c.rule)
			}
			if after, _ := os.ReadFile(filepath.Join(r.Dir, planFile)); !bytes.Equal(before, after) {
				t.Errorf("the plan is now\n%s", after)
			}
		})
	}
}

// hold lets an agent claim T01.
func hold(t *testing.T, r *repotest.WorkTree, agent string) {
	t.Helper()
	if _, err := lease.Take(t.Context(), r.CommonDir(), "T01", agent, 0, repotest.When); err != nil {
		t.Fatal(err)
	}
}

// A hook says no: git makes no commit, and the plan is as it was; that it is so is said only where it is so.
func TestAPlanThatGitDoesNotCommitIsPutBack(t *testing.T) {
	for does, undone := range map[string]bool{
		"echo no >&2": true, "echo no >&2; echo {} >" + planFile: false, "echo no >&2; rm " + planFile + "; mkdir " + planFile: false,
	} {
		r, change := acted(t)
		r.Hook("pre-commit", "#!/bin/sh\n"+does+"\nexit 1\n")
		before := r.Read(planFile)
		change.Commit = true
		_, err := change.Apply(t.Context(), completeT01)
		now, _ := os.ReadFile(filepath.Join(r.Dir, planFile))
		if err == nil || errors.Is(err, ErrUndone) != undone || (string(now) == before) != undone {
			t.Errorf("%s: %v, and the plan is %s", does, err, now)
		}
		if !undone && !strings.Contains(err.Error(), "could not be restored") {
			t.Errorf("%s: %v", does, err)
		}
		if out := change.Out.(*bytes.Buffer).String(); !strings.Contains(out, "no") {
			t.Errorf("what the hook said is %q", out)
		}
	}
}

func TestCheckAsksAsIfTheACTWereThere(t *testing.T) {
	r, change := planned(t)
	var v *plan.Violation
	if err := change.Check(t.Context(), completeT01, plan.Act{}); !errors.As(err, &v) || v.Rule != plan.RuleMoveIllegal {
		t.Errorf("without an ACT: %v", err)
	}
	if err := change.Check(t.Context(), completeT01, plan.Act{Commit: "abc", Items: []plan.ReportedItem{{Item: plan.Item{Text: "Describe the login in docs/auth.md"}}}}); err != nil {
		t.Errorf("with one: %v", err)
	}
	if got := r.Read(planFile); got != twoTasks {
		t.Errorf("the plan is now\n%s", got)
	}
}

func TestAWholeTreeMendsABrokenPlan(t *testing.T) {
	r, change := planned(t)
	r.Write(planFile, "{")
	change.ReplacesPlan = true
	edit := func(root *plan.Unit) (plan.Change, error) {
		if root == nil || root.Find("T02") == nil {
			t.Error("Edit got no plan of HEAD's")
		}
		after, err := plan.Read([]byte(strings.Replace(twoTasks, "Logout", "Log out", 1)))
		return plan.ReplaceTree(root, after, "ROOT"), err
	}
	if _, err := change.Apply(t.Context(), edit); err != nil {
		t.Fatal(err)
	}
	if got := r.Read(planFile); !strings.Contains(got, "Log out") {
		t.Errorf("the plan is now\n%s", got)
	}
}

// What was written without a commit is what the commit of the same brings.
func TestACommitBringsWhatTheWorkTreeHasAlready(t *testing.T) {
	r, change := acted(t)
	if _, err := change.Apply(t.Context(), completeT01); err != nil {
		t.Fatal(err)
	}
	var v *plan.Violation
	if _, err := change.Apply(t.Context(), completeT01); !errors.As(err, &v) || !strings.Contains(v.Hint, "HEAD's plan does not") {
		t.Errorf("a second time: %v, hint %q", err, v.Hint)
	}
	change.Commit = true
	done, err := change.Apply(t.Context(), completeT01)
	if err != nil || done.Commit == "" {
		t.Fatalf("%+v, %v", done, err)
	}
	if got := r.Git("status", "--porcelain"); got != "" {
		t.Errorf("left: %s", got)
	}
}

func TestTheVerifierDecidesWhereTheUserTrusts(t *testing.T) {
	policy := func(run string) string {
		return "verifiers:\n  tests: {run: [sh, -c, '" + run + "']}\ncomplete: {verifier: tests}\n"
	}
	for name, c := range map[string]struct {
		run, trust, notRun, says string
	}{
		"it fails":    {"echo one failed; exit 3", "true", "", "Cannot complete task T01: the verifier tests"},
		"it passes":   {"exit 0", "true", "", ""},
		"nobody asks": {"exit 3", "false", "tests", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, change := planned(t)
			r.Write(".acta.yaml", policy(c.run))
			r.Commit("The policy")
			r.Write("docs/auth.md", "# The login\n\nWho logs in gets a session, which the login writes.\n")
			r.Commit(actOfT01)
			r.Git("config", "--global", "acta.trustPolicy", c.trust)
			change.Env = os.Environ()
			done, err := change.Apply(t.Context(), completeT01)
			if c.says != "" {
				if err == nil || !strings.Contains(err.Error(), c.says) || statusOf(t, r, "T01") != plan.Pending {
					t.Errorf("got %v, and T01 is %s", err, statusOf(t, r, "T01"))
				}
				if out := change.Out.(*bytes.Buffer).String(); out != "one failed\n" {
					t.Errorf("it printed %q", out)
				}
				return
			}
			if err != nil || !strings.Contains(done.NotRunReason, c.notRun) || (done.NotRunReason == "") != (c.notRun == "") {
				t.Errorf("%+v, %v", done, err)
			}
		})
	}
}

func TestRefusedNamesTheRule(t *testing.T) {
	for _, c := range []struct {
		err        error
		rule, says string
	}{
		{&lease.ParentLeaseError{Unit: "T01", Parent: lease.UnitLease{Unit: "M01"}}, rules.UnitNotOwned, "held by the lease of M01"},
		{&lease.OwnedError{Unit: "T01", Holder: lease.UnitLease{Unit: "T01"}}, rules.UnitNotOwned, "owned by"},
		{&lease.OwnedError{Unit: "T01"}, rules.UnitNotOwned, ""},
		{&judge.UnknownUnitError{}, plan.RuleUnitUnknown, ""},
		{fmt.Errorf("in the work tree: %w", &snapshot.MalformedPlanError{Path: "plan.json", Err: errors.New("1:1: no JSON")}), plan.RuleInvalid, "in the work tree: plan.json:1:1: no JSON"},
		{&plan.Violation{Rule: plan.RuleMoveIllegal, Message: "It is open", Hint: "close it"}, plan.RuleMoveIllegal, "It is open [" + plan.RuleMoveIllegal + "]"},
	} {
		var refused *RefusedError
		if !errors.As(AsRefused(c.err), &refused) || refused.Rule != c.rule || !strings.Contains(refused.Error(), c.says) {
			t.Errorf("%T: got %v", c.err, refused)
			continue
		}
		if got := refused.Params(); got["rule"] != c.rule || got["severity"] != journal.RefusalSeverity {
			t.Errorf("%T: params %v", c.err, got)
		}
		if v := (*plan.Violation)(nil); errors.As(c.err, &v) && refused.Hint("") != v.Hint {
			t.Errorf("the hint is %q", refused.Hint(""))
		}
	}
	if hint := (&RefusedError{Rule: rules.UnitNotOwned, Err: errors.New("owned")}).Hint(""); hint != "" {
		t.Errorf("without a violation the hint is %q", hint)
	}
	other := errors.New("the disk is full")
	if err := AsRefused(other); !errors.Is(err, other) || errors.As(err, new(*RefusedError)) {
		t.Errorf("got %v", err)
	}
}
