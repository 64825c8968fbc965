package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo/repotest"
)

// gateOf writes an executable that answers every hook as acta does the false claim: with a text and exit code 1.
func gateOf(t *testing.T, says string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "acta")
	writeHook(t, path, "#!/bin/sh\ncase $2 in prepare-commit-msg|post-*) exit 0 ;; esac\necho '"+says+"' >&2\nexit 1\n")
	return path
}

// statesOf are the states of the trials by hook.
func statesOf(d *Diagnosis) map[string]TrialState {
	states := map[string]TrialState{}
	for _, trial := range d.Trials {
		states[trial.Hook] = trial.State
	}
	return states
}

func TestDoctorTriesEveryHook(t *testing.T) {
	w, r := newRepository(t)
	before, refs := snapshotOf(t, w.Dir), w.Git("for-each-ref")
	diagnose := func() *Diagnosis {
		d, err := Doctor(t.Context(), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := diagnose()
	for hook, state := range statesOf(d) {
		if state != NotInstalled {
			t.Errorf("nothing is installed, and %s is %s", hook, state)
		}
	}
	if d.AllFire() || len(d.Trials) != 5 {
		t.Errorf("%+v", d)
	}
	if after := snapshotOf(t, w.Dir); len(after) != len(before) || w.Git("for-each-ref") != refs || w.Git("worktree", "list", "--porcelain") == "" {
		t.Errorf("the trials leave %d files of %d", len(after), len(before))
	}

	install := func(binary string, o Options) {
		o.Binary = binary
		if _, err := Install(t.Context(), r, o); err != nil {
			t.Fatal(err)
		}
	}
	install(gateOf(t, judgedClaim+judgedPlan), Options{})
	want := map[string]TrialState{
		"pre-commit": Refused, "commit-msg": Refused, "pre-applypatch": Refused, "pre-push": Refused,
		"reference-transaction": NotInstalled,
	}
	if d = diagnose(); !d.AllFire() || !slices.Equal(d.Problems, []string{}) {
		t.Errorf("with a gate that judges: %+v", d)
	}
	for hook, state := range want {
		if got := statesOf(d)[hook]; got != state {
			t.Errorf("%s: %s, want %s", hook, got, state)
		}
	}
	install(gateOf(t, "cannot say"), Options{})
	if d = diagnose(); d.AllFire() || statesOf(d)["commit-msg"] != Unclear || !strings.Contains(d.Trials[1].Reason, "cannot say") {
		t.Errorf("with one that refuses for another reason: %+v", d)
	}
	deaf := filepath.Join(t.TempDir(), "acta")
	writeHook(t, deaf, "#!/bin/sh\nexit ${ACTA_ANSWER:-0}\n")
	install(deaf, Options{Seal: true})
	if d = diagnose(); d.AllFire() || statesOf(d)["commit-msg"] != LetPass || statesOf(d)["reference-transaction"] != LetPass {
		t.Errorf("with one that lets all pass: %+v", d)
	}
	if got := w.Git("for-each-ref"); got != refs {
		t.Errorf("what was let pass is left: %s", got)
	}
}

func TestDoctorOfAServer(t *testing.T) {
	home := repotest.Isolate(t)
	w := &repotest.WorkTree{TB: t, Dir: home}
	bare := filepath.Join(home, "bare.git")
	w.Git("init", "-q", "--bare", "--template=", bare)
	r := open(t, bare)
	if _, err := Install(t.Context(), r, Options{Binary: gateOf(t, judgedClaim)}); err != nil {
		t.Fatal(err)
	}
	d, err := Doctor(t.Context(), r, nil)
	if err != nil || !d.AllFire() || len(d.Trials) != 1 || d.Trials[0].Hook != "pre-receive" || d.Trials[0].IsOptional {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestDoctorNamesABrokenPolicy(t *testing.T) {
	w, r := newRepository(t)
	if got := policyProblem(t.Context(), r); got != nil {
		t.Errorf("without a policy: %q", got)
	}
	w.Write(policy.Path, "version: 1\nrules: [\n")
	w.Commit("Break the policy")
	got := policyProblem(t.Context(), open(t, w.Dir))
	if len(got) != 1 || !strings.Contains(got[0], "acta policy check") {
		t.Errorf("%q", got)
	}
}

func TestADiagnosisFiresWhereAllThatMustRefuseDoes(t *testing.T) {
	for name, c := range map[string]struct {
		trials []Trial
		want   bool
	}{
		"none":                         {nil, false},
		"all refuse":                   {[]Trial{{State: Refused}, {State: Refused, IsOptional: true}}, true},
		"an optional one is not there": {[]Trial{{State: Refused}, {State: NotInstalled, IsOptional: true}}, true},
		"an optional one lets pass":    {[]Trial{{State: Refused}, {State: LetPass, IsOptional: true}}, false},
		"one is not there":             {[]Trial{{State: Refused}, {State: NotInstalled}}, false},
		"one is unclear":               {[]Trial{{State: Unclear}}, false},
	} {
		if got := (&Diagnosis{Trials: c.trials}).AllFire(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// scratchOf looks at a repository without a scratch work tree.
func scratchOf(t *testing.T, w *repotest.WorkTree, env ...string) *scratch {
	t.Helper()
	g, err := open(t, w.Dir).Layout(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return &scratch{g: g, env: append(os.Environ(), env...)}
}

func TestWhatDisablesHooksIsAProblem(t *testing.T) {
	w, r := newRepository(t)
	hooks := filepath.Join(w.CommonDir(), "hooks")
	if got := scratchOf(t, w).problems(t.Context()); len(got) != 0 || got == nil {
		t.Errorf("of a plain repository: %#v", got)
	}
	install := func(binary string) {
		if _, err := Install(t.Context(), r, Options{Binary: binary}); err != nil {
			t.Fatal(err)
		}
	}
	install(gateOf(t, judgedClaim))
	if got := scratchOf(t, w).problems(t.Context()); len(got) != 0 {
		t.Errorf("of an installed one: %q", got)
	}
	for name, c := range map[string]struct {
		breaks, mends func()
		env           string
		says          string
	}{
		"an empty path":   {breaks: func() { w.Git("config", "core.hooksPath", "") }, says: `is "" in the local configuration`},
		"no hooks at all": {breaks: func() { w.Git("config", "core.hooksPath", "/dev/null") }, says: "no hook runs"},
		"a relative path": {breaks: func() { w.Git("config", "core.hooksPath", ".githooks") }, says: "is the relative path .githooks"},
		"a folder that is gone": {
			breaks: func() { w.Git("config", "core.hooksPath", "/gone/tree/.husky") },
			says:   "is /gone/tree/.husky in the local configuration, which is not there"},
		"a path that hides them": {
			breaks: func() { w.Git("config", "core.hooksPath", t.TempDir()) }, says: "holds acta's hooks, but git does not run them"},
		"the framework skips it": {env: "SKIP=lint,acta-commit-msg", says: "the pre-commit framework skips"},
		"husky is off":           {env: "HUSKY=0", says: "husky runs no hook"},
		"lefthook is off":        {env: "LEFTHOOK=false", says: "lefthook runs no hook"},
		"a script is not executable": {
			breaks: func() { _ = os.Chmod(filepath.Join(hooks, "commit-msg"), 0o644) },
			mends:  func() { _ = os.Chmod(filepath.Join(hooks, "commit-msg"), 0o755) }, says: "is not executable"},
		"acta is gone": {
			breaks: func() { install("/gone/acta") }, mends: func() { install(gateOf(t, judgedClaim)) },
			says: "starts /gone/acta, which is not there"},
	} {
		if c.breaks != nil {
			c.breaks()
		}
		got := scratchOf(t, w, c.env).problems(t.Context())
		if !slices.ContainsFunc(got, func(p string) bool { return strings.Contains(p, c.says) }) {
			t.Errorf("%s: %q, want %q", name, got, c.says)
		}
		if c.mends != nil {
			c.mends()
		} else if c.breaks != nil {
			w.Git("config", "--unset", "core.hooksPath")
		}
	}
}

func TestWhatOthersFilesNameIsInstalled(t *testing.T) {
	w, _ := newRepository(t)
	s := scratchOf(t, w)
	for path, c := range map[string]struct{ content, remedy, other string }{
		".husky/commit-msg":       {"acta hook commit-msg \"$1\"\n", "npm install", "add the lines to " + filepath.Join(w.Dir, ".husky/pre-push")},
		"lefthook.yml":            {"run: acta hook commit-msg {1}\n", "lefthook install", "add the lines to " + filepath.Join(w.Dir, "lefthook.yml")},
		".pre-commit-config.yaml": {"- id: acta-commit-msg\n", "pre-commit install --hook-type commit-msg", "run `acta install`"},
	} {
		w.Write(path, c.content)
		one, other := s.remedy("commit-msg"), s.remedy("pre-push")
		if !strings.Contains(one, c.remedy) || !strings.Contains(other, c.other) {
			t.Errorf("%s: the remedies are %q and %q", path, one, other)
		}
		isOfFramework := strings.HasPrefix(path, ".pre-commit")
		if got := s.problems(t.Context()); (len(got) > 0) != isOfFramework {
			t.Errorf("%s: %q", path, got)
		}
		if !s.isInstalled(t.Context(), "commit-msg") || s.isInstalled(t.Context(), "pre-push") {
			t.Errorf("%s: commit-msg is installed: %v, pre-push: %v", path,
				s.isInstalled(t.Context(), "commit-msg"), s.isInstalled(t.Context(), "pre-push"))
		}
		if err := os.RemoveAll(filepath.Join(w.Dir, strings.Split(path, "/")[0])); err != nil {
			t.Fatal(err)
		}
	}
	w.Write(".husky/commit-msg", "acta hook commit-msg \"$1\"\n")
	if got := scratchOf(t, w, "HUSKY=0").remedy("commit-msg"); !strings.HasSuffix(got, "unset HUSKY") {
		t.Errorf("while husky is off, the remedy is %q", got)
	}
}

func TestAnAttemptIsReadByWhatGitSays(t *testing.T) {
	w, _ := newRepository(t)
	s := scratchOf(t, w)
	for _, c := range []struct {
		attempt attempt
		want    TrialState
	}{
		{attempt{hasStopped: true, output: "error: …\n" + judgedClaim + "\n"}, Refused},
		{attempt{hasStopped: true, output: "fatal: something else\n"}, Unclear},
		{attempt{output: judgedClaim}, NotInstalled}, // said, and not heeded
	} {
		got := s.decide(t.Context(), Trial{Hook: "commit-msg"}, c.attempt, judgedClaim)
		if got.State != c.want || (got.Reason == "") != (c.want == Refused) {
			t.Errorf("%+v: %+v", c.attempt, got)
		}
	}
	for text, want := range map[string]string{"": "", "one\n": "one", "one\ntwo\n\n": "two"} {
		if got := lastLine(text); got != want {
			t.Errorf("the last line of %q is %q", text, got)
		}
	}
	if got := without([]string{"A=1", "B=2", "AB=3", "A"}, "A"); !slices.Equal(got, []string{"B=2", "AB=3"}) {
		t.Errorf("%q", got)
	}
}
