package judge

import (
	"os"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo/repotest"
)

// verifiedBy is a policy whose verifier is a shell line.
func verifiedBy(line string) string {
	return "version: 1\nverifiers: {tests: {run: [sh, -c, '" + line + "'], timeout: 1m}}\ncomplete: {verifier: tests}\n"
}

var completed01 = strings.Replace(planned, `"id": "T01", "type": "atomic", "status": "pending"`, `"id": "T01", "type": "atomic", "status": "complete"`, 1)

func TestACompletedTaskOfARangePassesItsVerifier(t *testing.T) {
	for name, c := range map[string]struct {
		policy, plan, refuses string
	}{
		"it passes":            {verifiedBy("true"), completed01, ""},
		"it fails":             {verifiedBy("echo one test failed; exit 3"), completed01, "the verifier tests ended with: exit status 3; it printed last: one test failed"},
		"no task is completed": {verifiedBy("exit 3"), planned, ""},
		"no verifier is named": {"version: 1\n", completed01, ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Plan\n", policy.Path, c.policy, planAt, planned)
			base := g.ID()
			g.Commit("ADAPT: T01 done\n", planAt, c.plan, "note", "1")
			g.Stage()
			result := &Result{}
			if err := (LandedRange{Base: base, Head: "main"}).RunVerifier(t.Context(), g.Open(), os.Environ(), result); err != nil {
				t.Error(err)
			}
			refused := strings.Join(result.Refusals(), "\n")
			if !strings.Contains(refused, c.refuses) || (refused == "") != (c.refuses == "") {
				t.Errorf("refused %q, want %q", refused, c.refuses)
			}
		})
	}
}

// The verifier runs in the work tree: elsewhere it would judge other files.
func TestTheVerifierRunsAtTheEndOfTheRangeAlone(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Plan\n", policy.Path, verifiedBy("exit 3"), planAt, planned)
	base := g.ID()
	g.Commit("ADAPT: T01 done\n", planAt, completed01)
	done := g.ID()
	g.Commit("Later\n", "note", "1")
	g.Stage()
	result := &Result{}
	err := LandedRange{Base: base, Head: done}.RunVerifier(t.Context(), g.Open(), os.Environ(), result)
	if err == nil || !strings.Contains(err.Error(), "git checkout "+done[:12]) || len(result.Findings) != 0 {
		t.Errorf("%v, %v", err, result.Findings)
	}
}

// What a stranger's repository names is not run before the user has agreed.
func TestAHookRunsTheVerifierOfATrustedRepositoryAlone(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Plan\n", policy.Path, verifiedBy("exit 3"), planAt, planned)
	g.Stage(planAt, completed01)
	r := g.Open()
	staged := StagedCommit{Message: []byte("ADAPT: T01 done\n")}
	result := &Result{}
	if err := staged.RunVerifier(t.Context(), r, os.Environ(), result); err != nil || len(result.Findings) != 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	if len(result.Warnings) != 1 || !strings.Contains(result.Warnings[0], "the verifier tests was not run") {
		t.Errorf("%v", result.Warnings)
	}
	for message, asked := range map[string]bool{"ACT: T01 done\n": false, "Work\n": false} {
		into := &Result{}
		if err := (StagedCommit{Message: []byte(message)}).RunVerifier(t.Context(), r, os.Environ(), into); err != nil || (len(into.Warnings) > 0) != asked {
			t.Errorf("%q: %+v, %v", message, into, err)
		}
	}
}

func TestAUnitsKeyIsThatOfTheWorkTreesPlan(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Plan\n", planAt, planned)
	g.Stage()
	g.Write(planAt, `{"id": "R", "type": "parent", "children": [{"id": "M01", "type": "parent", "children": [{"id": "T01", "type": "atomic", "status": "pending"}]}]}`)
	r := g.Open()
	for name, want := range map[string]string{"T01": "M01/T01", "M01/T01": "M01/T01"} {
		if key, err := UnitKey(t.Context(), r, name); err != nil || key != want {
			t.Errorf("%s: %s, %v; want %s", name, key, err, want)
		}
	}
	if _, err := UnitKey(t.Context(), r, "T02"); err == nil || err.Error() != "there is no task T02 below the root of "+planAt {
		t.Errorf("a task that is not there: %v", err)
	}
	bare := repotest.New(t)
	bare.Commit("x\n", "note", "1")
	if key, err := UnitKey(t.Context(), bare.Open(), "T02"); err != nil || key != "T02" {
		t.Errorf("without a plan the name stands for itself: %s, %v", key, err)
	}
}
