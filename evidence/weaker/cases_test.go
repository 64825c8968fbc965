package weaker_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/acta-git/acta/evidence/weaker"
)

// oneCase is one case of testdata/*.txtar: the files CASE/before/PATH and CASE/after/PATH, and in CASE/want the lines
// of said for what is found.
type oneCase struct {
	name          string
	before, after map[string]string
	want          string
}

func cases(t testing.TB) []oneCase {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases were found: %v", err)
	}
	var all []oneCase
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			named, rest, _ := strings.Cut(f.Name, "/")
			named = strings.TrimSuffix(filepath.Base(name), ".txtar") + "/" + named
			if len(all) == 0 || all[len(all)-1].name != named {
				all = append(all, oneCase{name: named, before: map[string]string{}, after: map[string]string{}})
			}
			c := &all[len(all)-1]
			side, path, _ := strings.Cut(rest, "/")
			switch side {
			case "before":
				c.before[path] = string(f.Data)
			case "after":
				c.after[path] = string(f.Data)
			case "both":
				c.before[path], c.after[path] = string(f.Data), string(f.Data)
			case "want":
				c.want = string(f.Data)
			default:
				t.Fatalf("%s: %s stands on no side", name, f.Name)
			}
		}
	}
	return all
}

// compare compares two sides of paths with content.
func compare(t testing.TB, before, after map[string]string) *weaker.Account {
	t.Helper()
	var paths []string
	for path, content := range before {
		if after[path] != content {
			paths = append(paths, path)
		}
	}
	for path := range after {
		if _, ok := before[path]; !ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	account, err := weaker.Compare(t.Context(), weaker.Change{Before: treeOf(before), After: treeOf(after), Paths: paths})
	if err != nil {
		t.Fatal(err)
	}
	return account
}

// said is one line for each weakening: kind, form, place, subject, and the excuse behind a dash.
func said(account *weaker.Account) string {
	var b strings.Builder
	for _, w := range account.Weakenings {
		at := w.After
		if at.Path == "" {
			at = w.Before
		}
		fmt.Fprintf(&b, "%s: %s: %s:%d: %s", w.Kind, w.Form, at.Path, at.Line, w.Subject)
		if w.Excuse != "" {
			fmt.Fprintf(&b, " -- %s", w.Excuse)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestCases: ACTA_UPDATE=1 writes what is found in the place of what is wanted; look at each difference.
func TestCases(t *testing.T) {
	if os.Getenv("ACTA_UPDATE") != "" {
		update(t)
	}
	for _, c := range cases(t) {
		t.Run(c.name, func(t *testing.T) {
			if got := said(compare(t, c.before, c.after)); got != c.want {
				t.Errorf("found:\n%swant:\n%s", got, c.want)
			}
		})
	}
}

// update writes the lines of each case anew.
func update(t *testing.T) {
	found := map[string]string{}
	for _, c := range cases(t) {
		found[c.name] = said(compare(t, c.before, c.after))
	}
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range archive.Files {
			if named, ok := strings.CutSuffix(f.Name, "/want"); ok {
				archive.Files[i].Data = []byte(found[strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+named])
			}
		}
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
