package loop

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/record/journal"
)

// What an assessor is given of an ACT is what its commit says, whatever the loop remembers.
func TestAResultIsReadFromTheCommit(t *testing.T) {
	part := parser.Parse([]byte("ACT: T01 login\n\nDone: Add a() | a.py:1-2\nSkipped: Add b() | it is there already\nPending: Add c()\nOutcome: aborted\n")).Parts[0]
	for name, c := range map[string]struct {
		act    plan.Act
		failed bool
	}{
		"it held":            {plan.Act{Commit: "abc"}, false},
		"it says it failed":  {plan.Act{Commit: "abc", HasFailed: true}, true},
		"a claim is not":     {plan.Act{Commit: "abc", HasRefuted: true}, true},
		"it reported it all": {plan.Act{Commit: "abc", IsAdapted: true}, false},
	} {
		r := resultOf(c.act, part)
		if r.Commit != "abc" || r.Failed != c.failed || r.Outcome != "aborted" || len(r.Checklist) != 3 {
			t.Errorf("%s: got %+v", name, r)
			continue
		}
		if r.Checklist[0].Evidence != "a.py:1-2" || r.Checklist[1].Reason != "it is there already" || r.Checklist[2].Status != "pending" {
			t.Errorf("%s: the checklist is %+v", name, r.Checklist)
		}
	}
	if r := resultOf(plan.Act{Commit: "abc"}, nil); r.Checklist == nil || r.Outcome != "" {
		t.Errorf("of a commit that cannot be read: %+v", r)
	}
}

func TestWhatIsPendingAboveBegins(t *testing.T) {
	tree := func(task, slice, root string) *plan.Unit {
		return &plan.Unit{ID: "ROOT", Type: plan.Parent, Status: root, Children: []*plan.Unit{
			{ID: "S01", Type: plan.Parent, Status: slice, Children: []*plan.Unit{{ID: "T01", Type: plan.Atomic, Status: task}}},
			{ID: "S02", Type: plan.Parent, Status: plan.Pending},
		}}
	}
	for name, c := range map[string]struct {
		before, after *plan.Unit
		slice, root   string
	}{
		"a task is complete": {tree(plan.Pending, plan.Pending, plan.Pending), tree(plan.Complete, plan.Pending, plan.Pending), plan.InProgress, plan.InProgress},
		"a task is open again": {tree(plan.Complete, plan.Pending, plan.InProgress), tree(plan.Pending, plan.Pending, plan.InProgress),
			plan.InProgress, plan.InProgress},
		"the slice is complete too": {tree(plan.Pending, plan.Pending, plan.Pending), tree(plan.Complete, plan.Complete, plan.Pending), plan.Complete, plan.InProgress},
		"a task is begun":           {tree(plan.Pending, plan.Pending, plan.Pending), tree(plan.InProgress, plan.Pending, plan.Pending), plan.Pending, plan.Pending},
	} {
		startAncestors(c.before, c.after)
		if got := plan.StatusIn(c.after, "S01"); got != c.slice {
			t.Errorf("%s: the slice is %s, want %s", name, got, c.slice)
		}
		if c.after.Status != c.root || plan.StatusIn(c.after, "S02") != plan.Pending {
			t.Errorf("%s: the root is %s, and S02 %s", name, c.after.Status, plan.StatusIn(c.after, "S02"))
		}
	}
}

func TestTheTitleNamesTheUnitsOwnMovesFirst(t *testing.T) {
	moves := []plan.Move{{Key: "ROOT", From: plan.Pending, To: plan.InProgress}, {Key: "T01", From: plan.Pending, To: plan.Complete}}
	got := movesOf("T01", moves)
	if len(got) != 2 || got[0] != moves[1].Words() || got[1] != moves[0].String() {
		t.Errorf("got %q", got)
	}
	if words := plan.MoveTexts(moves); len(words) != 2 || words[1] != moves[1].String() {
		t.Errorf("in their order: %q", words)
	}
}

// A navigator is told what people want: a project that is none stops the loop, and is not passed over.
func TestTheIntentIsWhatHEADHas(t *testing.T) {
	for name, c := range map[string]struct {
		project *string
		want    string
		says    string
	}{
		"none":      {nil, `"project":null`, ""},
		"empty":     {text(" \n"), `"project":null`, ""},
		"a project": {text(`{"a": 1}`), `"project":{"a":1}`, ""},
		"no JSON":   {text("{"), "", "user_intent/project.json is no JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.works(1, "ACT: S01/T01 login")
			if c.project == nil {
				w.Git("rm", "-q", "user_intent/project.json")
			} else {
				w.Write("user_intent/project.json", *c.project)
			}
			w.Commit("Another intent")
			w.tree(`"failure_threshold": 0.0`, `"failure_threshold": 0.25`)
			w.loop.Navigator = "cat >../asked; cat ../tree"
			_, err := w.run(1)
			if c.says != "" {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || !strings.Contains(w.Read("../asked"), c.want) {
				t.Errorf("%v; the navigator was asked %s", err, w.Read("../asked"))
			}
		})
	}
}

func text(s string) *string { return &s }

func TestLineBreaksThatGitChangesAreNoEdit(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"a\nb\n", "a\r\nb\r\n", true}, {"a\n", "a\n\n", false}, {"a\r", "a", false}} {
		if got := sameText([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%q, %q: %t", c.a, c.b, got)
		}
	}
}

func TestAnADAPTSaysWhatItsMovesMustSay(t *testing.T) {
	change := plan.Change{Adapts: []string{"S01/T01"}, Reopen: []string{"S01/T02"}, Replan: []plan.Pair{{Unit: "S01", Other: "S01/T02"}}, Reassess: []plan.Pair{{Unit: "M01", Other: "S01"}}}
	got := string(adaptMessage("S01/T01", change, []observation{{"build", " it\nbuilds "}}, journal.Caller{Name: "executor-01"}))
	want := "ADAPT: S01/T01\n\nObservation: build | it builds\nReopen: S01/T02\nReplan: S01 | S01/T02\nReassess: M01 | S01\nActor: executor-01\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Whoever holds a lock of git's is waited for, and no longer than its loop lives.
func TestALockOfGitsIsWaitedFor(t *testing.T) {
	name := filepath.Join(t.TempDir(), "index.lock")
	if err := waitFor(t.Context(), name); err != nil {
		t.Errorf("one that is gone: %v", err)
	}
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := waitFor(stopped, name); !errors.Is(err, context.Canceled) {
		t.Errorf("a loop that is stopped: %v", err)
	}
}
