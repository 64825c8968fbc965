package gate_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/evidence/gate"
)

// A case of testdata is a folder of an archive: before/ and after/ are the two trees, want what is asked less, a line
// each, nothing where no gate asks less. ACTA_UPDATE=1 writes want anew.
func TestCases(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range casesOf(archive) {
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+c.name, func(t *testing.T) {
				if got := c.found(t); got != string(c.want.Data) {
					if os.Getenv("ACTA_UPDATE") == "" {
						t.Errorf("found\n%s\nwant\n%s", got, c.want.Data)
					}
					c.want.Data = []byte(got)
				}
			})
		}
		if os.Getenv("ACTA_UPDATE") != "" {
			if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

type gateCase struct {
	name          string
	before, after memory
	want          *txtar.File
}

func casesOf(archive *txtar.Archive) []*gateCase {
	var all []*gateCase
	for i := range archive.Files {
		f := &archive.Files[i]
		name, rest, _ := strings.Cut(f.Name, "/")
		if len(all) == 0 || all[len(all)-1].name != name {
			all = append(all, &gateCase{name: name, before: memory{}, after: memory{}})
		}
		c := all[len(all)-1]
		side, path, _ := strings.Cut(rest, "/")
		switch side {
		case "before":
			c.before[path] = f.Data
		case "after":
			c.after[path] = f.Data
		case "both":
			c.before[path], c.after[path] = f.Data, f.Data
		case "want":
			c.want = f
		}
	}
	return all
}

// found is what Compare says of a case, a line each.
func (c *gateCase) found(t *testing.T) string {
	if c.want == nil || len(c.before) == 0 {
		t.Fatal("a case has files before/… and a file want")
	}
	var files []gate.File
	paths := slices.Sorted(maps.Keys(c.before))
	for path := range c.after {
		if _, ok := c.before[path]; !ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		if gate.Reads(path) && string(c.before[path]) != string(c.after[path]) {
			files = append(files, gate.File{Path: path, Before: c.before[path], After: c.after[path]})
		}
	}
	all, err := gate.Compare(t.Context(), files, c.before, c.after)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, l := range all {
		at := l.After
		if at.Path == "" {
			at = l.Before
			at.Path = "before " + at.Path
		}
		fmt.Fprintf(&b, "%s:%d: %s: %s.", at.Path, at.Line, l.Form, l.Message)
		if l.Excuse != "" {
			fmt.Fprintf(&b, " [%s]", l.Excuse)
		} else if l.CodeChanged {
			b.WriteString(" (its code changes)")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// memory is a tree by its paths.
type memory map[string][]byte

func (m memory) Read(_ context.Context, path string) ([]byte, error) { return m[path], nil }

func (m memory) Exists(_ context.Context, path string) (bool, error) {
	for name := range m {
		if name == path || strings.HasPrefix(name, path+"/") {
			return true, nil
		}
	}
	return false, nil
}

func (m memory) Paths(context.Context) ([]string, error) { return slices.Sorted(maps.Keys(m)), nil }
