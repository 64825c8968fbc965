package evidence

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestDrift runs the cases of testdata/drift. A case is an archive: the files
// when the claim was made under «was/», those of today under «is/», and what is
// cited and found in its comment, a line each:
//
//	<evidence> [kind] => <state> [<path>[:<line>[-<end>]]] [| <part of the reason>]
//	renamed <old path> <new path>
//
// Files of «before/» are those before the commit that made the claim, of «same/»
// both then and now. NUL stands for that byte, a leading CRLF for such line ends.
func TestDrift(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "drift", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(archives) < 30 {
		t.Fatalf("found %d cases; the test looks in the wrong place", len(archives))
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { runDrift(t, archive) })
	}
}

// snapshots splits an archive by the first folder of its files.
func snapshots(a *txtar.Archive) map[string]memory {
	trees := map[string]memory{"before": {}, "was": {}, "is": {}}
	for _, f := range a.Files {
		when, path, _ := strings.Cut(f.Name, "/")
		content := strings.ReplaceAll(string(f.Data), "NUL", "\x00")
		if rest, ok := strings.CutPrefix(content, "CRLF"); ok {
			content = strings.ReplaceAll(rest, "\n", "\r\n")
		}
		if when == "same" {
			trees["was"][path], trees["is"][path] = file(content), file(content)
			continue
		}
		trees[when][path] = file(content)
	}
	return trees
}

func runDrift(t *testing.T, a *txtar.Archive) {
	trees := snapshots(a)
	renames := map[string]string{}
	asked := 0
	for line := range strings.Lines(string(a.Comment)) {
		line = strings.TrimSpace(line)
		if f := strings.Fields(line); len(f) == 3 && f[0] == "renamed" {
			renames[f[1]] = f[2]
			continue
		}
		cited, want, ok := strings.Cut(line, " => ")
		if !ok {
			if line != "" && !strings.HasPrefix(line, "#") {
				t.Fatalf("%q is no line of a case", line)
			}
			continue
		}
		asked++
		got := follow(t, trees, renames, cited)
		state, reason, _ := strings.Cut(want, " | ")
		if shown := shown(got); shown != state || !strings.Contains(got.Reason, reason) || reason == "" && got.Reason != "" && got.State != StateEdited {
			t.Errorf("%s:\n got %s | %s\nwant %s", cited, shown, got.Reason, want)
		}
	}
	if asked == 0 {
		t.Fatal("the case asks nothing")
	}
}

// shown writes a trace as the cases do.
func shown(tr Trace) string {
	switch {
	case tr.Line == 0:
		return fmt.Sprintf("%s %s", tr.State, tr.Path)
	}
	return fmt.Sprintf("%s %s:%s", tr.State, tr.Path, lines(tr.Line, tr.EndLine))
}

// trail is what is known of renames and changes.
type trail struct {
	renames map[string]string
	changed
}

func (t trail) Renamed(_ context.Context, path string) (string, error) { return t.renames[path], nil }

// changed are the paths of a change.
type changed []string

func (c changed) Changed(context.Context) ([]string, error) { return c, nil }

func follow(t testing.TB, trees map[string]memory, renames map[string]string, cited string) Trace {
	t.Helper()
	cited, kind, _ := strings.Cut(cited, " ")
	cache := NewCache()
	before := trees["before"].tree()
	then := &Judge{Tree: trees["was"].tree(), Base: &before, Cache: cache}
	f := &Follower{
		Judge: &Judge{Tree: trees["is"].tree(), Cache: cache},
		Trail: trail{renames, slices.DeleteFunc(slices.Sorted(maps.Keys(trees["is"])), func(p string) bool {
			return trees["is"][p] == trees["was"][p]
		})},
	}
	got, err := f.Follow(t.Context(), then, Claim{Evidence: cite(t, cited), Item: "it", Kind: Kind(kind)})
	if err != nil {
		t.Fatal(err)
	}
	return got
}
