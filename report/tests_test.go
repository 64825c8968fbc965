package report

import (
	"strings"
	"testing"
)

// weaker is a report of a test that asserts less, and of one that is gone.
func weaker() *Report {
	r := &Report{Acta: "0.1.0", Range: "staged", Commits: 1}
	r.Tests = &Tests{
		Added: 4, Removed: 1, Skipped: 1, Weaker: 2, AssertionsBefore: 31, AssertionsAfter: 30,
		Changes: []TestChange{
			{
				Rule: "test_weakened", Subject: "test_sum", Message: "test_sum asserts less.",
				Before: TestPlace{"tests/test_total.py", 5, 5, "assert total([1, 2]) == 3"},
				After:  TestPlace{"tests/test_total.py", 5, 5, "assert total([1, 2]) is not None"},
			},
			{Rule: "test_weakened", Subject: "test_empty", Message: "test_empty is gone.", Before: TestPlace{"tests/test_total.py", 8, 9, "def test_empty()"}},
		},
	}
	for _, c := range r.Tests.Changes {
		r.Findings = append(r.Findings, Finding{Rule: c.Rule, Severity: Error, Path: "tests/test_total.py", Line: 5, Message: c.Message})
	}
	return r
}

func TestTestsAreSummedUpInALine(t *testing.T) {
	r := weaker()
	const want = "tests: 4 added, 1 removed, 1 skipped, 2 weaker; 31 → 30 assertions"
	if got := r.Tests.Summary(); got != want {
		t.Errorf("got %q", got)
	}
	var text, digest strings.Builder
	if err := WriteText(&text, r); err != nil || strings.Count(text.String(), want+"\n") != 1 {
		t.Errorf("%v %s", err, text.String())
	}
	if err := WriteDigest(&digest, r, 3, "acta check"); err != nil || strings.Count(digest.String(), "\n") != 3 ||
		!strings.Contains(digest.String(), want) || !strings.Contains(digest.String(), "and 2 more") {
		t.Errorf("%v %s", err, digest.String())
	}
	for _, quiet := range []*Tests{nil, {}, {AssertionsBefore: 3, AssertionsAfter: 3}} {
		r.Tests = quiet
		text.Reset()
		if err := WriteText(&text, r); err != nil || strings.Contains(text.String(), "tests: ") || !quiet.IsEmpty() {
			t.Errorf("%v %s", err, text.String())
		}
	}
	for want, one := range map[string]*Tests{
		"tests: 1 gate weaker, 1 declared":          {Gates: 1, Declared: 1},
		"tests: 1 added; 0 → 1 assertion":           {Added: 1, AssertionsAfter: 1},
		"tests: nothing is weaker":                  {Changes: []TestChange{{}}},
		"tests: code asks whether it is under test": {Changes: []TestChange{{Rule: "code_sees_tests"}}},
	} {
		if got := one.Summary(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestBothSidesOfAWeakerTestAreShown(t *testing.T) {
	r := weaker()
	for format, want := range map[string][]string{
		"markdown": {"Tests&#58; 4 added", "== 3</code> → <code>assert total", "def test&#95;empty&#40;&#41;</code> → gone"},
		"sarif":    {`"relatedLocations"`, `"before: assert total([1, 2]) == 3"`, `"after: assert total([1, 2]) is not None"`},
		"json":     {`"assertions_after": 30`, `"text": "assert total([1, 2]) == 3"`},
	} {
		got := string(written(t, format, r))
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s lacks %q:\n%s", format, w, got)
			}
		}
	}
}

func TestChangesOfTheSameTest(t *testing.T) {
	at := func(before, after string) TestChange {
		return TestChange{Rule: "test_weakened", Subject: "test_sum", Before: TestPlace{Path: before}, After: TestPlace{Path: after}}
	}
	one := at("tests/test_total.py", "tests/test_total.py")
	for name, c := range map[string]struct {
		other TestChange
		want  bool
	}{
		"itself":             {one, true},
		"gone since":         {TestChange{Rule: "test_weakened", Subject: "test_sum", Before: TestPlace{Path: "tests/test_total.py"}}, true},
		"renamed since":      {at("tests/test_total.py", "tests/test_sums.py"), true},
		"moved since":        {at("tests/unit/test_total.py", "tests/unit/test_total.py"), true},
		"of another file":    {at("tests/test_tax.py", "tests/test_tax.py"), false},
		"of another test":    {TestChange{Rule: "test_weakened", Subject: "test_tax", After: one.After}, false},
		"a gate of its name": {TestChange{Rule: "gate_weakened", Subject: "test_sum", After: one.After}, false},
	} {
		if got := one.IsSameTest(&c.other); got != c.want || c.other.IsSameTest(&one) != got {
			t.Errorf("%s: %v", name, got)
		}
	}
}
