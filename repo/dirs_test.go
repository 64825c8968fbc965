package repo

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLinksAreResolved: a link to a missing file leads to where that file would be, and a link to itself ends somewhere.
func TestLinksAreResolved(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(path string) string { return filepath.Join(top, filepath.FromSlash(path)) }
	for _, dir := range []string{"a/b", "s"} {
		if err := os.MkdirAll(at(dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"a/b/l": "../../s", "s/lost": "../out", "x": "missing/../x", "loop": "loop"} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"a/b": "a/b", "a/b/l/f": "s/f", "a/b/l/lost/f": "out/f", "none/f": "none/f", "x/f": "x/f", "loop": "loop",
	} {
		if got := ResolveLinks(at(path)); got != at(want) {
			t.Errorf("%s leads to %s, want %s", path, got, at(want))
		}
	}
}
