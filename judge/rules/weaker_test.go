package rules

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/acta-git/acta/evidence/gate"
	"github.com/acta-git/acta/evidence/weaker"
	"github.com/acta-git/acta/judge/policy"
	"github.com/acta-git/acta/parser"
	"github.com/acta-git/acta/report"
)

// less is an account of one test that asserts less, changed as each function says.
func less(change ...func(*weaker.Weakening)) *weaker.Account {
	w := weaker.Weakening{
		Kind: weaker.Weakened, Loosening: gate.Loosening{TestChange: report.TestChange{
			Rule: "test_weakened", Form: "assertion weaker", Subject: "TestTotals.test_sum", Message: "test_sum asserts less",
			Before: weaker.Place{Path: "tests/test_total.py", Line: 4, EndLine: 5, Text: "assert total([1, 2]) == 3"},
			After:  weaker.Place{Path: "tests/test_total.py", Line: 4, EndLine: 5, Text: "assert total([1, 2]) is not None"}}},
	}
	for _, c := range change {
		c(&w)
	}
	return &weaker.Account{Tests: report.Tests{Weaker: 1, AssertionsBefore: 2, AssertionsAfter: 2},
		Weakenings: []weaker.Weakening{w}}
}

func excused(w *weaker.Weakening)     { w.Excuse = "the code changes with it" }
func codeChanged(w *weaker.Weakening) { w.CodeChanged = true }
func ofGate(w *weaker.Weakening) {
	w.Kind, w.Rule, w.Subject = weaker.Gate, "gate_weakened", "test"
	w.Before, w.After = weaker.Place{Path: "ci.yml", Line: 3}, weaker.Place{Path: "ci.yml", Line: 3}
}

// around is a range of a commit; of nil accounts nothing is said.
type around struct {
	whole, since *weaker.Account
	others       []string // the messages of its other commits, below the author and a NUL where that is another one
	message      string
}

func (a around) Whole(context.Context) (*weaker.Account, error) { return a.whole, nil }
func (a around) TestsToEnd(context.Context, []weaker.Weakening, bool) (*weaker.Account, error) {
	return a.since, nil
}

func (a around) Author() string { return "me" }
func (a around) Messages(ctx context.Context) iter.Seq2[RangeCommit, error] {
	return func(yield func(RangeCommit, error) bool) {
		all, err := a.Commits(ctx)
		for _, c := range all {
			if !yield(c, err) {
				return
			}
		}
	}
}

func (a around) Commits(context.Context) (all []RangeCommit, err error) {
	for _, m := range a.others {
		author, message, found := strings.Cut(m, "\x00")
		if !found {
			author, message = "me", author
		}
		all = append(all, RangeCommit{parser.Parse([]byte(message)), author})
	}
	return append(all, RangeCommit{parser.Parse([]byte(a.message)), "me"}), nil
}
func (a around) PathTier(context.Context, string) (policy.Tier, error) { return policy.Standard, nil }

const (
	plain = "Tidy the tests\n"
	act   = "ACT: T01 tax\n\nDone: Add tax() | src/tax.py:1-2\n"
)

func TestHowMuchAWeakerTestWeighs(t *testing.T) {
	declared := func(said string) string { return plain + "\nWeakened: " + said + "\n" }
	for name, c := range map[string]struct {
		message string
		account *weaker.Account
		policy  string
		tier    policy.Tier
		in      *around
		want    string // "" for nothing
	}{
		"of who claims nothing":           {message: plain, account: less(), want: "warning"},
		"of an ACT":                       {message: act, account: less(), want: "error"},
		"of an ACT that changes its code": {message: act, account: less(codeChanged), want: "warning"},
		"in STRICT": {message: plain, account: less(codeChanged), tier: policy.Strict,
			want: "error"},
		"in LIGHT":                           {message: act, account: less(), tier: policy.Light, want: "warning"},
		"in EXEMPT":                          {message: act, account: less(), tier: policy.Exempt, want: ""},
		"excused":                            {message: act, account: less(excused), want: "note"},
		"a suppression in code that changes": {message: act, account: less(ofGate, codeChanged), want: "warning"},
		"a gate, whatever changed":           {message: act, account: less(ofGate), want: "error"},
		"a gate of a plain commit":           {message: plain, account: less(ofGate), want: "warning"},
		"a policy's warning": {message: act, account: less(), policy: "rules: {test_weakened: warning}\n",
			want: "warning"},
		"a policy's error": {message: plain, account: less(codeChanged),
			policy: "rules: {test_weakened: error}\n", want: "error"},
		"a policy's off": {message: act, account: less(), policy: "rules: {test_weakened: off}\n",
			want: ""},
		"said of the test": {message: declared("test_sum | The sum is checked elsewhere"),
			account: less(), want: "note"},
		"said of the class": {message: declared("TestTotals | They are slow on every machine"),
			account: less(), want: "note"},
		"said of the path":      {message: declared("`tests/test_total.py:4-5` | The sum is checked elsewhere"), account: less(), want: "note"},
		"said of path and test": {message: declared("tests/test_total.py::TestTotals::test_sum | Rounding changes it"), account: less(), want: "note"},
		"said of the folder": {message: declared("tests/ | The sums are checked elsewhere"),
			account: less(), want: "note"},
		"said of another test": {message: declared("test_summary | The sum is checked elsewhere"),
			account: less(), want: "warning"},
		"said of another test there": {message: declared("tests/test_total.py::test_empty | The sum is checked elsewhere"), account: less(), want: "warning"},
		"said without words": {message: declared("test_sum | ..........."), account: less(),
			want: "warning"},
		"said in a word":        {message: declared("test_sum | flaky"), account: less(), want: "warning"},
		"said without a reason": {message: declared("test_sum"), account: less(), want: "warning"},
		"said by an ACT": {message: act + "Weakened: test_sum | The sum is checked elsewhere\n",
			account: less(), want: "note"},
		"openly by an ACT": {message: act + "\nSkip test_sum for now.\n", account: less(),
			want: "warning"},
		"openly in an item": {message: "ACT: T01 tax\n\nDone: Relax test_sum | src/tax.py:1-2\n",
			account: less(), want: "warning"},
		"openly of another thing": {message: act + "\nRemove dead code.\n", account: less(), want: "error"},
		"openly, and its code changes": {message: act + "\nRelax test_sum.\n", account: less(codeChanged),
			want: "note"},
		"openly by who claims nothing": {message: "Skip test_sum for now\n", account: less(), want: "note"},
		"openly in STRICT": {message: act + "\nSkip test_sum for now.\n", account: less(),
			tier: policy.Strict, want: "error"},
		"openly under a policy's error": {message: act + "\nRelax test_sum.\n", account: less(),
			policy: "rules: {test_weakened: error}\n", want: "error"},
		"of a gate, openly": {message: act + "\nDrop ci.yml: it is slow.\n", account: less(ofGate),
			want: "warning"},
		"openly in another commit of its author": {message: act, account: less(),
			in: &around{whole: less(), since: less(), others: []string{"Skip test_sum for now\n"}}, want: "error"},
		"mended at the end of its range": {message: act, account: less(), in: &around{}, want: "note"},
		"as it is at the end": {message: act, account: less(), in: &around{whole: less(), since: less()},
			want: "error"},
		"excused at the end": {message: act, account: less(), in: &around{since: less(excused)},
			want: "note"},
		"code that changes later": {message: act, account: less(), in: &around{since: less(codeChanged)},
			want: "warning"},
		"code that changed before": {message: act, account: less(),
			in: &around{since: less(), whole: less(codeChanged)}, want: "warning"},
		"said later": {message: act, account: less(), in: &around{
			since: less(), others: []string{declared("test_sum | The sum is checked elsewhere")},
		}, want: "note"},
		"split off an ACT of its author": {message: plain, account: less(), in: &around{
			since: less(), others: []string{act},
		}, want: "error"},
		"beside an ACT of another author": {message: plain, account: less(), in: &around{
			since: less(), others: []string{"you\x00" + act},
		}, want: "warning"},
	} {
		t.Run(name, func(t *testing.T) {
			one := commit{
				message: c.message, account: c.account, policy: c.policy, tier: c.tier,
				base: files{"tests/test_total.py": "x"}, files: files{"src/tax.py": "def tax(v):\n    return v * 2\n"},
			}
			if c.in != nil {
				c.in.message, one.in = c.message, c.in
			}
			out, err := one.ask(t, Rules())
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, f := range out.Findings {
				if f.Rule == string(c.account.Weakenings[0].Kind) {
					got = f.Severity.String()
				}
			}
			if got != c.want {
				t.Errorf("got %q, want %q: %+v", got, c.want, out.Findings)
			}
		})
	}
}

// A commit that is about to be made and has no message yet is not asked: whether an ACT answers, the message says.
func TestWeakerTestsAreNotToldBeforeThereIsAMessage(t *testing.T) {
	c := commit{account: less(), base: files{"a": "b"}, files: files{"a": "c"}}
	a := answers{commit: &c, policy: &policy.Policy{}}
	in := a.input(&parser.Message{}, &parser.Part{})
	in.IsWholeCommit = true
	out, err := Run(t.Context(), []*Rule{find(string(weaker.Weakened))}, in)
	if err != nil || len(out.Findings) > 0 {
		t.Errorf("%v, %v", out, err)
	}
}

func TestAWeakerTestOfARange(t *testing.T) {
	for name, c := range map[string]struct {
		in   around
		want string
	}{
		"of plain commits": {around{whole: less(), message: plain}, "warning"},
		"with an ACT":      {around{whole: less(), message: plain, others: []string{act}}, "error"},
		"excused":          {around{whole: less(excused), message: act}, ""},
		"said": {around{whole: less(), message: act,
			others: []string{plain + "\nWeakened: test_sum | It is checked elsewhere\n"}}, "note"},
		"nothing": {around{message: act}, ""},
	} {
		pol := policy.Default()
		out, err := RunRange(t.Context(), []*Rule{find(string(weaker.Weakened))},
			&RangeInput{Policy: &pol, Head: "c9", Tests: c.in})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range out.Findings {
			got = f.Severity.String()
			if f.Commit != "c9" || out.Tests.ChangeOf(f) == nil {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if got != c.want || (out.Tests == nil) != (c.in.whole == nil) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestClaimsThatRestOnWeakerTests(t *testing.T) {
	const source = "def total(values):\n    return sum(values)\n"
	for name, c := range map[string]struct {
		item, cites, kind string
		account           *weaker.Account
		said              string
		in                *around
		want              report.Verdict
	}{
		"it promises this test":   {item: "Make the total tests pass", want: report.Unclear},
		"it promises all tests":   {item: "All tests are green again", want: report.Unclear},
		"it promises other tests": {item: "Make the tax tests pass", want: report.Verified},
		"it promises nothing":     {item: "Rework total()", want: report.Verified},
		"it is a test and cites it": {item: "Test the sums", kind: "test", cites: "tests/test_total.py:4-5",
			want: report.Unclear},
		"it is a test and cites another": {item: "Test the sums", kind: "test", cites: "tests/test_total.py:1-2",
			want: report.Verified},
		"it is a test and names it": {item: "Write test_sum", kind: "test", cites: "tests/test_total.py:1-2",
			want: report.Unclear},
		"it is a test and names its file": {item: "Write test_total.py", kind: "test", cites: "tests/test_total.py:1-2",
			want: report.Unclear},
		"excused": {item: "Make the tests pass", account: less(excused), want: report.Verified},
		"said": {item: "Make the tests pass", said: "Weakened: test_sum | Checked elsewhere now\n",
			want: report.Verified},
		"a gate is no test": {item: "Make the tests pass", account: less(ofGate), want: report.Verified},
		"another commit of its range did": {item: "Make the tests pass", account: &weaker.Account{},
			in: &around{whole: less()}, want: report.Unclear},
	} {
		if c.cites == "" {
			c.cites = "src/total.py:1-2"
		}
		if c.account == nil {
			c.account = less()
		}
		one := commit{
			account: c.account, message: "ACT: T01 x\n\nDone: " + c.item + " | " + c.cites + "\n" + c.said,
			files: files{"src/total.py": source,
				"tests/test_total.py": "def test_a():\n    assert total([]) == 0\n\ndef test_sum():\n    assert total([1, 2]) is not None\n"},
			base: files{"tests/test_total.py": "def test_b():\n    assert total([1]) == 1\n\ndef test_sum():\n    assert total([1, 2]) == 3\n"},
		}
		if c.kind != "" {
			one.base["working_plan/current.json"] = `{"id": "R", "type": "parent", "children": [{"id": "T01", "type": "atomic",
				"checklist": [{"item": "` + c.item + `", "kind": "` + c.kind + `"}]}]}`
		}
		if c.in != nil {
			c.in.message, one.in = one.message, c.in
		}
		out, err := one.ask(t, Rules())
		if err != nil {
			t.Fatal(err)
		}
		told := slices.ContainsFunc(out.Findings, func(f report.Finding) bool { return f.Rule == "evidence_unclear" })
		if len(out.Verdicts) != 1 || out.Verdicts[0].Verdict != c.want || told != (c.want == report.Unclear) {
			t.Errorf("%s: %+v\n%+v", name, out.Verdicts, out.Findings)
		}
	}
}
