package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo"
)

// withWrite changes the files of the tool that owns the hooks.
var withWrite = Options{Binary: "/opt/acta", Write: true}

// saidOf is what was done at a path.
func saidOf(done []Action, path string) string {
	i := slices.IndexFunc(done, func(a Action) bool { return a.Path == path })
	if i < 0 {
		return ""
	}
	return done[i].Did
}

func TestHuskyIsAskedAndNotOverwritten(t *testing.T) {
	w, _ := newRepository(t)
	w.Write(".husky/_/h", "# husky\n")
	w.Write(".husky/_/commit-msg", "#!/bin/sh\n. \"$(dirname \"$0\")/h\"\n")
	w.Write(".husky/commit-msg", "npm test") // ends without a line's end
	w.Git("config", "core.hooksPath", ".husky/_")
	r := open(t, w.Dir)
	hook := filepath.Join(w.Dir, ".husky", "commit-msg")

	done, err := Install(t.Context(), r, someBinary)
	if said := saidOf(done, hook); err != nil || !strings.Contains(said, "husky manages the hooks") || !strings.Contains(said, lineTag) {
		t.Errorf("without --write: %v, %v", done, err)
	}
	if w.Read(".husky/commit-msg") != "npm test" {
		t.Error("the user's hook was changed without --write")
	}
	done, err = Install(t.Context(), r, withWrite)
	if text := w.Read(".husky/commit-msg"); err != nil || saidOf(done, hook) != "added acta's line" ||
		!strings.HasPrefix(text, "npm test\n") || strings.HasSuffix(text, "\n") {
		t.Errorf("with --write: %v, %v; the hook is %q", done, err, text)
	}
	for _, o := range []Options{withWrite, someBinary} { // a line that is there is neither added nor asked for
		if done, err = Install(t.Context(), r, o); err != nil || saidOf(done, hook) != "has acta's line already" {
			t.Errorf("again: %v, %v", done, err)
		}
	}
	if done, err = Uninstall(t.Context(), r); err != nil || saidOf(done, hook) != "took acta's line out" {
		t.Errorf("uninstall: %v, %v", done, err)
	}
	if text := w.Read(".husky/commit-msg"); text != "npm test" {
		t.Errorf("uninstalling leaves %q", text)
	}
	if _, err := os.Stat(filepath.Join(w.Dir, ".husky", "pre-push")); err == nil {
		t.Error("a hook that held acta's line alone is left")
	}
	if text := w.Read(".husky/_/commit-msg"); !strings.Contains(text, "/h") {
		t.Errorf("husky's own file is now %q", text)
	}
}

func TestLefthookReadsActaFromItsLocalFile(t *testing.T) {
	w, _ := newRepository(t)
	w.Write("lefthook.yml", "pre-commit:\n  commands: {}\n")
	w.Write(".git/hooks/commit-msg", "#!/bin/sh\ncall_lefthook run \"commit-msg\"\n")
	r := open(t, w.Dir)
	local := filepath.Join(w.Dir, lefthookLocal)

	done, err := Install(t.Context(), r, someBinary)
	if said := saidOf(done, filepath.Join(w.Dir, "lefthook.yml")); err != nil || !strings.Contains(said, "acta hook commit-msg") {
		t.Errorf("without --write: %v, %v", done, err)
	}
	if _, err := os.Stat(local); err == nil {
		t.Error("a file was written without --write")
	}
	if done, err = Install(t.Context(), r, withWrite); err != nil || saidOf(done, local) != "written; now run `lefthook install`" {
		t.Errorf("with --write: %v, %v", done, err)
	}
	text := w.Read(lefthookLocal)
	for _, want := range []string{"commit-msg:\n", "pre-push:\n", "use_stdin: true", `"{1}"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the file lacks %q:\n%s", want, text)
		}
	}
	if done, err = Install(t.Context(), r, someBinary); err != nil || saidOf(done, local) != "has acta's lines already" {
		t.Errorf("again: %v, %v", done, err)
	}
	if done, err = Uninstall(t.Context(), r); err != nil || saidOf(done, local) != "removed; now run `lefthook install`" {
		t.Errorf("uninstall: %v, %v", done, err)
	}
	if _, err := os.Stat(local); err == nil {
		t.Error("the file is left")
	}
}

func TestALocalFileOfTheUsersStays(t *testing.T) {
	w, _ := newRepository(t)
	const own = "pre-commit:\n  commands: {}\n"
	w.Write("lefthook.yml", "{}\n")
	w.Write(lefthookLocal, own)
	w.Write(".git/hooks/commit-msg", "#!/bin/sh\ncall_lefthook run\n")
	r := open(t, w.Dir)
	if _, err := Install(t.Context(), r, withWrite); err == nil || !strings.Contains(err.Error(), "add these lines to it by hand") {
		t.Errorf("%v", err)
	}
	if _, err := Uninstall(t.Context(), r); err != nil || w.Read(lefthookLocal) != own {
		t.Errorf("%v; the file is %q", err, w.Read(lefthookLocal))
	}
}

func TestAToolThatWillComeIsProvidedFor(t *testing.T) {
	for name, c := range map[string]struct {
		path, content string
		said          string // "" where nothing will come
	}{
		"a folder of husky's":         {".husky/pre-commit", "npm test\n", "husky is not active in this clone yet"},
		"npm calls husky":             {"package.json", `{"scripts": {"prepare": "tsc && husky"}}`, "husky is not active in this clone yet"},
		"lefthook's configuration":    {".config/lefthook.toml", "", "lefthook is not active in this clone yet"},
		"npm calls something else":    {"package.json", `{"scripts": {"test": "huskyish"}}`, ""},
		"a package.json that is torn": {"package.json", `{"scripts": {"prepare": "husky"`, ""},
	} {
		w, _ := newRepository(t)
		w.Write(c.path, c.content)
		r := open(t, w.Dir)
		done, err := Install(t.Context(), r, someBinary)
		said := slices.ContainsFunc(done, func(a Action) bool { return c.said != "" && strings.HasPrefix(a.Did, c.said) })
		if err != nil || said != (c.said != "") {
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
	if _, err := Install(t.Context(), open(t, w.Dir), Options{Binary: "/opt/acta", Seal: true}); err != nil {
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
		"old/_": husky(filepath.Join(top, "old")), "odd/_": nil, ".husky/_": husky(filepath.Join(top, ".husky")),
		"left": lefthook(top), "plain": nil, "nowhere": nil,
	} {
		if got := ownerOf(repo.Layout{Top: top, HooksDir: filepath.Join(top, dir)}); got != want {
			t.Errorf("%s is owned by %v, want %v", dir, got, want)
		}
	}
	if got := allOwners(repo.Layout{}); got != nil {
		t.Errorf("a bare repository has the files of %v", got)
	}
	if got := allOwners(repo.Layout{Top: top, HooksDir: filepath.Join(top, "old/_")}); len(got) != 3 {
		t.Errorf("%v", got)
	}
}

// A line for others' files asks acta where it is on PATH, and lets nothing that claims pass without it.
func TestLinesForOthersFilesFailClosedOnClaimsAlone(t *testing.T) {
	dir := t.TempDir()
	message := filepath.Join(dir, "message")
	for _, hook := range []string{"commit-msg", "pre-push"} {
		p, _ := PointNamed(hook)
		for text, claims := range map[string]bool{claim: true, "Work\n": false, "adapt : T01\n": true} {
			if err := os.WriteFile(message, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			code := runShell(t, dir, guarded(p, `"$1"`, `"$@"`), nil, message)
			if refuses := code != 0; refuses != (claims && p.Message) {
				t.Errorf("%s without acta, %q: exit code %d", hook, text, code)
			}
			writeHook(t, filepath.Join(dir, "bin", "acta"), "#!/bin/sh\nexit 7\n")
			if code := runShell(t, filepath.Join(dir, "bin"), guarded(p, `"$1"`, `"$@"`), nil, message); code != 7 {
				t.Errorf("%s with acta, %q: exit code %d, want acta's", hook, text, code)
			}
		}
	}
}
