package hooks

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// runShell runs a line or a file of shell with a PATH that begins with a folder, and returns its exit code.
func runShell(t *testing.T, path, script string, env []string, args ...string) int {
	t.Helper()
	code, _ := shell(t, path, []string{"-c", script, "hook"}, "", env, args...)
	return code
}

// shell runs sh and returns its exit code and what it printed.
func shell(t *testing.T, path string, script []string, stdin string, env []string, args ...string) (int, string) {
	t.Helper()
	cmd := exec.Command("sh", append(script, args...)...)
	cmd.Env = append([]string{"PATH=" + path + string(os.PathListSeparator) + "/usr/bin:/bin", "HOME=" + path}, env...)
	cmd.Dir, cmd.Stdin = t.TempDir(), strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), string(out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0, string(out)
}

// scriptFile writes the script of a hook point as Install does, and names it.
func scriptFile(t *testing.T, dir, name, binary string) string {
	t.Helper()
	p, ok := pointNamed(name)
	if !ok {
		t.Fatalf("no hook point %s", name)
	}
	text, err := script{Point: p, SavedHook: savedBeside, Binary: binary}.text()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	writeHook(t, path, text)
	return path
}

func TestAScriptStandsInWhereActaIsGone(t *testing.T) {
	dir := t.TempDir()
	message := func(text string) string {
		path := filepath.Join(dir, "message")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const diff = "Work\n# ------------------------ >8 ------------------------\nACT: T01 x\n"
	for name, c := range map[string]struct {
		hook, message string
		refused       bool
		said          string
	}{
		"a claim":                  {"commit-msg", claim, true, "the commit was refused"},
		"a plain commit":           {"commit-msg", "Work\n", false, "warning: the commit was not checked"},
		"a title in a list":        {"commit-msg", "Squash\n\n- ACT : T01 x\n", true, "makes claims that nothing checks"},
		"a trailer":                {"commit-msg", "Work\n\nAct: T01\n", true, "makes claims that nothing checks"},
		"words of a report":        {"commit-msg", "Work\n\nReason: x\nDone: y\nSession: z\nReport: r\n", false, "not checked"},
		"a diff below scissors":    {"commit-msg", diff, false, "not checked"},
		"a word that is no key":    {"commit-msg", "React: words\nFor: all\n", false, "not checked"},
		"a patch":                  {"applypatch-msg", claim, true, "the commit was refused"},
		"what another hook says":   {"pre-commit", claim, false, ""},
		"what is to be written":    {"prepare-commit-msg", claim, false, ""},
		"what only records":        {"post-commit", claim, false, ""},
		"a push, which is said":    {"pre-push", claim, false, "warning: the push was not checked"},
		"where nothing is to do":   {"post-merge", claim, false, ""},
		"a rewrite, which is late": {"post-rewrite", claim, false, ""},
	} {
		path := scriptFile(t, dir, c.hook, filepath.Join(dir, "gone"))
		code, said := shell(t, dir, []string{path}, "", []string{"GIT_DIR=" + dir, "GIT_EDITOR=vi"}, message(c.message))
		if (code != 0) != c.refused || !strings.Contains(said, c.said) || c.said == "" && said != "" {
			t.Errorf("%s: exit code %d, said %q", name, code, said)
		}
	}
}

func TestAScriptHandsOnWhatActaSays(t *testing.T) {
	dir := t.TempDir()
	acta, args := filepath.Join(dir, "acta"), filepath.Join(dir, "args")
	path := scriptFile(t, dir, "commit-msg", acta)
	message := filepath.Join(dir, "message")
	if err := os.WriteFile(message, []byte(claim), 0o666); err != nil {
		t.Fatal(err)
	}
	for does, want := range map[string]int{
		"exit $ACTA_ANSWER": 0, "exit 1": 1, "exit 3": 3,
		"exit 0":                         1, // a file that was written in part, or another program
		"kill -9 $$":                     1, // killed by the system: the claim is not judged
		"exit 126":                       1, // cannot be run
		"exit 134":                       3, // no memory: nobody can decide
		"[ \"$1\" = version ] || exit 2": 2, // an answer, since acta starts
		"exit 2":                         3, // acta cannot even say its version
	} {
		writeHook(t, acta, "#!/bin/sh\necho \"$*\" >>'"+args+"'\n"+does+"\n")
		code, said := shell(t, dir, []string{path}, "", nil, message)
		if code != want {
			t.Errorf("acta does %q: the hook exits with %d, want %d, and says %q", does, code, want, said)
		}
	}
	data, err := os.ReadFile(args)
	if err != nil || !strings.HasPrefix(string(data), "hook commit-msg "+message+"\n") {
		t.Errorf("acta was called with %q, %v", data, err)
	}
}

func TestAKeptHookRunsFirstAndMayRefuse(t *testing.T) {
	dir := t.TempDir()
	acta, log := filepath.Join(dir, "acta"), filepath.Join(dir, "log")
	path := scriptFile(t, dir, "pre-push", acta)
	kept := filepath.Join(dir, savedDir, "pre-push")
	writeHook(t, acta, "#!/bin/sh\n{ echo acta \"$@\"; cat; } >>'"+log+"'\n")
	for does, want := range map[string]struct {
		code int
		log  string
	}{
		"exit 5":           {5, "kept origin url\nline one\nline two\n"},
		"exit 0":           {0, "kept origin url\nline one\nline two\nacta hook pre-push origin url\nline one\nline two\n"},
		"exec <&-; exit 0": {0, "kept origin url\nline one\nline two\nacta hook pre-push origin url\nline one\nline two\n"},
	} {
		if err := os.RemoveAll(log); err != nil {
			t.Fatal(err)
		}
		writeHook(t, kept, "#!/bin/sh\n{ echo kept \"$@\"; cat; } >>'"+log+"'\n"+does+"\n")
		code, said := shell(t, dir, []string{path}, "line one\nline two\n", nil, "origin", "url")
		if got, err := os.ReadFile(log); err != nil || code != want.code || string(got) != want.log {
			t.Errorf("the kept hook does %q: exit code %d, log %q, %v, said %q", does, code, got, err, said)
		}
	}
}

func TestASealedScriptStartsActaForBranchesAlone(t *testing.T) {
	dir := t.TempDir()
	acta, log := filepath.Join(dir, "acta"), filepath.Join(dir, "log")
	path := scriptFile(t, dir, "reference-transaction", acta)
	writeHook(t, acta, "#!/bin/sh\ncat >>'"+log+"'\nexit 1\n")
	one := strings.Repeat("1", 40)
	for name, c := range map[string]struct {
		state, in string
		log       string
	}{
		"a branch": {"prepared", zeros + " " + one + " refs/heads/main\n", zeros + " " + one + " refs/heads/main\n"},
		"a branch among others": {"prepared", zeros + " " + one + " refs/tags/v1\n" + zeros + " " + one + " refs/heads/main\n",
			zeros + " " + one + " refs/heads/main\n"},
		"a deletion":           {"prepared", one + " " + zeros + " refs/heads/main\n", ""},
		"what stays":           {"prepared", one + " " + one + " refs/heads/main\n", ""},
		"HEAD":                 {"prepared", zeros + " " + one + " HEAD\n", ""},
		"a state that is past": {"committed", zeros + " " + one + " refs/heads/main\n", ""},
	} {
		if err := os.RemoveAll(log); err != nil {
			t.Fatal(err)
		}
		code, said := shell(t, dir, []string{path}, c.in, nil, c.state)
		got, _ := os.ReadFile(log)
		if string(got) != c.log || (code != 0) != (c.log != "") {
			t.Errorf("%s: acta reads %q, exit code %d, said %q", name, got, code, said)
		}
	}
}

func TestScriptsThatRecordStartNothingWithoutASession(t *testing.T) {
	dir := t.TempDir()
	acta, log := filepath.Join(dir, "acta"), filepath.Join(dir, "log")
	path := scriptFile(t, dir, "post-commit", acta)
	writeHook(t, acta, "#!/bin/sh\necho \"$@\" >>'"+log+"'\n")
	run := func() string {
		if code, said := shell(t, dir, []string{path}, "", []string{"GIT_DIR=" + dir}); code != 0 || said != "" {
			t.Errorf("exit code %d, said %q", code, said)
		}
		got, _ := os.ReadFile(log)
		return string(got)
	}
	if got := run(); got != "" {
		t.Errorf("without a session acta is called with %q", got)
	}
	writeHook(t, filepath.Join(dir, "acta-sessions"), "") // beside, not in the state
	if err := os.RemoveAll(acta); err != nil {
		t.Fatal(err)
	}
	writeHook(t, filepath.Join(dir, "acta", "sessions", "s.running"), "")
	path = scriptFile(t, dir, "post-commit", filepath.Join(dir, "bin"))
	writeHook(t, filepath.Join(dir, "bin"), "#!/bin/sh\necho \"$@\" >>'"+log+"'\n")
	if got := run(); got != "hook post-commit\n" {
		t.Errorf("with a session acta is called with %q", got)
	}
}

// What is installed for every repository hands on to the repository's own hook, and asks acta once.
func TestTheMachinesScriptHandsOnToTheRepositorys(t *testing.T) {
	dir := t.TempDir()
	machine, own, log := filepath.Join(dir, "machine"), filepath.Join(dir, "git", "hooks", "commit-msg"), filepath.Join(dir, "log")
	acta := filepath.Join(dir, "acta")
	writeHook(t, acta, "#!/bin/sh\necho acta >>'"+log+"'\n")
	p, _ := pointNamed("commit-msg")
	text, err := script{Point: p, SavedHook: inRepository, Binary: acta}.text()
	if err != nil {
		t.Fatal(err)
	}
	writeHook(t, machine, text)
	for name, c := range map[string]struct {
		own, log string
		code     int
	}{
		"none":             {"", "acta\n", 0},
		"somebody's":       {"#!/bin/sh\necho own >>'" + log + "'\n", "own\nacta\n", 0},
		"one that refuses": {"#!/bin/sh\necho own >>'" + log + "'\nexit 4\n", "own\n", 4},
		"acta's":           {"#!/bin/sh\n" + markerLine + "\necho own acta >>'" + log + "'\n", "own acta\n", 0},
	} {
		for _, path := range []string{log, own} {
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
		}
		if c.own != "" {
			writeHook(t, own, c.own)
		}
		message := filepath.Join(dir, "message")
		if err := os.WriteFile(message, []byte("Work\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, "git"), 0o777); err != nil {
			t.Fatal(err)
		}
		code, said := shell(t, dir, []string{machine}, "", []string{"GIT_DIR=" + filepath.Join(dir, "git")}, message)
		if got, _ := os.ReadFile(log); string(got) != c.log || code != c.code {
			t.Errorf("%s: ran %q, exit code %d, said %q", name, got, code, said)
		}
	}
}
