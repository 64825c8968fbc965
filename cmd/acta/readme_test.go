package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
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

// Every file and output that these pages show is that of a script.
func TestPagesShowWhatIsPrinted(t *testing.T) {
	for name, files := range map[string]int{"claims": 6, "heartbeat": 4} {
		page, err := os.ReadFile("../../docs/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		archive, err := txtar.ParseFile("testdata/script/" + name + "_page.txtar")
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		for _, f := range archive.Files {
			if f.Name == "code" { // a page need not show what it is about
				continue
			}
			shown++
			if !bytes.Contains(page, slices.Concat([]byte("\n"), f.Data, []byte("```\n"))) {
				t.Errorf("docs/%s.md does not show %s:\n%s", name, f.Name, f.Data)
			}
		}
		if shown < files {
			t.Fatalf("the script of docs/%s.md has %d files", name, shown)
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
