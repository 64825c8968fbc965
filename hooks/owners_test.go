package hooks

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo"
)

// saidOf is what was done at a path.
func saidOf(done []Action, path string) string {
	i := slices.IndexFunc(done, func(a Action) bool { return a.Path == path })
	if i < 0 {
		return ""
	}
	return done[i].Note
}

func TestHuskyIsAskedAndNotOverwritten(t *testing.T) {
	w, _ := newRepository(t)
	w.Write(".husky/_/h", "# husky\n")
	w.Write(".husky/_/commit-msg", "#!/bin/sh\n. \"$(dirname \"$0\")/h\"\n")
	w.Write(".husky/commit-msg", "npm test")
	w.Git("config", "core.hooksPath", ".husky/_")
	r := open(t, w.Dir)
	husky := filepath.Join(w.Dir, ".husky")
	hook := filepath.Join(husky, "commit-msg")
	before := snapshotOf(t, husky)

	done, err := Install(t.Context(), r, someBinary)
	if said := saidOf(done, hook); !errors.Is(err, ErrNotCalled) || !strings.Contains(said, "then acta hook commit-msg") {
		t.Errorf("%v, %v", done, err)
	}
	if after := snapshotOf(t, husky); !maps.Equal(after, before) {
		t.Errorf("files were changed: %v", after)
	}
	for _, a := range done { // as whoever reads it does
		_, line, _ := strings.Cut(a.Note, "\n    ")
		w.Write(".husky/"+filepath.Base(a.Path), line+"\n")
	}
	before = snapshotOf(t, husky)
	done, err = Install(t.Context(), r, someBinary)
	if err != nil || saidOf(done, husky) != "husky asks acta" || len(done) != 1 {
		t.Errorf("with the lines: %v, %v", done, err)
	}
	if done, err = Uninstall(t.Context(), r); err != nil || !strings.Contains(saidOf(done, hook), "by hand") {
		t.Errorf("uninstall: %v, %v", done, err)
	}
	if after := snapshotOf(t, husky); !maps.Equal(after, before) {
		t.Errorf("uninstalling changes files: %v", after)
	}
}

func TestLefthookIsAskedInTheFormatOfItsFile(t *testing.T) {
	for file, c := range map[string]struct{ begins, piped string }{
		"lefthook.yml":          {"pre-commit:\n  commands:\n    acta:\n      run: |\n        [ -z \"$(acta version", "use_stdin: true"},
		".config/lefthook.toml": {"[pre-commit.commands.acta]\nuse_stdin = false\nrun = '''[ -z \"$(acta version", "use_stdin = true"},
		".lefthook.json":        {`  "pre-commit": {"commands": {"acta": {"use_stdin": false, "run": "[ -z \"$(acta version`, `"use_stdin": true`},
		// A second section of a hook would take the place of the first.
		"lefthook.yml with pre-commit:\n  jobs:\n    - run: x\npost-merge:\n  commands:\n": {
			"# below jobs: of pre-commit:\n    - name: acta\n      run: |\n        [ -z", "\nprepare-commit-msg:\n  commands:\n    acta:\n",
		},
		"lefthook.yml with pre-push:\n  commands:\n    x:\n      run: x\n": {
			"pre-commit:\n  commands:", "# below commands: of pre-push:\n    acta:\n      use_stdin: true\n",
		},
		"lefthook.yml with pre-commit:\n  parallel: true\n": {"# below pre-commit:\n  commands:\n    acta:\n      run", "use_stdin: true"},
		"lefthook.json with {\"pre-commit\": {\"jobs\": [\n{\"run\": \"x\"}]}}": {
			"// below jobs: of pre-commit:\n{\"name\": \"acta\", ", "\"pre-push\": {\"commands\": {\"acta\": ",
		},
	} {
		file, has, _ := strings.Cut(file, " with ")
		w, _ := newRepository(t)
		w.Write(file, has)
		w.Write(".git/hooks/commit-msg", "#!/bin/sh\ncall_lefthook run \"commit-msg\"\n")
		r := open(t, w.Dir)
		done, err := Install(t.Context(), r, someBinary)
		_, block, _ := strings.Cut(saidOf(done, filepath.Join(w.Dir, filepath.FromSlash(file))), "\n")
		if !errors.Is(err, ErrNotCalled) || len(done) != 1 || !strings.HasPrefix(block, c.begins) || !strings.Contains(block, c.piped) {
			t.Errorf("%s: %v, %v", file, done, err)
		}
		if w.Read(file) != has {
			t.Errorf("%s was changed", file)
		}
		w.Write("lefthook-local.yml", block)
		if done, err = Install(t.Context(), r, someBinary); err != nil || saidOf(done, w.Dir) != "lefthook asks acta" {
			t.Errorf("%s, with the block: %v, %v", file, done, err)
		}
	}
}

func TestAToolThatWillComeIsProvidedFor(t *testing.T) {
	for name, c := range map[string]struct{ path, content, said string }{
		"a folder of husky's":         {".husky/pre-commit", "npm test\n", ".husky/commit-msg"},
		"npm calls husky":             {"package.json", `{"scripts": {"prepare": "tsc && husky"}}`, ".husky/commit-msg"},
		"lefthook's configuration":    {".config/lefthook.toml", "", ".config/lefthook.toml"},
		"npm calls something else":    {"package.json", `{"scripts": {"test": "huskyish"}}`, ""},
		"a package.json that is torn": {"package.json", `{"scripts": {"prepare": "husky"`, ""},
	} {
		w, _ := newRepository(t)
		w.Write(c.path, c.content)
		r := open(t, w.Dir)
		done, err := Install(t.Context(), r, someBinary)
		said := saidOf(done, filepath.Join(w.Dir, filepath.FromSlash(c.said))) != ""
		if said != (c.said != "") || errors.Is(err, ErrNotCalled) != said || err != nil && !said {
			t.Errorf("%s: %v, %v", name, done, err)
		}
		if got := oursIn(t, filepath.Join(w.CommonDir(), "hooks")); !slices.Equal(got, namesOf(Default)) {
			t.Errorf("%s: meanwhile the hooks are %q", name, got)
		}
	}
}

func TestTheSealStandsBesideAnOwner(t *testing.T) {
	w, _ := newRepository(t)
	w.Write(".husky/_/h", "# husky\n")
	w.Git("config", "core.hooksPath", ".husky/_")
	if _, err := Install(t.Context(), open(t, w.Dir), Options{Binary: "/opt/acta", Seal: true}); !errors.Is(err, ErrNotCalled) {
		t.Fatal(err)
	}
	if got := oursIn(t, filepath.Join(w.Dir, ".husky", "_")); !slices.Equal(got, namesOf(Seal)) {
		t.Errorf("in husky's folder there is %q", got)
	}
}

func TestWhoOwnsTheHooks(t *testing.T) {
	top := t.TempDir()
	write := func(path, text string) { writeHook(t, filepath.Join(top, path), text) }
	write("old/_/h", "")
	write("odd/_/x", "")
	write(".husky/_/x", "")
	write("left/pre-push", "#!/bin/sh\ncall_lefthook run\n")
	write("plain/pre-push", theirs)
	for dir, want := range map[string]owner{
		"old/_": {"husky", filepath.Join(top, "old")}, "odd/_": {}, ".husky/_": {"husky", filepath.Join(top, ".husky")},
		"left": {"lefthook", top}, "plain": {}, "nowhere": {},
	} {
		if got := ownerOf(repo.Layout{Top: top, HooksDir: filepath.Join(top, dir)}); got != want {
			t.Errorf("%s is owned by %v, want %v", dir, got, want)
		}
	}
}

// A line for others' files asks acta where it is on PATH, and lets nothing that claims pass without it.
func TestLinesForOthersFilesFailClosedOnClaimsAlone(t *testing.T) {
	dir := t.TempDir()
	message := filepath.Join(dir, "message")
	for _, hook := range []string{"commit-msg", "pre-push"} {
		p, _ := pointNamed(hook)
		for text, claims := range map[string]bool{claim: true, "Work\n": false, "ADAPT : T01\n": true, "Work\n\nAct: T01\n": true,
			"Work\n\nReason: x\nDone: y\nSession: z\nReport: r\n": false,
		} {
			if err := os.WriteFile(message, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			code := runShell(t, dir, guardedCall(p, `"$1"`, `"$@"`), nil, message)
			if refuses := code != 0; refuses != (claims && p.HasMessage) {
				t.Errorf("%s without acta, %q: exit code %d", hook, text, code)
			}
			writeHook(t, filepath.Join(dir, "empty", "acta"), "")
			code = runShell(t, filepath.Join(dir, "empty"), guardedCall(p, `"$1"`, `"$@"`), nil, message)
			if refuses := code != 0; refuses != (claims && p.HasMessage) {
				t.Errorf("%s with an empty acta, %q: exit code %d", hook, text, code)
			}
			writeHook(t, filepath.Join(dir, "bin", "acta"), "#!/bin/sh\n[ $1 = hook ] || exec echo acta\nexit 7\n")
			if code := runShell(t, filepath.Join(dir, "bin"), guardedCall(p, `"$1"`, `"$@"`), nil, message); code != 7 {
				t.Errorf("%s with acta, %q: exit code %d, want acta's", hook, text, code)
			}
		}
	}
}
