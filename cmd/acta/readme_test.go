package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The refusal that README.md shows is what the demo prints.
func TestReadmeShowsWhatTheDemoPrints(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := bytes.Cut(readme, []byte("A refusal:\n\n```\n"))
	shown, _, ends := bytes.Cut(after, []byte("```\n"))
	if !found || !ends || bytes.Count(shown, []byte("\n")) < 5 {
		t.Fatal("README.md shows no refusal")
	}
	cmd := exec.Command(actaCopy(t), "demo")
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	printed, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(printed, shown) {
		t.Errorf("README.md shows\n%s\nand the demo prints\n%s", shown, printed)
	}
	for _, command := range []string{"go run ./cmd/acta demo", "go test ./..."} {
		if !strings.Contains(string(readme), command) {
			t.Errorf("README.md does not name %q", command)
		}
	}
}

// actaCopy is the test binary under the name acta. A link would not do where
// acta writes its own path into a hook: the path of a link's target.
func actaCopy(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "acta")
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}
