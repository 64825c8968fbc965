package plan

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// in wraps units as the children of a root; the first stands at line 2.
func in(units ...string) string {
	return "{\"id\": \"R\", \"type\": \"parent\", \"children\": [\n" + strings.Join(units, ",\n") + "\n]}"
}

func TestReadNamesWhatIsMalformedAndWhere(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{in(`{"id": "T", "type": "task"}`), `2:21: the type of T is "task"; it must be "parent" or "atomic"`},
		{in(`{"id": "T", "status": "done"}`), `2:23: the status of T is "done"`},
		{in(`{"id": "T", "type": "atomic", "status": "active"}`), `2:41: the status of T is "active", which only a milestone can be`},
		{in(`{"id": "T", "failure_threshold": 1.5}`), `2:34: the failure_threshold of T is 1.5; it is from 0.0 to 1.0`},
		{in(`{"id": "T", "failure_threshold": -0.1}`), `2:34: the failure_threshold of T is -0.1`},
		{in(`{"id": "T", "failure_threshold": 1e999}`), `2:34: the failure_threshold`},
		{in(`{"id": "T", "failure_threshold": "high"}`), `2:34: "failure_threshold" holds a JSON string where a number is expected`},
		{in(`{"id": "T"}`, `{"id": "T"}`), `3:8: the id "T" occurs twice in the plan`},
		{in(`{"id": "R"}`), `2:8: the id "R" occurs twice`},
		{in(`{"id": "A/B"}`), `2:8: the id "A/B" must not contain`},
		{in(`{"id": "A B"}`), `2:8: the id "A B" must not contain`},
		{in(`{"id": "  "}`), `2:8: a task has no id`},
		{in(`{"type": "atomic"}`), `2:1: a task has no id`},
		{in(`{"id": 7}`), `2:8: "id" holds a JSON number where a string is expected`},
		{in(`{"id": "T", "type": "atomic", "children": [{"id": "U"}]}`), `2:21: T is "atomic" and has children`},
		{in(`{"id": "T", "children": {}}`), `2:25: "children" holds a JSON object where an array is expected`},
		{in(`{"id": "T", "children": ["U"]}`), `2:26: found a JSON string where a task`},
		{in(`{"id": true}`), `2:8: "id" holds a JSON boolean where a string is expected`},
		{in(`{"id": "T", "risk": "severe"}`), `2:21: the risk of T is "severe"; it is low, medium or high`},
		{in(`{"id": "S", "replans": ["T"]}`), `2:24: the replans of S name "" twice, or not at all; there may be one for each blocker (and 1 more)`},
		{in(`{"id": "T", "depends_on": ["U"]}`), `2:27: T depends on "U", which is not in the plan`},
		{in(`{"id": "T", "depends_on": ["T"]}`), `2:27: T depends on T, which can never be complete before it`},
		{in(`{"id": "T", "depends_on": ["U"]}`, `{"id": "U", "depends_on": ["T"]}`), `2:27: T depends on U, which depends on T in turn`},
		{in(`{"id": "T", "depends_on": "U"}`), `2:27: "depends_on" holds a JSON string where an array`},
		{in(`{"id": "T", "paths": "src/**"}`), `2:22: "paths" holds a JSON string where an array`},
		{in(`{"id": "T", "paths": [1]}`), `2:22: "" in the paths of T is not a pattern from the top of the repository, such as src/auth/**`},
		{in(`{"id": "T", "paths": ["src/**", "a[b"]}`), `2:22: "a[b" in the paths of T is not a pattern from the top of the repository`},
		{in(`{"id": "T", "paths": ["/src/a.py"]}`), `2:22: "/src/a.py" in the paths of T is not a pattern`},
		{in(`{"id": "T", "paths": ["../a.py"]}`), `2:22: "../a.py" in the paths`},
		{in(`{"id": "T", "paths": ["./a.py"]}`), `2:22: "./a.py" in the paths`},
		{in(`{"id": "T", "paths": [""]}`), `2:22: "" in the paths`},
		{in(`{"id": "T", "checklist": ["Add x"]}`), `2:27: "checklist" holds a JSON string where an object for each item`},
		{in(`{"id": "T", "checklist": [{"item": " "}]}`), `2:27: an item of T has no text under "item"`},
		{in(`{"id": "T", "checklist": [{"item": "a", "kind": "prose"}]}`), `2:27: the kind of item "a" is "prose"`},
		{in(`{"id": "T", "checklist": [{"item": "a", "required": "yes"}]}`), `2:53: "required" holds a JSON string where true or false`},
		{in(`{"id": "M", "assessments": [{"slice": "S"}, {"slice": "S"}]}`), `2:28: the assessments of M name "S" twice`},
		{in(`{"id": "S", "replans": [{"note": "n"}]}`), `2:24: the replans of S name "" twice, or not at all`},
		{in(`{"id": "T", "id": "U"}`), `2:13: the key "id" occurs twice in one object`},
		{`[]`, `1:1: found a JSON array where a task`},
		{`null`, `1:1: found a JSON null where a task`},
		{`{"id": "R",}`, `1:12: invalid character`},
		{"{}\n{}", `2:1: invalid character`},
		{"{\n", `2:1: unexpected end`},
		{"", `1:1: unexpected end`},
	} {
		_, err := Read([]byte(c.text))
		var e Errors
		if !errors.As(err, &e) || !strings.HasPrefix(e.Error(), c.want) {
			t.Errorf("%s\ngives %v\nwant  %s", c.text, err, c.want)
		}
	}
}

func TestReadListsEverythingThatIsWrong(t *testing.T) {
	_, err := Read([]byte(in(`{"id": "T", "type": "x", "status": "y"}`, `{"id": "T"}`)))
	var all Errors
	if !errors.As(err, &all) || len(all) != 3 || all[0].Line != 2 || all[2].Line != 3 || !strings.HasSuffix(err.Error(), "(and 2 more)") {
		t.Errorf("got %v", err)
	}
}

func TestABareTreeIsAPlan(t *testing.T) {
	root, err := Read([]byte(`{"id": "a", "type": "parent", "description": "d", "failure_threshold": 0.0, "children": [
 {"id": "b", "type": "atomic", "description": "e", "failure_threshold": 0.3}, {"id": "c", "type": "parent"},
 {"id": "d", "status": "active", "children": [{"id": "e", "checklist": null}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	b, d := root.Find("b"), root.Find("d")
	if b.Status != Pending || b.FailureThreshold != 0.3 || !b.IsTask() || d.Status != InProgress || root.Find("c").IsTask() || d.IsTask() {
		t.Errorf("got %+v and %+v", b, d)
	}
}

func TestParseTakesWhatItCanUse(t *testing.T) {
	for _, text := range []string{
		in(`{"id": "T", "status": "done", "type": "task", "failure_threshold": "x", "depends_on": 3, "checklist": [{"item": "Add x", "required": 1}]}`),
		in(`null`, `{"id": "T", "checklist": [{"item": "Add x"}], "replans": {}}`, `{"id": "T"}`),
	} {
		root, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if u := root.Find("T"); len(u.Checklist) != 1 || u.Checklist[0].Text != "Add x" {
			t.Errorf("%s: %+v", text, u)
		}
	}
	for _, text := range []string{in(`{"id": "T", "checklist": "x"}`), in(`{"id": 3}`), `{`, `[]`} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s can be used", text)
		}
	}
}

// big is a plan of a hundred milestones, ten slices each, ten tasks each, less what makes it n units.
func big(n int) []byte {
	root := &Unit{ID: "R", Type: Parent}
	for m := 0; m < n/111+1; m++ {
		mile := &Unit{ID: fmt.Sprintf("M%d", m), Type: Parent, Description: "A milestone"}
		root.Children = append(root.Children, mile)
		for s := range 10 {
			slice := &Unit{ID: fmt.Sprintf("M%dS%d", m, s), Type: Parent, Description: "A slice of the milestone"}
			mile.Children = append(mile.Children, slice)
			for k := range 10 {
				slice.Children = append(slice.Children, &Unit{
					ID: fmt.Sprintf("M%dS%dT%d", m, s, k), Type: Atomic, Description: "Add the login form and what belongs to it",
					Checklist: []Item{{Text: "Add login() to src/auth.py"}, {Text: "Test login() in tests/test_auth.py", Kind: "test"}},
				})
			}
		}
	}
	return Write(root)
}

// BenchmarkLoadAndCheck reads a plan of 10,000 units, a change of one of them made, and checks the change.
func BenchmarkLoadAndCheck(b *testing.B) {
	before := big(10_000)
	after := []byte(strings.Replace(string(before), `"status": "pending"`, `"status": "in_progress"`, 1))
	was, err1 := Read(before)
	for b.Loop() {
		is, err2 := Read(after)
		found, err3 := Check(b.Context(), Change{Before: was, After: is, Adapts: []string{"R"}})
		if err := errors.Join(err1, err2, err3); err != nil || len(found) != 0 {
			b.Fatal(err, found)
		}
	}
}

// What a plan holds is counted, and each dependency is walked once: 600 tasks that depend on all before them, read by
// ways and not by dependencies, took hours.
func TestAPlanIsBounded(t *testing.T) {
	var units, names []string
	for i := range 600 {
		units = append(units, fmt.Sprintf(`{"id": "T%d", "depends_on": [%s]}`, i, strings.Join(names, ",")))
		names = append(names, fmt.Sprintf(`"T%d"`, i))
	}
	if _, err := Read([]byte(in(units...))); err != nil {
		t.Error(err)
	}
	units[0] = `{"id": "T0", "depends_on": ["T599"]}`
	if _, err := Read([]byte(in(units...))); err == nil || !strings.Contains(err.Error(), "T0 depends on T599, which depends on T0 in turn") {
		t.Error(err)
	}
	for text, want := range map[string]string{
		in(strings.Repeat(`{"id":"T"},`, maxUnits) + `{"id":"T"}`):                                  "at most 50000 tasks",
		strings.Repeat(`{"id":"T","children":[`, maxDepth+1) + strings.Repeat("]}", maxDepth+1):     "100 levels of them",
		in(`{"id": "T", "note": "` + strings.Repeat("x", MaxBytes) + `"}`):                          "at most 16777216 are read",
		in(`{"id": "T", "x": ` + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + `}`): "max depth",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}

func TestTheProjectsOwnPlanReads(t *testing.T) {
	data, err := os.ReadFile("../working_plan/current.json")
	if err != nil {
		t.Fatal(err)
	}
	root, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(Write(root)); got != string(data) {
		t.Errorf("writing it changes it:\n%s", got)
	}
}
