package mcp

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/acta-git/acta/record/ledger"
)

// today commits now: a score is that of the day of the call.
func (w *world) today() {
	now := time.Now().UTC().Format(time.RFC3339)
	for _, name := range []string{"GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"} {
		w.Setenv(name, now)
	}
}

func TestScore(t *testing.T) {
	w := newWorld(t, "")
	w.today()
	c := w.serve(nil)
	if out := c.done("score", args{}); out["score"] != nil || out["penalty"] != "none" || out["warnings"] != nil || len(out) != 15 {
		t.Error(out)
	}
	w.stage("src/auth.py", loginCode)
	w.Git("commit", "-q", "-m", "ACT: T01 login\n\nDone: Add login() | src/auth.py:1-4\nActor: executor-01\n")
	w.stage("src/more.py", "def logout(session):\n    pass\n")
	w.Git("commit", "-q", "--author", "executor-02 <two@agents.invalid>", "-m", "ACT: T02 logout\n\nDone: Add logout() | src/more.py:1-2\nActor: executor-02\n")
	for whose, want := range map[string]args{
		"":            {"actor": "", "score": -35.0, "penalty": "lockdown", "verified": 1.0, "interval_minutes": 8.0},
		"executor-01": {"actor": "executor-01", "score": 10.0, "penalty": "warning", "contradictions": 0.0, "target": 50.0},
		"executor-02": {"actor": "executor-02", "score": -45.0, "penalty": "lockdown", "contradictions": 1.0, "reward": "none"},
	} {
		out := c.done("score", args{"actor": whose, "actor_name": "executor-09"})
		for key, value := range want {
			if !reflect.DeepEqual(out[key], value) {
				t.Errorf("%q: %s is %v, want %v", whose, key, out[key], value)
			}
		}
		// And as the command has it.
		days, err := (&ledger.Repositories{Dirs: []string{w.Dir}}).Days(t.Context(), ledger.Query{Actor: whose, Now: time.Now()})
		if err != nil || fmt.Sprint(out["score"]) != fmt.Sprint(*days[0].Score) || out["date"] != days[0].Date {
			t.Errorf("%v, %v, %v", out, days, err)
		}
	}
}

func TestScoreTellsTheOperator(t *testing.T) {
	w := newWorld(t, "")
	w.today()
	w.stage(".acta.yaml", "score: {notify: {run: [sh, -c, 'echo noise; test -e mailbox && cat >>mailbox']}}\n")
	w.stage("src/more.py", "def logout(session):\n    pass\n")
	w.Git("commit", "-q", "--author", "executor-02 <two@agents.invalid>", "-m", "ACT: T02 logout\n\nDone: Add logout() | src/more.py:1-2\nActor: executor-02\n")
	c := w.serve(nil)
	if said := fmt.Sprint(c.done("score", args{"actor": "executor-02"})["warnings"]); !strings.Contains(said, "git config --global --add acta.trustPolicy") {
		t.Error(said)
	}
	w.Git("config", "--global", "acta.trustPolicy", "true")
	out := c.done("score", args{"actor": "executor-02"})
	if said := fmt.Sprint(out["warnings"]); !strings.Contains(said, "the operator could not be told of the lockdown") || !strings.Contains(said, "noise") {
		t.Error(said)
	}
	w.Write("mailbox", "")
	for range 2 {
		if out := c.done("score", args{"actor": "executor-02"}); out["warnings"] != nil || out["score"] != -45.0 {
			t.Error(out)
		}
	}
	if got := w.Read("mailbox"); strings.Count(got, `{"actor":"executor-02",`) != 1 {
		t.Errorf("%q", got)
	}
}
