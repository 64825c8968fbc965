package plan

import "testing"

func TestWhatAChangeCompletesIsShownWhoeverMakesIt(t *testing.T) {
	for _, c := range []struct {
		name, before, after, want string
		act                       Act
	}{
		{name: "a task that acted", before: "T01 p [a]\n", after: "T01 c [a]\n", act: done},
		{name: "one that did not", before: "T01 p [a]\n", after: "T01 c [a]\n",
			want: "plan_move_illegal: Cannot complete task T01: it has no ACT"},
		{name: "a new one that acted", before: "T01 p\n", after: "T01 p\nT02 c [a]\n", act: done},
		{name: "a new one of an earlier one's id", before: "T01 p\n", after: "T01 p\nT02 c [c]\n", act: done,
			want: "plan_move_illegal: Cannot complete task T02: its last ACT, 0123456789ab, does not show «c» (it is not reported)"},
		{name: "below a slice that was and is complete", before: "M01 c\n  T01 c\n", after: "M01 c\n  T01 c\n  T02 c\n",
			want: "plan_move_illegal: Cannot complete task T02: it has no ACT"},
		{name: "a milestone with all its tasks", before: "M01 p\n  T01 p [a]\n", after: "M01 c\n  T01 c [a]\n", act: done},
		{name: "a milestone over open tasks", before: "M01 i\n  T01 p\n", after: "M01 c\n  T01 p\n",
			want: "plan_move_illegal: Cannot complete milestone M01: task T01 is pending"},
		{name: "nothing but what was complete", before: "M01 c\n  T01 c\nT02 p\n", after: "M01 c\n  T01 c \"anew\"\n"},
	} {
		found, err := CheckCompleted(t.Context(), Change{
			Before: sketch(t, c.before), After: sketch(t, c.after), History: acted(c.act),
		})
		if got := said(found); err != nil || got != c.want {
			t.Errorf("%s: got %s (%v), want %s", c.name, got, err, c.want)
		}
	}
}

func TestAnItemThatIsSatisfiedWithLessIsLessScope(t *testing.T) {
	unit := func(kind string) *Unit {
		return &Unit{ID: "R", Type: Parent, Status: InProgress, Children: []*Unit{
			{ID: "T01", Type: Atomic, Status: Pending, Checklist: []Item{{Text: "a", Kind: kind}}},
		}}
	}
	for _, c := range []struct{ from, to, want string }{
		{"", "text", "scope_reduced: The plan requires less of task T01: «a» as text and not as code"},
		{"test", "asset", "scope_reduced: The plan requires less of task T01: «a» as asset and not as test"},
		{"code", "removal", "scope_reduced: The plan requires less of task T01: «a» as removal and not as code"},
		{"", "test", ""}, {"", "code", ""}, {"removal", "code", ""}, {"text", "code", ""},
	} {
		found, err := Check(t.Context(), Change{Before: unit(c.from), After: unit(c.to), Adapts: []string{"T01"}})
		if got := said(found); err != nil || got != c.want {
			t.Errorf("%q to %q: got %s (%v), want %s", c.from, c.to, got, err, c.want)
		}
	}
}
