package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge/rules"
	"github.com/acta-git/acta/repo"
	"github.com/acta-git/acta/repo/repotest"
)

// What is no run tells nothing, whatever else stands in the note.
func TestANoteTellsRunsAlone(t *testing.T) {
	tree := strings.Repeat("a", 40)
	for name, c := range map[string]struct {
		note string
		want string
	}{
		"a run": {`{"command":"go test","exit":1,"counts":"2 passed, 1 failed","trees":["` + tree +
			`"]}`, "go test 1 2 1\n"},
		"two": {"{\"command\":\"a\",\"trees\":[\"" + tree +
			"\"]}\n{\"command\":\"b\",\"exit\":3,\"trees\":[\"" + tree + "\"]}\n", "a 0 -\nb 3 -\n"},
		"beside what is none": {"reviewed by Ada\n{\"command\":\"a\",\"trees\":[\"" + tree + "\"]}\n[1]\n",
			"a 0 -\n"},
		"without a command":                {`{"exit":0,"trees":["` + tree + `"]}`, ""},
		"without a tree":                   {`{"command":"a","exit":0}`, ""},
		"of a tree that is no name of one": {`{"command":"a","trees":["HEAD"]}`, ""},
		"cut off":                          {`{"command":"a","trees":["` + tree, ""},
		"nothing":                          {"", ""},
	} {
		got := ""
		for _, r := range parseRunNote([]byte(c.note)) {
			counts := "-"
			if r.Counts != nil {
				counts = fmt.Sprint(r.Counts["passed"], r.Counts["failed"])
			}
			got += fmt.Sprintf("%s %d %s\n", r.Command, *r.Exit, counts)
			if !r.IsNoted {
				t.Errorf("%s: a run of a note is not called noted", name)
			}
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// A run is noted on the commit that was there when it ran, the parent of the one that claims it; one of the very tree
// of the commit outweighs those of others.
func TestRunsAreThoseOfTheCommitAndItsParents(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "a.py", code)
	base := g.ID()
	g.Commit("Work\n", "a.py", code+"# more\n")
	g.Commit("Later\n", "b.py", other)
	r := g.Open()
	note := func(on, command, treeOf string) {
		t.Helper()
		of, err := r.Commit(t.Context(), treeOf)
		if err != nil {
			t.Fatal(err)
		}
		id, err := r.Commit(t.Context(), on)
		if err != nil {
			t.Fatal(err)
		}
		err = r.AddNote(t.Context(), repo.NoteLine{
			Ref: RunNotes, Commit: id.ID, Line: fmt.Sprintf(`{"command":%q,"trees":[%q]}`, command, of.Tree),
			Name: "Ada", When: repotest.When, Message: "A run\n",
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	commands := func(revision string) string {
		t.Helper()
		c, err := r.Commit(t.Context(), revision)
		if err != nil {
			t.Fatal(err)
		}
		runs, err := NewHistory(r, nil).runsFor(c)(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		return names(runs)
	}
	if got := commands("main"); got != "" {
		t.Errorf("without notes there is %q", got)
	}
	note(base, "on the base", base)
	note("main~1", "before", base)
	if got := commands("main~1"); got != "on the base before" {
		t.Errorf("of the commit and of its parent: %q", got)
	}
	if got := commands("main"); got != "before" {
		t.Errorf("of the parent, not of its parent: %q", got)
	}
	note("main~1", "of this tree", "main~1")
	if got := commands("main~1"); got != "of this tree" {
		t.Errorf("one of the very tree outweighs the others: %q", got)
	}
}

func names(runs []rules.RecordedRun) string {
	var all []string
	for _, r := range runs {
		all = append(all, r.Command)
	}
	return strings.Join(all, " ")
}

// NoteRun and what reads it agree, and a second run on the same commit is beside the first.
func TestANotedRunIsReadAgain(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "a.py", code)
	g.Stage()
	r := g.Open()
	head, err := r.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, command := range []string{"go vet", "go test"} {
		run := RunNote{Time: repotest.When, Command: command, Exit: i, Counts: "3 passed", Trees: []string{string(head.Tree)}}
		if err := NoteRun(t.Context(), r, run, "Ada"); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := NewHistory(r, nil).runsFor(head)(t.Context(), "")
	if err != nil || len(runs) != 2 {
		t.Fatalf("%+v, %v", runs, err)
	}
	for _, run := range runs {
		if want := map[string]int{"go vet": 0, "go test": 1}[run.Command]; *run.Exit != want || run.Counts["passed"] != 3 {
			t.Errorf("%+v", run)
		}
	}
}
