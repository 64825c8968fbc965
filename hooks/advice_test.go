package hooks

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/record/journal"
	"github.com/acta-git/acta/repo/program"
)

func TestPreCommitAsksWhatNeedsNoMessage(t *testing.T) {
	w, r := newRepository(t)
	a, err := PreCommit(t.Context(), r, call(w, nil))
	if err != nil || len(rulesOf(a)) != 0 || a.Code() != 0 || a.Message != nil {
		t.Errorf("with nothing staged: %+v, %v", a, err)
	}
	stage(w, "f.py", stub)
	if a, err = PreCommit(t.Context(), r, call(w, nil)); err != nil || !slices.Equal(rulesOf(a), []string{"warning stub_added"}) || a.Code() != 0 {
		t.Errorf("of a stub: %q, %v", rulesOf(a), err)
	}
	stage(w, "working_plan/current.json", "{\"id\": \n")
	if a, err = PreCommit(t.Context(), r, call(w, nil)); err != nil || !slices.Contains(rulesOf(a), "error plan_invalid") || a.Code() != 1 {
		t.Errorf("of a plan that nobody can read: %q, %v", rulesOf(a), err)
	}
}

func TestPreCommitStandsInNobodysWay(t *testing.T) {
	w, r := newRepository(t)
	w.Write(policy.Path, "version: 1\nrules: [\n")
	w.Commit("Break the policy")
	stage(w, "f.py", written)
	a, err := PreCommit(t.Context(), r, call(w, nil))
	if err != nil || a.Code() != 0 || len(a.Results[0].Warnings) == 0 {
		t.Errorf("under a policy that nobody can read: %+v, %v", a.Results, err)
	}
}

// patchOf leaves in the git directory what `git am` does before it asks the hook.
func patchOf(t *testing.T, dir, message, author string) {
	t.Helper()
	at := filepath.Join(dir, "rebase-apply")
	if err := os.MkdirAll(at, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"final-commit": message, "author-script": author} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPreApplypatchJudgesThePatch(t *testing.T) {
	w, r := newRepository(t)
	if _, err := PreApplypatch(t.Context(), r, call(w, nil)); err == nil {
		t.Error("without a patch it has judged something")
	}
	for name, c := range map[string]struct {
		content, message string
		code             int
	}{
		"a claim that holds": {written, claim, 0},
		"a hollow one":       {stub, hollow, 1},
		"lines that shifted": {"import os\n\n\n" + written, strings.Replace(claim, "f.py:1-3", "f.py:1-3#f", 1), 0},
		"no claim":           {stub, "Work\n", 0},
	} {
		stage(w, "f.py", c.content)
		patchOf(t, w.CommonDir(), c.message, "GIT_AUTHOR_NAME='Ada'\nGIT_AUTHOR_EMAIL='ada@example.org'\n")
		a, err := PreApplypatch(t.Context(), r, call(w, nil))
		if err != nil || a.Code() != c.code || string(a.Message) != c.message {
			t.Errorf("%s: code %d of %q, %v: %q", name, a.Code(), a.Message, err, rulesOf(a))
		}
	}
}

func TestTheAuthorOfAPatchIsItsOwn(t *testing.T) {
	w, _ := newRepository(t)
	c := call(w, nil)
	for script, want := range map[string][]string{
		"GIT_AUTHOR_NAME='Ada'\nGIT_AUTHOR_EMAIL='ada@example.org'\nGIT_AUTHOR_DATE='@1 +0000'\n": {"Ada", "ada@example.org"},
		`GIT_AUTHOR_NAME='O'\''Neill'` + "\n" + `GIT_AUTHOR_EMAIL='o@example.org'`:                {"O'Neill", "o@example.org"},
		"nonsense\n": nil,
	} {
		patchOf(t, w.CommonDir(), "Work\n", script)
		if got := patchAuthor(c); !slices.Equal(got, want) {
			t.Errorf("%q: %q", script, got)
		}
	}
	if err := os.RemoveAll(filepath.Join(w.CommonDir(), "rebase-apply")); err != nil {
		t.Fatal(err)
	}
	if got := patchAuthor(c); got != nil {
		t.Errorf("without a script: %q, want none, so that git is asked", got)
	}
}

func TestThePatchIsWhereGitKeepsIt(t *testing.T) {
	if got := PatchMessage(nil); got != filepath.Join(".git", "rebase-apply", "final-commit") {
		t.Errorf("in the folder where hooks run it is %s", got)
	}
	if got := PatchMessage(program.Env{"GIT_DIR=/r/.git/worktrees/w"}); got !=
		filepath.Join("/r/.git/worktrees/w", "rebase-apply", "final-commit") {
		t.Errorf("in a work tree it is %s", got)
	}
}

func TestRewrittenCommitsAreFollowed(t *testing.T) {
	w, r := newRepository(t)
	one, two, three := strings.Repeat("1", 40), strings.Repeat("2", 40), strings.Repeat("3", 40)
	c := call(w, nil, "rebase")
	c.Stdin = strings.NewReader(one + " " + two + "\nnonsense\n\n" + two + " " + three + " more\n")
	if a, err := PostRewrite(t.Context(), r, c); err != nil || a.Code() != 0 || a.Warnings != nil {
		t.Fatalf("%+v, %v", a, err)
	}
	got, err := journal.Rewrites(w.CommonDir())
	if err != nil || got[one] != three || got[two] != three || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	for _, in := range []string{"", "nonsense\n"} {
		c := call(w, nil)
		c.Stdin = strings.NewReader(in)
		if a, err := PostRewrite(t.Context(), r, c); err != nil || a.Warnings != nil {
			t.Errorf("%q: %+v, %v", in, a, err)
		}
	}
	if again, err := journal.Rewrites(w.CommonDir()); err != nil || len(again) != 2 {
		t.Errorf("%v, %v", again, err)
	}
}

func TestARecordThatWasTornIsMendedAndSaid(t *testing.T) {
	w, r := newRepository(t)
	c := call(w, nil, "amend")
	c.Stdin = strings.NewReader("1111 2222\n")
	if _, err := PostRewrite(t.Context(), r, c); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(w.CommonDir(), "acta", "rewrites.jsonl")
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, append(bytes.Clone(data), "{\"by\": \"am"...), 0o666); err != nil {
		t.Fatal(err)
	}
	c.Stdin = strings.NewReader("3333 4444\n")
	a, err := PostRewrite(t.Context(), r, c)
	if err != nil || len(a.Warnings) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	if got, err := journal.Rewrites(w.CommonDir()); err != nil || got["3333"] != "4444" || got["1111"] != "2222" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestSilentSaysNothing(t *testing.T) {
	w, r := newRepository(t)
	if a, err := doNothing(t.Context(), r, call(w, nil)); err != nil || a.Results != nil || a.Warnings != nil || a.Code() != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}
