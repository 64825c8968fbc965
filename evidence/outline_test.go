package evidence

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// sameID are files of which the content has one name.
type sameID struct {
	Files
	id string
}

func (n sameID) Stat(ctx context.Context, path string) (Entry, error) {
	e, err := n.Files.Stat(ctx, path)
	e.ID = n.id
	return e, err
}

// A blob is parsed once a run, whichever tree it stands in; without a name of its content it is read anew.
func TestAnOutlineIsReadOnce(t *testing.T) {
	for _, c := range []struct {
		id    string
		reads int
	}{{"1", 1}, {"", 2}} {
		reads := 0
		files := sameID{counting{memory{"a.py": file("def f():\n    return 1\n")}, &reads}, c.id}
		cache := NewCache()
		for range 2 {
			in := &Tree{Files: files, Cache: cache}
			o, err := in.Outline(t.Context(), "a.py")
			if err != nil || len(o.Definitions) != 1 || o.Definitions[0].Name != "f" {
				t.Fatalf("%+v, %v", o, err)
			}
		}
		if reads != c.reads {
			t.Errorf("blob %q is read %d times, want %d", c.id, reads, c.reads)
		}
	}
}

// An outline, which asks nothing of what bodies do, has the definitions of the whole model, for the sources of all cases.
func TestAnOutlineHasTheDefinitionsOfTheModel(t *testing.T) {
	compared := 0
	for _, files := range caseFiles(t) {
		for _, f := range files {
			g := grammarOf(f.Name)
			if g.Grammar == nil {
				continue
			}
			got, err := g.outline(t.Context(), nil, Source{Path: f.Name, Bytes: f.Data})
			m, failed := analyse(t.Context(), g, f.Name, newText(f.Data))
			if err != nil || failed != nil {
				if (err == nil) != (failed == nil) {
					t.Errorf("%s: %v, and of the model %v", f.Name, err, failed)
				}
				continue
			}
			var want []OutlineDefinition
			for _, d := range m.definitions {
				want = append(want, d.outline())
			}
			if !slices.Equal(got.Definitions, want) {
				t.Errorf("%s: %+v, want %+v\n%s", f.Name, got.Definitions, want, f.Data)
			}
			compared += len(want)
		}
	}
	if compared < 1000 {
		t.Errorf("only %d definitions", compared)
	}
}

// However small files are, no more outlines are kept than there is room for.
func TestOutlinesOfSmallFilesAreBounded(t *testing.T) {
	c := NewCache()
	for i := range readingBytes/leastOutline + 100 {
		tree := memory{"a.py": file(fmt.Sprintf("x = %d\n", i))}.tree()
		tree.Cache = c
		if _, err := tree.Outline(t.Context(), "a.py"); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.readings.entries); n == 0 || n > readingBytes/leastOutline {
		t.Errorf("%d outlines are kept", n)
	}
}
