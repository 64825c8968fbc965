package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/repo"
)

var someBinary = Options{Binary: "/opt/acta"}

// theirs is a hook that somebody else wrote.
const theirs = "#!/bin/sh\necho theirs\n"

// writeHook writes an executable file, with its folder.
func writeHook(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// snapshotOf is a folder as it is: path → mode and content, or what a link says.
func snapshotOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if to, err := os.Readlink(path); err == nil {
			all[rel] = "-> " + to
			return nil
		}
		data, err := os.ReadFile(path)
		info, _ := d.Info()
		all[rel] = fmt.Sprint(info.Mode().Perm(), " ", string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// ours are the names in a folder whose files are acta's, sorted.
func oursIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if ours, err := isOurs(filepath.Join(dir, e.Name())); err == nil && ours {
			names = append(names, e.Name())
		}
	}
	return names
}

func namesOf(sets ...Set) (names []string) {
	for _, p := range Points() {
		if slices.Contains(sets, p.Set) {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}

func TestInstallWritesTheHooksOfItsSets(t *testing.T) {
	w, r := newRepository(t)
	dir := filepath.Join(w.CommonDir(), "hooks")
	bareDir := filepath.Join(filepath.Dir(w.Dir), "bare.git")
	w.Git("init", "-q", "--bare", "--template=", bareDir)
	bare := open(t, bareDir)
	for name, c := range map[string]struct {
		repo    *repo.Repo
		dir     string
		options Options
		want    []string
	}{
		"a work tree":        {r, dir, Options{}, namesOf(Default)},
		"with --server":      {r, dir, Options{Server: true}, namesOf(Default, Server)},
		"with --seal":        {r, dir, Options{Seal: true}, namesOf(Default, Seal)},
		"a bare repository":  {bare, filepath.Join(bareDir, "hooks"), Options{}, namesOf(Server)},
		"a bare one, sealed": {bare, filepath.Join(bareDir, "hooks"), Options{Seal: true}, namesOf(Server, Seal)},
	} {
		before := snapshotOf(t, c.dir)
		c.options.Binary = "/opt/acta"
		done, err := Install(t.Context(), c.repo, c.options)
		if got := oursIn(t, c.dir); err != nil || !slices.Equal(got, c.want) || len(done) != len(c.want) {
			t.Errorf("%s: %q, %v, %v", name, got, done, err)
		}
		again, err := Install(t.Context(), c.repo, c.options)
		if err != nil || slices.ContainsFunc(again, func(a Action) bool { return a.Note != "installed already" }) {
			t.Errorf("%s, again: %v, %v", name, again, err)
		}
		if _, err := Uninstall(t.Context(), c.repo); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if after := snapshotOf(t, c.dir); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%s: uninstalling left %v", name, after)
		}
	}
}

func TestInstallingAgainMendsWhatIsOutOfDate(t *testing.T) {
	w, r := newRepository(t)
	hook := filepath.Join(w.CommonDir(), "hooks", "commit-msg")
	for name, breaks := range map[string]func() error{
		"another executable": func() error { _, err := Install(t.Context(), r, Options{Binary: "/elsewhere/acta"}); return err },
		"not executable":     func() error { return os.Chmod(hook, 0o644) },
		"an older script":    func() error { return os.WriteFile(hook, []byte("#!/bin/sh\n"+markerLine+"\nexit 1\n"), 0o755) },
	} {
		if _, err := Install(t.Context(), r, someBinary); err != nil {
			t.Fatal(err)
		}
		want := snapshotOf(t, filepath.Dir(hook))
		if err := breaks(); err != nil {
			t.Fatal(err)
		}
		done, err := Install(t.Context(), r, someBinary)
		if err != nil || !slices.Contains(done, Action{hook, "installed"}) {
			t.Errorf("%s: %v, %v", name, done, err)
		}
		if got := snapshotOf(t, filepath.Dir(hook)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: mended to %v", name, got)
		}
	}
}

func TestAHookThatWasThereIsKeptAndComesBack(t *testing.T) {
	w, r := newRepository(t)
	dir := filepath.Join(w.CommonDir(), "hooks")
	writeHook(t, filepath.Join(dir, "commit-msg"), theirs)
	writeHook(t, filepath.Join(dir, "lib.sh"), "echo lib\n")
	writeHook(t, filepath.Join(dir, savedDir, "of-a-person"), theirs)
	if err := os.Symlink("../../tools/push.sh", filepath.Join(dir, "pre-push")); err != nil {
		t.Fatal(err)
	}
	before := snapshotOf(t, dir)
	if _, err := Install(t.Context(), r, someBinary); err != nil {
		t.Fatal(err)
	}
	kept := snapshotOf(t, filepath.Join(dir, savedDir))
	if kept["commit-msg"] != before["commit-msg"] || kept["pre-push"] != "-> ../../../tools/push.sh" || kept["lib.sh"] != "-> ../lib.sh" {
		t.Errorf("kept is %v", kept)
	}
	done, err := Uninstall(t.Context(), r)
	if after := snapshotOf(t, dir); err != nil || fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("after uninstalling there is %v, before there was %v (%v), %v", after, before, done, err)
	}
	if !slices.Contains(done, Action{filepath.Join(dir, "commit-msg"), "put back as it was"}) {
		t.Errorf("done: %v", done)
	}
}

func TestTwoHooksOfOneNameAreForAPersonToMerge(t *testing.T) {
	w, r := newRepository(t)
	dir := filepath.Join(w.CommonDir(), "hooks")
	for _, name := range []string{"commit-msg", "pre-commit", "post-rewrite", "pre-push"} {
		writeHook(t, filepath.Join(dir, name), theirs)
	}
	if err := os.Symlink("../tools/msg.sh", filepath.Join(dir, "prepare-commit-msg")); err != nil {
		t.Fatal(err)
	}
	writeHook(t, filepath.Join(dir, savedDir, "pre-push"), "#!/bin/sh\necho older\n") // the last that is installed
	before := snapshotOf(t, dir)
	done, err := Install(t.Context(), r, someBinary)
	if err == nil || !strings.Contains(err.Error(), "merge the two by hand") || done != nil {
		t.Errorf("installed over two hooks: %v, %v", done, err)
	}
	if after := snapshotOf(t, dir); !maps.Equal(before, after) {
		t.Errorf("an installation that failed left %v of %v", after, before)
	}
}

func TestAnInstallationThatWasKilledIsGoneOnWith(t *testing.T) {
	w, r := newRepository(t)
	dir := filepath.Join(w.CommonDir(), "hooks")
	kept := filepath.Join(dir, savedDir, "commit-msg")
	for name, c := range map[string]struct {
		left func()
		want string
	}{
		"a hook was moved, and no script written": {func() { writeHook(t, kept, theirs) }, theirs},
		"a hook had got its second name": {func() {
			writeHook(t, filepath.Join(dir, "commit-msg"), theirs)
			if err := errors.Join(os.MkdirAll(filepath.Dir(kept), 0o777), os.Link(filepath.Join(dir, "commit-msg"), kept)); err != nil {
				t.Fatal(err)
			}
		}, theirs},
		"a link was made anew, and the old one not removed": {func() {
			writeHook(t, filepath.Join(w.CommonDir(), "tools", "msg.sh"), theirs)
			for at, to := range map[string]string{filepath.Join(dir, "commit-msg"): "../tools/msg.sh", kept: "../../tools/msg.sh"} {
				if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(to, at); err != nil {
					t.Fatal(err)
				}
			}
		}, theirs},
		"a temporary file of the writer's": {func() { writeHook(t, filepath.Join(dir, ".commit-msg12345"), "#!/bin/sh\n") }, ""},
	} {
		for _, install := range []bool{true, false} {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			c.left()
			if install {
				if _, err := Install(t.Context(), r, someBinary); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			if _, err := Uninstall(t.Context(), r); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			data, err := os.ReadFile(filepath.Join(dir, "commit-msg"))
			if string(data) != c.want || c.want != "" && err != nil {
				t.Errorf("%s (installed first: %v): the hook is %q, %v", name, install, data, err)
			}
			for path := range snapshotOf(t, dir) {
				if path != "commit-msg" {
					t.Errorf("%s (installed first: %v): %s is left", name, install, path)
				}
			}
		}
	}
}

func TestScriptsThatOthersHaveMovedAreFound(t *testing.T) {
	w, r := newRepository(t)
	dir := filepath.Join(w.CommonDir(), "hooks")
	hook := filepath.Join(dir, "commit-msg")
	const framework = "#!/bin/sh\n# hook-impl of the framework\n"
	for name, c := range map[string]struct {
		suffix, instead string
		inPlace         string // what stands at the hook's name after acta was installed again
		after           string // and after it was uninstalled
	}{
		"by the pre-commit framework": {legacy, framework, framework, framework},
		"by lefthook":                 {lefthookOld, "#!/bin/sh\ncall_other\n", "", "#!/bin/sh\ncall_other\n"},
	} {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := Install(t.Context(), r, someBinary); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(hook, hook+c.suffix); err != nil {
			t.Fatal(err)
		}
		writeHook(t, hook, c.instead)
		if !folder(dir).hasOurs() {
			t.Errorf("%s: nothing of acta's is found", name)
		}
		if _, err := Install(t.Context(), r, someBinary); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if data, _ := os.ReadFile(hook); c.inPlace != "" && string(data) != c.inPlace || c.inPlace == "" && !hasMarker(data) {
			t.Errorf("%s: installed again, the hook is %q", name, data)
		}
		if _, err := Uninstall(t.Context(), r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		left := snapshotOf(t, dir)
		if len(left) != 1 || !strings.HasSuffix(left["commit-msg"], c.after) {
			t.Errorf("%s: uninstalling leaves %v", name, left)
		}
	}
}

func TestUninstallLeavesWhatIsNotActas(t *testing.T) {
	w, r := newRepository(t)
	dir := filepath.Join(w.CommonDir(), "hooks")
	if done, err := Uninstall(t.Context(), r); err != nil || done != nil {
		t.Errorf("where nothing is installed: %v, %v", done, err)
	}
	if _, err := Install(t.Context(), r, someBinary); err != nil {
		t.Fatal(err)
	}
	writeHook(t, filepath.Join(dir, "pre-push"), theirs)
	done, err := Uninstall(t.Context(), r)
	if err != nil || !slices.Contains(done, Action{filepath.Join(dir, "pre-push"), "left alone: acta did not write it"}) {
		t.Errorf("%v, %v", done, err)
	}
	if left := snapshotOf(t, dir); len(left) != 1 || !strings.HasSuffix(left["pre-push"], theirs) {
		t.Errorf("left are %v", left)
	}
}

func TestWhatWasRecordedStays(t *testing.T) {
	w, r := newRepository(t)
	state := filepath.Join(w.CommonDir(), "acta")
	for name, c := range map[string]struct {
		file string
		said string
	}{
		"a record":      {"acta/audit-log.jsonl", "left there"},
		"empty folders": {"acta/sessions/empty/", "removed: it was empty"},
	} {
		if _, err := Install(t.Context(), r, someBinary); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(c.file, "/") {
			if err := os.MkdirAll(filepath.Join(w.CommonDir(), c.file), 0o777); err != nil {
				t.Fatal(err)
			}
		} else {
			w.Write(".git/"+c.file, "{}\n")
		}
		done, err := Uninstall(t.Context(), r)
		if err != nil || len(done) == 0 || done[len(done)-1].Path != state || !strings.HasPrefix(done[len(done)-1].Note, c.said) {
			t.Errorf("%s: %v, %v", name, done, err)
		}
		if _, err := os.Stat(state); (err == nil) != (name == "a record") {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.RemoveAll(state); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCoreHooksPathIsFollowed(t *testing.T) {
	w, r := newRepository(t)
	own := filepath.Join(w.CommonDir(), "hooks")
	if _, err := Install(t.Context(), r, someBinary); err != nil {
		t.Fatal(err)
	}
	w.Git("config", "core.hooksPath", ".githooks")
	r = open(t, w.Dir)
	if _, err := Install(t.Context(), r, someBinary); err != nil {
		t.Fatal(err)
	}
	if got := oursIn(t, filepath.Join(w.Dir, ".githooks")); !slices.Equal(got, namesOf(Default)) {
		t.Errorf("in .githooks: %q", got)
	}
	done, err := Uninstall(t.Context(), r)
	if err != nil || oursIn(t, own) != nil || oursIn(t, filepath.Join(w.Dir, ".githooks")) != nil {
		t.Errorf("the hidden ones stay: %v, %v", done, err)
	}
}

func TestAFolderThatLeadsOutOfTheWorkTreeIsRefused(t *testing.T) {
	w, _ := newRepository(t)
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(w.Dir, ".githooks")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{".githooks", filepath.Join(w.Dir, ".githooks")} {
		w.Git("config", "core.hooksPath", path)
		r := open(t, w.Dir)
		if done, err := Install(t.Context(), r, someBinary); err == nil {
			t.Errorf("installed through the link %s: %v", path, done)
		}
		if _, err := Uninstall(t.Context(), r); err == nil {
			t.Errorf("uninstalled through the link %s", path)
		}
	}
	if left := snapshotOf(t, outside); len(left) != 0 {
		t.Errorf("outside there is %v", left)
	}
}

func TestEverybodysFolderIsNotWrittenTo(t *testing.T) {
	w, _ := newRepository(t)
	shared := filepath.Join(filepath.Dir(w.Dir), "shared")
	w.Git("config", "--global", "core.hooksPath", shared)
	r := open(t, w.Dir)
	_, err := Install(t.Context(), r, someBinary)
	if config := (*policy.ConfigError)(nil); !errors.As(err, &config) || !strings.Contains(err.Error(), "acta install --global") {
		t.Errorf("installed into every repository's folder: %v", err)
	}
	writeHook(t, filepath.Join(shared, "commit-msg"), "#!/bin/sh\n"+markerLine+"\n")
	done, err := Uninstall(t.Context(), r)
	if err != nil || len(done) == 0 || !strings.HasPrefix(done[0].Note, "left alone: the hooks of every repository") {
		t.Errorf("%v, %v", done, err)
	}
}

func TestNothingIsInstalledWithoutAPlaceForActa(t *testing.T) {
	_, r := newRepository(t)
	for _, binary := range []string{"", "acta", "./acta"} {
		if _, err := Install(t.Context(), r, Options{Binary: binary}); err == nil {
			t.Errorf("%q is no absolute path", binary)
		}
		if _, err := (Global{Env: os.Environ()}).Install(t.Context(), Options{Binary: binary}); err == nil {
			t.Errorf("%q is no absolute path", binary)
		}
	}
}

func TestStrayFilesAreThoseOfTheWriter(t *testing.T) {
	for name, want := range map[string]bool{
		".commit-msg123": true, ".pre-push1": true, ".update7": true,
		"commit-msg123": false, ".commit-msg": false, ".other123": false, ".123": false, "": false, ".commit-msg12x": false,
	} {
		if isStray(name) != want {
			t.Errorf("%q is stray: %v", name, !want)
		}
	}
}

func TestLinksNameTheSameFileFromKept(t *testing.T) {
	dir := t.TempDir()
	for i, c := range []struct{ target, want string }{
		{"../../tools/a.sh", "../../../tools/a.sh"},
		{"lib.sh", "../lib.sh"},
		{"/usr/bin/true", ""},
		{"pre-commit", ""}, // another hook as it was
	} {
		link := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Symlink(c.target, link); err != nil {
			t.Fatal(err)
		}
		if got := linkFromSaved(link); filepath.ToSlash(got) != c.want {
			t.Errorf("a link to %s becomes %q, want %q", c.target, got, c.want)
		}
	}
	writeHook(t, filepath.Join(dir, "file"), theirs)
	if got := linkFromSaved(filepath.Join(dir, "file")); got != "" {
		t.Errorf("a file becomes a link to %q", got)
	}
}
