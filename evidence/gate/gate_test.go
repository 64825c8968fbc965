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

	"github.com/acta-git/acta/evidence"
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
	paths := slices.Collect(maps.Keys(c.before))
	for path := range c.after {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return string(c.before[p]) == string(c.after[p]) })
	slices.Sort(paths)
	all, err := gate.Compare(t.Context(), paths, c.before.tree(), c.after.tree())
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
		if l.CodeChanged {
			b.WriteString(" (its code changes)")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// memory is a tree by its paths.
type memory map[string][]byte

func (m memory) tree() *evidence.Tree { return &evidence.Tree{Files: m} }

func (m memory) Stat(_ context.Context, path string) (evidence.Entry, error) {
	if _, ok := m[path]; ok {
		return evidence.Entry{Path: path, Kind: evidence.File}, nil
	}
	for name := range m {
		if strings.HasPrefix(name, path+"/") {
			return evidence.Entry{Path: path, Kind: evidence.Folder}, nil
		}
	}
	return evidence.Entry{}, nil
}

func (m memory) Size(_ context.Context, e evidence.Entry) (int64, error) {
	return int64(len(m[e.Path])), nil
}

func (m memory) Read(_ context.Context, e evidence.Entry) ([]byte, error) { return m[e.Path], nil }

func (m memory) Paths(context.Context) ([]string, error) { return slices.Sorted(maps.Keys(m)), nil }

func (memory) Renamed(context.Context, *evidence.Tree, string) (string, error) { return "", nil }
