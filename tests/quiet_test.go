package tests_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/tests"
)

// filler is a function without assertions, by the endings of files that have such, so that there is something that need
// not be read.
var filler = map[string]string{
	".py": "def fill@(a, b):\n    total = a\n    for i in range(b):\n        total += work(i, total)\n    send(total)\n    return total\n",
	".go": "func fill@(a, b int) int {\n\ttotal := a\n\tfor i := range b {\n\t\ttotal += work(i, total)\n\t}\n\tsend(total)\n\treturn total\n}\n",
	".rs": "fn fill@(a: u32, b: u32) -> u32 {\n    let mut total = a;\n    for i in 0..b {\n        total += work(i, total);\n    }\n" +
		"    send(total);\n    total\n}\n",
	".js": scriptFiller, ".ts": scriptFiller, ".tsx": scriptFiller, ".jsx": scriptFiller,
	".rb": "def fill@(a, b)\n  total = a\n  b.times do |i|\n    total += work(i, total)\n  end\n  send_it(total)\n  total\nend\n",
	".kt": "fun fill@(a: Int, b: Int): Int {\n    var total = a\n    for (i in 0..b) {\n        total += work(i, total)\n    }\n" +
		"    send(total)\n    return total\n}\n",
	".php": "function fill@($a, $b) {\n    $total = $a;\n    foreach (range(0, $b) as $i) {\n        $total += work($i, $total);\n" +
		"    }\n    send($total);\n    return $total;\n}\n",
	".swift": "func fill@(a: Int, b: Int) -> Int {\n    var total = a\n    for i in 0..<b {\n        total += work(i, total)\n    }\n" +
		"    send(total)\n    return total\n}\n",
}

const scriptFiller = "function fill@(a, b) {\n  let total = a;\n  for (let i = 0; i < b; i++) {\n    total += work(i, total);\n  }\n" +
	"  send(total);\n  return total;\n}\n"

// widened is a side of a case whose sources stand among functions that do not change.
func widened(side map[string]string, n int) map[string]string {
	wide := map[string]string{}
	for name, content := range side {
		wide[name] = content
		if fill := filler[path.Ext(name)]; fill != "" && content != "" {
			for i := range n {
				wide[name] += "\n" + strings.ReplaceAll(fill, "@", fmt.Sprint(i))
			}
		}
	}
	return wide
}

// changed are the paths at which two sides differ.
func changed(before, after map[string]string) (paths []string) {
	for _, side := range []map[string]string{before, after} {
		for name := range side {
			was, stood := before[name]
			is, stands := after[name]
			if !slices.Contains(paths, name) && (stood != stands || was != is) {
				paths = append(paths, name)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// A brief comparison finds what a whole one does, however much of the files need not be read.
func TestABriefComparisonFindsAll(t *testing.T) {
	for _, c := range cases(t) {
		for _, n := range []int{0, 4, 40} {
			before, after := widened(c.before, n), widened(c.after, n)
			whole := compare(t, before, after)
			change := tests.Change{Before: treeOf(before), After: treeOf(after), Paths: changed(before, after), Brief: true}
			brief, err := tests.Compare(t.Context(), change)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := said(brief), said(whole); got != want {
				t.Errorf("%s among %d functions:\n%swant:\n%s", c.name, n, got, want)
			}
		}
	}
}

// Of what is asked again nothing else is told than where all is asked.
func TestWhatIsAskedAgainIsToldAsBefore(t *testing.T) {
	asked := 0
	for _, c := range cases(t) {
		before, after := widened(c.before, 4), widened(c.after, 4)
		whole := compare(t, before, after)
		for _, w := range whole.Weakenings {
			change := tests.Change{Before: treeOf(before), After: treeOf(after), Paths: changed(before, after),
				Of: []tests.Weakening{w}, Brief: true}
			again, err := tests.Compare(t.Context(), change)
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

// What excuses a test that is gone may stand where nothing differs, and one new test excuses one that is gone alone.
func TestAnExcuseIsFoundInWhatStands(t *testing.T) {
	const (
		twin = "def test_%s():\n    got = parse(\"a,b\")\n    assert got.fields == [\"a\", \"b\"]\n\n\n"
		gone = "def test_%s():\n    one = make(1)\n    one.open()\n    one.write(\"x\")\n    assert one.size == 1\n" +
			"    assert one.name == \"x\"\n\n\n"
		come = "def test_late():\n    one = make(1)\n    two = other(one)\n    two.send(one)\n    two.wait()\n" +
			"    assert one.size == 1\n    assert two.sent == [one]\n\n\n"
	)
	for _, c := range []struct{ before, after, excuse string }{
		{fmt.Sprintf(twin+twin, "a", "b"), fmt.Sprintf(twin, "b"), "the same stands in test_b"},
		{fmt.Sprintf(gone+gone, "first", "second"), come, "a test like it is new"},
	} {
		before := widened(map[string]string{"test_x.py": c.before}, 40)
		after := widened(map[string]string{"test_x.py": c.after}, 40)
		whole := compare(t, before, after)
		excused := slices.ContainsFunc(whole.Weakenings, func(w tests.Weakening) bool { return w.Excuse == c.excuse })
		if !excused {
			t.Fatalf("nothing is excused by «%s»:\n%s", c.excuse, said(whole))
		}
		for _, of := range append([][]tests.Weakening{nil}, slices.Collect(slices.Chunk(whole.Weakenings, 1))...) {
			change := tests.Change{Before: treeOf(before), After: treeOf(after), Paths: []string{"test_x.py"}, Of: of, Brief: true}
			brief, err := tests.Compare(t.Context(), change)
			if err != nil {
				t.Fatal(err)
			}
			got, want := said(brief), said(whole)
			if len(of) > 0 {
				got, want = about(of[0], brief), about(of[0], whole)
			}
			if got != want {
				t.Errorf("asked for %d:\n%swant:\n%s", len(of), got, want)
			}
		}
	}
}

// about is what an account tells of the test or gate of a weakening.
func about(w tests.Weakening, account *tests.Account) string {
	some := &tests.Account{}
	for _, o := range account.Weakenings {
		ofTest := strings.HasPrefix(string(w.Kind), "test_") && strings.HasPrefix(string(o.Kind), "test_")
		if o.Subject == w.Subject && (o.Kind == w.Kind || ofTest) {
			some.Weakenings = append(some.Weakenings, o)
		}
	}
	return said(some)
}
