package hooks

import (
	"os/exec"
	"strings"
	"testing"
)

// Whatever a script is made for, it is shell, and starts acta where it does not only hand on.
func TestHookScriptsAreShell(t *testing.T) {
	var all []script
	for _, kept := range []hookSource{savedBeside, inRepository} {
		all = append(all, scripts("/opt/it's here/acta", kept, Default, Server, Seal)...)
	}
	all = withPassOns(all)
	if len(all) < 2*len(Points()) {
		t.Fatalf("only %d scripts", len(all))
	}
	for _, f := range all {
		text, err := f.text()
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		cmd := exec.Command("sh", "-n")
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s (%s): %v\n%s\n%s", f.Name, f.SavedHook, err, out, text)
		}
		if !hasMarker([]byte(text)) {
			t.Errorf("%s: the second line is not the marker:\n%s", f.Name, text)
		}
		if asks := strings.Contains(text, `"$acta" hook `+f.Name+` "$@"`); asks == f.IsIdle {
			t.Errorf("%s asks acta: %v", f.Name, asks)
		}
		if strings.Contains(text, "\n\n\n") || !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n") {
			t.Errorf("%s (%s) is not laid out as a script should be:\n%s", f.Name, f.SavedHook, text)
		}
	}
}

func TestPointsAreKnownByName(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Points() {
		if got, ok := pointNamed(p.Name); !ok || got.Name != p.Name || got.Set != p.Set || seen[p.Name] || p.Set == 0 {
			t.Errorf("%+v: found %+v, %v", p, got, ok)
		}
		seen[p.Name] = true
	}
	if _, ok := pointNamed("pre-rebase"); ok {
		t.Error("acta does not stand at pre-rebase")
	}
	for _, name := range otherHooks {
		if seen[name] {
			t.Errorf("%s is acta's own", name)
		}
	}
}
