package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pairIn writes a pair of a corpus whose only file is a test.
func pairIn(t *testing.T, corpus, name, label, before, after string) {
	t.Helper()
	for path, content := range map[string]string{
		"label": label + "\n", "before/tests/test_a.py": before, "after/tests/test_a.py": after,
	} {
		at := filepath.Join(corpus, name, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPairsAreCountedByTheirLabels(t *testing.T) {
	const stands = "def test_a():\n    assert f(1) == 2\n"
	dir := t.TempDir()
	corpus := filepath.Join(dir, "others")
	pairIn(t, corpus, "weaker", "plain", stands, "def test_a():\n    assert f(1)\n")
	pairIn(t, corpus, "equal", "plain", stands, stands)
	pairIn(t, corpus, "platform", "honest", stands,
		"@pytest.mark.skipif(sys.platform == 'win32', reason='no fork')\n"+stands)
	found := filepath.Join(dir, "found")
	findings, err := listOf(found)
	if err != nil {
		t.Fatal(err)
	}
	counted := pairs{}
	if err := counted.measure(t.Context(), dir, findings); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		"| others | plain | 2 | 1 | 0 | 0 | 1 |", "| all | plain | 2 | 1 | 0 | 0 | 1 |",
		"| others | honest | 1 | 0 | 0 | 1 | 0 |",
	} {
		if !strings.Contains(counted.table(), row+"\n") {
			t.Errorf("expected %s in\n%s", row, counted.table())
		}
	}
	lines, err := os.ReadFile(found)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"error\tothers | plain\tweaker\ttest_weakened\tassertion weaker", "none\tothers | plain\tequal",
		"note\tothers | honest\tplatform\ttest_skipped\tguard widened"} {
		if !strings.Contains(string(lines), line) {
			t.Errorf("expected %q in\n%s", line, lines)
		}
	}
}

func TestAFolderWithoutPairsIsAnError(t *testing.T) {
	findings, err := listOf("")
	if err != nil {
		t.Fatal(err)
	}
	if err := (pairs{}).measure(t.Context(), t.TempDir(), findings); err == nil ||
		!strings.Contains(err.Error(), "found none") {
		t.Errorf("%v", err)
	}
}
