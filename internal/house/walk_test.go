package house_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// walkFolder holds the files that the walks of CONTRIBUTING.md make anew, each at its place in the repository.
const walkFolder = "internal/house/testdata/walk"

// additions are the lines that a walk adds to files that are there, each behind a line that must stand in them.
var additions = map[string]map[string]string{
	"judge/rules/rules.go": {
		"func rulesOfReports() []*Rule {\n	return []*Rule{\n": "		rule(\"sample_actor_unsaid\", GuardsClaims, scopePart, warnInStrict, runSample),\n",
	},
	"hooks/host/host.go": {"	return []Host{\n": "		sample{},\n"},
	"evidence/languages.go": {
		"	for _, l := range []lang.Language{\n": "		{Name: \"sample\", Grammar: toml.GetLanguage()},\n",
	},
}

// TestTheWalksCompile goes the walks of CONTRIBUTING.md for a rule, a language and a host: with the new files and lines
// laid over the tree, the packages compile.
func TestTheWalksCompile(t *testing.T) {
	page, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for path, content := range walked(t) {
		if folder := strings.SplitN(path, "/", 2)[0]; !strings.Contains(string(page), "`"+folder+"/") {
			t.Errorf("CONTRIBUTING.md names no file of %s/", folder)
		}
		made := filepath.Join(t.TempDir(), filepath.Base(path))
		if err := os.WriteFile(made, content, 0o666); err != nil {
			t.Fatal(err)
		}
		absolute, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		replace[absolute] = made
	}
	for path := range additions {
		if !strings.Contains(string(page), "`"+path+"`") {
			t.Errorf("CONTRIBUTING.md does not name %s, to which a walk adds", path)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "build", "-overlay", file, "./judge/rules", "./evidence", "./hooks/host").CombinedOutput()
	if err != nil {
		t.Errorf("a walk does not compile: %v\n%s", err, out)
	}
}

// walked are the new files, and those that are there with the lines that are added, by path.
func walked(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(walkFolder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(walkFolder, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	if err != nil || len(files) < 3 {
		t.Fatal(len(files), err)
	}
	for path, added := range additions {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for behind, line := range added {
			if strings.Count(text, behind) != 1 {
				t.Fatalf("%s has no line %q, or several; CONTRIBUTING.md tells to add there", path, behind)
			}
			text = strings.Replace(text, behind, behind+line, 1)
		}
		files[path] = []byte(text)
	}
	return files
}
