package evidence

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
	"golang.org/x/tools/txtar"
)

// engineFinds runs a query through tree-sitter's own engine.
func engineFinds(t *testing.T, q *sitter.Query, root *sitter.Node) []match {
	t.Helper()
	cursor := sitter.NewQueryCursor()
	defer cursor.Close()
	cursor.Exec(q, root)
	var out []match
	for {
		m, ok := cursor.NextMatch()
		if !ok {
			return out
		}
		for _, c := range m.Captures {
			out = append(out, match{q.CaptureNameForId(c.Index), c.Node, 0})
		}
	}
}

// walkSources are the sources of all cases, by path.
func walkSources(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("*/cases/*.txtar")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d case files (%v)", len(files), err)
	}
	out := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range txtar.Parse(data).Files {
			out[f+":"+c.Name] = string(c.Data)
		}
	}
	return out
}

// foreign is every how many cases of other languages a grammar reads, too.
const foreign = 4

// The walk reads a query as tree-sitter's engine does, over every case of the
// grammar's language and some of the others: what parses badly counts too.
func TestAWalkFindsWhatTheEngineFinds(t *testing.T) {
	sources := walkSources(t)
	for _, g := range grammars() {
		if g.Read != nil {
			continue // no query
		}
		c, err := g.compiled()
		if err != nil {
			t.Fatal(err)
		}
		q, err := sitter.NewQuery([]byte(g.Query), c.language)
		if err != nil {
			t.Fatal(err)
		}
		defer q.Close()
		compared := 0
		for path, src := range sources {
			if _, name, _ := strings.Cut(path, ":"); grammarOf(name) != g && len(path)%foreign != 0 {
				continue
			}
			tree, done, err := parseTree(context.Background(), c.language, []byte(src))
			if err != nil {
				t.Fatal(path, err)
			}
			want := engineFinds(t, q, tree.RootNode())
			got, err := c.marks.walk(tree.RootNode())
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(want) {
				t.Errorf("%s in %s: the walk finds %d nodes, the engine %d", path, g.Name, len(got), len(want))
			}
			for i := range min(len(got), len(want)) {
				if got[i].capture != want[i].capture || !got[i].node.Equal(want[i].node) || got[i].node.StartByte() != want[i].node.StartByte() || got[i].node.Type() != want[i].node.Type() {
					t.Errorf("%s in %s: node %d is @%s %v, the engine says @%s %v", path, g.Name, i, got[i].capture, got[i].node, want[i].capture, want[i].node)
				}
			}
			compared += len(want)
			done()
		}
		if compared < 50 || compared < 400 && !g.Data {
			t.Errorf("%s: only %d nodes compared", g.Name, compared)
		}
	}
}

func TestAQueryOfMoreThanSingleNodesIsRefused(t *testing.T) {
	l := grammars()[0].Grammar()
	for query, says := range map[string]string{
		"(module (comment) @c)\n":                         "single node",
		"(comment)\n":                                     "single node",
		"(no_such_kind) @c\n":                             "no kind no_such_kind",
		"(comment) @comment\n(comment) @c\n":              "captured already",
		"((comment) @c (#eq? @c \"x\"))\n":                "single node",
		"; only a comment\n(comment) @comment (x) @foo\n": "single node",
	} {
		if _, err := readQuery(query, l); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", query, err)
		}
	}
}
