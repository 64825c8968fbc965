package openly

import (
	"testing"

	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/parser"
)

// weakened are weakenings by a name, for the vectors below.
var weakened = map[string]weaker.Weakening{
	"the sum": {
		Kind: weaker.Removed, Subject: "TestTotals.test_sum_of_negative_values",
		Before: weaker.Place{Path: "tests/sums/test_total.py", Text: "def test_sum_of_negative_values():\n    check_sum(total([-1]))"},
	},
	"a test alone": {
		Kind: weaker.Removed, Subject: "TestLogger.IsSilent", Before: weaker.Place{Path: "tests/LoggerTests.cs"}, Alone: true,
	},
	"a title": {
		Kind: weaker.Skipped, Subject: "cart > adds tax to every item",
		Before: weaker.Place{Path: "test/cart.test.js"}, After: weaker.Place{Path: "test/cart.test.js"},
	},
	"one word": {
		Kind: weaker.Weakened, Subject: "test_tax", Before: weaker.Place{Path: "tests/test_tax.py", Text: "assert tax(100) == 19"},
		After: weaker.Place{Path: "tests/test_tax.py", Text: "assert tax(100)"},
	},
	"a rule": {
		Kind: weaker.Gate, Subject: "ruff: lint.ignore", After: weaker.Place{Path: "pyproject.toml", Text: `ignore = ["E501", "F821"]`},
		Before: weaker.Place{Path: "pyproject.toml", Text: `ignore = ["E501"]`},
	},
	"a service": {
		Kind: weaker.Gate, Subject: "make test", Before: weaker.Place{Path: "appveyor.yml", Text: "test_script: make test"},
	},
	"a job": {
		Kind: weaker.Gate, Subject: "lint: eslint", Before: weaker.Place{Path: ".github/workflows/ci.yml", Text: "- run: npx eslint ."},
	},
	"a snapshot": {
		Kind: weaker.Weakened, Subject: "view > says 1", Before: weaker.Place{Path: "test/__snapshots__/view.test.js.snap"},
		After: weaker.Place{Path: "test/__snapshots__/view.test.js.snap"},
	},
	"a suppression": {
		Kind: weaker.Gate, Subject: "src/impls.rs: #[allow(",
		After: weaker.Place{Path: "src/impls.rs", Text: "#[allow(deprecated)]\nlet v = mem::uninitialized();"},
	},
}

func TestWhatIsSaidOpenly(t *testing.T) {
	for _, c := range []struct {
		of, message string
		clause      string // what says it; "" for nothing
	}{
		{"the sum", "Remove test_sum_of_negative_values", "Remove test_sum_of_negative_values"},
		{"the sum", "Tidy up\n\nThe check of negative sums is dropped: it was slow.\n", "The check of negative sums is dropped: it was slow."},
		{"the sum", "Delete tests/sums/test_total.py", "Delete tests/sums/test_total.py"},
		{"the sum", "Drop everything in tests/sums/", "Drop everything in tests/sums/"},
		{"the sum", "Negative values are no longer summed", "Negative values are no longer summed"},
		{"the sum", "ACT: T01 tax\n\nDone: Drop the sum of negative values | src/tax.py:1-2\n", "Drop the sum of negative values"},
		{"the sum", "Revert \"Check the sum of negative values\"\n\nThis reverts commit 2f64f68c37c64ae333e41ff38032d21860f22255.\n",
			`Revert "Check the sum of negative values"`},
		{"a snapshot", "test: Update snapshots", "test: Update snapshots"},
		{"a snapshot", "Fix the view\n\nSnapshots were regenerated.\n", "Snapshots were regenerated."},
		{"a snapshot", "Make the snapshots pass", ""},
		{"a snapshot", "Don't update snapshots", ""},
		{"one word", "Update the snapshot of test_tax", ""},
		{"the sum", "Remove the test", ""},
		{"the sum", "Add tests of negative sums", ""},
		{"the sum", "Remove dead code and add sums of negative values", ""},
		{"the sum", "Remove dead code. Sums of negative values are rounded.", ""},
		{"the sum", "Sum up\n\nRemove dead code\nAdd the sum of negative values\n", ""},
		{"the sum", "Don't skip test_sum_of_negative_values", ""},
		{"the sum", "Un-skip test_sum_of_negative_values", ""},
		{"the sum", "Sum up\n\n> Remove test_sum_of_negative_values\n", ""},
		{"the sum", "Sum up\n\n```\nremoved test_sum_of_negative_values\n```\n", ""},
		{"the sum", "Say \"remove test_sum_of_negative_values\" in the log", ""},
		{"the sum", "ACT: T01 tax\n\nDone: Drop the cache | tests/sums/test_total.py:1-2\n", ""},
		{"the sum", "sums: remove dead code", ""},
		{"the sum", "Remove test_sum_of_other_values", ""},
		{"the sum", "refactor(negative-sums): remove what nobody reads", ""},
		{"the sum", "Remove testSumOfNegativeValues", "Remove testSumOfNegativeValues"},
		{"a test alone", "Removed obsolete test", "Removed obsolete test"},
		{"a test alone", "Remove tests that cannot work there", "Remove tests that cannot work there"},
		{"a test alone", "Remove a duplicate of the test helper", ""},
		{"a test alone", "Remove the test helper, add a test", ""},
		{"a test alone", "Quick fix of the build", ""},
		{"a test alone", "Remove what nobody reads", ""},
		{"a title", "Skip flaky, slow checks of the tax of an item", "Skip flaky, slow checks of the tax of an item"},
		{"a title", "Remove a dead item", ""},
		{"one word", "Relax the tax test", "Relax the tax test"},
		{"one word", "Remove the cache of tax()", ""},
		{"one word", "Remove a blank line of test_tax_of_nothing", ""},
		{"one word", "Add dropTax() and its test", ""},
		{"one word", "Add NoDroppedTax, a test of tax", ""},
		{"one word", "Allow a test of tax", ""},
		{"a rule", "Ignore F821", "Ignore F821"},
		{"a rule", "ci: silence ruff", "ci: silence ruff"},
		{"a rule", "Ignore E501", ""},
		{"a rule", "Use ruff", ""},
		{"a service", "ci: soft-disable Travis and AppVeyor", "ci: soft-disable Travis and AppVeyor"},
		{"a service", "Remove the make target", ""},
		{"a job", "Remove the lint job", "Remove the lint job"},
		{"a job", "Remove lint from the docs", ""},
		{"a suppression", "Suppress deprecation warnings", "Suppress deprecation warnings"},
		{"a suppression", "Added comments to ignore remaining warnings", "Added comments to ignore remaining warnings"},
		{"a suppression", "Adds SuppressWarning to limit the warnings", "Adds SuppressWarning to limit the warnings"},
		{"a suppression", "Add the cop NoSuppressedWarning", ""},
		{"a suppression", "Fix warnings on mem::uninitialized", ""},
	} {
		w := weakened[c.of]
		if got := Read(parser.Parse([]byte(c.message)).Own()).Of(&w); got.Clause != c.clause {
			t.Errorf("%q of %s: it says %q, expected %q", c.message, c.of, got.Clause, c.clause)
		}
	}
}

func TestAskingWords(t *testing.T) {
	for text, want := range map[string]string{
		"removes": "remov", "skipped": "skip", "flaky": "flak", "xfailing": "xfail", "ignorance": "ignor",
		"lowercase": "", "allowlist": "", "dropdown": "", "deleted": "delet",
	} {
		if got := askingWord([]string{text}); got != want {
			t.Errorf("%s: %q, expected %q", text, got, want)
		}
	}
	if got := Read([]string{"Remove a. Skip b.", "Remove c"}).Words(); len(got) != 2 || got[0] != "remov" || got[1] != "skip" {
		t.Errorf("the words of a message: %q", got)
	}
}

func FuzzMessages(f *testing.F) {
	for _, seed := range []string{"Remove `_` and __ (a, b)", "skip \"x", "—", "un-skip .. ,,", "no longer\n\nDon't", "\u00a0drop\u2003it"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		for name := range weakened {
			w := weakened[name]
			saying := Read(parser.Parse([]byte(message)).Own()).Of(&w)
			if (saying.Clause == "") != (saying.Word == "") {
				t.Errorf("%q of %s: the clause %q says %q", message, name, saying.Clause, saying.Word)
			}
		}
	})
}
