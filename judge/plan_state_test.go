package judge_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/judge/snapshot"
	"github.com/acta-git/acta/plan"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

func TestWhichUnitsAwaitAnAdapt(t *testing.T) {
	complete := strings.Replace(
		planned, `"id": "T01", "type": "atomic", "status": "pending"`, `"id": "T01", "type": "atomic", "status": "complete"`,
		1,
	)
	for name, c := range map[string]struct {
		plan string
		tell func(g *repotest.Repository)
		want string
	}{
		"none acted": {planned, func(*repotest.Repository) {}, ""},
		"both, in the order of the plan": {planned, func(g *repotest.Repository) {
			g.Commit(act("T02", "add g", "b.py:1-3"), "b.py", other)
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
		}, "M01/T01 a.py:1-3 reported; M02/T02 b.py:1-3 reported"},
		"one had its ADAPT": {planned, func(g *repotest.Repository) {
			g.Commit(act("T02", "add g", "b.py:1-3"), "b.py", other)
			g.Commit("ADAPT: T02 it works\n", "note", "1")
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
		}, "M01/T01 a.py:1-3 reported"},
		"one is complete": {complete, func(g *repotest.Repository) {
			g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
			g.Commit(act("T02", "add g", "b.py:1-3"), "b.py", other)
		}, "M02/T02 b.py:1-3 reported"},
		"a task that the plan does not have": {planned, func(g *repotest.Repository) {
			g.Commit(act("T77", "add g", "b.py:1-3"), "b.py", other)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Plan\n", planFile, c.plan)
			c.tell(g)
			r := g.Open()
			s, err := judge.NewHistory(r, nil).PlanState(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			units, acts, err := s.UnadaptedUnits(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, u := range units {
				got = append(got, u.Key+" "+describe(t, r, u.Key, acts[i]))
			}
			if strings.Join(got, "; ") != c.want {
				t.Errorf("got %q, want %q", strings.Join(got, "; "), c.want)
			}
			if s.PlanPath != planFile || s.Intent != "user_intent" || s.Plan.ID != "R" {
				t.Errorf("%+v", s)
			}
		})
	}
}

func TestWhatKeepsThePlanStateFromBeingRead(t *testing.T) {
	state := func(files ...string) error {
		g := repotest.New(t)
		if len(files) > 0 {
			g.Commit("x\n", files...)
		}
		_, err := judge.NewHistory(g.Open(), nil).PlanState(t.Context())
		return err
	}
	if err := state(); !errors.Is(err, repo.ErrUnborn) {
		t.Errorf("without a commit: %v", err)
	}
	var config *policy.ConfigError
	if err := state(policy.Path, "version: 9\n"); !errors.As(err, &config) {
		t.Errorf("a policy that cannot be read: %v", err)
	}
	var malformed *snapshot.MalformedPlanError
	var errs plan.Errors
	if err := state(planFile, "{"); !errors.As(err, &malformed) ||
		!errors.As(err, &errs) || !strings.HasPrefix(err.Error(), planFile+":") {
		t.Errorf("a plan that cannot be read: %v", err)
	}
	if err := state("x", "1"); err != nil {
		t.Errorf("without a plan: %v", err)
	}
}

func TestWhoActedAndWhatItReported(t *testing.T) {
	g := repotest.New(t)
	g.Commit(
		"ACT: M01/T01 one\n\nDone: add f | a.py:1-3\nActor: executor-01\n\nACT: T02 two\n\nDone: add g | b.py:1-3\n", "a.py",
		code, "b.py", other,
	)
	g.Commit("ADAPT: M02 again\n\nReopen: T02\n", "note", "1")
	r := g.Open()
	for unit, want := range map[string]string{
		"T01": "executor-01", "M01/T01": "executor-01", "T02": "Ada", "": "executor-01",
	} {
		if who, err := judge.ActorOf(t.Context(), r, "main~1", unit); err != nil || who != want {
			t.Errorf("task %q: %q, %v; want %q", unit, who, err, want)
		}
	}
	for unit, want := range map[string]string{"T01": "add f", "M02/T02": "add g", "T03": ""} {
		part, err := judge.ActOf(t.Context(), r, "main~1", unit)
		got := ""
		if part != nil {
			got = part.Claims[0].Item.Value
		}
		if err != nil || got != want {
			t.Errorf("task %q: %q, %v; want %q", unit, got, err, want)
		}
	}
	if _, err := judge.ActorOf(t.Context(), r, fmt.Sprintf("%040d", 7), ""); !errors.Is(err, repo.ErrNotFound) {
		t.Errorf("a commit that is not there: %v", err)
	}
}

func TestWhatADAPTsAcceptedBelowAUnit(t *testing.T) {
	root, err := plan.Parse([]byte(strings.ReplaceAll(planned, `"pending"`, `"complete"`)))
	if err != nil {
		t.Fatal(err)
	}
	accepted := func(unit, item string) string {
		return "ADAPT: " + unit + " is complete\n\nAccepted: " + item + " | " + unit + " is done\n"
	}
	for name, c := range map[string]struct {
		unit     string
		messages []string
		want     string
	}{
		"nothing":        {"M01", nil, ""},
		"an unknown one": {"M77", []string{accepted("M01/T01", "add f")}, ""},
		"its own, the newest first": {"M01", []string{accepted("M01/T01", "add f"), accepted("M01/T01", "add h"), accepted("T02", "add g")},
			"M01/T01: add h accepted: M01/T01 is done; M01/T01: add f accepted: M01/T01 is done"},
		"another's":              {"M02", []string{accepted("M01/T01", "add f")}, ""},
		"what was reopened":      {"M01", []string{accepted("T01", "add f"), "ADAPT: M01 again\n\nReopen: M01\n", accepted("T01", "add h")}, "M01/T01: add h accepted: T01 is done"},
		"another was reopened":   {"M01", []string{accepted("T01", "add f"), "ADAPT: M02 again\n\nReopen: T02\n"}, "M01/T01: add f accepted: T01 is done"},
		"an ACT accepts nothing": {"M01", []string{"ACT: T01 f\n\nAccepted: add f | it is done\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Plan\n", planFile, planned)
			for i, message := range c.messages {
				g.Commit(message, "note", fmt.Sprint(i))
			}
			bases, err := judge.NewHistory(g.Open(), nil).AcceptancesBelow(t.Context(), root, c.unit)
			var got []string
			for _, b := range bases {
				got = append(got, b.Item+" "+b.Kind+": "+b.Text)
			}
			if err != nil || strings.Join(got, "; ") != c.want {
				t.Errorf("got %q, %v; want %q", strings.Join(got, "; "), err, c.want)
			}
		})
	}
}
