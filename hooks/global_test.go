package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/repo/program"
	"github.com/acta-git/acta/repo/repotest"
)

func TestAMachineIsInstalledFor(t *testing.T) {
	home := repotest.Isolate(t)
	w := &repotest.WorkTree{TB: t, Dir: home}
	m := Global{Env: os.Environ()}
	dir := filepath.Join(home, ".config", "acta", "hooks")
	t.Setenv("XDG_CONFIG_HOME", "")
	before := w.Read(emptyConfig(w))
	done, err := m.Install(t.Context(), Options{Binary: "/opt/acta"})
	if err != nil {
		t.Fatalf("%v, %v", done, err)
	}
	config := w.Read(".gitconfig")
	if !strings.Contains(config, "hooksPath = "+dir) {
		t.Errorf("git's configuration is\n%s", config)
	}
	want := append(namesOf(Default, Server, Seal), otherHooks[:]...)
	slices.Sort(want)
	if got := oursIn(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
	if !isGlobal(dir) {
		t.Error("it does not hand on to the repository's hooks")
	}
	if _, err := m.Install(t.Context(), Options{Binary: "/opt/acta"}); err != nil {
		t.Errorf("again: %v", err)
	}
	if again := w.Read(".gitconfig"); again != config {
		t.Errorf("installing again changes the configuration to\n%s", again)
	}
	if done, err = m.Uninstall(t.Context()); err != nil || !slices.Contains(done, Action{dir, "removed"}) {
		t.Errorf("%v, %v", done, err)
	}
	if left := strings.TrimSpace(w.Read(".gitconfig")); strings.Contains(left, "acta") || len(left) > len(before)+len("[core]") {
		t.Errorf("uninstalling leaves\n%s", left)
	}
}

// emptyConfig makes the configuration of a home, and names it.
func emptyConfig(w *repotest.WorkTree) string {
	w.Write(".gitconfig", "")
	return ".gitconfig"
}

func TestAFolderThatGitLooksInAlreadyIsUsed(t *testing.T) {
	home := repotest.Isolate(t)
	w := &repotest.WorkTree{TB: t, Dir: home}
	shared := filepath.Join(home, "shared")
	writeHook(t, filepath.Join(shared, "commit-msg"), theirs)
	before := snapshotOf(t, shared)
	w.Git("config", "--global", "core.hooksPath", "~/shared")
	m := Global{Env: os.Environ()}
	if _, err := m.Install(t.Context(), Options{Binary: "/opt/acta", Seal: true}); err != nil {
		t.Fatal(err)
	}
	if got := oursIn(t, shared); !slices.Equal(got, namesOf(Default, Server, Seal)) {
		t.Errorf("in the folder there is %q", got)
	}
	if _, err := m.Uninstall(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := snapshotOf(t, shared); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("uninstalling leaves %v", after)
	}
	if got := w.Git("config", "--global", "core.hooksPath"); got != "~/shared" {
		t.Errorf("core.hooksPath is now %q", got)
	}
}

func TestWhatIsNotActasStaysInTheMachinesFolder(t *testing.T) {
	home := repotest.Isolate(t)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "xdg"))
	m := Global{Env: os.Environ()}
	dir := filepath.Join(home, "xdg", "acta", "hooks")
	if _, err := m.Install(t.Context(), Options{Binary: "/opt/acta"}); err != nil {
		t.Fatal(err)
	}
	writeHook(t, filepath.Join(dir, "notes"), "mine\n")
	done, err := m.Uninstall(t.Context())
	if err != nil || saidOf(done, dir) != "acta's files were removed; other files are left" {
		t.Errorf("%v, %v", done, err)
	}
	if left := snapshotOf(t, dir); len(left) != 1 || !strings.HasSuffix(left["notes"], "mine\n") {
		t.Errorf("left are %v", left)
	}
	if done, err := m.Uninstall(t.Context()); err != nil || oursIn(t, dir) != nil {
		t.Errorf("again: %v, %v", done, err)
	}
}

func TestTheMachinesFolderLiesWithItsConfiguration(t *testing.T) {
	for _, c := range []struct {
		env  program.Env
		want string // "" for an error
	}{
		{program.Env{"HOME=/home/a"}, "/home/a/.config/acta/hooks"},
		{program.Env{"HOME=/home/a", "XDG_CONFIG_HOME=/c"}, "/c/acta/hooks"},
		{program.Env{"HOME=/home/a", "XDG_CONFIG_HOME=relative"}, "/home/a/.config/acta/hooks"},
		{program.Env{"HOME=relative"}, ""},
		{nil, ""},
	} {
		m := Global{Env: c.env}
		if got, _, err := m.folders(t.Context()); filepath.ToSlash(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("with %v: %q, %v, want %q", c.env, got, err, c.want)
		}
	}
}

func TestConfigurationThatCannotBeReadIsAnError(t *testing.T) {
	home := repotest.Isolate(t)
	w := &repotest.WorkTree{TB: t, Dir: home}
	w.Write(".gitconfig", "[core\n")
	m := Global{Env: os.Environ()}
	if done, err := m.Install(t.Context(), Options{Binary: "/opt/acta"}); err == nil {
		t.Errorf("installed: %v", done)
	}
	if done, err := m.Uninstall(t.Context()); err == nil {
		t.Errorf("uninstalled: %v", done)
	}
}

// A repository with hooks of the machine has its own folder for what is installed in it alone.
func TestTheRepositorysOwnFolderStandsBehindTheMachines(t *testing.T) {
	w, _ := newRepository(t)
	m := Global{Env: os.Environ()}
	if _, err := m.Install(t.Context(), Options{Binary: "/opt/acta"}); err != nil {
		t.Fatal(err)
	}
	if _, err := Install(t.Context(), open(t, w.Dir), someBinary); err != nil {
		t.Fatal(err)
	}
	if got := oursIn(t, filepath.Join(w.CommonDir(), "hooks")); !slices.Equal(got, namesOf(Default)) {
		t.Errorf("the repository has %q", got)
	}
}
