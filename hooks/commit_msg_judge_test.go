package hooks

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
)

func TestCommitMsgJudgesWhatGitWillStore(t *testing.T) {
	const scissors = "# ------------------------ >8 ------------------------\n"
	w, r := newRepository(t)
	stage(w, "f.py", written)
	stage(w, "stub.py", stub)
	hollow := strings.ReplaceAll(hollow, "f.py", "stub.py")
	anchored := strings.Replace(claim, "f.py:1-3", "f.py:1-3#f", 1)
	for name, c := range map[string]struct {
		message string
		editor  string
		config  []string // key, value
		rules   []string
		code    int
		want    string // of the file afterwards; "" for as it was
	}{
		"a claim that holds gets its symbol": {message: claim, editor: ":", want: anchored},
		"one that has it stays as it is":     {message: anchored, editor: ":"},
		"a hollow one is refused, and its file left alone": {
			message: hollow, editor: ":", rules: refused, code: 1},
		"anchors that nobody wants": {message: claim, editor: ":", config: []string{"acta.anchor", "false"}},
		"an editor's comments are no claims": {
			message: "Work\n# ACT: T01 x\n#\n# Done: x | stub.py:1-2\n", editor: "vi"},
		"nor is the diff of commit -v": {
			message: "Work\n" + scissors + "ACT: T01 add f\n\nDone: add f | stub.py:1-2\n", editor: "vi"},
		"with -m a line that begins with # is text": {
			message: "# ACT\n\nACT: T01 add f\n\nDone: add f | stub.py:1-2\n", editor: ":", rules: refused, code: 1},
		"a comment of another kind": {
			message: "Work\n; ACT: T01 x\n", editor: "vi", config: []string{"core.commentChar", ";"}},
		"with cleanup=strip git takes comments out of -m as well": {
			message: "# ACT: T01 x\n# Done: x | stub.py:1-2\nWork\n", editor: ":", config: []string{"commit.cleanup", "strip"}},
		"with cleanup=verbatim an editor's comments stay": {
			message: "#\nACT: T01 add f\n\nDone: add f | stub.py:1-2\n", editor: "vi",
			config: []string{"commit.cleanup", "verbatim"}, rules: refused, code: 1},
		"a mode that git does not know counts as none": {
			message: "Work\n# ACT: T01 x\n", editor: "vi", config: []string{"commit.cleanup", "nonsense"}},
		"an anchor in an editor's file, comments kept": {
			message: claim + "# comment\n", editor: "vi", want: anchored + "# comment\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.config != nil {
				w.Git("config", c.config[0], c.config[1])
				defer w.Git("config", "--unset", c.config[0])
			}
			file := messageFile(w, c.message)
			a, err := CommitMsg(t.Context(), r, call(w, map[string]string{"GIT_EDITOR": c.editor}, file))
			if err != nil {
				t.Fatal(err)
			}
			rules := slices.DeleteFunc(rulesOf(a), func(r string) bool { return r == "warning stub_added" })
			if !slices.Equal(rules, c.rules) || a.Code() != c.code {
				t.Errorf("exit code %d and %q, want %d and %q", a.Code(), rules, c.code, c.rules)
			}
			if c.want == "" {
				c.want = c.message
			}
			if got := w.Read(".git/COMMIT_EDITMSG"); got != c.want {
				t.Errorf("the file is\n%swant\n%s", got, c.want)
			}
		})
	}
}

func TestAMessageFileKeepsItsModeWithItsAnchors(t *testing.T) {
	w, r := newRepository(t)
	stage(w, "f.py", written)
	file := messageFile(w, claim)
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := CommitMsg(t.Context(), r, call(w, byM, file)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 || !strings.Contains(w.Read(".git/COMMIT_EDITMSG"), "#f") {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestClaimsFailClosedAndEverythingElseOpen(t *testing.T) {
	w, r := newRepository(t)
	w.Write(policy.Path, "version: 1\nrules: [\n")
	w.Commit("Break the policy")
	stage(w, "f.py", written)
	a, err := CommitMsg(t.Context(), r, call(w, byM, messageFile(w, "Work\n")))
	if err != nil || a.Code() != 0 || len(a.Results[0].Warnings) == 0 {
		t.Errorf("a plain commit under a broken policy: code %d, %+v, %v", a.Code(), a.Results, err)
	}
	_, err = CommitMsg(t.Context(), r, call(w, byM, messageFile(w, claim)))
	if config := (*policy.ConfigError)(nil); !errors.As(err, &config) {
		t.Errorf("a claim under a broken policy: %v", err)
	}
}

func TestCommitMsgNeedsItsFile(t *testing.T) {
	w, r := newRepository(t)
	for _, args := range [][]string{nil, {""}, {filepath.Join(w.Dir, "nowhere")}} {
		if a, err := CommitMsg(t.Context(), r, call(w, byM, args...)); err == nil {
			t.Errorf("with the arguments %q it answers %+v", args, a)
		}
	}
}

func TestAsksCommitsWhereGitRunsActa(t *testing.T) {
	w, r := newRepository(t)
	hook := filepath.Join(w.CommonDir(), "hooks", "commit-msg")
	if HasCommitMsgHook(t.Context(), r) {
		t.Error("nothing is installed")
	}
	if _, err := Install(t.Context(), r, Options{Binary: "/opt/acta"}); err != nil {
		t.Fatal(err)
	}
	if !HasCommitMsgHook(t.Context(), r) {
		t.Error("it is installed")
	}
	if err := os.Chmod(hook, 0o644); err != nil {
		t.Fatal(err)
	}
	if HasCommitMsgHook(t.Context(), r) {
		t.Error("git passes over a file that it cannot run")
	}
	w.Write(".git/hooks/commit-msg", "#!/bin/sh\nexit 0\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	if HasCommitMsgHook(t.Context(), r) {
		t.Error("the hook is somebody else's")
	}
}
