package weaker_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence/gate"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/report"
)

// changed are the paths at which two sides differ.
func changed(before, after map[string]string) (paths []string) {
	for _, side := range []map[string]string{before, after} {
		for name := range side {
			before, stood := before[name]
			is, stands := after[name]
			if !slices.Contains(paths, name) && (stood != stands || before != is) {
				paths = append(paths, name)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// Of what is asked again nothing else is told than where all is asked.
func TestWhatIsAskedAgainIsToldAsBefore(t *testing.T) {
	asked := 0
	for _, c := range cases(t) {
		whole := compare(t, c.before, c.after)
		for _, w := range whole.Weakenings {
			change := weaker.Change{Before: treeOf(c.before), After: treeOf(c.after), Paths: changed(c.before, c.after),
				Requested: []weaker.Weakening{w}}
			again, err := weaker.Compare(t.Context(), change)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := about(w, again), about(w, whole); got != want {
				t.Errorf("%s: of %s:\n%swant:\n%s", c.name, w.Subject, got, want)
			}
			asked++
		}
	}
	if asked < 100 {
		t.Errorf("only %d weakenings were asked for again", asked)
	}
}

// about is what an account tells of the test or gate of a weakening.
func about(w weaker.Weakening, account *weaker.Account) string {
	some := &weaker.Account{}
	for _, o := range account.Weakenings {
		ofTest := strings.HasPrefix(string(w.Kind), "test_") && strings.HasPrefix(string(o.Kind), "test_")
		if o.Subject == w.Subject && (o.Kind == w.Kind || ofTest) {
			some.Weakenings = append(some.Weakenings, o)
		}
	}
	return said(some)
}

// Where more differs than is read, no test is told as gone that may stand in what is left out; but what is asked again
// is told, without an excuse, as nothing shows that it is mended.
func TestALongComparisonMendsNothing(t *testing.T) {
	defer weaker.ReadAtMost(250)()
	file := func(tests ...string) string {
		return "class TestA:\n    def test_0(self):\n        assert h()\n" + strings.Join(tests, "")
	}
	gone := "\n    def test_1(self):\n        assert f() == 1\n"
	weak := "\n    def test_2(self):\n        assert g() == 2\n"
	before := map[string]string{"test_a.py": file(gone, weak)}
	after := map[string]string{"test_a.py": file(strings.Replace(weak, " == 2", "", 1)), "test_b.py": gone}
	whole := compare(t, before, after)
	if len(whole.Weakenings) != 1 || whole.Weakenings[0].Subject != "TestA.test_2" {
		t.Errorf("of a long comparison is told:\n%s", said(whole))
	}
	of := weaker.Weakening{Kind: weaker.Removed, Loosening: gate.Loosening{TestChange: report.TestChange{
		Form: "test removed", Subject: "TestA.test_1", Before: weaker.Place{Path: "test_a.py", Line: 5}}}}
	again, err := weaker.Compare(t.Context(), weaker.Change{Before: treeOf(before), After: treeOf(after),
		Paths: changed(before, after), Requested: []weaker.Weakening{of}})
	if err != nil {
		t.Fatal(err)
	}
	if got := about(of, again); got != "test_removed: test removed: test_a.py:5: TestA.test_1\n" {
		t.Errorf("what is asked again is told as:\n%s", got)
	}
}
