package plan

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"
)

// done is the last ACT of a task that did everything.
var done = Act{Commit: "0123456789abcdef", Items: reported("a", "b")}

func reported(items ...string) (all []ReportedItem) {
	for _, i := range items {
		all = append(all, ReportedItem{Item: Item{Text: i}, Basis: i + ".py:1"})
	}
	return all
}

const tree3 = `
M01 i
  S01 i
    T01 c [a]
    T02 p [b]
  S02 p
    T03 p
M02 p + <M01
`

// Every row of the table as an edit of the tree by hand. change rewrites tree (tree3
// where it is empty) line by line: "T02 p => T02 c", "=> line" adds at the end, "line =>" takes away.
func TestGuards(t *testing.T) {
	for _, c := range []struct {
		name, tree, change string
		by, reopen         string
		replan, reassess   string // "slice blocker", "milestone slice"
		act                *Act
		want               string // «rule: message», one a line; "" is legal
	}{
		{name: "complete a task", change: "T02 p => T02 c", by: "T02"},
		{name: "by its key", change: "T02 p => T02 c", by: "M01/S01/T02"},
		{name: "nothing done", change: "T02 p => T02 c", by: "T02", act: &Act{},
			want: "plan_move_illegal: Cannot complete task T02: it has no ACT"},
		{name: "items left out", change: "T02 p => T02 c", by: "T02", act: &Act{Commit: "0123456789abcdef"},
			want: "plan_move_illegal: Cannot complete task T02: its last ACT, 0123456789ab, does not show «b» (it is not reported)"},
		{name: "a false claim", change: "T02 p => T02 c 0.25", by: "T02", act: &Act{Commit: "0123456789abcdef", Items: []ReportedItem{{Item: Item{Text: "b"}, Problem: "it is a stub"}}, HasErrors: true},
			want: "plan_move_illegal: Cannot complete task T02: its last ACT, 0123456789ab, does not show «b» (it is a stub)"},
		{name: "a failure", change: "T02 p => T02 c 0.25", by: "T02", act: &Act{Commit: "0123456789abcdef", HasFailed: true},
			want: "plan_move_illegal: Cannot complete task T02: its last ACT, 0123456789ab, says that it failed"},
		{name: "a blocked task", change: "T02 p => T02 c", by: "T02", act: &Act{Commit: "0123456789abcdef", BlockReason: "no key"},
			want: "plan_move_illegal: Cannot complete task T02: its last ACT, 0123456789ab, says that it is blocked: no key"},
		{name: "history is cut", change: "T02 p => T02 c", by: "T02", act: &Act{IsUnknown: true},
			want: "plan_move_illegal: history is cut by a shallow clone, so the last ACT of task T02 is not known"},
		{name: "an item that nobody reported", change: "T02 p [b] => T02 c [b; c]", by: "T02",
			want: "plan_move_illegal: Cannot complete task T02: its last ACT, 0123456789ab, does not show «c» (it is not reported)"},
		{name: "complete twice", change: "", by: "T01", want: "plan_move_illegal: Task T01 is already complete"},
		{name: "an ADAPT that says only what was observed", change: "", by: "T02"},
		{name: "a complete task's ADAPT plans elsewhere", change: `T03 p => T03 p "anew"`, by: "T01"},

		{name: "complete a slice", change: "S01 i => S01 c; T02 p => T02 c", by: "T02"},
		{name: "a pending slice", change: "S02 p => S02 c; T03 p => T03 c", by: "T03"},
		{name: "over an open task", change: "S01 i => S01 c", by: "S01", want: "plan_move_illegal: Cannot complete slice S01: task T02 is pending"},
		{name: "of nothing", tree: "M01 i\n  S01 i +\n", change: "S01 i + => S01 c +", by: "S01", want: "plan_move_illegal: Cannot complete slice S01: it has no tasks"},
		{name: "complete a milestone", tree: "M01 i\n  S01 c\n    T01 c\n", change: "M01 i => M01 c", by: "M01"},
		{name: "over an open slice", change: "M01 i => M01 c", by: "M01", want: "plan_move_illegal: Cannot complete milestone M01: slice S01 is in_progress"},
		{name: "over an open task, deep", tree: "M01 i\n  S01 c\n    T01 p\n", change: "M01 i => M01 c", by: "M01", want: "plan_move_illegal: Cannot complete milestone M01: task T01 is pending"},
		{name: "a pending milestone", tree: "M01 p\n  S01 c\n    T01 c\n", change: "M01 p => M01 c", by: "M01", want: "plan_move_illegal: Cannot complete milestone M01: it is pending, not active"},
		{name: "a pending milestone with its last task", tree: "M01 p\n  T01 p\n", change: "M01 p => M01 c; T01 p => T01 c", by: "T01"},
		{name: "the whole plan", tree: "T01 c\nT02 p\n", change: "=> R c; T02 p => T02 c", by: "T02"},
		{name: "below a complete parent", tree: "M01 c\n  S01 i\n    T01 p\n", change: "T01 p => T01 c", by: "T01", want: "plan_move_illegal: Cannot complete task T01: milestone M01 is already complete"},
		{name: "work below a complete parent", tree: "M01 c\n  T01 p\n", change: "T01 p => T01 i", by: "T01", want: "plan_move_illegal: Cannot work on task T01: milestone M01 is already complete"},

		{name: "before what it depends on", tree: "T01 p\nT02 p <T01\n", change: "T02 p => T02 c", by: "T02",
			want: "plan_move_illegal: Cannot complete task T02: it depends on task T01, which is pending"},
		{name: "before what its slice depends on", tree: "M01 i\n  S01 i\n    T01 p\n  S02 i <S01\n    T02 p\n", change: "T02 p => T02 c", by: "T02",
			want: "plan_move_illegal: Cannot complete task T02: slice S02 depends on slice S01, which is in_progress"},
		{name: "a slice before what it depends on", tree: "M01 i\n  S01 i\n    T01 p\n  S02 i <S01\n    T02 c\n", change: "S02 i => S02 c", by: "S02",
			want: "plan_move_illegal: Cannot complete slice S02: it depends on slice S01, which is in_progress"},
		{name: "after it", tree: "T01 c\nT02 p <T01\n", change: "T02 p => T02 c", by: "T02"},
		{name: "what is found to depend on others from now on", tree: "M01 i\n  S01 i\n    T01 p\n  S02 i\n    T02 p\n    T03 p\n",
			change: "T02 p => T02 c; S02 i => S02 i <S01", by: "T02"},
		{name: "what depends on nothing any more", tree: "T01 p\nT02 p <T01\n", change: "T02 p <T01 => T02 c", by: "T02",
			want: "scope_reduced: The plan requires less of task T02: it no longer depends on task T01, which is pending"},
		{name: "what depended on what is complete", tree: "T01 c\nT02 p <T01\n", change: "T02 p <T01 => T02 p", by: "T02"},
		{name: "what depends on a part", tree: "S01 i\n  T01 p\nT02 p <S01\n", change: "T02 p <S01 => T02 p <T01", by: "T02"},
		{name: "a description cut", tree: "T01 p \"one two three four five six seven eight nine\"\n",
			change: "\"one two three four five six seven eight nine\" => \"one two three four\"", by: "T01",
			want: "scope_reduced: The plan requires less of task T01: its description lost more than half of its words"},
		{name: "a description whose words are items now", tree: "T01 p \"one two three four five six seven eight nine\"\n",
			change: "\"one two three four five six seven eight nine\" => \"one two three four\" [five]", by: "T01"},

		{name: "somebody else's status", change: "T03 p => T03 i; T02 p => T02 c", by: "T02",
			want: "plan_move_illegal: The status of task T03 changes from pending to in_progress in the ADAPT of T02"},
		{name: "a root edit's status", change: "T02 p => T02 c", by: "R", want: "plan_move_illegal: The status of task T02 changes from pending to complete in the ADAPT of R"},
		{name: "a new task that is complete", change: "=> T09 c", by: "T02", want: "plan_move_illegal: The status of task T09 changes from pending to complete in the ADAPT of T02"},
		{name: "a new task that is complete, its own", change: "=> T09 c", by: "T09", act: &Act{}, want: "plan_move_illegal: Cannot complete task T09: it has no ACT"},
		{name: "no such task", change: "", by: "T99", want: "plan_unit_unknown: Task T99 is not in the plan"},

		{name: "plan a task", change: "T02 p [b] => T02 p [b]\n    T04 p", by: "S01"},
		{name: "plan a task anew", change: "T02 p [b] => T02 p \"anew\" [b; c]", by: "R"},
		{name: "in a complete slice", tree: "M01 i\n  S01 c\n    T01 c\n", change: "=>     T02 p", by: "S01", want: "plan_move_illegal: Cannot plan task T02: slice S01 is already complete"},
		{name: "reword a complete task", change: "T01 c [a] => T01 c \"other\" [a]", by: "S01", want: "plan_move_illegal: Cannot re-plan: task T01 is already complete"},
		{name: "its items", change: "T01 c [a] => T01 c", by: "S01", want: "plan_move_illegal: Cannot re-plan: task T01 is already complete"},
		{name: "remove it", change: "    T01 c [a] =>", by: "S01", want: "plan_move_illegal: Cannot re-plan: task T01 is already complete"},
		{name: "renumber it", change: "T01 c [a] => T07 c [a]", by: "T07", want: "plan_move_illegal: Cannot re-plan: task T01 is already complete"},
		{name: "decompose it", change: "T01 c [a] => T01 c [a]\n      T04 p", by: "T01", want: "plan_move_illegal: Cannot plan task T04: task T01 is already complete"},
		{name: "reword a complete slice", tree: "M01 i\n  S01 c \"old\"\n    T01 c\n", change: `"old" => "new"`, by: "M01", want: "plan_move_illegal: Cannot re-plan: slice S01 is already complete"},
		{name: "plan a slice", change: "=>   S09 p\n    T09 p", tree: "M01 i\n  T01 p\n", by: "M01"},
		{name: "move a task into a complete slice", tree: "M01 i\n  S01 c\n    T01 c\n  T02 p\n", change: "  T02 p =>     T02 p", by: "M01",
			want: "plan_move_illegal: Cannot plan task T02: slice S01 is already complete"},
		{name: "in a complete milestone", tree: "M01 c\n  T01 c\n", change: "=>   S09 p\n    T09 p", by: "M01", want: "plan_move_illegal: Cannot plan slice S09: milestone M01 is already complete"},
		{name: "draft a milestone", change: "=> M03 p + <M01", by: "R"},
		{name: "plan a milestone too early", change: "M02 p + <M01 => M02 p + <M01\n  T09 p", by: "R", want: "plan_move_illegal: Cannot plan M02: dependency M01 is not complete"},
		{name: "a new one too early", change: "=> M03 p <M01\n  T09 p", by: "R", want: "plan_move_illegal: Cannot plan M03: dependency M01 is not complete"},
		{name: "in time", tree: "M01 c\n  T01 c\nM02 p + <M01\n", change: "M02 p + <M01 => M02 p + <M01\n  T09 p", by: "R"},
		{name: "together with what it waits for", tree: "M01 i\n  T01 p\nM02 p + <M01\n", change: "M01 i => M01 c; T01 p => T01 c; M02 p + <M01 => M02 p + <M01\n  T09 p", by: "T01"},

		{name: "reopen a task", change: "T01 c => T01 p", by: "T01", reopen: "T01"},
		{name: "reopen it and plan it anew", change: `T01 c => T01 p "anew"`, by: "S01", reopen: "T01"},
		{name: "without the trailer", change: "T01 c => T01 p", by: "T01", want: "plan_move_illegal: Cannot reopen task T01: the commit does not name it with «Reopen:»"},
		{name: "what is not complete", by: "T02", reopen: "T02", want: "plan_move_illegal: Cannot reopen task T02: it is pending, not complete"},
		{name: "what is not there", by: "T02", reopen: "T99", want: "plan_unit_unknown: Task T99 is not in the plan"},
		{name: "what is not there, named twice", by: "T99", reopen: "T99", want: "plan_unit_unknown: Task T99 is not in the plan"},
		{name: "what is removed", change: "    T01 c [a] =>", by: "S01", reopen: "T01", want: "plan_move_illegal: Cannot re-plan: task T01 is already complete"},
		{name: "below a complete slice, in words only", tree: "M01 i\n  S01 c\n    T01 c\n", by: "T01", reopen: "T01",
			want: "plan_move_illegal: Cannot reopen task T01: slice S01 is already complete"},
		{name: "in words only", change: `T03 p => T03 p "anew"`, by: "T02", reopen: "T01", want: "plan_move_illegal: Cannot reopen task T01: it is still complete in the plan"},
		{name: "half", change: "T01 c => T01 i", by: "T01", reopen: "T01", want: "plan_move_illegal: Cannot reopen task T01: a reopened task is pending, not in_progress"},
		{name: "below a complete slice", tree: "M01 i\n  S01 c\n    T01 c\n", change: "T01 c => T01 p", by: "T01", reopen: "T01", want: "plan_move_illegal: Cannot reopen task T01: slice S01 is already complete"},
		{name: "reopen a slice", tree: "M01 i\n  S01 c\n    T01 c\n    T02 c\n", change: "S01 c => S01 i; T01 c => T01 p; T02 c => T02 p", by: "S01", reopen: "S01"},
		{name: "without its tasks", tree: "M01 i\n  S01 c\n    T01 c\n    T02 c\n", change: "S01 c => S01 i; T01 c => T01 p", by: "S01", reopen: "S01", want: "plan_move_illegal: Cannot reopen slice S01: task T02 is complete, not pending"},
		{name: "to pending", tree: "M01 i\n  S01 c\n    T01 c\n", change: "S01 c => S01 p; T01 c => T01 p", by: "S01", reopen: "S01", want: "plan_move_illegal: Cannot reopen slice S01: a reopened slice is in_progress, not pending"},
		{name: "below a complete milestone", tree: "M01 c\n  S01 c\n    T01 c\n", change: "S01 c => S01 i; T01 c => T01 p", by: "S01", reopen: "S01",
			want: "plan_move_illegal: Cannot reopen slice S01: milestone M01 is already complete\nplan_move_illegal: Cannot reopen task T01: milestone M01 is already complete"},
		{name: "reopen a milestone", tree: "M01 c\n  T01 c\n", change: "M01 c => M01 i", by: "M01", reopen: "M01", want: "plan_move_illegal: Cannot reopen milestone M01: only a task or a slice can be reopened"},
		{name: "reopen the root", tree: "R c\nT01 c\n", change: "R c => R i; T01 c => T01 c\nT02 p", by: "R", reopen: "R"},
		{name: "a pending milestone becomes active", tree: "M01 p\n  S01 p\n    T01 c\n", change: "M01 p => M01 i; S01 p => S01 i; T01 c => T01 p", by: "R", reopen: "T01"},

		{name: "replan for a blocker", change: `T02 p => T02 p "anew"`, by: "S01", replan: "S01 T01"},
		{name: "that is open", by: "S01", replan: "S01 T02", want: "plan_move_illegal: Cannot re-plan S01: blocker T02 is not complete"},
		{name: "that is not there", by: "S01", replan: "S01 T99", want: "plan_unit_unknown: Task T99 is not in the plan"},
		{name: "in a slice that is not there", by: "S01", replan: "S99 T01", want: "plan_unit_unknown: Task S99 is not in the plan"},
		{name: "that is another slice's", tree: "M01 i\n  S01 i\n    T01 p\n  S02 i\n    T02 c\n", by: "S01", replan: "S01 T02",
			want: "plan_move_illegal: Cannot re-plan S01: blocker T02 is not one of its tasks"},
		{name: "that is a slice", tree: "M01 i\n  S01 i\n    S02 c\n      T02 c\n", by: "S01", replan: "S01 S02",
			want: "plan_move_illegal: Cannot re-plan S01: blocker S02 is not one of its tasks"},
		{name: "deep below", tree: "M01 i\n  S01 i\n    S02 i\n      T02 c\n", by: "S01", replan: "S01 T02"},
		{name: "replan a milestone", by: "M01", replan: "M01 T01",
			want: "plan_move_illegal: Cannot re-plan M01: it is a milestone, and only a slice can be re-planned"},
		{name: "replan a task", by: "T02", replan: "T02 T01",
			want: "plan_move_illegal: Cannot re-plan T02: it is a task, and only a slice can be re-planned"},
		{name: "replan the root", by: "R", replan: "R T01",
			want: "plan_move_illegal: Cannot re-plan R: it is a plan, and only a slice can be re-planned"},
		{name: "replan what is complete", tree: "M01 i\n  S01 c\n    T01 c\n", by: "S01", replan: "S01 T01", want: "plan_move_illegal: Cannot re-plan: slice S01 is already complete"},
		{name: "reassess", tree: "M01 i\n  S01 c\n    T01 c\n", by: "M01", reassess: "M01 S01"},
		{name: "after an open slice", by: "M01", reassess: "M01 S01", want: "plan_move_illegal: Cannot reassess M01: slice S01 is not complete"},
		{name: "after another milestone's slice", tree: "M01 i\n  S01 c\n    T01 c\nM02 i\n  T02 p\n", by: "M02", reassess: "M02 S01",
			want: "plan_move_illegal: Cannot reassess M02: slice S01 is not one of its slices"},
		{name: "after a slice that is not there", by: "M01", reassess: "M01 S99", want: "plan_unit_unknown: Task S99 is not in the plan"},
		{name: "of a milestone that is not there", by: "M01", reassess: "M99 S01", want: "plan_unit_unknown: Task M99 is not in the plan"},
		{name: "after a task", by: "M01", reassess: "M01 T01", want: "plan_move_illegal: Cannot reassess M01: task T01 is not one of its slices"},
		{name: "reassess a slice", tree: "M01 i\n  S01 i\n    S02 c\n      T02 c\n", by: "S01", reassess: "S01 S02",
			want: "plan_move_illegal: Cannot reassess S01: it is a slice, and only a milestone has a roadmap"},
		{name: "of a complete milestone", tree: "M01 c\n  S01 c\n    T01 c\n", by: "M01", reassess: "M01 S01", want: "plan_move_illegal: Cannot reassess M01: it is complete, not active"},

		{name: "raise after a failure", change: "T02 p => T02 p 0.25", by: "T02", act: &Act{Commit: "0123456789abcdef", HasFailed: true}},
		{name: "too little", change: "T02 p => T02 p 0.2", by: "T02", act: &Act{Commit: "0123456789abcdef", HasFailed: true},
			want: "threshold_invalid: The last ACT of task T02, 0123456789ab, failed, so its failure_threshold must rise, but it goes from 0.0 to 0.2"},
		{name: "adapted already", by: "T02", act: &Act{Commit: "0123456789abcdef", HasFailed: true, IsAdapted: true}},
		{name: "nobody else must", change: `T03 p => T03 p "anew"`, by: "S01", act: &Act{Commit: "0123456789abcdef", HasFailed: true}},
		{name: "to the top", tree: "T01 p 0.9\n", change: "T01 p 0.9 => T01 p 1", by: "T01", act: &Act{Commit: "0123456789abcdef", HasRefuted: true}},
		{name: "lower it oneself", tree: "T01 p 0.5\n", change: "T01 p 0.5 => T01 p 0.25", by: "T01", want: "threshold_invalid: The failure_threshold of task T01 is lowered from 0.5 to 0.25 by the ADAPT of T01"},
		{name: "the parent may, with another way", tree: "T01 p 0.5\n", change: "T01 p 0.5 => T01 p \"anew\"", by: "R"},
		{name: "and nothing else", tree: "T01 p 0.5\n", change: "T01 p 0.5 => T01 i", by: "R",
			want: "plan_move_illegal: The status of task T01 changes from pending to in_progress in the ADAPT of R\n" +
				"threshold_invalid: The failure_threshold of task T01 is lowered from 0.5 to 0.0, and the plan that failed stays the same"},
		{name: "the grandparent may not", tree: "M01 i\n  T01 p 1\n", change: "T01 p 1 => T01 p", by: "R", want: "threshold_invalid: The failure_threshold of task T01 is lowered from 1.0 to 0.0 by the ADAPT of R"},

		{name: "drop an item", change: "T02 p [b] => T02 p", by: "R", want: "scope_reduced: The plan requires less of task T02: «b»"},
		{name: "reword it", change: "T02 p [b] => T02 p [c]", by: "R", want: "scope_reduced: The plan requires less of task T02: «b»"},
		{name: "make it optional", change: "T02 p [b] => T02 p [b?]", by: "R", want: "scope_reduced: The plan requires less of task T02: «b»"},
		{name: "remove its task", change: "    T02 p [b] =>", by: "R", want: "scope_reduced: The plan requires less of task T02: «b»"},
		{name: "remove a task without items", tree: "T01 p\nT02 p [b?]\nT03 p\n", change: "T01 p =>; T02 p [b?] =>", by: "R",
			want: "scope_reduced: The plan requires less of task T01: it is removed\nscope_reduced: The plan requires less of task T02: it is removed"},
		{name: "remove an empty slice", tree: "M01 i\n  T01 p\n  S02 p +\n", change: "  S02 p + =>", by: "R",
			want: "scope_reduced: The plan requires less of slice S02: it is removed"},
		{name: "renumber a task", tree: "T01 p \"login\"\nT02 p\n", change: "T01 p => T07 p", by: "R"},
		{name: "dissolve a slice", tree: "M01 i\n  S01 p\n    T01 p\n", change: "  S01 p\n    T01 p =>   T01 p", by: "R"},
		{name: "merge a task into another", tree: "T01 p [a]\nT02 p [b]\n", change: "T01 p [a] => T01 p [a; b]; T02 p [b] =>", by: "R"},
		{name: "hand it on", change: "T02 p [b] => T02 p\n      T04 p [`B`]", by: "T02"},
		{name: "an optional item", tree: "T01 p [a; b?]\n", change: "[a; b?] => [a]", by: "T01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.tree
			if text == "" {
				text = tree3
			}
			before := sketch(t, text)
			after := sketch(t, rewrite(t, text, c.change))
			change := Change{Before: before, After: after, Adapts: []string{c.by}, Reopen: strings.Fields(c.reopen), Replan: pair(c.replan), Reassess: pair(c.reassess)}
			change.History = acted(*cmp.Or(c.act, &done))
			found, err := Check(t.Context(), change)
			if got := said(found); err != nil || got != c.want {
				t.Errorf("got  %s (%v)\nwant %s", got, err, c.want)
			}
		})
	}
}

func said(found []*Violation) string {
	var all []string
	for _, v := range found {
		all = append(all, v.Rule+": "+v.Message)
	}
	return strings.Join(all, "\n")
}

func pair(s string) []Pair {
	of, with, ok := strings.Cut(s, " ")
	if !ok {
		return nil
	}
	return []Pair{{of, with}}
}

func rewrite(t *testing.T, text, change string) string {
	t.Helper()
	var edits []string
	for e := range strings.SplitSeq(change, "; ") {
		if len(edits) > 0 && !strings.Contains(e, "=>") { // a list of items
			edits[len(edits)-1] += "; " + e
			continue
		}
		edits = append(edits, e)
	}
	for _, c := range edits {
		from, to, ok := strings.Cut(c, "=>")
		from, to = strings.TrimSuffix(from, " "), strings.TrimPrefix(to, " ")
		switch {
		case !ok:
		case from == "" && strings.HasPrefix(to, "R "):
			text = to + "\n" + text
		case from == "":
			text += to + "\n"
		case to == "":
			text = replaceOnce(t, text, from+"\n", "")
		default:
			text = replaceOnce(t, text, from, to)
		}
	}
	return text
}

func replaceOnce(t *testing.T, text, from, to string) string {
	t.Helper()
	if strings.Count(text, from) != 1 {
		t.Fatalf("%q stands %d times in\n%s", from, strings.Count(text, from), text)
	}
	return strings.Replace(text, from, to, 1)
}

func TestAFindingQuotesTheMove(t *testing.T) {
	found, err := Check(t.Context(), Change{Before: sketch(t, "M01 i\n  T01 p\n"), After: sketch(t, "M01 c\n  T01 p\n"), Adapts: []string{"M01"}})
	if err != nil || len(found) != 1 || !slices.Equal(found[0].Moves, []string{"M01: in_progress → complete"}) || found[0].Error() != "Cannot complete milestone M01: task T01 is pending [plan_move_illegal]" {
		t.Errorf("got %+v (%v)", found, err)
	}
}

func TestTheFirstLandingIsFree(t *testing.T) {
	after := sketch(t, "M01 c\n  T01 c\nM02 p <M03\n  T02 i 0.5\nM03 p +\n")
	if found, err := Check(t.Context(), Change{After: after, Adapts: []string{"M02"}}); len(found) > 0 || err != nil {
		t.Errorf("got %v (%v)", said(found), err)
	}
}

func TestTheFirstPlanHasNothingDoneThatWaits(t *testing.T) {
	after := sketch(t, "M01 i\n  T01 p\nM02 i <M01\n  T02 c\n  T03 p\n")
	want := "plan_move_illegal: Cannot complete task T02: milestone M02 depends on milestone M01, which is in_progress"
	if found, err := Check(t.Context(), Change{After: after}); said(found) != want || err != nil {
		t.Errorf("got %v (%v)", said(found), err)
	}
	if found, err := Check(t.Context(), Change{After: after, IsSquash: true}); len(found) > 0 || err != nil {
		t.Errorf("of a squash got %v (%v)", said(found), err)
	}
}

// What is complete above is opened first, from the top; a milestone never.
func TestTheHintNamesWhatMayBeReopened(t *testing.T) {
	for text, want := range map[string]string{
		"M01 i\n  S01 c\n    T01 c\n":                      "to open M01/S01 again, commit an ADAPT with «Reopen: M01/S01»",
		"M01 i\n  S01 c\n    S02 c\n      T01 c\n":         "to open M01/S01 again, commit an ADAPT with «Reopen: M01/S01»",
		"M01 c\n  S01 c\n    T01 c\n":                      "a completed milestone cannot be reopened; plan the work in another one",
		"R c\nT01 c\n":                                     "set the root back to in_progress with an ADAPT of the root that says «Reopen: R»",
		"R c\nM01 c\n  S01 c\n    T01 c\nM02 c\n  T02 c\n": "set the root back to in_progress with an ADAPT of the root that says «Reopen: R», and plan what is to be done in a new milestone",
	} {
		c, err := ReopenUnit(sketch(t, text), "T01")
		if err != nil {
			t.Fatal(err)
		}
		found, err := Check(t.Context(), c)
		if err != nil || len(found) != 1 || found[0].Guard != guardParentClosed || found[0].Hint != want {
			t.Errorf("%q: got %+v (%v), want %s", text, found, err, want)
		}
	}
}

func TestCheckRefusesAMalformedTree(t *testing.T) {
	before := sketch(t, "T01 p\n")
	c, err := AddUnit(before, "", &Unit{ID: "T 2", Type: "task"})
	if err != nil {
		t.Fatal(err)
	}
	found, err := Check(t.Context(), c)
	if err != nil || len(found) != 2 || found[0].Rule != RuleInvalid || len(before.Children) != 1 {
		t.Errorf("got %v (%v)", said(found), err)
	}
}

func TestASquashIsTheLegalSumOfItsParts(t *testing.T) {
	for _, c := range []struct {
		name, before, after, by, reopen, replan, reassess, want string

		act Act
	}{
		{name: "two tasks and their slice", before: "M01 i\n  T01 p\n  T02 p\n", after: "M01 c\n  T01 c\n  T02 c\n", by: "T01 T02", act: done},
		{name: "one that is nobody's", before: "T01 p\nT02 p\n", after: "T01 c\nT02 c\n", by: "T01", act: done,
			want: "plan_move_illegal: The status of task T02 changes from pending to complete in the ADAPT of T01"},
		{name: "after what was reopened last", before: "T01 c\nT02 p <T01\n", after: "T01 p\nT02 c <T01\n", by: "T02 T01", reopen: "T01", act: done},
		{name: "before what is open at both ends", before: "T01 p\nT02 p <T01\n", after: "T01 p\nT02 c <T01\n", by: "T02 T01", act: done,
			want: "plan_move_illegal: Cannot complete task T02: it depends on task T01, which is pending"},
		{name: "reopened and done again", before: "T01 c\n", after: "T01 c \"anew\"\n", by: "T01 T01", reopen: "T01", act: done},
		{name: "replanned for what was reopened last", before: "M01 i\n  S01 i\n    T01 p\n", after: "M01 i\n  S01 i\n    T01 p\n", by: "S01", replan: "S01 T01"},
		{name: "reassessed after what was reopened last", before: "M01 i\n  S01 i\n    T01 p\n", after: "M01 i\n  S01 i\n    T01 p\n", by: "M01", reassess: "M01 S01"},
		{name: "raised and lowered", before: "T01 p\n", after: "T01 p\n", by: "T01 R", act: Act{Commit: "1", HasFailed: true}},
	} {
		found, err := Check(t.Context(), Change{
			Before: sketch(t, c.before), After: sketch(t, c.after), Adapts: strings.Fields(c.by), Reopen: strings.Fields(c.reopen), IsSquash: true,
			Replan: pair(c.replan), Reassess: pair(c.reassess), History: acted(c.act),
		})
		if got := said(found); err != nil || got != c.want {
			t.Errorf("%s: got %s (%v), want %s", c.name, got, err, c.want)
		}
	}
}

func TestAnActAsksThePlan(t *testing.T) {
	x := NewIndex(sketch(t, "M01 i\n  S01 i\n    T01 c\n    T02 p\n    T03 p 1\n  S02 p +\n  S03 c\n    T04 p\n  S04 p <S01\n    T05 p\n    T06 p <T01\nT07 p <T01\nT08 p <T07\n"))
	for _, c := range []struct {
		unit string
		last Act
		want string
	}{
		{unit: "T02"}, {unit: "M01/S01/T02"},
		{unit: "T02", last: Act{Commit: "1", IsAdapted: true}}, {unit: "T02", last: Act{Commit: "1", HasErrors: true}}, {unit: "T02", last: Act{IsUnknown: true}},
		{unit: "T02", last: done, want: "act_not_allowed: Task T02 already has an ACT (0123456789ab) without an ADAPT after it"},
		{unit: "T01", want: "act_not_allowed: Task T01 is already complete"},
		{unit: "T03", want: "act_not_allowed: Task T03 is escalated: its failure_threshold is 1.0"},
		{unit: "S01", want: "act_not_allowed: Slice S01 has no work of its own: a parent never acts"},
		{unit: "S02", want: "act_not_allowed: Slice S02 has no work of its own: a parent never acts"},
		{unit: "T04", want: "act_not_allowed: Task T04 cannot act: slice S03 is already complete"},
		{unit: "T05", want: "act_not_allowed: Task T05 cannot act: slice S04 depends on slice S01, which is in_progress"},
		{unit: "T06", want: "act_not_allowed: Task T06 cannot act: slice S04 depends on slice S01, which is in_progress"},
		{unit: "T07"},
		{unit: "T08", want: "act_not_allowed: Task T08 cannot act: it depends on task T07, which is pending"},
		{unit: "T09", want: "plan_unit_unknown: Task T09 is not in the plan"},
		{unit: "M01/T02", want: "plan_unit_unknown: Task M01/T02 is not in the plan"},
	} {
		found, err := CheckAct(t.Context(), x, c.unit, acted(c.last))
		if got := said(slices.DeleteFunc([]*Violation{found}, func(v *Violation) bool { return v == nil })); err != nil || got != c.want {
			t.Errorf("%s: got %s (%v), want %s", c.unit, got, err, c.want)
		}
	}
	if v := UnknownUnit(x, "M01/T02"); v.Hint != "the plan has M01/S01/T02" {
		t.Errorf("got %q", v.Hint)
	}
}

// acted is a history in which each unit has the same last ACT.
type acted Act

func (a acted) LastAct(context.Context, string) (Act, error) { return Act(a), nil }
