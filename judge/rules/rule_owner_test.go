package rules

import "testing"

func TestUnitNotOwned(t *testing.T) {
	held := map[string]string{"T01": "executor-01", "M01/S01": "executor-03"}
	act := reporting("Done: Add login() | src/auth.py:5-8\nActor: executor-02\n")
	act.owners = held
	own := reporting("Done: Add login() | src/auth.py:5-8\nActor: executor-01\n")
	own.owners = held
	nobody := reporting("Done: Add login() | src/auth.py:5-8\nActor: executor-02\n")
	nobody.owners = map[string]string{}
	adapt := func(message string, before, after map[string]string) commit {
		return commit{message: message + "\nActor: executor-02\n", base: before, files: after, owners: held}
	}
	picked := act
	picked.message += "\n(cherry picked from commit 1111111111111111111111111111111111111111)\n"
	testRule(t, UnitNotOwned, []row{
		{"an ACT of another's task", act, one("error message:4"), "T01 is owned by executor-01, not executor-02"},
		{"an ACT of one's own", own, nil, ""},
		{"an ACT of what nobody holds", nobody, nil, ""},
		{"where nobody is asked", reporting("Done: Add login() | src/auth.py:5-8\nActor: executor-02\n"), nil, ""},
		{"a cherry-pick", picked, nil, ""},
		{"an ADAPT that completes it", adapt("ADAPT: T01 done\n", planOf(pendingT01), planOf(completeT01)),
			one("error message:3"), ""},
		{"an ADAPT that plans more", adapt("ADAPT: T01 more\n", planOf(pendingT01), planOf(pendingT01, pendingT02)), nil, ""},
		{"an ADAPT that reopens it", adapt("ADAPT: ROOT again\n\nReopen: T01", planOf(completeT01), planOf(pendingT01)),
			one("error message:4"), ""},
		{"an ADAPT that reopens it twice", adapt("ADAPT: ROOT again\n\nReopen: T01\nReopen: T01", planOf(completeT01),
			planOf(pendingT01)), one("error message:5"), ""},
		{"a first commit that completes it", adapt("ADAPT: T01 done\n", nil, planOf(completeT01)),
			one("error message:3"), ""},
		{"an ADAPT that completes one above", adapt("ADAPT: M01/S01 done\n", slicePlan(
			"in_progress", "in_progress", completeT01,
		),
			slicePlan("in_progress", "complete", completeT01)), one("error message:3"), "M01/S01 is owned by executor-03"},
	})
}

func TestAnActorIsNamedOfALeasedUnit(t *testing.T) {
	unnamed := reporting("Done: Add login() | src/auth.py:5-8\n")
	unnamed.owners = map[string]string{"T01": "executor-01"}
	named := reporting("Done: Add login() | src/auth.py:5-8\nActor: executor-01\n")
	named.owners = unnamed.owners
	free := unnamed
	free.owners = map[string]string{"T02": "executor-01"}
	testRule(t, UnitNotOwned, []row{
		{"no actor", unnamed, one("error message:1"), "the commit names no actor"},
		{"an actor", named, nil, ""},
		{"another task is held", free, nil, ""},
	})
}
