package judge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/judge"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/repo/repotest"
)

// revertText is the message of a commit that reverts others, as git writes it.
func revertText(title string, ids ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Revert %q\n\n", title)
	for _, id := range ids {
		fmt.Fprintf(&b, "This reverts commit %s.\n", id)
	}
	return b.String()
}

func TestARevertTakesBackWhatItUndoes(t *testing.T) {
	const second = "def g(a):\n    b = call(a)\n    return b\n"
	for name, c := range map[string]struct {
		reverted []string // what the reverted ACT brings
		message  string   // of that ACT; "" for one that cites a.py:1-3
		revert   []string // what the revert leaves
		want     bool
	}{
		"its file is removed": {[]string{"a.py", code}, "", []string{"a.py", ""}, true},
		"its file is what it was": {[]string{"old.py", code}, act("T01", "add f", "old.py:1-3"),
			[]string{"old.py", "old = 1\n"}, true},
		"only the body of what it cites is emptied": {[]string{"a.py", code}, "", []string{"a.py", empty}, false},
		"what it cites is in another file": {[]string{"a.py", code}, "", []string{"a.py", "", "lib/b.py", empty},
			false},
		"another file had its name before": {[]string{"a.py", code}, act("T01", "add f", "a.py:1-3"),
			[]string{"a.py", "", "same.py", empty + "# later\n"}, true},
		"another file is changed": {[]string{"a.py", code}, "", []string{"note", "2"}, false},
		"what it cites stands, with more beside": {[]string{"a.py", code}, "", []string{"a.py", code + "\n" + second},
			false},
		"what it cites stands lower": {[]string{"a.py", code}, "", []string{"a.py", "import os\n\n" + code},
			false},
		"one of two cited files stands": {[]string{"a.py", code, "b.py", second},
			"ACT: T01\n\nDone: both | a.py:1-3, b.py:1-3\n", []string{"a.py", ""}, false},
		"both are gone": {[]string{"a.py", code, "b.py", second},
			"ACT: T01\n\nDone: both | a.py:1-3, b.py:1-3\n", []string{"a.py", "", "b.py", ""}, true},
		"what it cites it did not change": {[]string{"a.py", code}, act("T01", "add f", "note:1"),
			[]string{"a.py", ""}, true},
		"what was skipped need not go": {[]string{"a.py", code},
			"ACT: T01\n\nSkipped: add f | somebody else does it\n", []string{"a.py", code + "# f\n"}, true},
		"nothing was claimed, and another file changes": {
			[]string{"a.py", code}, "ACT: T01\n\nSkipped: add f | somebody else does it\n", []string{"note", "2"}, false},
		"a whole file that is cited without lines": {[]string{"a.py", code}, act("T01", "add f", "a.py"),
			[]string{"a.py", ""}, true},
	} {
		t.Run(name, func(t *testing.T) {
			g := repotest.New(t)
			g.Commit("Base\n", "note", "1\n", "old.py", "old = 1\n", "same.py", empty)
			if c.message == "" {
				c.message = act("T01", "add f", "a.py:1-3")
			}
			g.Commit(c.message, c.reverted...)
			id := g.ID()
			g.Commit(revertText("ACT: T01", id), c.revert...)
			if got := takenBack(t, g); slices.Equal(got, []string{id}) != c.want || !c.want && got != nil {
				t.Errorf("takes back %q, want %v", got, c.want)
			}
		})
	}
}

// takenBack are the commits that the last one of main takes back.
func takenBack(t *testing.T, g *repotest.Repository) []string {
	t.Helper()
	r := g.Open()
	last, err := r.Commit(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	m, err := judge.MessageOf(t.Context(), r, last)
	if err != nil {
		t.Fatal(err)
	}
	p := policy.Default()
	end, err := judge.NewHistory(r, nil).End(t.Context(), "main", &p)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, named := range m.Reverts {
		took, err := end.IsTakenBack(t.Context(), named.Value)
		if err != nil {
			t.Fatal(err)
		}
		if took {
			ids = append(ids, named.Value)
		}
	}
	return ids
}

func TestARevertNamesCommitsThatAreHere(t *testing.T) {
	g := repotest.New(t)
	g.Commit("Base\n", "note", "1\n")
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code)
	one := g.ID()
	g.Commit(act("T02", "add g", "b.py:1-3"), "b.py", code)
	two := g.ID()
	g.Commit(revertText("both", strings.Repeat("1", 40), two, one), "a.py", "", "b.py", "")
	if got := takenBack(t, g); !slices.Equal(got, []string{two, one}) {
		t.Errorf("takes back %q, want %q", got, []string{two, one})
	}
	g.Commit("Says nothing\n", "note", "2\n")
	if got := takenBack(t, g); got != nil {
		t.Errorf("takes back %q", got)
	}
}

func TestARootCommitIsTakenBack(t *testing.T) {
	g := repotest.New(t)
	g.Commit(act("T01", "add f", "a.py:1-3"), "a.py", code, "note", "1\n")
	id := g.ID()
	g.Commit(revertText("ACT: T01", id), "a.py", "")
	if got := takenBack(t, g); !slices.Equal(got, []string{id}) {
		t.Errorf("takes back %q", got)
	}
}

func TestASquashTellsWhichOfItsPartsItReverts(t *testing.T) {
	const (
		one = "ACT: T01 login\n\nDone: a | a.py:1\n\n"
		two = "ACT: T02 logout\n\nDone: b | b.py:1\n\n"
	)
	for name, c := range map[string]struct {
		message string
		want    []int // of the parts
	}{
		"none":       {"Squash\n\n" + one + two, nil},
		"the first":  {"Squash\n\n" + one + two + "Revert \"ACT: T01 login\"\n", []int{0}},
		"the second": {"Squash\n\n" + one + two + "Revert \"ACT: T02 logout\"\n", []int{1}},
		"both": {"Squash\n\n" + one + two + "Revert \"ACT: T02 logout\"\n\nRevert \"ACT: T01 login\"\n",
			[]int{0, 1}},
		"as a list, as some write": {"Squash\n\n" + one + two + "* Revert \"ACT: T01 login\"\n", []int{0}},
		"a revert that is reverted": {"Squash\n\n" + one + two +
			"Revert \"ACT: T01 login\"\n\nRevert \"Revert \"ACT: T01 login\"\"\n", nil},
		"one that is reapplied": {"Squash\n\n" + one + two + "Revert \"ACT: T01 login\"\n\nReapply \"ACT: T01 login\"\n",
			nil},
		"another title":            {"Squash\n\n" + one + two + "Revert \"ACT: T01 log in\"\n", nil},
		"a quotation that is open": {"Squash\n\n" + one + two + "Revert \"ACT: T01 login\n", nil},
		"of two with one title the older": {
			"Squash\n\n" + one + one + "Revert \"ACT: T01 login\"\n", []int{0}},
	} {
		m := parser.Parse([]byte(c.message))
		var got []int
		reverted := judge.RevertedParts(m)
		for i := range m.Parts {
			if reverted[i] {
				got = append(got, i)
			}
		}
		if len(m.Parts) == 0 || !slices.Equal(got, c.want) {
			t.Errorf("%s: of %d parts %v are reverted, want %v", name, len(m.Parts), got, c.want)
		}
	}
}
