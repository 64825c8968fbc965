package plan

import (
	"slices"
	"strings"
	"testing"
)

func TestAUnitWorksWhereItOrTheNearestAboveSays(t *testing.T) {
	root, err := Read([]byte(in(`{"id": "M", "paths": ["src/**"], "children": [{"id": "A", "paths": ["docs", "a.py"]},
		{"id": "B"}, {"id": "S", "children": [{"id": "C", "paths": []}]}]}`, `{"id": "N"}`)))
	if err != nil {
		t.Fatal(err)
	}
	x := NewIndex(root)
	for id, want := range map[string][]string{"M": {"src/**"}, "A": {"docs", "a.py"}, "B": {"src/**"}, "C": {"src/**"}, "N": nil, "R": nil} {
		if got := x.Find(id).Scope(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	if text := string(Write(root)); !strings.Contains(text, `"paths": ["docs", "a.py"]`) {
		t.Error(text)
	}
}

func TestPatternsFitFilesAndFolders(t *testing.T) {
	for _, c := range []struct {
		patterns, file string
		want           string
	}{
		{"src/**", "src/a.py", "src/**"}, {"src/**", "src/deep/a.py", "src/**"}, {"src/*", "src/deep/a.py", ""},
		{"src", "src/a.py", "src"}, {"src/", "src/deep/a.py", "src/"}, {"src", "srcs/a.py", ""}, {"src", "lib/src/a.py", ""},
		{"a.py", "a.py", "a.py"}, {"a.py", "src/a.py", ""}, {"**/a.py", "src/a.py", "**/a.py"}, {"*.py", "src/a.py", ""},
		{"src/*.{py,pyi}", "src/a.pyi", "src/*.{py,pyi}"}, {"docs lib/**", "lib/x", "lib/**"}, {"", "a.py", ""},
	} {
		if got := InScope(strings.Fields(c.patterns), c.file); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.patterns, c.file, got, c.want)
		}
	}
}

func TestPathsOfAUnitAreMoves(t *testing.T) {
	read := func(unit string) *Unit {
		root, err := Read([]byte(in(unit)))
		if err != nil {
			t.Fatal(err)
		}
		return root
	}
	before, after := read(`{"id": "T"}`), read(`{"id": "T", "paths": ["src/**", "docs"]}`)
	moves := Diff(before, after)
	if len(moves) != 1 || moves[0].To != "src/**, docs" || !strings.Contains(moves[0].String(), "paths «» → «src/**, docs»") {
		t.Errorf("%+v", moves)
	}
	clone := after.Clone()
	clone.Children[0].Paths[0] = "other"
	if after.Children[0].Paths[0] != "src/**" {
		t.Error("a clone shares its paths")
	}
	if _, err := AddUnit(before, "R", &Unit{ID: "T", Paths: []string{"lib"}}); err != nil {
		t.Fatal(err)
	}
}
