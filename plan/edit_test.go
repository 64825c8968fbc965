package plan

import (
	"slices"
	"testing"
)

func TestEditsMakeTheTreeThatCheckThenAsksAbout(t *testing.T) {
	for _, c := range []struct {
		name, tree, after, want string
		edit                    func(root *Unit) (Change, error)
	}{
		{"complete", "M01 p\n  S01 p\n    T01 p\n", "M01 i\n  S01 i\n    T01 c\n", "",
			func(r *Unit) (Change, error) { return CompleteUnit(r, "T01") }},
		{"complete again", "T01 c\n", "T01 c\n", "plan_move_illegal: Task T01 is already complete",
			func(r *Unit) (Change, error) { return CompleteUnit(r, "T01") }},
		{"complete a slice again", "M01 i\n  S01 c\n    T01 c\n", "M01 i\n  S01 c\n    T01 c\n", "plan_move_illegal: Slice S01 is already complete",
			func(r *Unit) (Change, error) { return CompleteUnit(r, "M01/S01") }},
		{"complete over open work", "M01 i\n  S01 i\n    T02 p\n", "M01 i\n  S01 c\n    T02 p\n", "plan_move_illegal: Cannot complete slice S01: task T02 is pending",
			func(r *Unit) (Change, error) { return CompleteUnit(r, "S01") }},
		{"reopen a task", "M01 p\n  T01 c\n", "M01 i\n  T01 p\n", "",
			func(r *Unit) (Change, error) { return ReopenUnit(r, "T01") }},
		{"reopen a slice", "M01 i\n  S01 c\n    S02 c\n      T01 c\n    T02 c\n", "M01 i\n  S01 i\n    S02 i\n      T01 p\n    T02 p\n", "",
			func(r *Unit) (Change, error) { return ReopenUnit(r, "S01") }},
		{"reopen what is open", "T01 p\n", "T01 p\n", "plan_move_illegal: Cannot reopen task T01: it is pending, not complete",
			func(r *Unit) (Change, error) { return ReopenUnit(r, "T01") }},
		{"reopen a milestone", "M01 c\n  T01 c\n", "M01 c\n  T01 c\n", "plan_move_illegal: Cannot reopen milestone M01: only a task or a slice can be reopened",
			func(r *Unit) (Change, error) { return ReopenUnit(r, "M01") }},
		{"add to the root", "T01 p\n", "T01 p\nT02 p [a]\n", "",
			func(r *Unit) (Change, error) {
				return AddUnit(r, "", &Unit{ID: "T02", Type: Atomic, Checklist: []Item{{Text: "a"}}})
			}},
		{"decompose", "T01 i\n", "T01 i\n  T02 p\n", "",
			func(r *Unit) (Change, error) { return AddUnit(r, "T01", &Unit{ID: "T02", Type: Atomic}) }},
		{"plan anew", "M01 i\n  T01 p \"old\" [a]\n", "M01 i\n  T01 p \"new\" [a]\n", "",
			func(r *Unit) (Change, error) { return AddUnit(r, "M01", &Unit{ID: "T01", Description: "new"}) }},
		{"plan what it waits for", "T01 p\nT02 p\n", "T01 p\nT02 p <T01\n", "",
			func(r *Unit) (Change, error) { return AddUnit(r, "", &Unit{ID: "T02", DependsOn: []string{"T01"}}) }},
		{"plan a complete task anew", "M01 i\n  T01 c \"old\"\n", "M01 i\n  T01 c \"new\"\n", "plan_move_illegal: Cannot re-plan: task T01 is already complete",
			func(r *Unit) (Change, error) { return AddUnit(r, "M01", &Unit{ID: "T01", Description: "new"}) }},
		{"an id that is taken", "M01 i\n  T01 p\nM02 i +\n", "", "plan_invalid: the id \"T01\" occurs twice in the plan; an id is unique in the whole tree",
			func(r *Unit) (Change, error) { return AddUnit(r, "M02", &Unit{ID: "T01", Type: Atomic}) }},
		{"replan", "M01 i\n  S01 i\n    T01 c\n", "M01 i\n  S01 i\n    T01 c\n", "",
			func(r *Unit) (Change, error) { return ReplanSlice(r, "S01", "T01", "note", "2026-01-02T03:04:05Z") }},
		{"reassess", "M01 i\n  S01 i\n    T01 c\n", "M01 i\n  S01 i\n    T01 c\n", "plan_move_illegal: Cannot reassess M01: slice S01 is not complete",
			func(r *Unit) (Change, error) { return ReassessMilestone(r, "M01", "S01", "note", "") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := sketch(t, c.tree)
			change, err := c.edit(root)
			if err != nil {
				t.Fatal(err)
			}
			change.History = acted(done)
			found, err := Check(t.Context(), change)
			if got := said(found); err != nil || got != c.want {
				t.Errorf("got %s (%v), want %s", got, err, c.want)
			}
			if len(Diff(root, sketch(t, c.tree))) > 0 {
				t.Error("the tree given was changed")
			}
			if c.after != "" && len(change.Replan)+len(change.Reassess) == 0 && len(Diff(change.After, sketch(t, c.after))) > 0 {
				t.Errorf("got\n%s", Write(change.After))
			}
		})
	}
	if _, err := CompleteUnit(sketch(t, "T01 p\n"), "T09"); err == nil || err.Error() != "Task T09 is not in the plan [plan_unit_unknown]" {
		t.Errorf("got %v", err)
	}
}

func TestATreeThatReopensASliceNamesItAlone(t *testing.T) {
	c := ReplaceTree(sketch(t, "M01 i\n  S01 c\n    T01 c\n"), sketch(t, "M01 i\n  S01 i\n    T01 p\n"), "S01")
	if !slices.Equal(c.Reopen, []string{"M01/S01"}) {
		t.Errorf("got %q", c.Reopen)
	}
}

func TestASecondRecordReplacesTheFirst(t *testing.T) {
	root := sketch(t, "M01 i\n  S01 c\n    T01 c\n")
	for _, note := range []string{"one", "two"} {
		c, err := ReassessMilestone(root, "M01", "M01/S01", note, "t")
		if err != nil {
			t.Fatal(err)
		}
		if found, err := Check(t.Context(), c); len(found) > 0 || err != nil {
			t.Fatal(said(found), err)
		}
		root = c.After
	}
	for _, note := range []string{"one", "two"} {
		c, err := ReplanSlice(root, "S01", "M01/S01/T01", note, "t")
		if err != nil {
			t.Fatal(err)
		}
		root = c.After
	}
	if m, s := root.Find("M01"), root.Find("S01"); len(m.Assessments) != 1 || m.Assessments[0].Note != "two" || len(s.Replans) != 1 || s.Replans[0].Note != "two" {
		t.Errorf("got %+v and %+v", m, s)
	}
}

func TestNextIsDepthFirstAndHonoursDependencies(t *testing.T) {
	taken := func(key string) bool { return key != "M01/S01/T02" }
	for _, c := range []struct {
		tree, want string
		free       func(string) bool
	}{
		{"M01 i\n  S01 i\n    T01 c\n    T02 p\n    T03 p\n", "M01/S01/T02", nil},
		{"M01 i\n  S01 i\n    T01 c\n    T02 p\n    T03 p\n", "M01/S01/T03", taken},
		{"M01 p <M02\n  T01 p\nM02 p\n  T02 p\n", "M02/T02", nil},
		{"T01 p <T02\nT02 i\n", "T02", nil},
		{"T01 p 1\nT02 p\n", "T02", nil},
		{"M01 p +\nM02 p\n  T02 p\n", "M02/T02", nil},
		{"M01 c\n  T01 c\n", "", nil},
		{"T01 p <T02\nT02 p 1\n", "", nil},
	} {
		got := ""
		if n := Next(sketch(t, c.tree), c.free); n != nil {
			got = n.Key
		}
		if got != c.want {
			t.Errorf("%sgives %q, want %q", c.tree, got, c.want)
		}
	}
}

func TestMergedLeavesTheMergesOwnDoing(t *testing.T) {
	const base = "M01 i\n  T01 p [a; b]\n  T02 p\nT03 p\n"
	ours := "M01 i\n  T01 c [a; b]\n  T02 p\n  T04 p\nT03 p\n"
	theirs := "M01 i\n  T01 p [a; b; c]\n  T02 p 0.25\n"
	for _, c := range []struct{ name, after, want string }{
		{"both", "M01 i\n  T01 c [a; b; c]\n  T02 p 0.25\n  T04 p\n", ""},
		{"one of them alone", ours, ""},
		{"a status of its own", "M01 i\n  T01 c [a; b; c]\n  T02 c 0.25\n  T04 p\n", "T02: pending → complete"},
		{"an item of its own", "M01 i\n  T01 c [a; c]\n  T02 p 0.25\n  T04 p\n", "T01: checklist: − «b»"},
		{"a task of its own", "M01 i\n  T01 c [a; b; c]\n  T02 p 0.25\n  T04 p\n  T05 c\n", "T05: added to M01"},
		{"a dependency of its own", "M01 i\n  T01 c [a; b; c]\n  T02 p 0.25\n  T04 p <T01\n", "T04: depends on «» → «T01»"},
		{"a task taken away", "M01 i\n  T01 c [a; b; c]\n  T04 p\n", "T02: removed"},
	} {
		after := sketch(t, c.after)
		before := UntouchedMerge(after, sketch(t, ours), sketch(t, theirs))
		if got := inWords(Diff(before, after)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
	narrow := sketch(t, base)
	narrow.Find("T02").Paths = []string{"src"}
	if got := inWords(Diff(UntouchedMerge(narrow, sketch(t, base)), narrow)); got != "T02: paths «» → «src»" {
		t.Errorf("paths of its own: got %s", got)
	}
	if got := inWords(Diff(UntouchedMerge(sketch(t, base), sketch(t, base)), sketch(t, base))); got != "" {
		t.Errorf("got %s", got)
	}
}
