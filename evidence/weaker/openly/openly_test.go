package openly

import (
	"testing"

	"github.com/acta-git/acta/evidence/gate"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// weakened are weakenings by a name, for the vectors below.
var weakened = map[string]weaker.Weakening{
	"the sum": {
		Kind: weaker.Removed, Loosening: gate.Loosening{TestChange: report.TestChange{Subject: "TestTotals.test_sum_of_negative_values",
			Before: weaker.Place{Path: "tests/sums/test_total.py", Text: "def test_sum_of_negative_values():\n    check_sum(total([-1]))"}}},
	},
	"a title": {
		Kind: weaker.Skipped, Loosening: gate.Loosening{TestChange: report.TestChange{Subject: "cart > adds tax to every item",
			Before: weaker.Place{Path: "test/cart.test.js"}, After: weaker.Place{Path: "test/cart.test.js"}}},
	},
	"a rule": {
		Kind: weaker.Gate, Loosening: gate.Loosening{TestChange: report.TestChange{Subject: "ruff: lint.ignore", After: weaker.Place{Path: "pyproject.toml"}, Before: weaker.Place{Path: "pyproject.toml"}}},
	},
	"a job": {
		Kind: weaker.Gate, Loosening: gate.Loosening{TestChange: report.TestChange{Subject: "lint: eslint", Before: weaker.Place{Path: ".github/workflows/ci.yml", Text: "- run: npx eslint ."}}},
	},
}

func TestWhatIsSaidOpenly(t *testing.T) {
	for _, c := range []struct {
		of, message string
		clause      string // what says it; "" for nothing
	}{
		{"the sum", "Remove test_sum_of_negative_values", "Remove test_sum_of_negative_values"},
		{"the sum", "Tidy up\n\ntest_sum_of_negative_values is dropped: it was slow.\n", "test_sum_of_negative_values is dropped: it was slow."},
		{"the sum", "Delete tests/sums/test_total.py", "Delete tests/sums/test_total.py"},
		{"the sum", "Remove test_a, test_b and test_sum_of_negative_values", "Remove test_a, test_b and test_sum_of_negative_values"},
		{"the sum", "Remove what nobody\nreads of TestTotals", "Remove what nobody reads of TestTotals"},
		{"the sum", "ACT: T01 tax\n\nDone: Skip `test_sum_of_negative_values` | src/tax.py:1-2\n", "Skip `test_sum_of_negative_values`"},
		{"the sum", "Remove the test", ""},
		{"the sum", "Add test_sum_of_negative_values", ""},
		{"the sum", "Remove dead code and fix test_sum_of_negative_values", ""},
		{"the sum", "Add test_sum_of_negative_values, remove dead code", ""},
		{"the sum", "Remove dead code. See test_sum_of_negative_values.", ""},
		{"the sum", "Sum up\n\nRemove dead code\nAdd test_sum_of_negative_values\n", ""},
		{"the sum", "Don't skip test_sum_of_negative_values", ""},
		{"the sum", "Un-skip test_sum_of_negative_values", ""},
		{"the sum", "Sum up\n\n> Remove test_sum_of_negative_values\n", ""},
		{"the sum", "Sum up\n\n```\nremoved test_sum_of_negative_values\n```\n", ""},
		{"the sum", "Say \"remove test_sum_of_negative_values\" in the log", ""},
		{"the sum", "ACT: T01 tax\n\nDone: Drop the cache | tests/sums/test_total.py:1-2\n", ""},
		{"the sum", "Remove test_sum_of_other_values", ""},
		{"the sum", "Add removeItem() for test_sum_of_negative_values", ""},
		{"a title", "Skip «adds tax to every item»", "Skip «adds tax to every item»"},
		{"a title", "Remove a dead item", ""},
		{"a rule", "ci: silence ruff", "silence ruff"},
		{"a rule", "Use ruff", ""},
		{"a job", "Drop eslint from the workflow, it has nothing to read", "Drop eslint from the workflow, it has nothing to read"},
		{"a job", "Remove the job of docs", ""},
	} {
		w := weakened[c.of]
		if got := Read(parser.Parse([]byte(c.message)).AuthorText()).Clause(&w); got != c.clause {
			t.Errorf("%q of %s: it says %q, expected %q", c.message, c.of, got, c.clause)
		}
	}
}

func FuzzMessages(f *testing.F) {
	for _, seed := range []string{"Remove `_` and __ (a, b)", "skip \"x", "—", "un-skip .. ,,", "no longer\n\nDon't", "\u00a0drop\u2003it"} {
		f.Add(seed)
	}
	f.Fuzz(func(_ *testing.T, message string) {
		for name := range weakened {
			w := weakened[name]
			Read(parser.Parse([]byte(message)).AuthorText()).Clause(&w)
		}
	})
}
